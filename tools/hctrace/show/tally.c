// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdlib.h>

#include <hctrace/arith.h>

#include "base/text.h"
#include "live/matched.h"
#include "tally.h"

static const char *const key_names[NR_SORT_KEYS] = {
	[SORT_RECORDS] = "records",
	[SORT_CALLS] = "calls",
	[SORT_MEMBERS] = "members",
	[SORT_BATCHES] = "batches",
	[SORT_SIZE] = "size",
	[SORT_CONT] = "cont",
	[SORT_CPU] = "cpu",
	[SORT_PER_CPU] = "percpu",
	[SORT_NAME] = "name",
};

const char *sort_key_name(enum sort_key key)
{
	return key_names[key];
}

int sort_key_by_name(const char *name)
{
	int key;

	for (key = 0; key < NR_SORT_KEYS; key++) {
		if (!strcmp(name, key_names[key]))
			return key;
	}
	return -1;
}

bool is_member(const struct stats_row *row)
{
	return !strcmp(row->kind, "member");
}

static double ratio(u64 sum, u64 nr)
{
	return nr ? (double)sum / nr : 0;
}

static double dom_value(const struct dom_tally *dom, enum sort_key key)
{
	double rate;

	switch (key) {
	case SORT_MEMBERS:
		return dom->members;
	case SORT_BATCHES:
		return dom->batches;
	case SORT_SIZE:
		return ratio(dom->declared, dom->batches);
	case SORT_CONT:
		return dom->cont;
	case SORT_CALLS:
		return dom->calls + dom->members;
	case SORT_CPU:
		return dom->cpu_us;
	case SORT_PER_CPU:
		return dom_tally_per_cpu(dom, &rate) ? rate : 0;
	default:
		return dom->records;
	}
}

static double row_value(const struct stats_row *row, enum sort_key key)
{
	switch (key) {
	case SORT_MEMBERS:
		return is_member(row) ? row->calls : 0;
	case SORT_BATCHES:
		return row->units;
	case SORT_SIZE:
		return ratio(row->units, row->calls);
	case SORT_CONT:
		return row->cont;
	case SORT_CALLS:
		return row->calls;
	default:
		return row->records;
	}
}

static bool is_domain(const struct dom_id *dom)
{
	return dom->domid >= 0;
}

/* Domains in the order of their ids, those that are none at the end. */
static int compare_ids(const struct dom_id *a, const struct dom_id *b)
{
	if (is_domain(a) != is_domain(b))
		return is_domain(a) ? -1 : 1;
	if (a->domid != b->domid)
		return a->domid < b->domid ? -1 : 1;
	if (a->generation != b->generation)
		return a->generation < b->generation ? -1 : 1;
	return strcmp(a->label, b->label);
}

static int compare_values(double a, double b)
{
	return a == b ? 0 : a > b ? -1 : 1;
}

static int compare_doms(const void *left, const void *right, void *arg)
{
	const struct dom_tally *a = left;
	const struct dom_tally *b = right;
	enum sort_key key = *(enum sort_key *)arg;
	int order = 0;

	if (key != SORT_NAME) {
		order = compare_values(dom_value(a, key), dom_value(b, key));
		if (!order)
			order = compare_values(a->records, b->records);
	}
	return order ? order : compare_ids(&a->dom, &b->dom);
}

static int compare_ops(const void *left, const void *right, void *arg)
{
	const struct stats_row *a = left;
	const struct stats_row *b = right;
	enum sort_key key = *(enum sort_key *)arg;
	int order = 0;

	if (key != SORT_NAME) {
		order = compare_values(row_value(a, key), row_value(b, key));
		if (!order)
			order = compare_values(a->records, b->records);
	}
	if (!order)
		order = strcmp(a->op, b->op);
	return order ? order : strcmp(a->kind, b->kind);
}

static void add_up(struct dom_tally *dom, const struct stats_row *row)
{
	if (is_member(row))
		dom->members += row->calls;
	else
		dom->calls += row->calls;
	dom->records += row->records;
	dom->cont += row->cont;
	dom->bound |= row->bound;
	dom->nr_ops++;
}

/* Multicalls of the domain, but not if the filter leaves them out. */
static void add_batches(struct dom_tally *dom, const struct stats_diff *diff,
			const struct filter *filter)
{
	size_t i;

	for (i = 0; i < diff->nr_batches && filter_wants_op(filter, "multicall"); i++) {
		const struct batch_row *row = &diff->batches[i];

		if (strcmp(row->dom.label, dom->dom.label) || !row->has_batches)
			continue;
		dom->batches = row->batches;
		dom->declared = row->declared;
		dom->cut = row->lost;
		dom->sizes = row;
	}
}

/* Time is not told by op, but a filter of them leaves the domain's as it is. */
static void add_cpu(struct dom_tally *dom, const struct stats_diff *diff)
{
	const struct cpu_row *cpu = cpu_find(diff->cpus, diff->nr_cpus, dom->dom.label);

	dom->has_cpu = cpu;
	dom->cpu_us = cpu ? cpu->us : 0;
}

bool dom_tally_per_cpu(const struct dom_tally *dom, double *rate)
{
	if (!dom->has_cpu || !dom->cpu_us || !strcmp(dom->dom.label, "d?"))
		return false;
	*rate = (double)(dom->calls + dom->members) * 1e6 / dom->cpu_us;
	return true;
}

static size_t copy_wanted(struct stats_row *rows, const struct stats_diff *diff,
			  const struct filter *filter, struct domnames *names)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < diff->nr_rows; i++)
		domnames_saw(names, &diff->rows[i].dom);
	for (i = 0; i < diff->nr_rows; i++) {
		const struct stats_row *row = &diff->rows[i];

		if (matched_row(filter, row, names))
			rows[nr++] = *row;
	}
	return nr;
}

bool tally_make(struct tally *tally, const struct stats_diff *diff, const struct filter *filter,
		struct domnames *names, enum sort_key key)
{
	struct dom_tally *dom = NULL;
	size_t nr_rows;
	size_t i;

	memset(tally, 0, sizeof(*tally));
	tally->rows = calloc(diff->nr_rows + 1, sizeof(*tally->rows));
	tally->doms = calloc(diff->nr_rows + 1, sizeof(*tally->doms));
	if (!tally->rows || !tally->doms) {
		tally_free(tally);
		return false;
	}

	nr_rows = copy_wanted(tally->rows, diff, filter, names);
	for (i = 0; i < nr_rows; i++) {
		struct stats_row *row = &tally->rows[i];

		if (!dom || strcmp(dom->dom.label, row->dom.label)) {
			dom = &tally->doms[tally->nr_doms++];
			dom->dom = row->dom;
			dom->what = *domnames_of(names, &row->dom);
			dom->ops = row;
			add_batches(dom, diff, filter);
			add_cpu(dom, diff);
		}
		add_up(dom, row);
		tally->calls += row->calls;
	}
	for (i = 0; i < tally->nr_doms; i++)
		qsort_r(tally->doms[i].ops, tally->doms[i].nr_ops, sizeof(struct stats_row),
			compare_ops, &key);
	qsort_r(tally->doms, tally->nr_doms, sizeof(*tally->doms), compare_doms, &key);
	return true;
}

bool tally_add_quiet(struct tally *tally, const struct stats_diff *diff, const struct dom_id *dom,
		     const struct filter *filter, struct domnames *names, enum sort_key key)
{
	struct dom_tally *doms;
	size_t i;

	for (i = 0; i < tally->nr_doms; i++) {
		if (!strcmp(tally->doms[i].dom.label, dom->label))
			return true;
	}
	if (!filter_wants_domain(filter, dom, domnames_of(names, dom)))
		return true;
	doms = realloc(tally->doms, (tally->nr_doms + 1) * sizeof(*doms));
	if (!doms)
		return false;
	tally->doms = doms;
	doms += tally->nr_doms++;
	memset(doms, 0, sizeof(*doms));
	doms->dom = *dom;
	doms->what = *domnames_of(names, dom);
	add_cpu(doms, diff);
	qsort_r(tally->doms, tally->nr_doms, sizeof(*tally->doms), compare_doms, &key);
	return true;
}

void tally_free(struct tally *tally)
{
	free(tally->rows);
	free(tally->doms);
	memset(tally, 0, sizeof(*tally));
}

size_t dom_tally_fold(const struct dom_tally *dom, struct stats_row *rows, enum sort_key key)
{
	size_t nr = 0;
	size_t i;
	size_t j;

	for (i = 0; i < dom->nr_ops; i++) {
		const struct stats_row *row = &dom->ops[i];
		size_t len = strcspn(row->op, "/");

		for (j = 0; j < nr; j++) {
			if (!strcmp(rows[j].kind, row->kind) &&
			    !strncmp(rows[j].op, row->op, len) && strchr("/", rows[j].op[len]))
				break;
		}
		if (j == nr) {
			rows[nr] = *row;
			/* "vcpu_op/": there is more below. */
			rows[nr++].op[row->op[len] ? len + 1 : len] = '\0';
			continue;
		}
		rows[j].records += row->records;
		rows[j].calls += row->calls;
		rows[j].cont += row->cont;
		rows[j].units = hct_add(rows[j].units, row->units);
		rows[j].has_cont |= row->has_cont;
		rows[j].has_units |= row->has_units;
		rows[j].bound |= row->bound;
		if (row->op[len])
			strcpy(rows[j].op + len, "/");
	}
	qsort_r(rows, nr, sizeof(*rows), compare_ops, &key);
	return nr;
}

double share_percent(const struct stats_diff *diff, u64 records)
{
	return diff->records ? 100.0 * records / diff->records : 0;
}

void dom_tally_put(FILE *to, const struct dom_tally *dom)
{
	fprintf(to, *dom->what.name ? "%s " : "%s", dom->dom.label);
	text_put(to, dom->what.name, TEXT_TERMINAL, "");
}

void dom_tally_fit(const struct dom_tally *dom, bool uuid, char *to, size_t size,
		   unsigned int width)
{
	const char *text = uuid && *dom->what.uuid ? dom->what.uuid : dom->what.name;
	size_t len = scnprintf(to, size, *text ? "%s " : "%s", dom->dom.label);

	if (len < width)
		text_fit(to + len, size - len, text, width - len);
	else
		text_fit(to, size, dom->dom.label, width);
}
