// SPDX-License-Identifier: GPL-2.0
/* hctrace export --folded: a line for each stack, for programs that draw flame graphs. */
#include "export.h"

/* web1;multicall;mmu_update 412. What is preempted and goes on counts once. */
static void print_row(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell)
{
	char name[24], op[64];
	char *sub;

	if (!dom->cells[kind][cell].calls)
		return;
	hct_cell_name(cell, op, sizeof(op));
	sub = strchr(op, '/');
	if (sub)
		*sub = ';';
	fprintf(e->out, "%s;%s%s %llu\n", export_name(e, dom, name, sizeof(name)),
		kind == HCT_KIND_MEMBER ? "multicall;" : "", op, dom->cells[kind][cell].calls);
}

static int end(struct export *e)
{
	export_rows(e, print_row);
	return 0;
}

const struct export_format export_folded = {
	.name = "folded", .help = "Folded stacks: domain;multicall;op calls", .end = end,
};
