// SPDX-License-Identifier: GPL-2.0
/* See json.h. */
#include "base/json.h"
#include "json.h"

void json_add_domain(struct cJSON *to, const struct dom_id *dom, const struct domname *what)
{
	cJSON_AddStringToObject(to, "dom", dom->label);
	if (dom->domid >= 0)
		json_add_count(to, "domid", dom->domid);
	if (*what->name)
		cJSON_AddItemToObject(to, "name", json_text(what->name));
	if (*what->uuid)
		cJSON_AddStringToObject(to, "uuid", what->uuid);
	if (what->vcpus)
		json_add_count(to, "vcpus", what->vcpus);
}

void json_add_row(struct cJSON *to, const struct stats_row *row)
{
	cJSON_AddStringToObject(to, "kind", row->kind);
	cJSON_AddStringToObject(to, "op", row->op);
	json_add_count(to, "records", row->records);
	json_add_count(to, "calls", row->calls);
	json_add_count(to, "cont", row->cont);
	if (row->has_units)
		json_add_count(to, "units", row->units);
	cJSON_AddBoolToObject(to, "exact", !row->bound);
}

/* An array of how many there were of each size up to @to; the last has no limit. */
static void add_sizes(cJSON *to, const struct batch_row *row)
{
	cJSON *sizes = cJSON_AddArrayToObject(to, "sizes");
	unsigned int i;

	for (i = 0; i < HCT_NR_SIZES; i++) {
		cJSON *bucket = cJSON_CreateObject();

		if (i < HCT_NR_SIZES - 1)
			json_add_count(bucket, "to", hct_batch_size_limit(i));
		json_add_count(bucket, "batches", row->sizes[i]);
		cJSON_AddItemToArray(sizes, bucket);
	}
}

void json_add_multicalls(struct cJSON *to, const struct batch_row *row)
{
	json_add_count(to, "batches", row->batches);
	json_add_count(to, "split", row->split);
	json_add_count(to, "short", row->cut_short);
	json_add_count(to, "lost", row->lost);
	json_add_count(to, "declared", row->declared);
	json_add_count(to, "seen", row->seen);
	json_add_count(to, "max", row->max);
	add_sizes(to, row);
}
