/* SPDX-License-Identifier: GPL-2.0 */
/* A source of a recording: what it has to be, and what it tells the recording. */
#ifndef HCTRACE_RECORDING_SOURCE_H
#define HCTRACE_RECORDING_SOURCE_H

#include <hctrace/types.h>

struct input;
struct recording;

/**
 * struct recording_source - a format that recordings are in
 * @name: what it is called
 * @is: whether an input is of it
 * @read: read all of it. Return: 0 or an exit status
 */
struct recording_source {
	const char *name;
	bool (*is)(struct input *in);
	int (*read)(struct recording *rec);
};

extern const struct recording_source recording_from_perfdata;
extern const struct recording_source recording_from_xentrace;

/**
 * recording_clock() - before the first record: what its times are
 * @rec: the recording
 * @ns: nanoseconds, else TSCs
 *
 * Return: 0; EXIT_USAGE after saying that seconds were asked for and there are none; or
 * what rec->begin says.
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

/** recording_end() - nothing comes any more: whose time it was up to here */
void recording_end(struct recording *rec);

/** recording_start() - what comes now is wanted; recording_move_on() finds out */
void recording_start(struct recording *rec);

/** recording_step() - the next record is not one that follows on the last */
void recording_step(struct recording *rec);

/** recording_add_pcpu() - one more ring, number @index, of @pcpu. Return: false: no memory */
bool recording_add_pcpu(struct recording *rec, u32 index, u32 pcpu);

#endif /* HCTRACE_RECORDING_SOURCE_H */
