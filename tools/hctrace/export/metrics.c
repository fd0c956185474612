// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --openmetrics and --prometheus: totals as metrics. They differ in
 * what a counter's TYPE line calls it and in the end: OpenMetrics for whoever scrapes
 * it, Prometheus' own text for the textfile collector of its node exporter.
 */
#include <stdlib.h>

#include "base/text.h"
#include "format.h"

/* Set while --prometheus is written. */
static bool is_prometheus;

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
	const char *suffix = is_prometheus && !strcmp(type, "counter") ? "_total" : "";

	fprintf(out, "# TYPE %s%s %s\n# HELP %s%s %s\n", name, suffix, type, name, suffix, help);
}

/* A label's value has escapes of its own, and whoever splits lines may split more than those. */
static void print_escaped(FILE *out, const char *text)
{
	char *line = text_escaped(text, TEXT_LINE, "");
	const char *at;

	for (at = line; at && *at; at++) {
		if (*at == '"' || *at == '\\')
			fputc('\\', out);
		fputc(*at, out);
	}
	free(line);
}

/*
 * A domain's name stands in its info metric alone: it may change, and be forgotten when the
 * domain is gone, which would make new series of all others.
 */
static void print_domain_label(FILE *out, const struct dom_id *dom)
{
	fprintf(out, "{dom=\"%s\"", dom->label);
}

/* --- calls ------------------------------------------------------------------ */

static void print_labels(FILE *out, const char *metric, const struct stats_row *row)
{
	fputs(metric, out);
	print_domain_label(out, &row->dom);
	fprintf(out, ",kind=\"%s\",op=\"%s\"", row->kind, row->op);
}

static void print_row(FILE *out, const char *metric, const struct stats_row *row, u64 value)
{
	print_labels(out, metric, row);
	fprintf(out, ",exact=\"%s\"} %llu\n", row->bound ? "no" : "yes", value);
}

/* They are exact, whatever is made of them. */
static void print_records(FILE *out, const struct stats_row *row)
{
	print_labels(out, "xen_hypercall_records_total", row);
	fprintf(out, "} %llu\n", row->records);
}

static void print_rows(FILE *out, const struct counts *counts)
{
	const struct stats_row *rows = counts->now.stats.rows;
	size_t nr = counts->now.stats.nr_rows;
	size_t i;

	print_head(out, "xen_hypercall_records", "counter",
		   "Records of hypercalls, continuations included: rank by these");
	for (i = 0; i < nr; i++)
		print_records(out, &rows[i]);
	print_head(out, "xen_hypercalls", "counter",
		   "Hypercalls; of those that are not exact it is an upper bound");
	for (i = 0; i < nr; i++)
		print_row(out, "xen_hypercalls_total", &rows[i], rows[i].calls);
	/* No counter, which a scraper believes to be reset when it falls, were it by one. */
	print_head(out, "xen_hypercall_continuations", "gauge",
		   "Preempted hypercalls that went on; the last one may yet prove to be a call");
	for (i = 0; i < nr; i++) {
		if (rows[i].cont)
			print_row(out, "xen_hypercall_continuations", &rows[i],
				  rows[i].cont);
	}
	print_head(out, "xen_hypercall_units", "counter",
		   "What the calls asked for: updates, grant operations, members");
	for (i = 0; i < nr; i++) {
		if (rows[i].has_units)
			print_row(out, "xen_hypercall_units_total", &rows[i],
				  rows[i].units);
	}
}

/* --- multicalls ------------------------------------------------------------- */

static void print_sizes(FILE *out, const struct batch_row *row)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < HCT_NR_SIZES; i++) {
		sum += row->sizes[i];
		fputs("xen_multicall_size_bucket", out);
		print_domain_label(out, &row->dom);
		if (i < HCT_NR_SIZES - 1)
			fprintf(out, ",le=\"%u.0\"} %llu\n", hct_batch_size_limit(i), sum);
		else
			fprintf(out, ",le=\"+Inf\"} %llu\n", sum);
	}
	fputs("xen_multicall_size_count", out);
	print_domain_label(out, &row->dom);
	fprintf(out, "} %llu\nxen_multicall_size_sum", sum);
	print_domain_label(out, &row->dom);
	fprintf(out, "} %llu\n", row->declared);
}

static void print_multicalls(FILE *out, const struct counts *counts)
{
	const struct multicalls *mc = &counts->now.multicalls;
	size_t i;

	print_head(out, "xen_multicall_size", "histogram", "Members that multicalls announce");
	for (i = 0; i < mc->nr_rows; i++)
		print_sizes(out, &mc->rows[i]);
	print_head(out, "xen_multicall_members", "counter", "Members of multicalls that were seen");
	for (i = 0; i < mc->nr_rows; i++) {
		fputs("xen_multicall_members_total", out);
		print_domain_label(out, &mc->rows[i].dom);
		fprintf(out, "} %llu\n", mc->rows[i].seen);
	}
}

/* --- time ------------------------------------------------------------------- */

/* Where it is not known, as in recordings without the rate of the TSC, there is none. */
static void print_cpus(FILE *out, const struct counts *counts)
{
	const struct stats *stats = &counts->now.stats;
	size_t i;

	if (!stats->nr_cpus)
		return;
	print_head(out, "xen_hctrace_domain_cpu_seconds", "counter",
		   "How long vCPUs ran; of d? how long nobody knows whose did");
	for (i = 0; i < stats->nr_cpus; i++) {
		fputs("xen_hctrace_domain_cpu_seconds_total", out);
		print_domain_label(out, &stats->cpus[i].dom);
		fprintf(out, "} %llu.%06llu\n", stats->cpus[i].us / 1000000,
			stats->cpus[i].us % 1000000);
	}
	print_head(out, "xen_hctrace_idle_cpu_seconds", "counter", "How long pCPUs were idle");
	fprintf(out, "xen_hctrace_idle_cpu_seconds_total %llu.%06llu\n", stats->idle_us / 1000000,
		stats->idle_us % 1000000);
}

/* --- the ledger ------------------------------------------------------------- */

static void print_counter(FILE *out, const char *name, u64 value, const char *help)
{
	char full[64];

	scnprintf(full, sizeof(full), "xen_hctrace_%s", name);
	print_head(out, full, "counter", help);
	fprintf(out, "%s_total %llu\n", full, value);
}

static void print_gauge(FILE *out, const char *name, double value, const char *help)
{
	char full[64];

	scnprintf(full, sizeof(full), "xen_hctrace_%s", name);
	print_head(out, full, "gauge", help);
	fprintf(out, "%s %.9g\n", full, value);
}

static void print_ledger(FILE *out, const struct counts *counts)
{
	const struct hct_counters *t = &counts->total;

	print_counter(out, "consumed", t->consumed, "Trace records read");
	print_counter(out, "lost", t->lost, "Trace records lost inside Xen");
	if (counts->recording)
		print_counter(out, "recorder_lost", counts->recording->lost_recorder,
			      "Events lost by the recorder");
	print_counter(out, "undecodable", t->undecodable, "Trace records that make no sense");
	print_counter(out, "malformed", t->malformed, "Hypercalls with a forged number");
	print_counter(out, "unattributed", t->unattributed, "Hypercalls of nobody known");
	print_counter(out, "suspected_bytes", t->suspected,
		      "Trace records passed over uncounted, at least");
	print_counter(out, "resyncs", t->resyncs, "Times that reading went on elsewhere");
	print_gauge(out, "coverage_known", counts->now.stats.coverage != STATS_COVERAGE_UNKNOWN,
		    "Whether all that is missing was counted");
	if (counts->now.stats.coverage != STATS_COVERAGE_UNKNOWN)
		print_gauge(out, "coverage_ratio", counts->now.stats.coverage / 1e6,
			    "Share of the trace records that arrived");
	print_gauge(out, "attribution_ok", !strcmp(counts->now.stats.attribution, "ok"),
		    "Whether records agree on which domain runs where");
}

/* Of an info metric only Prometheus' own text has no type. */
static void print_info_head(FILE *out, const char *name, const char *help)
{
	const char *suffix = is_prometheus ? "_info" : "";

	fprintf(out, "# TYPE %s%s %s\n", name, suffix, is_prometheus ? "gauge" : "info");
	fprintf(out, "# HELP %s%s %s\n", name, suffix, help);
}

/* What a domain is. Its UUID stays the same when it is rebooted or migrated, its id does not. */
static void print_domains(FILE *out, const struct counts *counts)
{
	size_t nr, i;
	struct dom_id *doms = counts_domains(counts, &nr);

	print_info_head(out, "xen_hctrace_domain", "Domains: name, UUID and type, where known");
	for (i = 0; i < nr; i++) {
		const struct domname *what = counts_what(counts, &doms[i]);

		if (doms[i].domid < 0)
			continue;
		fputs("xen_hctrace_domain_info", out);
		print_domain_label(out, &doms[i]);
		fputs(",name=\"", out);
		print_escaped(out, what->name);
		fprintf(out, "\",uuid=\"%s\",type=\"%s\"} 1\n", what->uuid,
			strcmp(what->type, "-") ? what->type : "");
	}
	free(doms);
}

/* An older module has nothing to say of it, which is not that it is closed. */
static void print_breaker(FILE *out, const struct breaker *breaker)
{
	if (!breaker->is_known)
		return;
	print_gauge(out, "breaker_open", breaker->is_open,
		    "Whether tracing is paused, because a guest makes Xen log warnings");
	print_counter(out, "breaker_trips", breaker->trips, "Times that tracing was paused");
	print_head(out, "xen_hctrace_paused_seconds", "counter", "How long tracing was paused");
	fprintf(out, "xen_hctrace_paused_seconds_total %llu.%03llu\n", breaker->paused_ms / 1000,
		breaker->paused_ms % 1000);
}

static void print_live(FILE *out, const struct stats *stats)
{
	print_gauge(out, "tracing", stats->tracing, "Whether Xen traces now");
	print_gauge(out, "traced_seconds", stats->traced_ms / 1e3,
		    "How long the counters have been counting");
	print_info_head(out, "xen_hctrace", "Versions, and what is traced");
	fprintf(out, "xen_hctrace_info{xen=\"%s\",dom0=\"%s\",profile=\"%s\"} 1\n", stats->xen,
		stats->dom0, stats->profile);
}

static void print_all(FILE *out, const struct counts *counts)
{
	print_rows(out, counts);
	print_multicalls(out, counts);
	print_cpus(out, counts);
	print_domains(out, counts);
	print_ledger(out, counts);
	if (counts->recording)
		return;
	print_live(out, &counts->now.stats);
	print_breaker(out, &counts->breaker);
}

static void print_openmetrics(FILE *out, const struct counts *counts)
{
	is_prometheus = false;
	print_all(out, counts);
	fputs("# EOF\n", out);
}

static void print_prometheus(FILE *out, const struct counts *counts)
{
	is_prometheus = true;
	print_all(out, counts);
}

const struct export_format export_openmetrics = {
	.name = "openmetrics", .help = "OpenMetrics, to be scraped", .print = print_openmetrics,
	.type = "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

const struct export_format export_prometheus = {
	.name = "prometheus", .help = "Prometheus' text, for node exporter's textfile collector",
	.readable = 0444, .print = print_prometheus,
	.type = "text/plain; version=0.0.4; charset=utf-8",
};
