// SPDX-License-Identifier: GPL-2.0
/*
 * Rows are matched by domain, kind and op. A row that is gone belonged to a dead
 * domain and was folded into d[gone], which then has that much less that is new.
 */
#include <stdlib.h>

#include "statsdiff.h"

static int compare_rows(const void *left, const void *right)
{
	const struct stats_row *a = left;
	const struct stats_row *b = right;
	int order = strcmp(a->dom.label, b->dom.label);

	if (!order)
		order = strcmp(a->kind, b->kind);
	return order ? order : strcmp(a->op, b->op);
}

static int compare_batches(const void *left, const void *right)
{
	const struct batch_row *a = left;
	const struct batch_row *b = right;

	return strcmp(a->dom.label, b->dom.label);
}

static void sort_reading(struct reading *reading)
{
	if (reading->is_sorted)
		return;
	reading->is_sorted = true;
	if (reading->stats.nr_rows)
		qsort(reading->stats.rows, reading->stats.nr_rows, sizeof(struct stats_row),
		      compare_rows);
	if (reading->multicalls.nr_rows)
		qsort(reading->multicalls.rows, reading->multicalls.nr_rows,
		      sizeof(struct batch_row), compare_batches);
}

/* @place: where it stands if nothing came or went, which is usual. */
static struct stats_row *find_row(const struct stats *stats, const struct stats_row *key,
				  size_t place)
{
	if (!stats->nr_rows)
		return NULL;
	if (place < stats->nr_rows && !compare_rows(key, &stats->rows[place]))
		return &stats->rows[place];
	return bsearch(key, stats->rows, stats->nr_rows, sizeof(*key), compare_rows);
}

static const struct batch_row *find_batches(const struct multicalls *mc,
					    const struct batch_row *key)
{
	if (!mc->nr_rows)
		return NULL;
	return bsearch(key, mc->rows, mc->nr_rows, sizeof(*key), compare_batches);
}

/* Counters only grow, as does the time they are of. */
static bool was_reset(const struct reading *before, const struct reading *after)
{
	size_t i;

	if (after->stats.traced_ms < before->stats.traced_ms ||
	    after->stats.lost < before->stats.lost)
		return true;
	for (i = 0; i < before->stats.nr_rows; i++) {
		const struct stats_row *old = &before->stats.rows[i];
		const struct stats_row *new = find_row(&after->stats, old, i);

		if (new && new->records < old->records)
			return true;
		/* Living and unknown ones never go. */
		if (!new && old->dom.domid <= 0 && old->records)
			return true;
	}
	return false;
}

static u64 less(u64 now, u64 then)
{
	return now > then ? now - then : 0;
}

/* A continuation may turn out to have been a call, so @cont may shrink by one. */
static void subtract_row(struct stats_row *row, const struct stats_row *old)
{
	row->records = less(row->records, old->records);
	row->calls = less(row->calls, old->calls);
	row->cont = less(row->cont, old->cont);
	row->units = less(row->units, old->units);
}

/* What died in between is in d[gone] as a whole: take away what it had before. */
static void subtract_folded(struct stats_diff *diff, const struct stats_row *old)
{
	size_t i;

	for (i = 0; i < diff->nr_rows; i++) {
		struct stats_row *row = &diff->rows[i];

		if (!strcmp(row->dom.label, "d[gone]") && !strcmp(row->kind, old->kind) &&
		    !strcmp(row->op, old->op))
			subtract_row(row, old);
	}
}

static bool is_wanted(const struct stats_row *row)
{
	return strcmp(row->op, "*") || !strcmp(row->dom.label, "d?");
}

static void diff_rows(struct stats_diff *diff, const struct stats *before,
		      const struct stats *after)
{
	const struct stats_row *old;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < after->nr_rows; i++) {
		struct stats_row *row = &diff->rows[diff->nr_rows];

		if (!is_wanted(&after->rows[i]))
			continue;
		*row = after->rows[i];
		old = find_row(before, row, i);
		if (old && !diff->reset)
			subtract_row(row, old);
		diff->nr_rows++;
	}
	for (i = 0; i < before->nr_rows && !diff->reset; i++) {
		old = &before->rows[i];
		if (is_wanted(old) && !find_row(after, old, i))
			subtract_folded(diff, old);
	}
	for (i = 0; i < diff->nr_rows; i++) {
		if (!diff->rows[i].records && !diff->rows[i].calls)
			continue;
		diff->records += diff->rows[i].records;
		diff->calls += diff->rows[i].calls;
		diff->rows[nr++] = diff->rows[i];
	}
	diff->nr_rows = nr;
}

static void subtract_batches(struct batch_row *row, const struct batch_row *old)
{
	unsigned int bucket;

	row->batches = less(row->batches, old->batches);
	row->split = less(row->split, old->split);
	row->cut_short = less(row->cut_short, old->cut_short);
	row->lost = less(row->lost, old->lost);
	row->declared = less(row->declared, old->declared);
	row->seen = less(row->seen, old->seen);
	for (bucket = 0; bucket < HCT_NR_SIZES; bucket++)
		row->sizes[bucket] = less(row->sizes[bucket], old->sizes[bucket]);
}

static void diff_batches(struct stats_diff *diff, const struct multicalls *before,
			 const struct multicalls *after)
{
	struct batch_row *gone = NULL;
	const struct batch_row *old;
	size_t i;

	for (i = 0; i < after->nr_rows; i++) {
		struct batch_row *row = &diff->batches[diff->nr_batches++];

		*row = after->rows[i];
		old = find_batches(before, row);
		if (old && !diff->reset)
			subtract_batches(row, old);
		if (!strcmp(row->dom.label, "d[gone]"))
			gone = row;
	}
	for (i = 0; i < before->nr_rows && gone && !diff->reset; i++) {
		if (!find_batches(after, &before->rows[i]))
			subtract_batches(gone, &before->rows[i]);
	}
}

static void diff_cpus(struct stats_diff *diff, const struct stats *before,
		      const struct stats *after)
{
	struct cpu_row *gone = NULL;
	const struct cpu_row *old;
	size_t i;

	for (i = 0; i < after->nr_cpus; i++) {
		struct cpu_row *row = &diff->cpus[diff->nr_cpus++];

		*row = after->cpus[i];
		old = cpu_find(before->cpus, before->nr_cpus, row->dom.label);
		if (old && !diff->reset)
			row->us = less(row->us, old->us);
		if (!strcmp(row->dom.label, "d[gone]"))
			gone = row;
	}
	for (i = 0; i < before->nr_cpus && gone && !diff->reset; i++) {
		old = &before->cpus[i];
		if (!cpu_find(after->cpus, after->nr_cpus, old->dom.label))
			gone->us = less(gone->us, old->us);
	}
}

bool stats_diff(struct reading *before, struct reading *after, struct stats_diff *diff)
{
	memset(diff, 0, sizeof(*diff));
	sort_reading(before);
	sort_reading(after);
	diff->elapsed_ns = after->stats.taken_ns - before->stats.taken_ns;
	diff->reset = was_reset(before, after);
	diff->lost = after->stats.lost - (diff->reset ? 0 : before->stats.lost);
	diff->malformed = diff->reset ? after->stats.malformed :
					less(after->stats.malformed, before->stats.malformed);

	diff->rows = calloc(after->stats.nr_rows + 1, sizeof(*diff->rows));
	diff->batches = calloc(after->multicalls.nr_rows + 1, sizeof(*diff->batches));
	diff->cpus = calloc(after->stats.nr_cpus + 1, sizeof(*diff->cpus));
	if (!diff->rows || !diff->batches || !diff->cpus) {
		stats_diff_free(diff);
		return false;
	}
	diff_rows(diff, &before->stats, &after->stats);
	diff_batches(diff, &before->multicalls, &after->multicalls);
	diff_cpus(diff, &before->stats, &after->stats);
	return true;
}

void stats_diff_free(struct stats_diff *diff)
{
	free(diff->rows);
	free(diff->batches);
	free(diff->cpus);
	diff->cpus = NULL;
	diff->nr_cpus = 0;
	diff->rows = NULL;
	diff->batches = NULL;
	diff->nr_rows = 0;
	diff->nr_batches = 0;
}

double per_second(const struct stats_diff *diff, u64 count)
{
	return diff->elapsed_ns ? count * 1e9 / diff->elapsed_ns : 0;
}

bool reading_take(struct reading *reading, char *err, size_t err_size)
{
	memset(reading, 0, sizeof(*reading));
	return stats_read(&reading->stats, err, err_size) &&
	       multicalls_read(&reading->multicalls, err, err_size);
}

void reading_free(struct reading *reading)
{
	stats_free(&reading->stats);
	multicalls_free(&reading->multicalls);
	reading->is_sorted = false;
}
