/* SPDX-License-Identifier: GPL-2.0 */
/* How far a long file is read, on a terminal. */
#ifndef HCTRACE_PROGRESS_H
#define HCTRACE_PROGRESS_H

#include <hctrace/types.h>

struct progress;

/** progress_new() - on standard error, if that is a terminal; else NULL. @size: all there is */
struct progress *progress_new(u64 size);

/** progress_at() - @offset bytes are read; cheap, and nothing for NULL */
void progress_at(struct progress *progress, u64 offset);

/** progress_end() - wipe it out */
void progress_end(struct progress *progress);

#endif /* HCTRACE_PROGRESS_H */
