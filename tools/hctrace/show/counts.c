// SPDX-License-Identifier: GPL-2.0
/* See counts.h. */
#include <stdlib.h>

#include <hctrace/table.h>

#include "counts.h"
#include "live/matched.h"
#include "live/statusfile.h"

/* --- of a recording --------------------------------------------------------- */

static u32 count_cells(const struct hct_domain *dom)
{
	u32 kind, i, nr = 0;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++)
			nr += !!hct_cell_records(&dom->cells[kind][i]);
	}
	return nr;
}

static void identify(const struct hct_account *acct, const struct hct_domain *dom,
		     struct dom_id *id)
{
	char label[24];

	dom_id_parse(hct_domain_name(acct, dom, label, sizeof(label)), id);
}

static void add_cell(struct counts *counts, const struct hct_domain *dom, u32 kind, u32 i)
{
	const struct recording *rec = counts->recording;
	const struct hct_cell *cell = &dom->cells[kind][i];
	struct stats_row *row;

	if (!hct_cell_records(cell))
		return;
	row = &counts->now.stats.rows[counts->now.stats.nr_rows++];
	identify(rec->p.acct, dom, &row->dom);
	scnprintf(row->kind, sizeof(row->kind), "%s", hct_kind_name(kind));
	hct_cell_name(i, row->op, sizeof(row->op));
	row->records = hct_cell_records(cell);
	row->calls = cell->calls;
	row->cont = cell->cont;
	row->units = cell->units;
	row->has_cont = kind == HCT_KIND_CALL || cell->cont;
	row->has_units = kind != HCT_KIND_HVM && hct_cell_has_units(i);
	row->bound = hct_cell_is_bound(dom, kind, i, rec->has_members);
}

static void add_batches(struct counts *counts, const struct hct_domain *dom)
{
	const struct hct_cell *cell = &dom->cells[HCT_KIND_CALL][HCT_OP_multicall];
	struct batch_row *row = &counts->now.multicalls.rows[counts->now.multicalls.nr_rows];

	if (!cell->calls)
		return;
	counts->now.multicalls.nr_rows++;
	identify(counts->recording->p.acct, dom, &row->dom);
	row->has_batches = true;
	row->batches = cell->calls;
	row->split = cell->cont;
	row->cut_short = dom->batches.ends[HCT_END_SHORT];
	row->lost = dom->batches.ends[HCT_END_LOST];
	row->declared = cell->units;
	row->seen = dom->batches.seen;
	row->max = dom->batches.max;
	memcpy(row->sizes, dom->batches.sizes, sizeof(row->sizes));
}

static void add_domain(struct counts *counts, const struct hct_domain *dom)
{
	u32 kind, i;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++)
			add_cell(counts, dom, kind, i);
	}
	add_batches(counts, dom);
}

static void add_cpu(struct stats *stats, const struct hct_account *acct,
		    const struct hct_domain *dom)
{
	struct cpu_row *row;

	if (!dom->cycles || !acct->tsc_khz)
		return;
	row = &stats->cpus[stats->nr_cpus++];
	identify(acct, dom, &row->dom);
	row->us = hct_mul_div(dom->cycles, 1000, acct->tsc_khz);
}

bool counts_of_recording(struct counts *counts, const struct recording *rec)
{
	const struct hct_account *acct = rec->p.acct;
	struct stats *stats = &counts->now.stats;
	u32 nr_cells = 0;
	u32 i;

	memset(counts, 0, sizeof(*counts));
	counts->recording = rec;
	for (i = 0; i < acct->nr; i++)
		nr_cells += count_cells(&acct->domains[i]);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		nr_cells += count_cells(&acct->special[i]);
	stats->rows = calloc(nr_cells + 1, sizeof(*stats->rows));
	counts->now.multicalls.rows = calloc(acct->nr + HCT_NR_SPECIAL_ROWS,
					     sizeof(struct batch_row));
	stats->cpus = calloc(acct->nr + HCT_NR_SPECIAL_ROWS, sizeof(*stats->cpus));
	if (!stats->rows || !stats->cpus || !counts->now.multicalls.rows) {
		counts_free(counts);
		return false;
	}

	for (i = 0; i < acct->nr; i++) {
		add_domain(counts, &acct->domains[i]);
		add_cpu(stats, acct, &acct->domains[i]);
	}
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++) {
		add_domain(counts, &acct->special[i]);
		add_cpu(stats, acct, &acct->special[i]);
	}
	if (acct->tsc_khz)
		stats->idle_us = hct_mul_div(acct->idle_cycles, 1000, acct->tsc_khz);
	hct_pipeline_total(&rec->p, &counts->total);
	stats->coverage = hct_coverage_is_known(&counts->total) ? hct_coverage(&counts->total) :
								  STATS_COVERAGE_UNKNOWN;
	scnprintf(stats->attribution, sizeof(stats->attribution), "%s",
		  recording_trust(rec));
	return true;
}

/* --- of the host ------------------------------------------------------------ */

static bool wants_domain(const struct counts *counts, const struct filter *filter,
			 const struct dom_id *dom)
{
	return filter_wants_domain(filter, dom, counts_what(counts, dom));
}

/* Sums are left out, but for that of d?, which stands for its rows. */
static bool is_wanted(const struct counts *counts, const struct filter *filter,
		      const struct stats_row *row)
{
	if (!strcmp(row->op, "*") && strcmp(row->dom.label, "d?"))
		return false;
	return matched_row(filter, row, counts->names);
}

static void keep_wanted(struct counts *counts, const struct filter *filter)
{
	struct multicalls *mc = &counts->now.multicalls;
	struct stats *stats = &counts->now.stats;
	size_t i, nr = 0;

	for (i = 0; i < stats->nr_rows; i++)
		domnames_saw(counts->names, &stats->rows[i].dom);
	for (i = 0; i < stats->nr_rows; i++) {
		if (is_wanted(counts, filter, &stats->rows[i]))
			stats->rows[nr++] = stats->rows[i];
	}
	stats->nr_rows = nr;

	for (i = 0, nr = 0; i < stats->nr_cpus; i++) {
		if (wants_domain(counts, filter, &stats->cpus[i].dom))
			stats->cpus[nr++] = stats->cpus[i];
	}
	stats->nr_cpus = nr;

	for (i = 0, nr = 0; i < mc->nr_rows; i++) {
		if (mc->rows[i].has_batches && mc->rows[i].batches &&
		    wants_domain(counts, filter, &mc->rows[i].dom) &&
		    filter_wants_op(filter, "multicall"))
			mc->rows[nr++] = mc->rows[i];
	}
	mc->nr_rows = nr;
}

static void take_breaker(struct breaker *breaker, const struct status *status)
{
	const char *state = status_value(status, "state");

	breaker->is_known = state && status_value(status, "breaker_trips");
	breaker->is_open = state && !strcmp(state, "paused");
	breaker->trips = status_number(status, "breaker_trips");
	breaker->paused_ms = status_number(status, "paused_ms");
}

bool counts_of_host(struct counts *counts, const struct recording_options *opt, char *err,
		    size_t err_size)
{
	struct hct_counters *total = &counts->total;
	struct status status = { .nr_pairs = 0 };
	bool good;

	memset(counts, 0, sizeof(*counts));
	counts->names = domnames_start();
	good = reading_take(&counts->now, err, err_size) && status_read(&status, err, err_size);
	total->consumed = status_number(&status, "consumed");
	total->undecodable = status_number(&status, "undecodable");
	total->events = status_number(&status, "events");
	total->unattributed = status_number(&status, "unattributed");
	total->suspected = status_number(&status, "suspected");
	total->resyncs = status_number(&status, "resyncs");
	total->lost = counts->now.stats.lost;
	total->malformed = counts->now.stats.malformed;
	take_breaker(&counts->breaker, &status);
	status_free(&status);
	if (!good)
		return false;

	domnames_dom0(counts->names, counts->now.stats.dom0);
	domnames_wait_for(counts->names, filter_has(&opt->filter, FILTER_NAME));
	if (counts->now.stats.bad_rows + counts->now.multicalls.bad_rows)
		fprintf(stderr, "hctrace: %zu lines of the module's files made no sense\n",
			counts->now.stats.bad_rows + counts->now.multicalls.bad_rows);
	keep_wanted(counts, &opt->filter);
	return true;
}

int counts_matched(const struct counts *counts, const struct recording_options *opt)
{
	const struct filter *filter = &opt->filter;

	if (counts->now.stats.nr_rows || (!filter_has_domains(filter) && !filter_has_ops(filter)))
		return 0;
	return matched_nothing("export", filter, &counts->now.stats, counts->names);
}

/* --- of both ---------------------------------------------------------------- */

const struct domname *counts_what(const struct counts *counts, const struct dom_id *dom)
{
	if (!counts->recording)
		return domnames_of(counts->names, dom);
	if (dom->domid < 0)
		return &domname_unknown;
	return recording_what_of(counts->recording, dom->domid, dom->generation);
}

/* Rows of a domain need not come together. */
struct dom_id *counts_domains(const struct counts *counts, size_t *nr)
{
	const struct stats *stats = &counts->now.stats;
	struct dom_id *doms = calloc(stats->nr_rows + 1, sizeof(*doms));
	size_t i, j;

	*nr = 0;
	for (i = 0; doms && i < stats->nr_rows; i++) {
		const struct dom_id *dom = &stats->rows[i].dom;

		for (j = *nr; j > 0 && strcmp(doms[j - 1].label, dom->label); j--)
			;
		if (!j)
			doms[(*nr)++] = *dom;
	}
	return doms;
}

void counts_free(struct counts *counts)
{
	reading_free(&counts->now);
	domnames_stop(counts->names);
	memset(counts, 0, sizeof(*counts));
}
