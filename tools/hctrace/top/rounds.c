// SPDX-License-Identifier: GPL-2.0
/* See rounds.h. */
#include <string.h>

#include "rounds.h"

bool top_begin(struct top *top, char *err, size_t err_size)
{
	reading_free(&top->before);
	if (reading_take(&top->before, err, err_size))
		return true;
	reading_free(&top->before);
	return false;
}

static void drop_frame(struct top_frame *frame)
{
	tally_free(&frame->tally);
	stats_diff_free(&frame->diff);
	reading_free(&frame->after);
}

/* Whether it does something, if no calls, or did lately: else it may be long dead. */
static bool is_about(const struct top *top, const struct dom_id *dom)
{
	const struct stats_diff *diff = &top->frame.diff;
	const struct cpu_row *cpu = cpu_find(diff->cpus, diff->nr_cpus, dom->label);

	return dom->domid >= 0 &&
	       ((cpu && cpu->us) || history_of(&top->history, dom->label));
}

static void add_quiet(struct top *top)
{
	const struct stats *stats = &top->frame.after.stats;
	size_t i;

	/* Who makes none of these ops is not quiet for that. */
	if (filter_has_ops(&top->filter) || !top->has_screen)
		return;
	for (i = 0; i < stats->nr_rows; i++) {
		const struct dom_id *dom = &stats->rows[i].dom;

		if (is_about(top, dom) &&
		    !tally_add_quiet(&top->frame.tally, &top->frame.diff, dom, &top->filter,
				     top->names, top->key))
			return;
	}
}

void top_retally(struct top *top)
{
	tally_free(&top->frame.tally);
	/* Without memory the table is empty. */
	if (tally_make(&top->frame.tally, &top->frame.diff, &top->filter, top->names, top->key))
		add_quiet(top);
}

bool top_next(struct top *top, char *err, size_t err_size)
{
	struct reading now;

	if (!reading_take(&now, err, err_size)) {
		reading_free(&now);
		return false;
	}
	/* The end of the last table is the beginning of this one. */
	if (top->frame.after.stats.taken_ns) {
		reading_free(&top->before);
		top->before = top->frame.after;
		memset(&top->frame.after, 0, sizeof(top->frame.after));
	}
	drop_frame(&top->frame);
	top->frame.after = now;
	domnames_dom0(top->names, now.stats.dom0);
	domnames_poll(top->names);
	if (!stats_diff(&top->before, &top->frame.after, &top->frame.diff)) {
		scnprintf(err, err_size, "no memory");
		return false;
	}
	history_add(&top->history, &top->frame.diff, now.stats.taken_ns);
	top->frame.history = &top->history;
	top_retally(top);
	return true;
}

const struct stats *top_stats(const struct top *top)
{
	return top->frame.after.stats.nr_rows ? &top->frame.after.stats : &top->before.stats;
}

void top_end(struct top *top)
{
	drop_frame(&top->frame);
	reading_free(&top->before);
}
