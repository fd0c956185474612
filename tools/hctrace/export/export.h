/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace export: a recording, or what is counted now, for other programs. */
#ifndef HCTRACE_EXPORT_H
#define HCTRACE_EXPORT_H

/** verb_export() - its entry; @argv[0] is the verb. Returns an exit status. */
int verb_export(int argc, char **argv);

#endif /* HCTRACE_EXPORT_H */
