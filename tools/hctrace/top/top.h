/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace top: who calls what now, table after table. */
#ifndef HCTRACE_TOP_H
#define HCTRACE_TOP_H

/** verb_top() - its entry; @argv[0] is the verb. Returns an exit status. */
int verb_top(int argc, char **argv);

#endif /* HCTRACE_TOP_H */
