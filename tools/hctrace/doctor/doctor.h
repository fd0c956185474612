/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace doctor: why does it not work here, and what to type next. */
#ifndef HCTRACE_DOCTOR_H
#define HCTRACE_DOCTOR_H

/** verb_doctor() - its entry; @argv[0] is the verb. Returns an exit status. */
int verb_doctor(int argc, char **argv);

#endif /* HCTRACE_DOCTOR_H */
