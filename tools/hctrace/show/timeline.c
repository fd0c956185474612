// SPDX-License-Identifier: GPL-2.0
/* See timeline.h. */
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

#define BAR_COLUMNS	50
#define MAX_SHIFT	63

/**
 * struct timeline - the intervals
 * @room: intervals that there may be
 * @rows: rows of them
 * @start: begin of the first interval
 * @shift: length of each, as a power of two
 * @has_start: @start is set
 * @used: entries up to the last one with a call
 * @counts: calls in each, row by row
 */
struct timeline {
	u32 room;
	u32 rows;
	u64 start;
	unsigned int shift;
	bool has_start;
	u32 used;
	u64 counts[];
};

struct timeline *timeline_new(u32 buckets, u32 rows)
{
	size_t nr = (size_t)buckets * rows;
	struct timeline *line = calloc(1, sizeof(*line) + nr * sizeof(*line->counts));

	if (line) {
		line->room = buckets;
		line->rows = rows;
	}
	return line;
}

void timeline_free(struct timeline *line)
{
	free(line);
}

/* Each interval takes its neighbour in. */
static void widen_row(u64 *counts, u32 used)
{
	u32 i;

	for (i = 0; i < (used + 1) / 2; i++) {
		u64 sum = counts[2 * i];

		if (2 * i + 1 < used)
			sum += counts[2 * i + 1];
		counts[i] = sum;
	}
	memset(counts + i, 0, (used - i) * sizeof(*counts));
}

static void widen(struct timeline *line)
{
	u32 row;

	for (row = 0; row < line->rows; row++)
		widen_row(line->counts + (size_t)row * line->room, line->used);
	line->used = (line->used + 1) / 2;
	line->shift++;
}

u64 timeline_calm(const struct timeline *line, u64 time)
{
	unsigned int shift = line->shift;
	u64 begin, end;

	if (!line->has_start)
		return 0;
	/* What is late belongs to the first interval, if to any. */
	begin = time > line->start ? time - line->start : 0;
	while (begin >> shift >= line->room && shift < MAX_SHIFT)
		shift++;
	end = ((begin >> shift) + 1) << shift;
	return end - begin;
}

void timeline_count(struct timeline *line, u32 row, u64 time, u64 nr)
{
	u64 index;

	if (!line->has_start) {
		line->has_start = true;
		line->start = time;
	}
	if (time < line->start)
		time = line->start;
	while ((index = (time - line->start) >> line->shift) >= line->room &&
	       line->shift < MAX_SHIFT)
		widen(line);
	if (index >= line->room)
		index = line->room - 1;
	line->counts[(size_t)row * line->room + index] += nr;
	if (index >= line->used)
		line->used = index + 1;
}

u32 timeline_used(const struct timeline *line)
{
	return line->used;
}

u64 timeline_at(const struct timeline *line, u32 row, u32 index)
{
	return line->counts[(size_t)row * line->room + index];
}

u64 timeline_begin(const struct timeline *line, u32 index)
{
	return line->start + ((u64)index << line->shift);
}

static void print_time(const struct recording *rec, u64 time, FILE *to)
{
	if (rec->hz)
		fprintf(to, "%18.6f", recording_seconds(rec, time));
	else
		fprintf(to, "%18llu", time - rec->first);
}

void timeline_print(const struct timeline *line, const struct recording *rec, FILE *to)
{
	static const char bar[BAR_COLUMNS + 1] =
		"##################################################";
	u64 most = 0;
	u32 i;

	for (i = 0; i < line->used; i++) {
		if (line->counts[i] > most)
			most = line->counts[i];
	}
	fprintf(to, "# timeline   calls, continuations included   interval ");
	if (rec->hz)
		fprintf(to, "%.6f s\n%18s %12s\n", (double)(1ull << line->shift) / rec->hz,
			"from_s", "calls");
	else
		fprintf(to, "%llu cycles\n%18s %12s\n", 1ull << line->shift, "from_cycles",
			"calls");
	for (i = 0; i < line->used; i++) {
		print_time(rec, timeline_begin(line, i), to);
		fprintf(to, " %12llu  %.*s\n", line->counts[i],
			(int)(BAR_COLUMNS * ((double)line->counts[i] / most)), bar);
	}
}
