/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace report: what a recording adds up to. */
#ifndef HCTRACE_REPORT_H
#define HCTRACE_REPORT_H

/** verb_report() - its entry; @argv[0] is the verb. Returns an exit status. */
int verb_report(int argc, char **argv);

#endif /* HCTRACE_REPORT_H */
