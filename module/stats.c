// SPDX-License-Identifier: GPL-2.0
/*
 * The file `stats`: a copy of the tables, and how it reads. Columns are fixed
 * and separated by blanks; rows that sum a domain up come first, the busiest
 * first, so that the head of the file answers the question.
 */
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include "snapshot.h"

#define ALL_CELLS	HCT_NR_CELLS

/**
 * struct row - one line
 * @dom: whose; points into the copy
 * @group: order of the groups of lines
 * @kind: &enum hct_kind; %HCT_NR_KINDS: all of them
 * @cell: &enum hct_cell_index; ALL_CELLS: the sum of the kind
 * @bound: calls is an upper bound
 * @sum: what it shows
 */
struct row {
	const struct hct_domain *dom;
	u8 group;
	u8 kind;
	u8 cell;
	bool bound;
	struct hct_cell sum;
};

/* In the order they are shown. */
enum { GROUP_SUMS, GROUP_SPECIAL_SUMS, GROUP_OPS };

struct hct_stats {
	struct hct_snapshot snap;
	u32 nr_rows;
	struct row *rows;
};

u32 hct_stats_nr_rows(const struct hct_stats *stats)
{
	return stats->nr_rows;
}

void hct_stats_free(struct hct_stats *stats)
{
	vfree(stats->rows);
	hct_snapshot_drop(&stats->snap);
	kfree(stats);
}

static bool is_empty(const struct hct_cell *cell)
{
	return !cell->calls && !cell->cont;
}

static bool is_special(const struct hct_stats *stats, const struct hct_domain *dom)
{
	return hct_snapshot_special(&stats->snap, dom) >= 0;
}

static bool is_unattributed(const struct hct_stats *stats, const struct hct_domain *dom)
{
	return hct_snapshot_special(&stats->snap, dom) == HCT_ROW_UNATTRIBUTED;
}

static u32 per_second(const struct hct_stats *stats, u32 count)
{
	u32 window_ms = stats->snap.acct->window_ms;

	return window_ms ? div_u64((u64)count * 1000, window_ms) : 0;
}

static void add_row(struct hct_stats *stats, const struct row *row)
{
	/* The first pass only counts. */
	if (stats->rows)
		stats->rows[stats->nr_rows] = *row;
	stats->nr_rows++;
}

static void add_cell(struct hct_cell *sum, const struct hct_cell *cell)
{
	sum->calls += cell->calls;
	sum->cont += cell->cont;
	sum->units += cell->units;
	sum->rate += cell->rate;
}

/* The lines of one kind, and their sum; @all grows by the sum. */
static void add_kind(struct hct_stats *stats, const struct hct_domain *dom, u8 kind,
		     struct row *all)
{
	struct row sum = { .dom = dom, .kind = kind, .cell = ALL_CELLS };
	unsigned int i;

	sum.group = is_special(stats, dom) ? GROUP_SPECIAL_SUMS : GROUP_SUMS;
	for (i = 0; i < HCT_NR_CELLS; i++) {
		struct row row = { .dom = dom, .group = GROUP_OPS, .kind = kind, .cell = i };

		row.sum = dom->cells[kind][i];
		if (is_empty(&row.sum))
			continue;
		row.bound = hct_cell_is_bound(kind, i, stats->snap.members);
		sum.bound |= row.bound;
		add_cell(&sum.sum, &row.sum);
		if (!is_unattributed(stats, dom))
			add_row(stats, &row);
	}
	add_cell(&all->sum, &sum.sum);
	if (!is_empty(&sum.sum) && !is_unattributed(stats, dom))
		add_row(stats, &sum);
}

static void add_domain(struct hct_stats *stats, const struct hct_domain *dom)
{
	struct row all = {
		.dom = dom, .group = GROUP_SPECIAL_SUMS, .kind = HCT_NR_KINDS, .cell = ALL_CELLS,
	};
	u8 kind;

	for (kind = 0; kind < HCT_NR_KINDS; kind++)
		add_kind(stats, dom, kind, &all);
	/* Whose calls these were is unknown: one line, and always there. */
	if (is_unattributed(stats, dom))
		add_row(stats, &all);
}

static void add_rows(struct hct_stats *stats)
{
	u32 i;

	stats->nr_rows = 0;
	for (i = 0; i < stats->snap.acct->nr; i++)
		add_domain(stats, &stats->snap.acct->domains[i]);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		add_domain(stats, &stats->snap.acct->special[i]);
}

/* Groups in their order; within one the busiest now, then the busiest so far. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->sum.rate != b->sum.rate)
		return a->sum.rate > b->sum.rate ? -1 : 1;
	if (a->sum.calls != b->sum.calls)
		return a->sum.calls > b->sum.calls ? -1 : 1;
	if (a->dom != b->dom)
		return a->dom < b->dom ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->cell < b->cell ? -1 : a->cell > b->cell;
}

struct hct_stats *hct_stats_take(void)
{
	struct hct_stats *stats = kzalloc(sizeof(*stats), GFP_KERNEL);
	int rc;

	if (!stats)
		return ERR_PTR(-ENOMEM);
	rc = hct_snapshot_take(&stats->snap);
	if (rc)
		goto err_stats;

	add_rows(stats);
	stats->rows = vmalloc(stats->nr_rows * sizeof(*stats->rows));
	if (!stats->rows) {
		rc = -ENOMEM;
		goto err_stats;
	}
	add_rows(stats);
	sort(stats->rows, stats->nr_rows, sizeof(*stats->rows), compare_rows, NULL);
	return stats;

err_stats:
	hct_stats_free(stats);
	return ERR_PTR(rc);
}

static const char *profile_note(u8 profile)
{
	switch (profile) {
	case HCT_PROFILE_PV:
		return "HVM/PVH guests: only multicall members are traced (control: profile hvm)";
	case HCT_PROFILE_HVM:
		return "PV guests: only multicall members are traced (control: profile pv)";
	default:
		return "every VM entry and exit is recorded too: expect losses (profile all)";
	}
}

void hct_stats_show_header(const struct hct_stats *stats, struct seq_file *m)
{
	const struct hct_snapshot *snap = &stats->snap;
	const struct hct_status *s = &snap->status;
	const struct hct_counters *t = &snap->total;
	u32 coverage = hct_coverage(t);

	seq_printf(m, "# xen-hctrace stats 1   xen %u.%u%s   dom0 %s   profile %s   %s %llu.%llu s   pcpus %u/%u\n",
		   s->hyp.major, s->hyp.minor, s->hyp.extra, s->hyp.pv ? "PV" : "PVH",
		   hct_profile_name(snap->profile), s->tracing ? "tracing" : "stopped after",
		   s->traced_ms / 1000, s->traced_ms % 1000 / 100,
		   snap->good_rings, s->hyp.nr_pcpus);
	seq_printf(m, "# coverage %u.%04u%% of records   lost %llu   malformed %llu   attribution %s   rate window %u ms\n",
		   coverage / 10000, coverage % 10000, t->lost, t->malformed,
		   snap->trust, snap->acct->window_ms);
	seq_printf(m, "# note %s\n", profile_note(snap->profile));
	if (s->breaker_tripped)
		seq_printf(m, "# note PV events are off: d%u made malformed hypercalls (control: start)\n",
			   s->breaker_domid);
	seq_printf(m, "%-9s %-7s %-30s %12s %8s %12s %9s  %s\n",
		   "dom", "kind", "op", "calls", "cont", "units", "per_s", "acc");
}

/* A column that does not apply reads "-", which is not the same as 0. */
static const char *optional(u64 value, bool applies, char *buf, size_t size)
{
	if (applies)
		scnprintf(buf, size, "%llu", value);
	else
		scnprintf(buf, size, "-");
	return buf;
}

void hct_stats_show_row(const struct hct_stats *stats, struct seq_file *m, u32 i)
{
	const struct row *row = &stats->rows[i];
	bool is_sum = row->cell == ALL_CELLS;
	char dom[24], op[64], cont[24], units[24];
	int width;

	hct_snapshot_name(&stats->snap, row->dom, dom, sizeof(dom));
	if (is_sum)
		scnprintf(op, sizeof(op), "*");
	else
		hct_cell_name(row->cell, op, sizeof(op));
	optional(row->sum.cont, row->kind == HCT_KIND_CALL || row->sum.cont, cont, sizeof(cont));
	optional(row->sum.units, !is_sum && row->kind != HCT_KIND_HVM &&
		 hct_cell_has_units(row->cell), units, sizeof(units));

	/* A long name takes its room from the column behind it. */
	width = 43 - max_t(int, strlen(op), 30);
	seq_printf(m, "%-9s %-7s %-30s %*llu %8s %12s %9u  %c\n", dom,
		   row->kind == HCT_NR_KINDS ? "-" : hct_kind_name(row->kind), op,
		   width > 0 ? width - 1 : 0, row->sum.calls, cont, units,
		   per_second(stats, row->sum.rate), row->bound ? '~' : '=');
}
