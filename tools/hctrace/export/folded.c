// SPDX-License-Identifier: GPL-2.0
/* hctrace export --folded: a line for each stack, for programs that draw flame graphs. */
#include "format.h"
#include "show/tally.h"

/* A semicolon ends a frame, so there can be none in a name. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == ';' ? '_' : *name, out);
}

/* web1;multicall;mmu_update 412. What is preempted and goes on counts once. */
static void print_row(FILE *out, const struct counts *counts, const struct stats_row *row)
{
	const char *name = counts_name(counts, &row->dom);
	const char *sub = strchr(row->op, '/');

	if (!row->calls)
		return;
	print_name(out, *name ? name : row->dom.label);
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
	size_t i;

	for (i = 0; i < counts->now.stats.nr_rows; i++)
		print_row(out, counts, &counts->now.stats.rows[i]);
}

const struct export_format export_folded = {
	.name = "folded", .help = "Folded stacks: domain;multicall;op calls", .print = print,
	.type = "text/plain; charset=utf-8",
};
