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

/** timeline_new() - room for @buckets intervals, 1 to %TIMELINE_BUCKETS_MAX; NULL: no memory */
struct timeline *timeline_new(u32 buckets);

/** timeline_free() - give it back; NULL is allowed */
void timeline_free(struct timeline *line);

/** timeline_count() - so many calls at @time */
void timeline_count(struct timeline *line, u64 time, u64 nr);

/**
 * timeline_calm() - for how long, from @time on, calls are in one interval
 * @line: the timeline
 * @time: any
 *
 * Return: 0, before there is a call.
 */
u64 timeline_calm(const struct timeline *line, u64 time);

/** timeline_print() - the table, with a bar for each interval */
void timeline_print(const struct timeline *line, const struct recording *rec, FILE *to);

#endif /* HCTRACE_TIMELINE_H */
