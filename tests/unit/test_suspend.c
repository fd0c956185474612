// SPDX-License-Identifier: GPL-2.0
/*
 * Suspend to memory: the time stamp counters of all pCPUs begin anew, wherever that
 * is in each ring. One marked step, nothing late, and every time is right.
 *
 * A counter makes a tick a nanosecond, and CLOCK_MONOTONIC stands still while the
 * host sleeps, so what a call's time must be is known to the nanosecond.
 */
#include <stdlib.h>

#include "rig.h"

#define NR_RINGS	3
#define MAX_CALLS	4096
#define MS		1000000ull

/* Of a public report on resume: nearly three days up, then 3 s. */
#define BEFORE		0x21d7172f2b8c4ull
#define AFTER		0x1b6861d00ull

/* CLOCK_MONOTONIC where the story begins, and for how long the host runs before it sleeps. */
#define START_NS	(1000 * MS)

struct heard {
	u32 nr;
	u32 gaps;
	u32 nr_at_gap;
	u32 ids[MAX_CALLS];
	u64 ns[MAX_CALLS];
	u16 flags[MAX_CALLS];
	u16 domids[MAX_CALLS];
};

/**
 * struct host - a host that may sleep
 * @tsc_base: the counter at START_NS, as if it had always been so
 * @now_ns: CLOCK_MONOTONIC
 * @own_behind: by how much dom0's counter is behind the host's
 * @nr: calls made; each has its number as an argument
 * @made_ns: when each was made
 */
struct host {
	struct rig *rig;
	struct hct_clock clock;
	struct hct_sink sink;
	struct heard heard;
	u64 tsc_base;
	u64 now_ns;
	u64 own_behind;
	u32 nr;
	u64 made_ns[MAX_CALLS];
};

static void on_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct heard *heard = ctx;

	assert_true(heard->nr < MAX_CALLS);
	heard->ids[heard->nr] = call->a1;
	heard->ns[heard->nr] = call->ns;
	heard->domids[heard->nr] = call->domid;
	heard->flags[heard->nr++] = call->flags;
}

static void on_loss(void *ctx, const struct hct_loss_event *loss)
{
	struct heard *heard = ctx;

	assert_int_equal(loss->gap, XEN_HCTRACE_GAP_CLOCK);
	assert_int_equal(loss->at.pcpu, XEN_HCTRACE_UNKNOWN);
	assert_int_equal(loss->count, 0);
	heard->gaps++;
	heard->nr_at_gap = heard->nr;
}

static u64 tsc_of(const struct host *h)
{
	return h->tsc_base + h->now_ns - START_NS;
}

/* Both clocks are read, as after each look at the rings. */
static void read_clocks(struct host *h)
{
	u64 own = tsc_of(h) - h->own_behind;

	hct_clock_anchor(&h->clock, own, h->now_ns, own);
}

static struct host *boot(bool pv)
{
	struct host *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	h->rig = rig_new(NR_RINGS, 8);
	h->sink = (struct hct_sink){ .call = on_call, .loss = on_loss, .ctx = &h->heard };
	h->rig->p.sink = &h->sink;
	h->tsc_base = BEFORE;
	h->now_ns = START_NS;
	h->own_behind = pv ? 0 : 12345;
	hct_clock_init(&h->clock, 1000000, pv);
	h->rig->p.clock = &h->clock;
	read_clocks(h);
	if (!pv)
		hct_clock_calibrate(&h->clock, tsc_of(h) - h->own_behind, tsc_of(h),
				    tsc_of(h) - h->own_behind);
	return h;
}

static void shut_down(struct host *h)
{
	h->rig->p.sink = NULL;
	rig_free(h->rig);
	free(h);
}

static void pass(struct host *h, u64 ns)
{
	h->now_ns += ns;
}

static void sleep_and_wake(struct host *h)
{
	h->tsc_base = AFTER - (h->now_ns - START_NS);
}

static void call(struct host *h, u32 cpu)
{
	pass(h, 100);
	h->rig->now = tsc_of(h);
	h->made_ns[h->nr] = h->now_ns;
	rig_call(h->rig, cpu, WORD_MMU_UPDATE, h->nr++);
}

static void run_guest(struct host *h, u32 cpu, u16 domid)
{
	pass(h, 100);
	h->rig->now = tsc_of(h);
	rig_run(h->rig, cpu, domid, 0);
}

static void look(struct host *h, bool last)
{
	hct_round_begin(&h->rig->p, last);
	read_clocks(h);
}

static void round_of(struct host *h, bool last)
{
	look(h, last);
	while (hct_round_run(&h->rig->p, 7))
		;
}

/* All calls, in the order in which they were made and at their times. */
static void check_all(const struct host *h, u64 steps)
{
	u32 i;

	assert_int_equal(h->heard.nr, h->nr);
	for (i = 0; i < h->nr; i++) {
		assert_int_equal(h->heard.ids[i], i);
		assert_int_equal(h->heard.flags[i], 0);
		assert_in_range(h->heard.ns[i], h->made_ns[i] - 1, h->made_ns[i] + 1);
	}
	assert_int_equal(rig_total(h->rig).late, 0);
	assert_int_equal(h->rig->p.clock_steps, steps);
	assert_int_equal(h->heard.gaps, steps);
}

/* Each ring has as many calls as its digit in base 3 of @digits says, made in turn. */
static u32 calls(struct host *h, u32 digits, bool look_between)
{
	static const u32 digit[NR_RINGS] = { 1, 3, 9 };
	u32 nr = h->nr;
	u32 turn, cpu;

	for (turn = 0; turn < 2; turn++) {
		for (cpu = 0; cpu < NR_RINGS; cpu++) {
			if (turn < digits / digit[cpu] % 3)
				call(h, cpu);
		}
		if (!turn && look_between)
			round_of(h, false);
	}
	return h->nr - nr;
}

/* From 0 to 2 calls on each ring, then sleep, then as many again; @looks says when to look. */
static void interleave(struct host *h, u32 before, u32 after, u32 looks)
{
	u32 nr_before, nr_after;

	nr_before = calls(h, before, looks & 1);
	if (looks & 2)
		round_of(h, false);
	sleep_and_wake(h);
	nr_after = calls(h, after, looks & 4);
	round_of(h, true);
	/* A step that no record shows is none yet. */
	check_all(h, nr_after ? 1 : 0);
	assert_int_equal(h->heard.nr_at_gap, nr_after ? nr_before : 0);
}

#define NR_DIGITS	27	/* 3 ^ NR_RINGS */

static void test_interleavings(void **state)
{
	u32 before, after, looks;

	(void)state;
	for (before = 0; before < NR_DIGITS; before++) {
		for (after = 0; after < NR_DIGITS; after++) {
			for (looks = 0; looks < 8; looks++) {
				struct host *h = boot(true);

				interleave(h, before, after, looks);
				shut_down(h);
			}
		}
	}
}

/* Bursts anywhere, rounds cut anywhere, ten nights. */
static void test_nights(void **state)
{
	struct host *h = boot(true);
	u64 seed = 5;
	u32 night, i, nr;

	(void)state;
	for (night = 0; night < 10; night++) {
		for (i = 0; i < 40; i++) {
			for (nr = rig_random(&seed, 10); nr; nr--)
				call(h, rig_random(&seed, NR_RINGS));
			pass(h, 40 * MS + rig_random(&seed, 50 * MS));
			look(h, false);
			while (hct_round_run(&h->rig->p, 1 + rig_random(&seed, 5))) {
				/* What comes meanwhile waits. */
				if (!rig_random(&seed, 4))
					call(h, rig_random(&seed, NR_RINGS));
			}
		}
		sleep_and_wake(h);
		for (nr = rig_random(&seed, 10); nr; nr--)
			call(h, rig_random(&seed, NR_RINGS));
	}
	call(h, 0);
	round_of(h, true);
	check_all(h, 10);
	shut_down(h);
}

/* Who ran before the night is not who runs after it; what was open is not whole. */
static void test_attribution(void **state)
{
	struct host *h = boot(true);

	(void)state;
	run_guest(h, 0, 3);
	run_guest(h, 1, 4);
	call(h, 0);
	rig_call(h->rig, 1, WORD_MULTICALL, 2);
	rig_member(h->rig, 1, HCT_OP_set_gdt);
	h->heard.nr = 0;
	h->nr = 0;
	call(h, 0);
	sleep_and_wake(h);
	call(h, 1);
	run_guest(h, 0, 5);
	call(h, 0);
	call(h, 1);
	run_guest(h, 1, 4);
	call(h, 1);
	round_of(h, true);
	/* The first of before, the multicall and its member were heard as well. */
	assert_int_equal(h->heard.nr, 8);
	assert_int_equal(h->heard.domids[3], 3);
	assert_int_equal(h->heard.domids[4], XEN_HCTRACE_UNKNOWN);
	assert_int_equal(h->heard.domids[5], 5);
	assert_int_equal(h->heard.domids[6], XEN_HCTRACE_UNKNOWN);
	assert_int_equal(h->heard.domids[7], 4);
	assert_int_equal(rig_row(h->rig, 4)->batches.ends[HCT_END_LOST], 1);
	assert_int_equal(hct_pipeline_contradictions(&h->rig->p), 0);
	assert_int_equal(h->rig->p.clock_steps, 1);
	shut_down(h);
}

/* A PVH dom0: times are not known until the counters were compared anew. */
static void test_pvh(void **state)
{
	struct host *h = boot(false);
	u64 own, woken_ns;
	u32 i;

	(void)state;
	for (i = 0; i < 6; i++)
		call(h, i % NR_RINGS);
	own = tsc_of(h) - h->own_behind;
	sleep_and_wake(h);
	woken_ns = h->now_ns;
	for (i = 0; i < 6; i++)
		call(h, i % NR_RINGS);
	round_of(h, true);
	/* A call of our own of before the night comes back after it. */
	hct_clock_calibrate(&h->clock, own - 10, own + h->own_behind, own + 10);
	assert_int_equal(hct_clock_uncertainty_ns(&h->clock), ~0ull);

	for (i = 0; i < 12; i++) {
		assert_int_equal(h->heard.ids[i], i);
		assert_int_equal(h->heard.flags[i], i < 6 ? 0 : XEN_HCTRACE_F_NO_NS);
		if (i < 6)
			assert_in_range(h->heard.ns[i], h->made_ns[i] - 1, h->made_ns[i] + 1);
	}
	assert_int_equal(rig_total(h->rig).late, 0);
	assert_int_equal(h->rig->p.clock_steps, 1);

	own = tsc_of(h) - h->own_behind;
	hct_clock_calibrate(&h->clock, own - 10, own + h->own_behind, own + 10);
	call(h, 2);
	round_of(h, true);
	assert_int_equal(h->heard.flags[12], 0);
	assert_true(h->heard.ns[12] > woken_ns);
	assert_in_range(h->heard.ns[12], h->made_ns[12] - 1, h->made_ns[12] + 1);
	shut_down(h);
}

/* Nobody knows the time: the rings' own records show the step. */
static void test_without_clock(void **state)
{
	struct host *h = boot(true);
	u32 i;

	(void)state;
	h->rig->p.clock = NULL;
	for (i = 0; i < 6; i++)
		call(h, i % NR_RINGS);
	round_of(h, false);
	sleep_and_wake(h);
	for (i = 0; i < 6; i++)
		call(h, (i + 1) % NR_RINGS);
	round_of(h, false);
	round_of(h, true);
	assert_int_equal(h->heard.nr, 12);
	for (i = 0; i < 12; i++)
		assert_int_equal(h->heard.ids[i], i);
	assert_int_equal(rig_total(h->rig).late, 0);
	assert_int_equal(h->rig->p.clock_steps, 1);
	shut_down(h);
}

/* A call whose record has a time of our choice. */
static void call_at(struct host *h, u32 cpu, u64 tsc)
{
	h->rig->now = tsc;
	h->made_ns[h->nr] = h->now_ns;
	rig_call(h->rig, cpu, WORD_MMU_UPDATE, h->nr++);
}

/* One record with a time that cannot be has none; nothing else is late or moves for it. */
static void test_far_ahead(void **state)
{
	static const u64 times[] = { BEFORE + (1ull << 40), ~0ull - 1, ~0ull };
	size_t t;
	u32 i;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(times); t++) {
		struct host *h = boot(true);

		call(h, 0);
		call(h, 1);
		call_at(h, 0, times[t]);
		round_of(h, true);
		for (i = 0; i < 6; i++)
			call(h, i % NR_RINGS);
		round_of(h, true);
		assert_int_equal(h->heard.nr, 9);
		for (i = 0; i < 9; i++) {
			bool odd = h->heard.ids[i] == 2;

			assert_int_equal(h->heard.flags[i], odd ? XEN_HCTRACE_F_NO_TSC : 0);
			assert_in_range(h->heard.ns[i],
					h->made_ns[h->heard.ids[i]] - (odd ? 200 : 1),
					h->made_ns[h->heard.ids[i]] + 1);
		}
		assert_int_equal(rig_total(h->rig).late, 0);
		assert_int_equal(h->rig->p.clock_steps, 0);
		shut_down(h);
	}
}

/* The same where nobody knows the time: one step, and only what came before it is late. */
static void test_far_ahead_without_clock(void **state)
{
	struct host *h = boot(true);
	u32 i;

	(void)state;
	h->rig->p.clock = NULL;
	call(h, 0);
	call(h, 1);
	call_at(h, 0, ~0ull);
	call(h, 1);
	call(h, 0);
	call(h, 1);
	round_of(h, true);
	call(h, 2);
	round_of(h, true);
	assert_int_equal(h->heard.nr, 7);
	assert_int_equal(h->rig->p.clock_steps, 1);
	assert_int_equal(rig_total(h->rig).late, 0);
	for (i = 0; i < 10; i++)
		call(h, i % NR_RINGS);
	round_of(h, true);
	assert_int_equal(rig_total(h->rig).late, 0);
	shut_down(h);
}

/* A counter that was not written yet, or wraps around, is one that begins anew. */
static void test_zero_and_wrap(void **state)
{
	struct host *h = boot(true);

	(void)state;
	h->rig->p.clock = NULL;
	call_at(h, 0, 0);
	call_at(h, 0, 0);
	call_at(h, 1, 5);
	call_at(h, 0, ~0ull - 5);
	call_at(h, 0, 5);
	round_of(h, true);
	assert_int_equal(h->rig->p.clock_steps, 1);
	call_at(h, 0, BEFORE);
	call_at(h, 0, 0);
	call_at(h, 0, 1);
	round_of(h, true);
	assert_int_equal(h->rig->p.clock_steps, 2);
	assert_int_equal(rig_total(h->rig).late, 0);
	shut_down(h);
}

/* As far as counters of pCPUs differ it is no step: what is older is late, as ever. */
static void test_threshold(void **state)
{
	struct host *h = boot(true);

	(void)state;
	call_at(h, 0, BEFORE + 1);
	call_at(h, 0, BEFORE + 1 - HCT_TSC_STEP);
	round_of(h, true);
	assert_int_equal(h->rig->p.clock_steps, 0);
	assert_int_equal(rig_total(h->rig).late, 1);
	call_at(h, 0, BEFORE + 2);
	call_at(h, 0, BEFORE + 1 - HCT_TSC_STEP);
	round_of(h, true);
	assert_int_equal(h->rig->p.clock_steps, 1);
	assert_int_equal(rig_total(h->rig).late, 1);
	shut_down(h);
}

/*
 * One pCPU alone begins anew, as one that was replaced: the others do not wait for it
 * beyond a round, nor it for them, and every call of all is heard.
 */
static void test_one_alone(void **state)
{
	struct host *h = boot(true);
	u32 i;

	(void)state;
	for (i = 0; i < 6; i++)
		call(h, i % NR_RINGS);
	round_of(h, true);
	for (i = 0; i < 30; i++) {
		if (i % NR_RINGS)
			call(h, i % NR_RINGS);
		else
			call_at(h, 0, 1000 + i);
		if (i % 4 == 3)
			round_of(h, false);
	}
	round_of(h, true);
	assert_int_equal(h->heard.nr, 36);
	assert_int_equal(h->rig->p.clock_steps, 1);
	/*
	 * After the step the counters of pCPUs differ, as counters may: of the ten on pCPU 0
	 * those are late that were not in a round before any of the others.
	 */
	assert_int_equal(rig_total(h->rig).late, 4);
	shut_down(h);
}

/* Reset and stop forget nothing of it: the host's counter did begin anew. */
static void test_restart(void **state)
{
	struct host *h = boot(true);

	(void)state;
	call(h, 0);
	sleep_and_wake(h);
	call(h, 0);
	round_of(h, true);
	sleep_and_wake(h);
	hct_pipeline_reset(&h->rig->p);
	read_clocks(h);
	rig_restart(h->rig, HCT_PROFILE_PV);
	memset(&h->heard, 0, sizeof(h->heard));
	h->nr = 0;
	call(h, 1);
	call(h, 0);
	round_of(h, true);
	assert_int_equal(h->rig->p.clock_steps, 1);
	h->rig->p.clock_steps = 0;
	check_all(h, 0);
	shut_down(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interleavings),
		cmocka_unit_test(test_nights),
		cmocka_unit_test(test_attribution),
		cmocka_unit_test(test_pvh),
		cmocka_unit_test(test_without_clock),
		cmocka_unit_test(test_far_ahead),
		cmocka_unit_test(test_far_ahead_without_clock),
		cmocka_unit_test(test_zero_and_wrap),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_one_alone),
		cmocka_unit_test(test_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
