/* SPDX-License-Identifier: GPL-2.0 */
/* What happened between two readings of `stats` and `multicalls`. */
#ifndef HCTRACE_STATSDIFF_H
#define HCTRACE_STATSDIFF_H

#include "statsfile.h"

/**
 * struct reading - both files, one right after the other
 * @stats: the one
 * @multicalls: the other
 * @is_sorted: stats_diff() has put their rows in its order
 */
struct reading {
	struct stats stats;
	struct multicalls multicalls;
	bool is_sorted;
};

/**
 * struct stats_diff - what happened between two readings
 * @elapsed_ns: time between them
 * @reset: counters were set to zero in between; figures are those since then
 * @lost: records lost
 * @malformed: malformed calls
 * @records: records of all rows together
 * @calls: calls of all rows together, members included
 * @rows: what was called, one row a domain, kind and op; sums ("*") are left out,
 *	but for "d?", which has nothing else. Rows of nothing are left out too.
 * @nr_rows: how many
 * @cpus: for how long domains ran, those without calls too; as in &struct stats
 * @nr_cpus: how many
 * @batches: multicalls; @max is that of all time
 * @nr_batches: how many rows
 */
struct stats_diff {
	u64 elapsed_ns;
	bool reset;
	u64 lost;
	u64 malformed;
	u64 records;
	u64 calls;
	struct stats_row *rows;
	size_t nr_rows;
	struct cpu_row *cpus;
	size_t nr_cpus;
	struct batch_row *batches;
	size_t nr_batches;
};

/** reading_take() - read both files; @err says what cannot be read */
bool reading_take(struct reading *reading, char *err, size_t err_size);
void reading_free(struct reading *reading);

/**
 * stats_diff() - what happened from @before to @after
 * @before: the older reading; its rows get sorted
 * @after: the younger one; its rows get sorted
 * @diff: filled in, stats_diff_free() it
 *
 * Return: false if there is no memory.
 */
bool stats_diff(struct reading *before, struct reading *after, struct stats_diff *diff);
void stats_diff_free(struct stats_diff *diff);

/** per_second() - a rate over the time of @diff */
double per_second(const struct stats_diff *diff, u64 count);

#endif /* HCTRACE_STATSDIFF_H */
