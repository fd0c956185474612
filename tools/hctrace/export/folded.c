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
 * @text: its name, escaped; "" if it has none
 * @is_shared: it is not enough
 */
struct frame {
	char *text;
	bool is_shared;
};

/** struct frames - of all domains */
struct frames {
	struct dom_id *doms;
	struct frame *of;
	size_t nr;
};

static bool is_id(const char *text)
{
	struct dom_id id;

	return dom_id_parse(text, &id);
}

static void name_frame(struct frames *frames, size_t i, const char *name)
{
	struct frame *frame = &frames->of[i];
	size_t j;

	frame->text = text_escaped(name, TEXT_LINE, ";");
	if (!frame->text || !*frame->text)
		return;
	frame->is_shared = is_id(frame->text);
	for (j = 0; j < i; j++) {
		if (!frames->of[j].text || strcmp(frames->of[j].text, frame->text))
			continue;
		frames->of[j].is_shared = true;
		frame->is_shared = true;
	}
}

static void print_frame(FILE *out, const struct frames *frames, const char *label)
{
	const struct frame *frame;
	size_t i = 0;

	while (strcmp(frames->doms[i].label, label))
		i++;
	frame = &frames->of[i];
	if (!frame->text || !*frame->text)
		fputs(label, out);
	else if (frame->is_shared)
		fprintf(out, "%s(%s)", frame->text, label);
	else
		fputs(frame->text, out);
}

/* web1;multicall;mmu_update 412. What is preempted and goes on counts once. */
static void print_row(FILE *out, const struct frames *frames, const struct stats_row *row)
{
	const char *sub = strchr(row->op, '/');

	if (!row->calls)
		return;
	print_frame(out, frames, row->dom.label);
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
	struct frames frames;
	size_t i;

	frames.doms = counts_domains(counts, &frames.nr);
	frames.of = calloc(frames.nr + 1, sizeof(*frames.of));
	for (i = 0; frames.of && i < frames.nr; i++)
		name_frame(&frames, i, counts_name(counts, &frames.doms[i]));
	for (i = 0; frames.of && frames.doms && i < counts->now.stats.nr_rows; i++)
		print_row(out, &frames, &counts->now.stats.rows[i]);
	for (i = 0; frames.of && i < frames.nr; i++)
		free(frames.of[i].text);
	free(frames.of);
	free(frames.doms);
}

const struct export_format export_folded = {
	.name = "folded", .help = "Folded stacks: domain;multicall;op calls", .print = print,
	.type = "text/plain; charset=utf-8",
};
