/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls over time, in a bounded number of intervals of one length. How long the
 * recording is turns out at its end: intervals are joined in pairs when it grows
 * out of them.
 */
#ifndef HCTRACE_TIMELINE_H
#define HCTRACE_TIMELINE_H

#include <stdio.h>

#include "recording/recording.h"

#define TIMELINE_BUCKETS_DEFAULT	50
#define TIMELINE_BUCKETS_MAX		100000

struct timeline;

/**
 * timeline_new() - nothing counted yet
 * @buckets: intervals that there may be, 1 to %TIMELINE_BUCKETS_MAX
 * @rows: that are counted apart, in the same intervals
 *
 * Return: NULL if there is no memory.
 */
struct timeline *timeline_new(u32 buckets, u32 rows);

/** timeline_free() - give it back; NULL is allowed */
void timeline_free(struct timeline *line);

/** timeline_count() - so many calls of a row at @time */
void timeline_count(struct timeline *line, u32 row, u64 time, u64 nr);

/** timeline_used() - how many intervals there are */
u32 timeline_used(const struct timeline *line);

/** timeline_at() - calls of a row in interval @index */
u64 timeline_at(const struct timeline *line, u32 row, u32 index);

/** timeline_begin() - when interval @index begins, and the one before ends */
u64 timeline_begin(const struct timeline *line, u32 index);

/**
 * timeline_calm() - for how long, from @time on, calls are in one interval
 * @line: the timeline
 * @time: any
 *
 * Return: 0, before there is a call.
 */
u64 timeline_calm(const struct timeline *line, u64 time);

/** timeline_print() - the table of the first row, with a bar for each interval */
void timeline_print(const struct timeline *line, const struct recording *rec, FILE *to);

#endif /* HCTRACE_TIMELINE_H */
