// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --folded: a line for each stack, for programs that draw flame graphs.
 * They take stacks of the same frames for the same, so a domain whose name is another's
 * too, or reads like an id, has its id behind it: web1(d3).
 */
#include <stdlib.h>

#include "base/text.h"
#include "format.h"
#include "show/tally.h"

/**
 * struct frame - what a domain is called
 * @label: the domain
 * @text: its name, escaped; "" if it has none
 * @is_shared: it is not enough
 */
struct frame {
	const char *label;
	char *text;
	bool is_shared;
};

/** struct frames - of all domains */
struct frames {
	struct frame *of;
	size_t nr;
};

static bool reads_like_an_id(const char *text)
{
	struct dom_id id;

	return dom_id_parse(text, &id);
}

/* Rows of a domain come together. */
static void add_frame(struct frames *frames, const struct counts *counts, const struct dom_id *dom)
{
	struct frame *frame = &frames->of[frames->nr];
	size_t i;

	if (frames->nr && !strcmp(frame[-1].label, dom->label))
		return;
	frames->nr++;
	frame->label = dom->label;
	frame->text = text_escaped(counts_name(counts, dom), TEXT_LINE, ";");
	if (!frame->text || !*frame->text)
		return;
	frame->is_shared = reads_like_an_id(frame->text);
	for (i = 0; i < frames->nr - 1; i++) {
		if (!frames->of[i].text || strcmp(frames->of[i].text, frame->text))
			continue;
		frames->of[i].is_shared = true;
		frame->is_shared = true;
	}
}

static void print_frame(FILE *out, const struct frame *frame)
{
	if (!frame->text || !*frame->text)
		fputs(frame->label, out);
	else if (frame->is_shared)
		fprintf(out, "%s(%s)", frame->text, frame->label);
	else
		fputs(frame->text, out);
}

/* web1;multicall;mmu_update 412. What is preempted and goes on counts once. */
static void print_row(FILE *out, const struct frame *frame, const struct stats_row *row)
{
	const char *sub = strchr(row->op, '/');

	if (!row->calls)
		return;
	print_frame(out, frame);
	if (is_member(row))
		fputs(";multicall", out);
	if (strcmp(row->op, "*"))
		fprintf(out, ";%.*s", sub ? (int)(sub - row->op) : (int)strlen(row->op), row->op);
	if (sub)
		fprintf(out, ";%s", sub + 1);
	fprintf(out, " %llu\n", row->calls);
}

static void print(FILE *out, const struct counts *counts)
{
	const struct stats_row *rows = counts->now.stats.rows;
	size_t nr = counts->now.stats.nr_rows;
	struct frames frames = { .of = calloc(nr + 1, sizeof(*frames.of)) };
	size_t i, at = 0;

	if (!frames.of)
		return;
	for (i = 0; i < nr; i++)
		add_frame(&frames, counts, &rows[i].dom);
	for (i = 0; i < nr; i++) {
		at += !!strcmp(frames.of[at].label, rows[i].dom.label);
		print_row(out, &frames.of[at], &rows[i]);
	}
	for (i = 0; i < frames.nr; i++)
		free(frames.of[i].text);
	free(frames.of);
}

const struct export_format export_folded = {
	.name = "folded", .help = "Folded stacks: domain;multicall;op calls", .print = print,
	.type = "text/plain; charset=utf-8",
};
