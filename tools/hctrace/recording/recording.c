// SPDX-License-Identifier: GPL-2.0
/* See recording.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hctrace/table.h>

#include "base/exit.h"
#include "base/progress.h"
#include "recording.h"
#include "source.h"

/*
 * What the pipeline wants to be told "every second or so", if nobody knows how
 * long a second is: half a second to two on all machines there are.
 */
#define SECOND_OR_SO	0x80000000ull

/* A clock that is so many of these ahead was set back, or never was there. */
#define MAX_AHEAD	64

/* --- time ------------------------------------------------------------------- */

static u64 times_of(const struct recording *rec, u64 ns)
{
	return (double)ns * rec->hz / 1e9;
}

double recording_seconds(const struct recording *rec, u64 time)
{
	return (double)(s64)(time - rec->first) / rec->hz;
}

/* Whoever runs on a pCPU does so up to @elapsed, unless it is known of no moment but its own. */
static void settle_to(struct recording *rec, u64 elapsed)
{
	u64 raw = rec->first + elapsed - rec->shift;
	u32 i;

	for (i = 0; i < rec->p.nr_rings && !rec->disordered; i++)
		hct_cpu_settle(&rec->p, &rec->p.rings[i], raw);
}

void recording_end(struct recording *rec)
{
	if (rec->is_cut)
		settle_to(rec, rec->until);
	hct_pipeline_settle(&rec->p);
	if (!rec->ns_times && recording_has_length(rec))
		rec->p.acct->tsc_khz = rec->opt.tsc_khz;
}

void recording_start(struct recording *rec)
{
	rec->started = true;
	rec->untimed = false;
	rec->breaks_before = rec->damage.breaks;
	hct_pipeline_serve(&rec->p, rec->sink);
	/* What came before taught us who runs where; it is not counted. */
	if (rec->has_first) {
		settle_to(rec, rec->since);
		hct_pipeline_reset(&rec->p);
	}
}

int recording_clock(struct recording *rec, bool ns)
{
	rec->ns_times = ns;
	rec->hz = ns ? 1000000000 : rec->opt.tsc_khz * 1000;
	if (!rec->hz && (rec->needs_time || rec->opt.since_ns || rec->opt.until_ns != ~0ull)) {
		fprintf(stderr, "hctrace: %s the rate of the TSC: --tsc-mhz\n",
			rec->needs_time ? "this needs" : "--since and --until need");
		return EXIT_USAGE;
	}
	rec->since = times_of(rec, rec->opt.since_ns);
	rec->until = rec->opt.until_ns == ~0ull ? ~0ull : times_of(rec, rec->opt.until_ns);
	if (!rec->since)
		recording_start(rec);
	return recording_begin(rec);
}

int recording_begin(struct recording *rec)
{
	int (*begin)(void *ctx) = rec->begin;

	rec->begin = NULL;
	return begin ? begin(rec->sink->ctx) : 0;
}

static void tick(struct recording *rec, u64 time)
{
	u64 period = rec->hz ? rec->hz : SECOND_OR_SO;

	if (time < rec->next_tick && rec->next_tick - time < MAX_AHEAD * period)
		return;
	hct_pipeline_tick(&rec->p, 1000);
	rec->next_tick = time + period;
}

/* How long it is until something happens: a tick, the begin of what is wanted, its end. */
static void set_calm(struct recording *rec)
{
	u64 elapsed = rec->last - rec->first;

	rec->calm_from = rec->last;
	rec->calm = rec->next_tick > rec->last ? rec->next_tick - rec->last : 0;
	if (!rec->started)
		rec->calm = 0;
	if (rec->until - elapsed < rec->calm)
		rec->calm = rec->until - elapsed;
}

void recording_step(struct recording *rec)
{
	rec->stepped = true;
	rec->untimed = true;
	rec->calm = 0;
}

/* The first record of after a step: if its time went back, it is that of the last one. */
static void measure_step(struct recording *rec, u64 raw)
{
	rec->stepped = false;
	if (raw + rec->shift < rec->last)
		rec->shift = rec->last - raw;
}

bool recording_has_length(const struct recording *rec)
{
	return rec->hz && !rec->untimed && rec->damage.breaks == rec->breaks_before;
}

const char *recording_trust(const struct recording *rec)
{
	const char *trust = hct_pipeline_trust(&rec->p);

	return rec->damage.breaks && !strcmp(trust, "ok") ? "suspect" : trust;
}

bool recording_move_on(struct recording *rec, u64 raw)
{
	u64 time, elapsed;

	if (rec->stepped && raw)
		measure_step(rec, raw);
	time = recording_time(rec, raw);
	/* Nothing new but the time: nearly always. */
	if (time - rec->calm_from < rec->calm) {
		if (time > rec->last)
			rec->last = time;
		return true;
	}

	/* Some have no time, and nothing came before them. */
	if (!time)
		return true;
	if (!rec->has_first) {
		rec->has_first = true;
		rec->first = time;
	}
	elapsed = time > rec->first ? time - rec->first : 0;
	if (!rec->started && elapsed >= rec->since)
		recording_start(rec);
	rec->is_cut = elapsed > rec->until;
	if (rec->is_cut)
		return false;
	if (time > rec->last)
		rec->last = time;
	tick(rec, time);
	set_calm(rec);
	return true;
}

/* --- what there is ---------------------------------------------------------- */

bool recording_add_pcpu(struct recording *rec, u32 index, u32 pcpu)
{
	struct hct_ring *ring;

	if (index == rec->room) {
		u32 room = rec->room ? 2 * rec->room : 16;
		struct hct_ring *rings = realloc(rec->p.rings, room * sizeof(*rings));

		if (!rings)
			return false;
		rec->p.rings = rings;
		rec->room = room;
	}
	ring = &rec->p.rings[index];
	memset(ring, 0, sizeof(*ring));
	hct_attr_gap(&ring->attr);
	ring->attr.by_switch = rec->p.by_switch;
	ring->pcpu = pcpu;
	ring->fresh = true;
	rec->p.nr_rings = index + 1;
	return true;
}

/* The domain that has this id by now. */
static u32 generation(const struct recording *rec, u16 domid)
{
	return domid < XEN_DOMID_FIRST_RESERVED ? rec->p.acct->generations[domid] + 1 : 1;
}

/* Index of the name of a domain; @rec->nr_names: it has none. */
static u32 find_name(const struct recording *rec, u16 domid, u32 generation)
{
	u32 i;

	for (i = 0; i < rec->nr_names; i++) {
		if (rec->names[i].domid == domid && rec->names[i].generation == generation)
			break;
	}
	return i;
}

/* The domain that has this id by now, as tables have it. */
static struct dom_id dom_of(const struct recording *rec, u16 domid)
{
	struct dom_id dom = { .domid = domid, .generation = generation(rec, domid) };

	scnprintf(dom.label, sizeof(dom.label), dom.generation > 1 ? "d%u#%u" : "d%u", domid,
		  dom.generation);
	return dom;
}

/* The domain of this id is called so from here on. Another one may have had it before. */
static void look_for(struct recording *rec, u16 domid, const struct domname *what)
{
	const struct filter *filter = &rec->opt.filter;
	const struct dom_id dom = dom_of(rec, domid);
	bool wanted = filter_names_id(filter, domid);
	unsigned int i;

	for (i = 0; i < filter->nr_domains; i++) {
		if (!filter_is_name(filter, i, &dom, what))
			continue;
		wanted = true;
		rec->found[i] = true;
	}
	hct_pipeline_want_domain(&rec->p, domid, wanted);
}

void recording_set_name(struct recording *rec, u16 domid, const struct domname *what)
{
	struct recording_name *entry;
	char id[16];
	char *name;
	u32 i;

	snprintf(id, sizeof(id), "d%u", domid);
	if (!strcmp(what->name, id) && !*what->uuid)
		return;
	if (filter_has(&rec->opt.filter, FILTER_NAME))
		look_for(rec, domid, what);
	i = find_name(rec, domid, generation(rec, domid));
	name = i < ARRAY_SIZE(rec->names) ? strdup(strcmp(what->name, id) ? what->name : "") : NULL;
	if (!name)
		return;
	entry = &rec->names[i];
	if (i == rec->nr_names)
		rec->nr_names++;
	else
		free((char *)entry->what.name);
	entry->domid = domid;
	entry->generation = generation(rec, domid);
	entry->what = *what;
	entry->what.name = name;
}

void recording_new_domain(struct recording *rec, u16 domid)
{
	if (filter_has(&rec->opt.filter, FILTER_NAME))
		look_for(rec, domid, &domname_unknown);
}

const struct domname *recording_what_of(const struct recording *rec, u16 domid, u32 generation)
{
	u32 i = find_name(rec, domid, generation);

	return i < rec->nr_names ? &rec->names[i].what : &domname_unknown;
}

const struct domname *recording_what(const struct recording *rec, u16 domid)
{
	return recording_what_of(rec, domid, generation(rec, domid));
}

/* --- what is wanted --------------------------------------------------------- */

static bool wants_life(const struct recording *rec, u16 domid)
{
	const struct dom_id dom = dom_of(rec, domid);

	return filter_wants_domain(&rec->opt.filter, &dom, recording_what(rec, domid));
}

bool recording_wants_domain(const struct recording *rec, u16 domid)
{
	if (domid >= XEN_DOMID_FIRST_RESERVED ||
	    !hct_settings_wants_domain(&rec->p.settings, domid))
		return false;
	return !rec->is_fine || wants_life(rec, domid);
}

bool recording_wants(const struct recording *rec, const struct xen_hctrace_call *call)
{
	const struct filter *filter = &rec->opt.filter;
	struct hct_call decoded;

	if (!hct_settings_wants_call(&rec->p.settings, call->kind, call->op))
		return false;
	if (call->domid == XEN_HCTRACE_UNKNOWN) {
		if (filter_has_domains(filter) && !filter_has(filter, FILTER_UNKNOWN))
			return false;
	} else if (!recording_wants_domain(rec, call->domid)) {
		return false;
	}
	if (!filter_has_ops(filter))
		return true;
	decoded = event_decoded(call);
	return filter_wants_cell(filter, hct_account_cell(&decoded));
}

static void drop_cell(struct recording *rec, struct hct_cell *cell)
{
	rec->dropped += hct_cell_records(cell);
	memset(cell, 0, sizeof(*cell));
}

static void drop_unwanted(struct recording *rec, struct hct_domain *dom, bool is_wanted)
{
	const struct filter *filter = &rec->opt.filter;
	unsigned int kind, i;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++) {
			if (!is_wanted || !filter_wants_cell(filter, i))
				drop_cell(rec, &dom->cells[kind][i]);
		}
	}
	/* Time of nobody known may be anybody's. */
	if (!is_wanted && hct_row_special(rec->p.acct, dom) != HCT_ROW_UNATTRIBUTED) {
		rec->p.acct->filtered_cycles += dom->cycles;
		dom->cycles = 0;
	}
	if (!is_wanted || !filter_wants_cell(filter, HCT_OP_multicall))
		memset(&dom->batches, 0, sizeof(dom->batches));
}

/* Domains by id and by name were told apart when they were counted, and so in sums of them. */
static bool is_wanted(const struct recording *rec, const struct hct_domain *dom)
{
	const struct filter *filter = &rec->opt.filter;
	const struct domname *what = &domname_unknown;
	struct dom_id id;
	char label[24];

	dom_id_parse(hct_domain_name(rec->p.acct, dom, label, sizeof(label)), &id);
	if (!rec->is_fine && strcmp(label, "d?"))
		return true;
	if (id.domid >= 0)
		what = recording_what_of(rec, id.domid, id.generation);
	return filter_wants_domain(filter, &id, what);
}

void recording_drop(struct recording *rec)
{
	struct hct_account *acct = rec->p.acct;
	u32 i;

	if (!filter_has_domains(&rec->opt.filter) && !filter_has_ops(&rec->opt.filter))
		return;
	for (i = 0; i < acct->nr; i++)
		drop_unwanted(rec, &acct->domains[i], is_wanted(rec, &acct->domains[i]));
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		drop_unwanted(rec, &acct->special[i], is_wanted(rec, &acct->special[i]));
}

/* Whether the core can tell the ops that are wanted from all others. */
static bool has_exact_ops(const struct recording *rec)
{
	const struct filter *filter = &rec->opt.filter;
	unsigned int i;

	if (!filter_has_ops(filter))
		return true;
	for (i = 0; i < filter->nr_ops; i++) {
		if (strchr(filter->ops[i], '/'))
			return false;
	}
	return !rec->p.settings.all_ops;
}

static bool has_calls(const struct hct_domain *dom)
{
	unsigned int kind, i;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++) {
			if (hct_cell_records(&dom->cells[kind][i]))
				return true;
		}
	}
	return false;
}

bool recording_has_calls(const struct recording *rec)
{
	const struct hct_account *acct = rec->p.acct;
	u32 i;

	for (i = 0; i < acct->nr; i++) {
		if (has_calls(&acct->domains[i]))
			return true;
	}
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++) {
		if (has_calls(&acct->special[i]))
			return true;
	}
	return false;
}

/* --- all of it -------------------------------------------------------------- */

int recording_init(struct recording *rec, const struct recording_options *opt,
		   const struct hct_sink *sink)
{
	struct hct_vcpu_table *vcpus = calloc(1, sizeof(*vcpus));
	struct hct_account *acct = calloc(1, sizeof(*acct));
	struct hct_settings settings;

	memset(rec, 0, sizeof(*rec));
	rec->opt = *opt;
	rec->sink = sink;
	if (!acct || !vcpus) {
		fprintf(stderr, "hctrace: out of memory\n");
		goto err_tables;
	}
	hct_settings_init(&settings, HCT_PROFILE_ALL);
	settings.kinds[HCT_KIND_DRAFT] = opt->draft;
	filter_settings(&opt->filter, &settings);
	hct_pipeline_init(&rec->p, acct, vcpus, NULL);
	hct_pipeline_set(&rec->p, &settings, true);
	hct_pipeline_learn_by_switch(&rec->p, true);
	rec->is_fine = filter_has(&opt->filter, FILTER_LIFE) ||
		       filter_has(&opt->filter, FILTER_SUM);
	rec->is_exact = !rec->is_fine && has_exact_ops(rec);
	hct_pipeline_start(&rec->p);
	if (input_open(&rec->in, opt->path))
		goto err_tables;
	if (!opt->quiet)
		rec->progress = progress_new(rec->in.size);
	return 0;

err_tables:
	free(vcpus);
	free(acct);
	return -1;
}

void recording_free(struct recording *rec)
{
	while (rec->nr_names)
		free((char *)rec->names[--rec->nr_names].what.name);
	free(rec->p.rings);
	free(rec->p.vcpus);
	free(rec->p.acct);
	input_close(&rec->in);
}
