// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --json: JSON lines. The first is of type "recording", or "live"; then
 * there is one of type "calls" for each row of the tables, of type "multicalls" for each
 * domain that makes any, and of type "cpu" for each whose time is known.
 */
#include <stdlib.h>

#include "base/json.h"
#include "format.h"
#include "show/json.h"

#define EXPORT_JSON_VERSION	1

static cJSON *new_line(const char *type)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "type", type);
	return object;
}

static cJSON *new_domain_line(const struct counts *counts, const char *type,
			      const struct dom_id *dom)
{
	cJSON *object = new_line(type);

	json_add_domain(object, dom, counts_what(counts, dom));
	return object;
}

static void print_row(FILE *out, const struct counts *counts, const struct stats_row *row)
{
	cJSON *object = new_domain_line(counts, "calls", &row->dom);

	json_add_row(object, row);
	json_print(out, object);
}

static void print_multicalls(FILE *out, const struct counts *counts, const struct batch_row *row)
{
	cJSON *object = new_domain_line(counts, "multicalls", &row->dom);

	json_add_multicalls(object, row);
	json_print(out, object);
}

static void print_cpu(FILE *out, const struct counts *counts, const struct cpu_row *row)
{
	cJSON *object = new_domain_line(counts, "cpu", &row->dom);

	json_add_fixed(object, "cpu_ms", row->us / 1e3);
	json_print(out, object);
}

static void add_recording(cJSON *object, const struct recording *rec)
{
	cJSON_AddStringToObject(object, "format", rec->format);
	if (recording_has_length(rec))
		json_add_fixed(object, "seconds", recording_seconds(rec, rec->last));
	json_add_count(object, "pcpus", rec->p.nr_rings);
}

static void add_live(cJSON *object, const struct stats *stats)
{
	cJSON_AddStringToObject(object, "xen", stats->xen);
	cJSON_AddStringToObject(object, "dom0", stats->dom0);
	cJSON_AddStringToObject(object, "profile", stats->profile);
	cJSON_AddBoolToObject(object, "tracing", stats->tracing);
	json_add_fixed(object, "seconds", stats->traced_ms / 1e3);
	json_add_count(object, "pcpus", strtoul(stats->pcpus, NULL, 10));
}

static void print_head(FILE *out, const struct counts *counts)
{
	const struct recording *rec = counts->recording;
	cJSON *object = new_line(rec ? "recording" : "live");

	json_add_count(object, "version", EXPORT_JSON_VERSION);
	if (rec)
		add_recording(object, rec);
	else
		add_live(object, &counts->now.stats);
	json_add_count(object, "records", counts->total.consumed);
	json_add_count(object, "events", counts->total.events);
	json_add_count(object, "unattributed", counts->total.unattributed);
	json_add_count(object, "malformed", counts->total.malformed);
	json_add_count(object, "undecodable", counts->total.undecodable);
	json_add_count(object, "lost", counts->total.lost);
	if (rec) {
		json_add_count(object, "lost_by_recorder", rec->lost_recorder);
		json_add_count(object, "damaged_places", rec->damage.places);
		json_add_count(object, "damaged_bytes", rec->damage.bytes);
		json_add_count(object, "missing_bytes", rec->damage.missing);
		json_add_count(object, "breaks", rec->damage.breaks);
	}
	if (counts->now.stats.coverage == STATS_COVERAGE_UNKNOWN)
		cJSON_AddNullToObject(object, "coverage");
	else
		cJSON_AddNumberToObject(object, "coverage", counts->now.stats.coverage / 1e6);
	cJSON_AddStringToObject(object, "attribution", counts->now.stats.attribution);
	json_print(out, object);
}

static void print(FILE *out, const struct counts *counts)
{
	size_t i;

	print_head(out, counts);
	for (i = 0; i < counts->now.stats.nr_rows; i++)
		print_row(out, counts, &counts->now.stats.rows[i]);
	for (i = 0; i < counts->now.multicalls.nr_rows; i++)
		print_multicalls(out, counts, &counts->now.multicalls.rows[i]);
	for (i = 0; i < counts->now.stats.nr_cpus; i++)
		print_cpu(out, counts, &counts->now.stats.cpus[i]);
}

const struct export_format export_json = {
	.name = "json", .help = "JSON, an object a line", .print = print,
	.type = "application/jsonl",
};
