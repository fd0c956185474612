// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --json: JSON lines. The first is of type "recording", then there is
 * one of type "calls" for each row of the tables, and of type "multicalls" for each domain
 * that makes any.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include <hctrace/table.h>

#include "export.h"
#include "hctrace.h"

static void print(struct export *e, cJSON *object)
{
	char *text = cJSON_PrintUnformatted(object);

	if (text)
		fprintf(e->out, "%s\n", text);
	free(text);
	cJSON_Delete(object);
}

static cJSON *new_line(const char *type)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "type", type);
	return object;
}

/* A double has 53 bits, and so have most readers: more is not exact in JSON. */
static void add(cJSON *object, const char *key, u64 value)
{
	cJSON_AddNumberToObject(object, key, value);
}

static cJSON *new_domain_line(const struct export *e, const char *type,
			      const struct hct_domain *dom)
{
	const struct hct_account *acct = e->rec.p.acct;
	cJSON *object = new_line(type);
	char name[24];

	cJSON_AddStringToObject(object, "dom", hct_domain_name(acct, dom, name, sizeof(name)));
	if (hct_row_special(acct, dom) >= 0)
		return object;
	add(object, "domid", dom->domid);
	if (recording_get_name(&e->rec, dom->domid))
		cJSON_AddStringToObject(object, "name", recording_get_name(&e->rec, dom->domid));
	return object;
}

static void print_row(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell)
{
	const struct hct_cell *counts = &dom->cells[kind][cell];
	cJSON *object = new_domain_line(e, "calls", dom);
	char op[64];

	cJSON_AddStringToObject(object, "kind", hct_kind_name(kind));
	cJSON_AddStringToObject(object, "op", hct_cell_name(cell, op, sizeof(op)));
	add(object, "calls", counts->calls);
	add(object, "cont", counts->cont);
	if (kind != HCT_KIND_HVM && hct_cell_has_units(cell))
		add(object, "units", counts->units);
	cJSON_AddBoolToObject(object, "exact",
			      !hct_cell_is_bound(kind, cell, e->rec.has_members));
	print(e, object);
}

static void print_multicalls(struct export *e, const struct hct_domain *dom)
{
	const struct hct_cell *counts = &dom->cells[HCT_KIND_CALL][HCT_OP_multicall];
	cJSON *object, *sizes;
	unsigned int i;

	if (!counts->calls)
		return;
	object = new_domain_line(e, "multicalls", dom);
	add(object, "batches", counts->calls);
	add(object, "split", counts->cont);
	add(object, "short", dom->batches.ends[HCT_END_SHORT]);
	add(object, "lost", dom->batches.ends[HCT_END_LOST]);
	add(object, "declared", counts->units);
	add(object, "seen", dom->batches.seen);
	add(object, "max", dom->batches.max);
	sizes = cJSON_AddArrayToObject(object, "sizes");
	for (i = 0; i < HCT_NR_SIZES; i++) {
		cJSON *bucket = cJSON_CreateObject();

		if (i < HCT_NR_SIZES - 1)
			add(bucket, "to", hct_batch_size_limit(i));
		add(bucket, "batches", dom->batches.sizes[i]);
		cJSON_AddItemToArray(sizes, bucket);
	}
	print(e, object);
}

static void print_recording(struct export *e)
{
	const struct recording *rec = &e->rec;
	cJSON *object = new_line("recording");
	struct hct_counters total;

	hct_pipeline_total(&rec->p, &total);
	add(object, "version", 1);
	cJSON_AddStringToObject(object, "format", rec->format);
	if (rec->hz)
		cJSON_AddNumberToObject(object, "seconds", recording_seconds(rec, rec->last));
	add(object, "pcpus", rec->p.nr_rings);
	add(object, "records", total.consumed);
	add(object, "events", total.events);
	add(object, "unattributed", total.unattributed);
	add(object, "malformed", total.malformed);
	add(object, "undecodable", total.undecodable);
	add(object, "lost", total.lost);
	add(object, "lost_by_recorder", rec->lost_recorder);
	add(object, "damaged_places", rec->damage.places);
	add(object, "damaged_bytes", rec->damage.bytes);
	add(object, "missing_bytes", rec->damage.missing);
	cJSON_AddStringToObject(object, "attribution", hct_pipeline_trust(&rec->p));
	print(e, object);
}

static int end(struct export *e)
{
	print_recording(e);
	export_rows(e, print_row);
	export_domains(e, print_multicalls);
	return 0;
}

const struct export_format export_json = {
	.name = "json", .help = "JSON, an object a line", .end = end,
};
