/* SPDX-License-Identifier: GPL-2.0 */
/* What domains did in the last minute. */
#ifndef HCTRACE_TOP_HISTORY_H
#define HCTRACE_TOP_HISTORY_H

#include "live/statsdiff.h"

#define HISTORY_SECONDS	60
#define HISTORY_ROWS	(HCT_MAX_DOMAINS + HCT_NR_SPECIAL_ROWS)

/**
 * struct history_row - a domain's minute
 * @label: whose
 * @rate: records per second in each second, the oldest first; below 0: not known
 */
struct history_row {
	char label[24];
	float rate[HISTORY_SECONDS];
};

/**
 * struct history - all of them
 * @second: of the newest, in seconds of CLOCK_MONOTONIC; 0: there is none
 * @nr: how many
 * @rows: one each domain that did something in that time
 */
struct history {
	u64 second;
	size_t nr;
	struct history_row rows[HISTORY_ROWS];
};

/** history_add() - what happened up to @taken_ns */
void history_add(struct history *history, const struct stats_diff *diff, u64 taken_ns);

/** history_of() - of a domain, NULL: it did nothing in that time */
const struct history_row *history_of(const struct history *history, const char *label);

/**
 * history_draw() - a row as a line of bars, the highest of which is its own most
 * @row: the row, or NULL
 * @width: columns, up to %HISTORY_SECONDS; seconds are put together in each
 * @buf: filled in: UTF-8 if the terminal has it
 * @size: of @buf, three times @width and one at least
 */
void history_draw(const struct history_row *row, unsigned int width, char *buf, size_t size);

#endif /* HCTRACE_TOP_HISTORY_H */
