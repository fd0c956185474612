// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include <hctrace/account.h>
#include <hctrace/table.h>

#include "base/json.h"
#include "base/text.h"
#include "json.h"
#include "table.h"

#define STAT_JSON_VERSION	2

/* As in the module's file, with a share besides. */
void print_heading(FILE *to)
{
	char line[HCT_LINE_BYTES];

	fprintf(to, "%s    share\n", hct_line_heading(line, sizeof(line)));
}

static const char *format_row(const struct stats_diff *diff, const struct stats_row *row, char *buf,
			      size_t size)
{
	const struct hct_line line = {
		.dom = row->dom.label, .kind = row->kind, .op = row->op,
		.records = row->records, .calls = row->calls,
		.cont = row->cont, .has_cont = row->has_cont,
		.units = row->units, .has_units = row->has_units,
		.per_s = per_second(diff, row->records) + 0.5, .bound = row->bound,
	};

	return hct_line_format(&line, buf, size);
}

void print_row(FILE *to, const struct stats_diff *diff, const struct stats_row *row)
{
	char text[HCT_LINE_BYTES];

	fprintf(to, "%s  %6.2f%%\n", format_row(diff, row, text, sizeof(text)),
		share_percent(diff, row->records));
}

static void print_domain(FILE *to, const struct stat_report *report, const struct dom_tally *dom)
{
	double rate;
	size_t i;

	fputs("\n ", to);
	dom_tally_put(to, dom);
	if (strcmp(dom->what.type, "-"))
		fprintf(to, " (%s)", dom->what.type);
	fprintf(to, "   %llu calls, %llu members", dom->calls, dom->members);
	if (dom->batches)
		fprintf(to, ", %llu multicalls of %.1f", dom->batches,
			(double)dom->declared / dom->batches);
	if (dom->cut)
		fprintf(to, ", %llu cut by lost records", dom->cut);
	fprintf(to, ", %.2f%% of the records", share_percent(report->diff, dom->records));
	if (dom->has_cpu)
		fprintf(to, ", %.3f ms of CPU", dom->cpu_us / 1e3);
	if (dom_tally_per_cpu(dom, &rate))
		fprintf(to, ", %.0f calls per second of it", rate);
	fputc('\n', to);
	for (i = 0; i < dom->nr_ops; i++)
		print_row(to, report->diff, &dom->ops[i]);
}

static void print_notes(FILE *to, const struct stats *after)
{
	unsigned int i;

	for (i = 0; i < after->nr_notes; i++)
		fprintf(to, " Note: %s\n", after->notes[i]);
}

/* In front of each sentence stands @start. */
static void print_troubles(FILE *to, const char *start, const struct stats *after,
			   const struct stats_diff *diff)
{
	if (diff->reset)
		fprintf(to, "%s The counters were reset: these are the counts since then.\n",
			start);
	if (diff->lost)
		fprintf(to, "%s LOST: %llu trace records, so the counts are too low.\n", start,
			diff->lost);
	if (diff->malformed)
		fprintf(to, "%s %llu calls were malformed.\n", start, diff->malformed);
	if (strcmp(after->attribution, "ok"))
		fprintf(to, "%s Attribution to domains is %s.\n", start, after->attribution);
	if (!after->tracing)
		fprintf(to, "%s Tracing is stopped ('hctrace doctor' says how to start it).\n",
			start);
	if (after->bad_rows)
		fprintf(to, "%s %zu lines of the module's file made no sense and are left out.\n",
			start, after->bad_rows);
}

void print_losses(FILE *to, const struct stats *after, const struct stats_diff *diff)
{
	print_troubles(to, "", after, diff);
	print_notes(to, after);
}

static bool any_bound(const struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->nr_doms; i++) {
		if (tally->doms[i].bound)
			return true;
	}
	return false;
}

void stat_print_text(FILE *to, const struct stat_report *report)
{
	const struct tally *tally = report->tally;
	size_t i;

	fprintf(to, "\n Hypercalls during %s:\n\n", report->what);
	print_heading(to);
	for (i = 0; i < tally->nr_doms; i++)
		print_domain(to, report, &tally->doms[i]);
	if (!tally->nr_doms)
		fprintf(to, "           0\n");
	fprintf(to, "\n %.3f seconds, %llu calls", report->diff->elapsed_ns / 1e9,
		report->diff->calls);
	if (tally->calls != report->diff->calls)
		fprintf(to, ", %llu of them shown", tally->calls);
	fprintf(to, "\n");
	if (any_bound(tally))
		fprintf(to, " ~ an upper bound: the op's continuations look like calls\n");
	print_losses(to, report->after, report->diff);
	fflush(to);
}

static double time_of(const struct stat_report *report)
{
	return report->at_s < 0 ? report->diff->elapsed_ns / 1e9 : report->at_s;
}

static void print_timed_row(FILE *to, const struct stat_report *report,
			    const struct dom_tally *dom, const struct stats_row *row)
{
	char line[HCT_LINE_BYTES];

	fprintf(to, "%11.3f  %s  %6.2f%%", time_of(report),
		format_row(report->diff, row, line, sizeof(line)),
		share_percent(report->diff, row->records));
	if (*dom->what.name) {
		fputs("  ", to);
		text_put(to, dom->what.name, TEXT_TERMINAL, "");
	}
	fputc('\n', to);
}

void stat_print_rows(FILE *to, const struct stat_report *report)
{
	static const struct dom_tally nobody = { .what.name = "" };
	static const struct stats_row nothing = {
		.dom.label = "-", .kind = "-", .op = "*",
	};
	const struct tally *tally = report->tally;
	char start[24], line[HCT_LINE_BYTES];
	size_t i, j;

	if (report->is_first) {
		print_notes(to, report->after);
		fprintf(to, "%11s  %s    share  name\n", "time_s",
			hct_line_heading(line, sizeof(line)));
	}
	for (i = 0; i < tally->nr_doms; i++) {
		for (j = 0; j < tally->doms[i].nr_ops; j++)
			print_timed_row(to, report, &tally->doms[i], &tally->doms[i].ops[j]);
	}
	/* That there was nothing is to be seen, too. */
	if (!tally->nr_doms)
		print_timed_row(to, report, &nobody, &nothing);
	scnprintf(start, sizeof(start), "%11.3f ", time_of(report));
	print_troubles(to, start, report->after, report->diff);
	fflush(to);
}

/* A name may have a comma or a quote in it; what ends a line is escaped. */
static void print_quoted(FILE *to, const char *s)
{
	char *text = text_escaped(s, TEXT_LINE, "");
	const char *at;

	fputc('"', to);
	for (at = text; at && *at; at++) {
		if (*at == '"')
			fputc('"', to);
		fputc(*at, to);
	}
	fputc('"', to);
	free(text);
}

void stat_print_csv_header(FILE *to)
{
	fputs("time_s,dom,domid,name,type,kind,op,count,cont,units,per_s,share_percent,acc,", to);
	fputs("records\n", to);
	fflush(to);
}

static void print_csv_row(FILE *to, const struct stat_report *report,
			  const struct dom_tally *dom, const struct stats_row *row)
{
	fprintf(to, "%.3f,%s,", time_of(report), dom->dom.label);
	if (dom->dom.domid >= 0)
		fprintf(to, "%d", dom->dom.domid);
	fputc(',', to);
	print_quoted(to, dom->what.name);
	fprintf(to, ",%s,%s,%s,%llu,", dom->what.type, row->kind, row->op, row->calls);
	if (row->has_cont)
		fprintf(to, "%llu", row->cont);
	fputc(',', to);
	if (row->has_units)
		fprintf(to, "%llu", row->units);
	fprintf(to, ",%.1f,%.2f,%c,%llu\n", per_second(report->diff, row->records),
		share_percent(report->diff, row->records), row->bound ? '~' : '=', row->records);
}

void stat_print_csv(FILE *to, const struct stat_report *report)
{
	const struct tally *tally = report->tally;
	size_t i;
	size_t j;

	for (i = 0; i < tally->nr_doms; i++) {
		for (j = 0; j < tally->doms[i].nr_ops; j++)
			print_csv_row(to, report, &tally->doms[i], &tally->doms[i].ops[j]);
	}
	/* No table is without its losses. */
	fprintf(to, "%.3f,xen,,\"\",-,lost,*,%llu,,,%.1f,,=,%llu\n", time_of(report),
		report->diff->lost, per_second(report->diff, report->diff->lost),
		report->diff->lost);
	fflush(to);
}

static void add_ops(cJSON *to, const struct stat_report *report, const struct dom_tally *dom)
{
	cJSON *ops = cJSON_AddArrayToObject(to, "ops");
	size_t i;

	for (i = 0; i < dom->nr_ops; i++) {
		cJSON *op = cJSON_CreateObject();

		json_add_row(op, &dom->ops[i]);
		json_add_fixed(op, "per_s", per_second(report->diff, dom->ops[i].records));
		cJSON_AddItemToArray(ops, op);
	}
}

static void add_domains(cJSON *to, const struct stat_report *report)
{
	cJSON *doms = cJSON_AddArrayToObject(to, "domains");
	double rate;
	size_t i;

	for (i = 0; i < report->tally->nr_doms; i++) {
		const struct dom_tally *dom = &report->tally->doms[i];
		cJSON *json = cJSON_CreateObject();

		json_add_domain(json, &dom->dom, &dom->what);
		if (strcmp(dom->what.type, "-"))
			cJSON_AddStringToObject(json, "type", dom->what.type);
		json_add_count(json, "records", dom->records);
		json_add_count(json, "calls", dom->calls);
		json_add_count(json, "members", dom->members);
		if (dom->has_cpu)
			json_add_fixed(json, "cpu_ms", dom->cpu_us / 1e3);
		if (dom_tally_per_cpu(dom, &rate))
			json_add_fixed(json, "calls_per_cpu_s", rate);
		if (dom->sizes)
			json_add_multicalls(cJSON_AddObjectToObject(json, "multicalls"),
					    dom->sizes);
		add_ops(json, report, dom);
		cJSON_AddItemToArray(doms, json);
	}
}

void stat_print_json(FILE *to, const struct stat_report *report)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddNumberToObject(json, "version", STAT_JSON_VERSION);
	json_add_fixed(json, "time_s", time_of(report));
	json_add_fixed(json, "elapsed_s", report->diff->elapsed_ns / 1e9);
	cJSON_AddStringToObject(json, "xen", report->after->xen);
	cJSON_AddStringToObject(json, "dom0", report->after->dom0);
	cJSON_AddStringToObject(json, "profile", report->after->profile);
	cJSON_AddBoolToObject(json, "tracing", report->after->tracing);
	cJSON_AddBoolToObject(json, "reset", report->diff->reset);
	json_add_count(json, "lost", report->diff->lost);
	json_add_count(json, "malformed", report->diff->malformed);
	cJSON_AddStringToObject(json, "attribution", report->after->attribution);
	json_add_count(json, "all_records", report->diff->records);
	json_add_count(json, "all_calls", report->diff->calls);
	add_domains(json, report);
	json_print(to, json);
	fflush(to);
}
