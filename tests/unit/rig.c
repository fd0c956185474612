// SPDX-License-Identifier: GPL-2.0
/* Test support; see rig.h. */
#include <stdlib.h>
#include <unistd.h>

#include "rig.h"

/* The one in use: a test that fails leaves it behind for the next to give back. */
static struct rig *in_use;

static void attach(struct rig *rig)
{
	u32 i;

	for (i = 0; i < rig->p.nr_rings; i++)
		assert_int_equal(hct_cursor_attach(&rig->rings[i].cur, rig->xen[i].mem,
						   rig->xen[i].pages), HCT_RING_OK);
	hct_pipeline_start(&rig->p);
}

static void give_back(void)
{
	u32 i;

	if (!in_use)
		return;
	for (i = 0; i < in_use->p.nr_rings; i++)
		fx_ring_free(&in_use->xen[i]);
	free(in_use->p.acct);
	free(in_use->p.vcpus);
	free(in_use);
	in_use = NULL;
}

struct rig *rig_new(u32 nr_rings, u32 pages)
{
	struct hct_settings settings;
	struct hct_vcpu_table *vcpus;
	struct hct_account *acct;
	struct rig *rig;
	u32 i;

	/* A round without an end is an error like others, not a test that hangs. */
	alarm(60);
	give_back();
	rig = calloc(1, sizeof(*rig));
	assert_non_null(rig);
	in_use = rig;
	acct = calloc(1, sizeof(*acct));
	vcpus = calloc(1, sizeof(*vcpus));
	assert_non_null(acct);
	assert_non_null(vcpus);
	hct_pipeline_init(&rig->p, acct, vcpus, NULL);

	rig->now = 1000;
	for (i = 0; i < nr_rings; i++) {
		fx_ring_init(&rig->xen[i], pages, 0);
		rig->rings[i].pcpu = i;
	}
	assert_null(hct_pipeline_attach(&rig->p, rig->rings, nr_rings));
	hct_settings_init(&settings, HCT_PROFILE_PV);
	hct_pipeline_set(&rig->p, &settings, true);
	attach(rig);
	return rig;
}

void rig_restart(struct rig *rig, enum hct_profile profile)
{
	rig->p.settings.profile = profile;
	hct_pipeline_learn_by_switch(&rig->p, profile == HCT_PROFILE_HVM);
	attach(rig);
}

void rig_free(struct rig *rig)
{
	rig_check(rig);
	give_back();
}

void rig_put_words(struct rig *rig, u32 cpu, u32 event, const u32 *words, unsigned int nr)
{
	/* VMMCALL is the one record of ours that Xen writes without a TSC. */
	bool with_tsc = event != XEN_TRC_HVM_VMMCALL;

	assert_true(fx_trace(&rig->xen[cpu], event, with_tsc, rig->now, words, nr));
	rig->now++;
}

void rig_run(struct rig *rig, u32 cpu, u16 domid, u16 vcpu)
{
	const struct hct_vcpu_id before = rig->xen[cpu].current_vcpu;

	if (rig->busy[cpu] && (before.domid != domid || before.vcpu != vcpu))
		rig_stop(rig, cpu, before.domid, before.vcpu, XEN_RUNSTATE_RUNNABLE);
	rig->busy[cpu] = true;
	rig->xen[cpu].current_vcpu = (struct hct_vcpu_id){ .domid = domid, .vcpu = vcpu };
	rig_put(rig, cpu, RUNSTATE(RUNNABLE, RUNNING), (u32)domid << 16 | vcpu);
}

void rig_stop(struct rig *rig, u32 cpu, u16 domid, u16 vcpu, u32 to)
{
	rig->busy[cpu] = false;
	rig_put(rig, cpu, RUNSTATE(RUNNING, RUNNING) | to << 4, (u32)domid << 16 | vcpu);
}

u32 rig_lose(struct rig *rig, u32 cpu)
{
	const u32 iret = HCT_OP_iret;
	u32 nr = 0;

	while (fx_trace(&rig->xen[cpu], XEN_TRC_PV_HYPERCALL_V2, true, rig->now++, &iret, 1))
		nr++;
	return nr;
}

void rig_drain(struct rig *rig)
{
	hct_round_begin(&rig->p, true);
	while (hct_round_run(&rig->p, 1000))
		;
	rig_check(rig);
}

struct hct_counters rig_total(const struct rig *rig)
{
	struct hct_counters total;

	hct_pipeline_total(&rig->p, &total);
	return total;
}

static void check_ledger(const struct hct_counters *c)
{
	assert_int_equal(c->consumed, c->skipped + c->undecodable + c->events);
	assert_int_equal(c->events, c->attributed + c->unattributed);
	assert_true(c->malformed <= c->events);
	assert_true(c->filtered <= c->events);
}

static u64 rows_sum(const struct hct_domain *rows, u32 nr)
{
	u64 sum = 0;
	unsigned int kind;
	unsigned int i;

	for (; nr; nr--, rows++) {
		for (kind = 0; kind < HCT_NR_KINDS; kind++) {
			for (i = 0; i < HCT_NR_CELLS; i++)
				sum += rows->cells[kind][i].calls + rows->cells[kind][i].cont;
		}
	}
	return sum;
}

/* Multicalls in the histogram, less those that have ended. */
static u64 batches_open(const struct hct_domain *rows, u32 nr)
{
	u64 nr_open = 0;
	unsigned int i;

	for (; nr; nr--, rows++) {
		for (i = 0; i < HCT_NR_SIZES; i++)
			nr_open += rows->batches.sizes[i];
		for (i = 0; i < HCT_NR_ENDS; i++)
			nr_open -= rows->batches.ends[i];
	}
	return nr_open;
}

/* What batch.h draws holds at all times. */
static void check_states(const struct hct_vcpu *vcpu)
{
	u32 nr_open = 0;
	unsigned int i;

	for (i = 0; i < HCT_MAX_OPEN_BATCHES; i++) {
		const struct hct_batch *batch = &vcpu->open[i];

		assert_true(batch->state != HCT_BATCH_OVER);
		assert_int_equal(batch->state == HCT_BATCH_FREE, !batch->id);
		assert_false(batch->state == HCT_BATCH_AGAIN && batch->counted);
		nr_open += batch->state != HCT_BATCH_FREE;
	}
	assert_int_equal(vcpu->nr_open, nr_open);
	assert_true(vcpu->done.state == HCT_BATCH_FREE || vcpu->done.state == HCT_BATCH_OVER);
	if (vcpu->state == HCT_VCPU_OUTSIDE)
		return;
	assert_true(vcpu->open[vcpu->active].state != HCT_BATCH_FREE);
	assert_int_equal(vcpu->last, vcpu->open[vcpu->active].id);
}

/* A multicall that is counted is either open or has ended, once. */
static void check_batches(const struct rig *rig)
{
	const struct hct_account *acct = rig->p.acct;
	const struct hct_vcpu *vcpu = rig->p.vcpus->vcpus;
	u64 nr_open = 0;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(rig->p.vcpus->vcpus); i++, vcpu++) {
		if (vcpu->used)
			check_states(vcpu);
		for (j = 0; vcpu->used && j < HCT_MAX_OPEN_BATCHES; j++)
			nr_open += vcpu->open[j].id && vcpu->open[j].counted;
	}
	assert_int_equal(batches_open(acct->special, HCT_NR_SPECIAL_ROWS) +
			 batches_open(acct->domains, acct->nr), nr_open);
}

void rig_check(const struct rig *rig)
{
	const struct hct_account *acct = rig->p.acct;
	struct hct_counters total = rig_total(rig);
	u32 i;

	for (i = 0; i < rig->p.nr_rings; i++) {
		check_ledger(&rig->rings[i].count);
		assert_true(fx_ring_untouched(&rig->xen[i]));
		assert_false(rig->xen[i].off);
	}
	check_ledger(&total);

	check_batches(rig);
	/* Whatever was not left out on purpose stands in exactly one cell. */
	assert_int_equal(rows_sum(acct->special, HCT_NR_SPECIAL_ROWS) +
			 rows_sum(acct->domains, acct->nr), total.events - total.filtered);
}

const struct hct_domain *rig_row(const struct rig *rig, u16 domid)
{
	u32 i;

	for (i = 0; i < rig->p.acct->nr; i++) {
		const struct hct_domain *dom = &rig->p.acct->domains[i];

		if (dom->used && !dom->dead && dom->domid == domid)
			return dom;
	}
	fail_msg("d%u has no row", domid);
	return NULL;
}

const struct hct_cell *rig_special(const struct rig *rig, enum hct_special_row row,
				   enum hct_kind kind, unsigned int cell)
{
	return &rig->p.acct->special[row].cells[kind][cell];
}

void check_cell(const struct hct_cell *cell, u64 calls, u64 cont, u64 units, const char *file,
		int line)
{
	if (cell->calls == calls && cell->cont == cont && cell->units == units)
		return;
	print_error("calls %ju cont %ju units %ju, not %ju %ju %ju\n", (uintmax_t)cell->calls,
		    (uintmax_t)cell->cont, (uintmax_t)cell->units, (uintmax_t)calls,
		    (uintmax_t)cont, (uintmax_t)units);
	_fail(file, line);
}

/* xorshift64*: good enough, and the same on every machine. */
u32 rig_random(u64 *state, u32 below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return ((*state * 0x2545f4914f6cdd1dull) >> 32) % below;
}
