/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace record: from the ring of the device to a file, in one of two formats. */
#ifndef HCTRACE_RECORD_H
#define HCTRACE_RECORD_H

/** verb_record() - its entry; @argv[0] is the verb. Returns an exit status. */
int verb_record(int argc, char **argv);

#endif /* HCTRACE_RECORD_H */
