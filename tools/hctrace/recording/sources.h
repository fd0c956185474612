/* SPDX-License-Identifier: GPL-2.0 */
/* What the formats of recordings have in common: each is a source of a recording. */
#ifndef HCTRACE_RECORDING_SOURCES_H
#define HCTRACE_RECORDING_SOURCES_H

#include "recording.h"

/** recording_xentrace() - read a file of xentrace. Return: 0 or an exit status */
int recording_xentrace(struct recording *rec);

/** recording_perfdata() - read a file in perf's format. Return: 0 or an exit status */
int recording_perfdata(struct recording *rec);

/**
 * recording_clock() - before the first record: what its times are
 * @rec: the recording
 * @ns: nanoseconds, else TSCs
 *
 * Return: 0, or EXIT_USAGE after saying that seconds were asked for and there are none.
 */
int recording_clock(struct recording *rec, bool ns);

/**
 * recording_move_on() - a record comes
 * @rec: the recording
 * @raw: its time, as it was recorded; 0: it has none
 *
 * Return: whether it is still wanted.
 */
bool recording_move_on(struct recording *rec, u64 raw);

/** recording_step() - the next record is not one that follows on the last */
void recording_step(struct recording *rec);

/** recording_add_pcpu() - one more ring, number @index, of @pcpu. Return: false: no memory */
bool recording_add_pcpu(struct recording *rec, u32 index, u32 pcpu);

#endif /* HCTRACE_RECORDING_SOURCES_H */
