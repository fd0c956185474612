// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --openmetrics and --prometheus: totals as metrics. They differ in
 * what a counter's TYPE line calls it and in the end: OpenMetrics for whoever scrapes
 * it, Prometheus' own text for the textfile collector of its node exporter.
 */
#include <hctrace/table.h>

#include "export.h"
#include "hctrace.h"

/* Set while --prometheus is written. */
static bool is_prometheus;

static void print_head(struct export *e, const char *name, const char *type, const char *help)
{
	const char *suffix = is_prometheus && !strcmp(type, "counter") ? "_total" : "";

	fprintf(e->out, "# TYPE %s%s %s\n# HELP %s%s %s\n", name, suffix, type, name, suffix, help);
}

/* What a label's value may have, but not as it is. */
static void print_escaped(struct export *e, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", e->out);
		else if (*text == '"' || *text == '\\')
			fprintf(e->out, "\\%c", *text);
		else
			fputc(*text, e->out);
	}
}

static void print_domain_labels(struct export *e, const struct hct_domain *dom)
{
	const char *name = NULL;
	char id[24];

	if (hct_row_special(e->rec.p.acct, dom) < 0)
		name = recording_get_name(&e->rec, dom->domid);
	fprintf(e->out, "{dom=\"%s\",name=\"",
		hct_domain_name(e->rec.p.acct, dom, id, sizeof(id)));
	print_escaped(e, name ? name : "");
	fputc('"', e->out);
}

static void print_cell(struct export *e, const char *metric, const struct hct_domain *dom, u8 kind,
		       u8 cell, u64 value)
{
	char op[64];

	fputs(metric, e->out);
	print_domain_labels(e, dom);
	fprintf(e->out, ",kind=\"%s\",op=\"%s\",exact=\"%s\"} %llu\n", hct_kind_name(kind),
		hct_cell_name(cell, op, sizeof(op)),
		hct_cell_is_bound(kind, cell, e->rec.has_members) ? "no" : "yes", value);
}

static void print_calls(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell)
{
	print_cell(e, "xen_hypercalls_total", dom, kind, cell, dom->cells[kind][cell].calls);
}

static void print_cont(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell)
{
	if (dom->cells[kind][cell].cont)
		print_cell(e, "xen_hypercall_continuations_total", dom, kind, cell,
			   dom->cells[kind][cell].cont);
}

static void print_units(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell)
{
	if (kind != HCT_KIND_HVM && hct_cell_has_units(cell))
		print_cell(e, "xen_hypercall_units_total", dom, kind, cell,
			   dom->cells[kind][cell].units);
}

static void print_sizes(struct export *e, const struct hct_domain *dom)
{
	const struct hct_cell *cell = &dom->cells[HCT_KIND_CALL][HCT_OP_multicall];
	u64 sum = 0;
	unsigned int i;

	if (!cell->calls)
		return;
	for (i = 0; i < HCT_NR_SIZES; i++) {
		sum += dom->batches.sizes[i];
		fputs("xen_multicall_size_bucket", e->out);
		print_domain_labels(e, dom);
		if (i < HCT_NR_SIZES - 1)
			fprintf(e->out, ",le=\"%u.0\"} %llu\n", hct_batch_size_limit(i), sum);
		else
			fprintf(e->out, ",le=\"+Inf\"} %llu\n", sum);
	}
	fputs("xen_multicall_size_count", e->out);
	print_domain_labels(e, dom);
	fprintf(e->out, "} %llu\nxen_multicall_size_sum", sum);
	print_domain_labels(e, dom);
	fprintf(e->out, "} %llu\n", cell->units);
}

static void print_seen(struct export *e, const struct hct_domain *dom)
{
	if (!dom->cells[HCT_KIND_CALL][HCT_OP_multicall].calls)
		return;
	fputs("xen_multicall_members_total", e->out);
	print_domain_labels(e, dom);
	fprintf(e->out, "} %llu\n", dom->batches.seen);
}

static struct hct_counters ledger(const struct export *e)
{
	struct hct_counters total;

	hct_pipeline_total(&e->rec.p, &total);
	return total;
}

static void print_ledger(struct export *e)
{
	struct hct_counters t = ledger(e);
	const struct {
		const char *name;
		u64 value;
		const char *help;
	} counters[] = {
		{ "consumed", t.consumed, "Trace records read" },
		{ "lost", t.lost, "Trace records lost inside Xen" },
		{ "recorder_lost", e->rec.lost_recorder, "Events lost by the recorder" },
		{ "undecodable", t.undecodable, "Trace records that make no sense" },
		{ "malformed", t.malformed, "Hypercalls with a forged number" },
		{ "unattributed", t.unattributed, "Hypercalls of nobody known" },
	};
	char name[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		snprintf(name, sizeof(name), "xen_hctrace_%s", counters[i].name);
		print_head(e, name, "counter", counters[i].help);
		fprintf(e->out, "%s_total %llu\n", name, counters[i].value);
	}
}

static int print_all(struct export *e)
{
	print_head(e, "xen_hypercalls", "counter",
		   "Hypercalls; of those that are not exact it is an upper bound");
	export_rows(e, print_calls);
	print_head(e, "xen_hypercall_continuations", "counter",
		   "Records of preempted hypercalls that went on");
	export_rows(e, print_cont);
	print_head(e, "xen_hypercall_units", "counter",
		   "What the calls asked for: updates, grant operations, members");
	export_rows(e, print_units);
	print_head(e, "xen_multicall_size", "histogram", "Members that multicalls announce");
	export_domains(e, print_sizes);
	print_head(e, "xen_multicall_members", "counter", "Members of multicalls that were seen");
	export_domains(e, print_seen);
	print_ledger(e);
	return 0;
}

static int end_openmetrics(struct export *e)
{
	is_prometheus = false;
	print_all(e);
	fputs("# EOF\n", e->out);
	return 0;
}

static int end_prometheus(struct export *e)
{
	is_prometheus = true;
	return print_all(e);
}

const struct export_format export_openmetrics = {
	.name = "openmetrics", .help = "OpenMetrics, to be scraped", .end = end_openmetrics,
};

const struct export_format export_prometheus = {
	.name = "prometheus", .help = "Prometheus' text, for node exporter's textfile collector",
	.end = end_prometheus,
};
