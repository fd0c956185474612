/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace top: table after table, for its batch and its screen. */
#ifndef HCTRACE_TOP_ROUNDS_H
#define HCTRACE_TOP_ROUNDS_H

#include "view.h"

/**
 * struct top - the state of a run
 * @filter: what is shown
 * @key: sorted by
 * @delay_ms: time between two tables
 * @rounds: end after so many tables; 0: go on
 * @has_screen: quiet domains are shown, too
 * @names: of domains
 * @before: the reading at the beginning of the table
 * @frame: the table
 * @history: the minute before it
 */
struct top {
	struct filter filter;
	enum sort_key key;
	unsigned int delay_ms;
	unsigned int rounds;
	bool has_screen;
	struct domnames *names;
	struct reading before;
	struct top_frame frame;
	struct history history;
};

/** top_begin() - take the first reading; @err says why not */
bool top_begin(struct top *top, char *err, size_t err_size);

/** top_next() - what happened since the last one, into @top->frame */
bool top_next(struct top *top, char *err, size_t err_size);

/** top_stats() - the newest there are of the module */
const struct stats *top_stats(const struct top *top);

/** top_retally() - the filter or the order has changed */
void top_retally(struct top *top);

/** top_end() - give all readings back */
void top_end(struct top *top);

#endif /* HCTRACE_TOP_ROUNDS_H */
