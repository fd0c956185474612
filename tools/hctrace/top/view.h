/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of hctrace top, as lines of text for any width. */
#ifndef HCTRACE_TOP_VIEW_H
#define HCTRACE_TOP_VIEW_H

#include "history.h"
#include "show/tally.h"

#define TOP_MAX_WIDTH	256
#define TOP_LINE_BYTES	(4 * TOP_MAX_WIDTH)	/* for names, which are UTF-8 */
#define TOP_MIN_WIDTH	78

/**
 * struct top_frame - a moment
 * @after: the reading at its end
 * @diff: what happened
 * @tally: the same, filtered and sorted; with domains that are quiet now
 * @history: the last minute
 * @uuid: tables have UUIDs in place of names
 */
struct top_frame {
	struct reading after;
	struct stats_diff diff;
	struct tally tally;
	bool uuid;
	const struct history *history;
};

/** enum top_level - how far down we are */
enum top_level {
	TOP_DOMAINS,
	TOP_OPS,	/* of a domain; sub-ops in one */
	TOP_SUBOPS,	/* of an op of a domain */
	TOP_ALL,	/* all ops of all domains */
};

/**
 * struct top_view - what is looked at
 * @level: how far down
 * @dom: label of the domain below %TOP_DOMAINS
 * @kind: kind of the op in %TOP_SUBOPS
 * @op: its name, with the "/" behind it
 * @key: sorted by
 */
struct top_view {
	enum top_level level;
	char dom[24];
	char kind[12];
	char op[64];
	enum sort_key key;
};

/**
 * struct top_line - a row
 * @text: as it reads
 * @is_quiet: it did nothing in this time
 * @dom: whose
 * @kind: of what kind, "" for a domain
 * @op: op, "" for a domain; with a "/" at its end there are sub-ops below
 */
struct top_line {
	char text[TOP_LINE_BYTES];
	bool is_quiet;
	char dom[24];
	char kind[12];
	char op[64];
};

/**
 * struct top_table - the table of a view
 * @title: what it is
 * @sizes: sizes of multicalls, or ""
 * @head: names of the columns
 * @lines: the rows
 * @nr: how many
 */
struct top_table {
	char title[TOP_LINE_BYTES];
	char sizes[TOP_MAX_WIDTH];
	char head[TOP_LINE_BYTES];
	struct top_line *lines;
	size_t nr;
};

/** top_table_make() - the table of a view; false if there is no memory */
bool top_table_make(struct top_table *table, const struct top_frame *frame,
		    const struct top_view *view, unsigned int width);
void top_table_free(struct top_table *table);

/** top_state() - on what and how we trace, in a line; returns @buf */
const char *top_state(const struct top_frame *frame, char *buf, size_t size);

/** top_summary() - calls and losses, in a line; returns @buf */
const char *top_summary(const struct top_frame *frame, char *buf, size_t size);

/** top_is_clean() - whether nothing in the summary needs attention */
bool top_is_clean(const struct top_frame *frame);

#endif /* HCTRACE_TOP_VIEW_H */
