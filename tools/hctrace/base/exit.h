/* SPDX-License-Identifier: GPL-2.0 */
/* Exit statuses of every verb, besides 0 for success. */
#ifndef HCTRACE_EXIT_H
#define HCTRACE_EXIT_H

#define EXIT_TROUBLE	1	/* it could not be done; standard error says why */
#define EXIT_USAGE	2	/* it was asked for wrongly */
#define EXIT_DAMAGED	3	/* done, but the input was damaged; what is lost was counted */
#define EXIT_NOTHING	4	/* done, but nothing there is matches --domain and --op */

#endif /* HCTRACE_EXIT_H */
