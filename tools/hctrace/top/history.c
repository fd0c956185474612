// SPDX-License-Identifier: GPL-2.0
/* See history.h. */
#include <langinfo.h>
#include <string.h>

#include "history.h"

#define NR_LEVELS	8

static struct history_row *find_row(struct history *history, const char *label)
{
	size_t i;

	for (i = 0; i < history->nr; i++) {
		if (!strcmp(history->rows[i].label, label))
			return &history->rows[i];
	}
	return NULL;
}

static struct history_row *make_row(struct history *history, const char *label)
{
	struct history_row *row;
	unsigned int i;

	if (history->nr == HISTORY_ROWS)
		return NULL;
	row = &history->rows[history->nr++];
	scnprintf(row->label, sizeof(row->label), "%s", label);
	for (i = 0; i < HISTORY_SECONDS; i++)
		row->rate[i] = -1;
	return row;
}

static bool is_active(const struct history_row *row)
{
	unsigned int i;

	for (i = 0; i < HISTORY_SECONDS; i++) {
		if (row->rate[i] > 0)
			return true;
	}
	return false;
}

/* So many seconds are over; what happened in the last @fresh of them comes then. */
static void pass(struct history_row *row, u64 seconds, u64 fresh)
{
	unsigned int i;

	if (seconds > HISTORY_SECONDS)
		seconds = HISTORY_SECONDS;
	memmove(row->rate, row->rate + seconds,
		(HISTORY_SECONDS - seconds) * sizeof(row->rate[0]));
	for (i = HISTORY_SECONDS - seconds; i < HISTORY_SECONDS; i++)
		row->rate[i] = -1;
	for (i = 0; i < HISTORY_SECONDS && i < fresh; i++)
		row->rate[HISTORY_SECONDS - 1 - i] = 0;
}

void history_add(struct history *history, const struct stats_diff *diff, u64 taken_ns)
{
	u64 second = taken_ns / 1000000000;
	u64 passed = history->second ? second - history->second : HISTORY_SECONDS;
	u64 fresh = (diff->elapsed_ns + 500000000) / 1000000000;
	size_t i, nr = 0;
	unsigned int j;

	fresh = fresh ? fresh : 1;
	for (i = 0; i < history->nr; i++) {
		pass(&history->rows[i], passed, fresh);
		if (is_active(&history->rows[i]))
			history->rows[nr++] = history->rows[i];
	}
	history->nr = nr;
	history->second = second;
	for (i = 0; i < diff->nr_rows; i++) {
		const char *label = diff->rows[i].dom.label;
		struct history_row *row = find_row(history, label);

		if (!row) {
			row = make_row(history, label);
			if (!row)
				continue;
			pass(row, 0, fresh);
		}
		for (j = 0; j < HISTORY_SECONDS && j < fresh; j++)
			row->rate[HISTORY_SECONDS - 1 - j] +=
				per_second(diff, diff->rows[i].records);
	}
}

const struct history_row *history_of(const struct history *history, const char *label)
{
	return find_row((struct history *)history, label);
}

/* The most of the seconds that a column stands for. */
static float most_of(const struct history_row *row, unsigned int from, unsigned int to)
{
	float most = -1;

	for (; from < to; from++)
		most = row->rate[from] > most ? row->rate[from] : most;
	return most;
}

void history_draw(const struct history_row *row, unsigned int width, char *buf, size_t size)
{
	static const char *const blocks[NR_LEVELS] = {
		"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588",
	};
	static const char *const ascii[NR_LEVELS] = { "_", ",", "-", "~", "+", "=", "*", "#" };
	const char *const *bars = strcmp(nl_langinfo(CODESET), "UTF-8") ? ascii : blocks;
	float most = row ? most_of(row, 0, HISTORY_SECONDS) : -1;
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < width; i++) {
		float rate = row ? most_of(row, i * HISTORY_SECONDS / width,
					   (i + 1) * HISTORY_SECONDS / width) : -1;
		const char *bar = " ";

		/* Nothing is not the same as not known. */
		if (rate > 0)
			bar = bars[(unsigned int)(rate / most * (NR_LEVELS - 1) + 0.5f)];
		else if (!(rate < 0))
			bar = ".";
		len += scnprintf(buf + len, size - len, "%s", bar);
	}
}
