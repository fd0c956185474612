/* SPDX-License-Identifier: GPL-2.0 */
/* The screen of hctrace top: what is on it, and how it is drawn. */
#ifndef HCTRACE_TOP_DRAW_H
#define HCTRACE_TOP_DRAW_H

#include "prompt.h"
#include "rounds.h"

/**
 * struct screen - what is on it
 * @top: the run
 * @view: what is looked at
 * @table: its rows
 * @cursor: the row in hand
 * @offset: the first row shown
 * @rows: rows there is room for
 * @paused: no new tables
 * @help: the keys are shown instead
 * @has_frame: there was a first table
 * @next_ns: when the next one comes
 * @prompt: what is typed in the last line
 * @search: what was searched for last
 * @search_from: where the cursor was before
 * @message: in words, what went wrong last
 */
struct screen {
	struct top *top;
	struct top_view view;
	struct top_table table;
	size_t cursor;
	size_t offset;
	size_t rows;
	bool paused;
	bool help;
	bool has_frame;
	u64 next_ns;
	struct prompt prompt;
	char search[PROMPT_BYTES];
	size_t search_from;
	char message[200];
};

/** screen_begin() - the terminal becomes the screen */
void screen_begin(void);

/** screen_make_table() - the table anew, with the same row in hand wherever it has moved */
void screen_make_table(struct screen *s);

/** screen_place_cursor() - the row in hand is there, and within what is shown */
void screen_place_cursor(struct screen *s);

/** screen_show() - the table anew, and draw everything */
void screen_show(struct screen *s);

#endif /* HCTRACE_TOP_DRAW_H */
