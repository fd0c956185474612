// SPDX-License-Identifier: GPL-2.0
/* Rounds over several rings: order, budgets, faults, and a writer on another CPU. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <hctrace/table.h>

#include "rig.h"

#define CALL	HCT_KIND_CALL
#define NOISE	0x00400001u	/* an event nobody asked for */

/* A record of one word at a time of our choice. */
static void put_at(struct rig *rig, u32 cpu, u64 tsc)
{
	rig->now = tsc;
	rig_call(rig, cpu, HCT_OP_iret);
}

static u64 consumed(const struct rig *rig)
{
	return rig_total(rig).consumed;
}

/* Run the round for one record. Return: the ring it came from. */
static u32 step(struct rig *rig)
{
	u64 before[RIG_MAX_RINGS];
	u32 from = ~0u;
	u32 i;

	for (i = 0; i < rig->p.nr_rings; i++)
		before[i] = rig->rings[i].count.consumed;
	hct_round_run(&rig->p, 1);
	for (i = 0; i < rig->p.nr_rings; i++) {
		if (rig->rings[i].count.consumed == before[i])
			continue;
		assert_int_equal(rig->rings[i].count.consumed, before[i] + 1);
		assert_int_equal(from, ~0u);
		from = i;
	}
	return from;
}

/* Every record of four rings, one by one, in the order of time. */
static void test_order(void **state)
{
	struct rig *rig = rig_new(4, 1);
	u8 order[600];
	u64 seed = 7;
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		/* Runs of one ring, as life has it, and rings that stay empty for long. */
		order[i] = i && rig_random(&seed, 3) ? order[i - 1] : rig_random(&seed, 4);
		rig_call(rig, order[i], HCT_OP_iret);
	}
	hct_round_begin(&rig->p, true);
	for (i = 0; i < ARRAY_SIZE(order); i++)
		assert_int_equal(step(rig), order[i]);
	assert_int_equal(step(rig), ~0u);
	assert_int_equal(rig_total(rig).late, 0);
	rig_free(rig);
}

/* The order does not depend on where budgets end. */
static void test_order_in_one_go(void **state)
{
	struct rig *rig = rig_new(3, 1);

	(void)state;
	/* The vCPU moves between rings: in a wrong order it would be in two places. */
	put_at(rig, 0, 10);
	put_at(rig, 1, 20);
	put_at(rig, 2, 15);
	put_at(rig, 2, 40);
	put_at(rig, 0, 30);
	put_at(rig, 1, 25);
	rig_drain(rig);
	assert_int_equal(consumed(rig), 6);
	assert_int_equal(rig_total(rig).late, 0);
	assert_int_equal(rig->p.last_tsc, 40);
	rig_free(rig);
}

/* Without a time of its own a record stands where the one before it stood. */
static void test_inherited_time(void **state)
{
	static const u32 want[] = { 0, 0, 0, 1, 1, 0 };
	struct rig *rig = rig_new(2, 1);
	unsigned int i;

	(void)state;
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_iret);	/* before all time */
	put_at(rig, 0, 10);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_iret);
	put_at(rig, 0, 30);
	put_at(rig, 1, 20);
	rig_put(rig, 1, XEN_TRC_HVM_VMMCALL, HCT_OP_iret);
	hct_round_begin(&rig->p, true);
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(step(rig), want[i]);
	assert_int_equal(rig_total(rig).late, 0);
	rig_free(rig);
}

/* Equal times, and one ring whose clock stands still. */
static void test_equal_times(void **state)
{
	struct rig *rig = rig_new(3, 1);
	u32 i;

	(void)state;
	for (i = 0; i < 90; i++)
		put_at(rig, i % 3, 500);
	rig_drain(rig);
	assert_int_equal(consumed(rig), 90);
	assert_int_equal(rig_total(rig).late, 0);
	rig_free(rig);
}

/* What one round sees is due in the next. */
static void test_due(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	put_at(rig, 0, 100);
	hct_round_begin(&rig->p, false);
	assert_false(hct_round_run(&rig->p, 100));
	assert_int_equal(consumed(rig), 0);
	assert_int_equal(fx_ring_cons(&rig->xen[0]), 0);

	/* An older record that only shows now still goes first; a newer one waits. */
	put_at(rig, 1, 40);
	put_at(rig, 1, 110);
	put_at(rig, 0, 120);
	hct_round_begin(&rig->p, false);
	assert_int_equal(step(rig), 1);
	assert_int_equal(step(rig), 0);
	assert_false(hct_round_run(&rig->p, 100));
	assert_int_equal(consumed(rig), 2);
	assert_int_equal(rig_total(rig).late, 0);

	/* The last round waits for nothing. */
	hct_round_begin(&rig->p, true);
	assert_false(hct_round_run(&rig->p, 100));
	assert_int_equal(consumed(rig), 4);
	rig_check(rig);
	rig_free(rig);
}

/* Older than what went out before: counted as late, not lost. */
static void test_late(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	put_at(rig, 0, 100);
	rig_drain(rig);
	put_at(rig, 1, 99);
	put_at(rig, 1, 100);
	put_at(rig, 1, 101);
	rig_drain(rig);
	assert_int_equal(rig_total(rig).late, 1);
	assert_int_equal(rig->rings[1].count.late, 1);
	rig_free(rig);
}

/* A budget is kept to the record, and space given back as far as it went. */
static void test_budget(void **state)
{
	struct rig *rig = rig_new(2, 1);
	u32 i;

	(void)state;
	for (i = 0; i < 100; i++)
		rig_call(rig, i / 10 % 2, HCT_OP_iret);
	hct_round_begin(&rig->p, true);
	assert_true(hct_round_run(&rig->p, 0));
	assert_int_equal(consumed(rig), 0);
	for (i = 7; i < 98; i += 7) {
		assert_true(hct_round_run(&rig->p, 7));
		assert_int_equal(consumed(rig), i);
		assert_int_equal(fx_ring_cons(&rig->xen[0]) + fx_ring_cons(&rig->xen[1]), 16 * i);
		rig_check(rig);
	}
	assert_true(hct_round_run(&rig->p, 7));
	assert_false(hct_round_run(&rig->p, 2));
	assert_int_equal(consumed(rig), 100);
	assert_false(hct_round_run(&rig->p, 7));
	rig_check(rig);
	rig_free(rig);
}

static void test_fill(void **state)
{
	struct rig *rig = rig_new(3, 1);
	u32 i;

	(void)state;
	for (i = 0; i < 128; i++)
		rig_call(rig, 1, HCT_OP_iret);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 2, HCT_OP_iret);
	hct_round_begin(&rig->p, true);
	assert_int_equal(rig->p.fill_percent, 50);
	assert_int_equal(rig->rings[1].peak_used, 2048);
	assert_int_equal(rig->rings[0].peak_used, 16);
	while (hct_round_run(&rig->p, 50))
		;
	hct_round_begin(&rig->p, true);
	assert_int_equal(rig->p.fill_percent, 0);
	assert_int_equal(rig->rings[1].peak_used, 2048);
	hct_round_run(&rig->p, 50);
	rig_free(rig);
}

/* Random writing and reading: each record once, in order, a round late at most. */
static void test_rounds(void **state)
{
	struct rig *rig = rig_new(4, 1);
	u64 seen[RIG_MAX_RINGS] = { 0 };
	u64 seed = 99;
	u32 round, i;

	(void)state;
	for (round = 0; round < 3000; round++) {
		u64 due[RIG_MAX_RINGS];
		bool more = true;

		memcpy(due, seen, sizeof(due));
		for (i = 0; i < 4; i++)
			seen[i] = rig->xen[i].written_bytes;
		hct_round_begin(&rig->p, false);
		while (more) {
			u32 nr = rig_random(&seed, 12);

			while (nr--) {
				u32 cpu = rig_random(&seed, 4);
				u32 extra[7] = { HCT_OP_iret };

				fx_trace(&rig->xen[cpu], rig_random(&seed, 2) ? NOISE :
					 XEN_TRC_PV_HYPERCALL_V2, true, rig->now++, extra,
					 1 + rig_random(&seed, 7));
			}
			more = hct_round_run(&rig->p, 1 + rig_random(&seed, 20));
			for (i = 0; i < 4; i++)
				assert_true(rig->rings[i].cur.pos <= seen[i]);
		}
		for (i = 0; i < 4; i++)
			assert_true(rig->rings[i].cur.pos >= due[i]);
		assert_int_equal(rig_total(rig).late, 0);
		for (i = 0; i < 4; i++)
			assert_true(fx_ring_untouched(&rig->xen[i]));
	}
	rig_drain(rig);
	for (i = 0; i < 4; i++) {
		assert_int_equal(rig->rings[i].count.consumed, rig->xen[i].written_records);
		assert_int_equal(rig->rings[i].cur.pos, rig->xen[i].written_bytes);
		assert_int_equal(rig->rings[i].count.lost + rig->xen[i].lost, rig->xen[i].refused);
	}
	assert_true(rig_total(rig).events > 10000);
	rig_free(rig);
}

/* Three rings with 50 calls each, the domain of ring n being n + 1. */
static struct rig *rig_for_faults(void)
{
	struct rig *rig = rig_new(3, 1);
	u32 i;

	for (i = 0; i < 3; i++)
		rig_run(rig, i, i + 1, 0);
	for (i = 0; i < 150; i++)
		rig_call(rig, i % 3, HCT_OP_iret);
	return rig;
}

/*
 * Ring 1 was resynchronised @times times and goes on: @good calls of d2 were credited before,
 * @unknown to nobody after, and from here on it is exact again. The others never noticed.
 */
static void assert_goes_on(struct rig *rig, enum hct_ring_fault fault, u32 times, u32 good,
			   u32 unknown, u32 skipped)
{
	const struct hct_ring *ring = &rig->rings[1];
	struct hct_counters total = rig_total(rig);
	u32 i;

	assert_int_equal(ring->fault, HCT_RING_OK);
	assert_int_equal(ring->last_fault, fault);
	assert_int_equal(ring->attr.state, HCT_ATTR_UNKNOWN);
	assert_int_equal(ring->count.resyncs, times);
	assert_int_equal(ring->count.suspected, skipped);
	assert_int_equal(total.resyncs, times);
	assert_int_equal(total.suspected, skipped);
	assert_int_equal(total.uncounted, times);
	assert_false(hct_coverage_is_known(&total));
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, unknown, 0, 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(fx_ring_used(&rig->xen[i]), 0);

	rig_run(rig, 1, 2, 0);
	for (i = 0; i < 30; i++)
		rig_call(rig, i % 3, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 60, 0, 0);
	assert_cell(rig, 2, CALL, HCT_OP_iret, good + 10, 0, 0);
	assert_cell(rig, 3, CALL, HCT_OP_iret, 60, 0, 0);
	assert_int_equal(ring->count.resyncs, times);
	for (i = 0; i < 3; i++)
		assert_int_equal(fx_ring_used(&rig->xen[i]), 0);

	hct_pipeline_reset(&rig->p);
	total = rig_total(rig);
	assert_true(hct_coverage_is_known(&total));
	rig_free(rig);
}

/* prod is impossible: the ring waits, and nothing is written to it. */
static void test_fault_index(void **state)
{
	static const u32 prods[] = { 8176, 0xffffffff, 2 };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(prods); i++) {
		struct rig *rig = rig_for_faults();
		u32 prod = fx_ring_prod(&rig->xen[1]);

		fx_ring_poke(&rig->xen[1], 1, prods[i]);
		rig_drain(rig);
		rig_drain(rig);
		assert_int_equal(rig->rings[1].fault, HCT_RING_BAD_INDEX);
		assert_int_equal(rig->rings[1].count.consumed, 0);
		assert_int_equal(fx_ring_cons(&rig->xen[1]), 0);
		assert_int_equal(rig_total(rig).uncounted, 2);
		fx_ring_poke(&rig->xen[1], 1, prod);
		rig_drain(rig);
		assert_goes_on(rig, HCT_RING_BAD_INDEX, 1, 0, 0, prod);
	}
}

/* A reset does not make known what is still not read. */
static void test_fault_and_reset(void **state)
{
	struct rig *rig = rig_for_faults();
	struct hct_counters total;

	(void)state;
	fx_ring_poke(&rig->xen[1], 1, 2);
	rig_drain(rig);
	hct_pipeline_reset(&rig->p);
	total = rig_total(rig);
	assert_false(hct_coverage_is_known(&total));
	fx_ring_poke(&rig->xen[1], 1, 16);
	rig_drain(rig);
	total = rig_total(rig);
	assert_true(hct_coverage_is_known(&total));
	rig_free(rig);
}

/* prod goes back between two rounds, over records that are due. */
static void test_fault_index_when_due(void **state)
{
	struct rig *rig = rig_for_faults();

	(void)state;
	hct_round_begin(&rig->p, false);
	assert_false(hct_round_run(&rig->p, 1000));
	fx_ring_poke(&rig->xen[1], 1, 32);
	hct_round_begin(&rig->p, false);
	assert_false(hct_round_run(&rig->p, 1000));
	assert_int_equal(fx_ring_cons(&rig->xen[1]), 32);
	rig_drain(rig);
	assert_goes_on(rig, HCT_RING_BAD_INDEX, 1, 0, 0, 32);
}

/* Somebody else has moved cons: the 51 records of ring 1 are 816 bytes. */
static void test_fault_foreign_cons(void **state)
{
	static const struct {
		u32 cons, unknown, skipped;
	} cases[] = {
		/* Ahead, where a record begins: what lies before it may be overwritten. */
		{ 11 * 16, 40, 11 * 16 },
		{ 50 * 16, 1, 50 * 16 },
		/* Right at prod: another reader took all there was. */
		{ 816, 0, 816 },
		/* Where no record begins, nothing is made of it. */
		{ 11 * 16 + 4, 0, 816 },
		/* Behind prod, back over the end, and no index at all. */
		{ 816 + 4, 0, 816 },
		{ 4088, 0, 816 },
		{ 8172, 0, 816 },
		{ 8176, 0, 816 },
		{ 2, 0, 816 },
		{ 0xffffffff, 0, 816 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rig *rig = rig_for_faults();

		rig->xen[1].mem[0] = cases[i].cons;
		rig_drain(rig);
		assert_goes_on(rig, HCT_RING_FOREIGN_CONS, 1, 0, cases[i].unknown,
			       cases[i].skipped);
	}
}

/* It goes back: what we have read is not read again. */
static void test_fault_cons_goes_back(void **state)
{
	struct rig *rig = rig_for_faults();
	u32 i;

	(void)state;
	rig_drain(rig);
	rig->xen[1].mem[0] = 16;
	for (i = 0; i < 30; i++)
		rig_call(rig, i % 3, HCT_OP_iret);
	rig_drain(rig);
	assert_int_equal(fx_ring_cons(&rig->xen[1]), 816 + 160);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 60, 0, 0);
	assert_cell(rig, 2, CALL, HCT_OP_iret, 50, 0, 0);
	assert_int_equal(rig->rings[1].count.suspected, 160);
	assert_int_equal(rig->rings[1].count.resyncs, 1);
	rig_free(rig);
}

/* At each point of a round: found before the next store, and the store is left out. */
static void test_fault_in_round(void **state)
{
	u32 theirs = 16 * 45;
	u32 at;

	(void)state;
	for (at = 0; at < 130; at++) {
		struct rig *rig = rig_for_faults();
		u32 i, ours;

		hct_round_begin(&rig->p, true);
		for (i = 0; i < at; i++)
			assert_true(hct_round_run(&rig->p, 1));
		ours = fx_ring_cons(&rig->xen[1]);
		assert_true(ours < theirs);
		rig->xen[1].mem[0] = theirs;
		while (hct_round_run(&rig->p, 1))
			assert_true(fx_ring_cons(&rig->xen[1]) >= theirs);
		/* One more record was copied out and read before the store showed it. */
		assert_in_range(rig->rings[1].count.suspected, theirs - ours - 16, theirs - ours);
		rig_drain(rig);
		assert_int_equal(rig->rings[1].count.consumed * 16 +
				 rig->rings[1].count.suspected, 816);
		assert_goes_on(rig, HCT_RING_FOREIGN_CONS, 1,
			       rig->rings[1].count.attributed, 6,
			       rig->rings[1].count.suspected);
	}
}

/* Somebody who moves cons all the time keeps us busy for no longer than a round. */
static void test_fault_for_ever(void **state)
{
	static const u32 places[] = { 16, 0, 8176, 3, 4000, 816, 8172, 160 };
	struct rig *rig = rig_new(2, 1);
	u32 i;

	(void)state;
	rig_run(rig, 0, 1, 0);
	for (i = 0; i < 2000; i++) {
		u32 nr = 0;

		rig_call(rig, 0, HCT_OP_iret);
		rig->xen[1].mem[0] = fx_ring_prod(&rig->xen[1]);
		rig_call(rig, 1, HCT_OP_iret);
		hct_round_begin(&rig->p, false);
		do {
			rig->xen[1].mem[0] = places[i % ARRAY_SIZE(places)];
			nr++;
		} while (hct_round_run(&rig->p, 3));
		assert_true(nr < 100);
	}
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 2000, 0, 0);
	assert_int_equal(rig->rings[0].count.resyncs, 0);
	assert_true(rig->rings[1].count.resyncs > 1000);

	rig_run(rig, 1, 2, 0);
	for (i = 0; i < 100; i++)
		rig_call(rig, 1, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 2, CALL, HCT_OP_iret, 100, 0, 0);
	rig_free(rig);
}

/* The same from another thread, between any two of our instructions. */
static bool stop_moving;

static void *move_cons(void *arg)
{
	u32 *cons = arg;
	u32 i = 0;

	while (!__atomic_load_n(&stop_moving, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(cons, i++ * 4 % 9000, __ATOMIC_RELAXED);
		if (!(i % 64))
			sched_yield();
	}
	return NULL;
}

static void test_fault_from_thread(void **state)
{
	struct rig *rig = rig_new(2, 1);
	pthread_t thread;
	u32 i;

	(void)state;
	rig_run(rig, 0, 1, 0);
	for (i = 0; i < 150; i++)
		rig_call(rig, 1, HCT_OP_iret);
	__atomic_store_n(&stop_moving, false, __ATOMIC_RELEASE);
	assert_int_equal(pthread_create(&thread, NULL, move_cons, rig->xen[1].mem), 0);
	for (i = 0; i < 20000; i++) {
		rig_call(rig, 0, HCT_OP_iret);
		hct_round_begin(&rig->p, false);
		while (hct_round_run(&rig->p, 7))
			;
	}
	__atomic_store_n(&stop_moving, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	rig_drain(rig);
	rig_drain(rig);
	assert_int_equal(fx_ring_used(&rig->xen[1]), 0);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 20000, 0, 0);

	rig_run(rig, 1, 2, 0);
	for (i = 0; i < 100; i++)
		rig_call(rig, 1, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 2, CALL, HCT_OP_iret, 100, 0, 0);
	assert_int_equal(rig->rings[1].fault, HCT_RING_OK);
	rig_free(rig);
}

/* A record that runs past prod, found where the merge looks ahead. */
static void test_fault_record_past_prod(void **state)
{
	struct rig *rig = rig_for_faults();

	(void)state;
	/* The runstate and 49 calls, then a header that promises 40 bytes. */
	fx_ring_poke(&rig->xen[1], 2 + 50 * 16 / 4, 0xf020100d);
	rig_drain(rig);
	assert_int_equal(rig->rings[1].count.consumed, 50);
	assert_goes_on(rig, HCT_RING_BAD_RECORD, 1, 49, 0, 16);
}

static void test_fault_record_past_end(void **state)
{
	struct rig *rig = rig_new(3, 1);
	u32 i;

	(void)state;
	/* 254 records end 24 bytes before the end of the data. */
	for (i = 0; i < 3; i++)
		rig_run(rig, i, i + 1, 0);
	for (i = 0; i < 253; i++)
		rig_call(rig, 1, HCT_OP_iret);
	hct_round_begin(&rig->p, true);
	while (hct_round_run(&rig->p, 1000))
		;
	for (i = 0; i < 150; i++)
		rig_call(rig, i % 3, HCT_OP_iret);
	assert_int_equal(fx_ring_data(&rig->xen[1])[254 * 16], 0x0d);
	fx_ring_poke(&rig->xen[1], 2 + 255 * 16 / 4, 0x3001f002);
	rig_drain(rig);
	/* 8 bytes of padding, and 49 calls. */
	assert_int_equal(rig->rings[1].count.consumed, 255);
	assert_goes_on(rig, HCT_RING_BAD_RECORD, 1, 254, 0, 8 + 49 * 16);
}

/* The fault shows while the faulty ring is the only one with anything due. */
static void test_fault_alone(void **state)
{
	struct rig *rig = rig_new(2, 1);
	struct hct_ring told;

	(void)state;
	assert_false(hct_pipeline_take_fault(&rig->p, &told));
	rig_run(rig, 1, 1, 0);
	rig_call(rig, 1, HCT_OP_iret);
	fx_ring_poke(&rig->xen[1], 2 + 4, 0xf020100d);
	hct_round_begin(&rig->p, true);
	assert_false(hct_round_run(&rig->p, 100));
	assert_int_equal(rig->p.pending, 0);
	assert_int_equal(rig->rings[1].count.resyncs, 1);
	assert_int_equal(consumed(rig), 1);
	assert_true(hct_pipeline_take_fault(&rig->p, &told));
	assert_int_equal(told.pcpu, 1);
	assert_int_equal(told.last_fault, HCT_RING_BAD_RECORD);
	assert_false(hct_pipeline_take_fault(&rig->p, &told));
	hct_round_begin(&rig->p, true);
	assert_false(hct_round_run(&rig->p, 100));
	rig_free(rig);
}

/* Every ring gone bad, before and during a round. */
static void test_fault_everywhere(void **state)
{
	struct rig *rig = rig_for_faults();
	u32 i;

	(void)state;
	for (i = 0; i < 3; i++)
		fx_ring_poke(&rig->xen[i], 2 + 10 * 16 / 4, 0xffffffff);
	/* A record of 40 bytes that is there in full is odd, but it is one. */
	rig_drain(rig);
	for (i = 0; i < 3; i++)
		fx_ring_poke(&rig->xen[i], 1, 6);
	rig_drain(rig);
	for (i = 0; i < 3; i++)
		assert_true(rig->rings[i].fault);
	assert_int_equal(rig_total(rig).uncounted, 6 + rig_total(rig).resyncs);
	hct_round_begin(&rig->p, false);
	assert_false(hct_round_run(&rig->p, 100));
	rig_free(rig);
}

/* A call of our own shows in some ring, or there was no room for it. */
static void test_moved(void **state)
{
	struct rig *rig = rig_new(3, 1);

	(void)state;
	rig_call(rig, 2, HCT_OP_iret);
	hct_rings_look(&rig->p);
	assert_false(hct_rings_moved(&rig->p));
	/* Reading moves nothing. */
	rig_drain(rig);
	assert_false(hct_rings_moved(&rig->p));
	rig_call(rig, 1, HCT_OP_iret);
	assert_true(hct_rings_moved(&rig->p));
	hct_rings_look(&rig->p);
	assert_false(hct_rings_moved(&rig->p));
	rig_lose(rig, 0);
	hct_rings_look(&rig->p);
	assert_true(hct_rings_moved(&rig->p));
	rig_free(rig);
}

/* Tracing goes off: what Xen had lost and not told is marked where there may be something. */
static void test_forgotten(void **state)
{
	struct rig *rig = rig_new(3, 1);
	struct hct_counters total;

	(void)state;
	rig_call(rig, 0, HCT_OP_iret);
	rig_lose(rig, 1);
	rig_lose(rig, 2);
	rig_drain(rig);
	rig_call(rig, 2, HCT_OP_iret);
	rig_drain(rig);
	hct_pipeline_forgotten(&rig->p);
	total = rig_total(rig);
	assert_int_equal(rig->rings[0].count.forgotten, 0);
	assert_int_equal(rig->rings[1].count.forgotten, 1);
	assert_int_equal(rig->rings[2].count.forgotten, 0);
	assert_int_equal(rig->rings[2].count.lost, 1);
	assert_int_equal(total.forgotten, 1);
	assert_false(hct_coverage_is_known(&total));
	rig_free(rig);
}

/* pCPUs whose calls are not recorded: for as long as that is so, nobody knows what is missing. */
static void test_silent(void **state)
{
	struct rig *rig = rig_new(2, 1);
	struct hct_counters total;

	(void)state;
	hct_ring_note_pcpu(&rig->rings[1], HCT_PCPU_OFFLINE);
	total = rig_total(rig);
	assert_true(hct_coverage_is_known(&total));
	hct_ring_note_pcpu(&rig->rings[1], HCT_PCPU_SILENT);
	hct_pipeline_reset(&rig->p);
	total = rig_total(rig);
	assert_false(hct_coverage_is_known(&total));
	hct_ring_note_pcpu(&rig->rings[1], HCT_PCPU_OK);
	hct_pipeline_note_ringless(&rig->p, 1);
	total = rig_total(rig);
	assert_false(hct_coverage_is_known(&total));
	rig_free(rig);
}

/* The other CPU's side of the property test. */
struct writer {
	struct rig *rig;
	u64 seed;
	u64 now;
	u32 nr;
	u64 calls[RIG_MAX_RINGS];
	u64 updates[RIG_MAX_RINGS];
	u64 members[RIG_MAX_RINGS];
	bool done;
};

static void write_one(struct writer *w)
{
	u32 cpu = rig_random(&w->seed, w->rig->p.nr_rings);
	struct fx_ring *xen = &w->rig->xen[cpu];
	u32 extra[7] = { WORD_MMU_UPDATE, 1 + rig_random(&w->seed, 9) };

	w->now += rig_random(&w->seed, 3);
	switch (rig_random(&w->seed, 4)) {
	case 0:
		if (fx_trace(xen, XEN_TRC_PV_HYPERCALL_V2, true, w->now, extra, 2)) {
			w->calls[cpu]++;
			w->updates[cpu] += extra[1];
		}
		break;
	case 1:
		extra[0] = HCT_OP_update_va_mapping;
		if (fx_trace(xen, XEN_TRC_PV_SUBCALL, true, w->now, extra, 1))
			w->members[cpu]++;
		break;
	default:
		fx_trace(xen, NOISE, rig_random(&w->seed, 2), w->now, extra,
			 rig_random(&w->seed, 8));
	}
}

static void *write_all(void *arg)
{
	struct writer *w = arg;
	u32 i;

	for (i = 0; i < w->nr; i++) {
		write_one(w);
		/* Breathe now and then, or everything but the first ringful is lost. */
		if (!rig_random(&w->seed, 150))
			sched_yield();
	}
	__atomic_store_n(&w->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void read_while_written(struct rig *rig, const struct writer *w)
{
	u64 seed = 5;

	while (!__atomic_load_n(&w->done, __ATOMIC_ACQUIRE)) {
		hct_round_begin(&rig->p, false);
		while (hct_round_run(&rig->p, 1 + rig_random(&seed, 300)))
			;
		if (!rig_random(&seed, 200))
			usleep(rig_random(&seed, 300));
		else
			sched_yield();
	}
}

static void assert_all_there(struct rig *rig, const struct writer *w, u32 cpu)
{
	const struct hct_counters *count = &rig->rings[cpu].count;
	const struct fx_ring *xen = &rig->xen[cpu];

	assert_int_equal(rig->rings[cpu].fault, HCT_RING_OK);
	assert_int_equal(count->consumed, xen->written_records);
	assert_int_equal(rig->rings[cpu].cur.pos, xen->written_bytes);
	assert_int_equal(count->lost + xen->lost, xen->refused);
	assert_int_equal(count->undecodable, 0);
	assert_int_equal(count->unattributed, 0);
	assert_int_equal(count->late, 0);
	assert_cell(rig, cpu + 1, CALL, HCT_OP_mmu_update, w->calls[cpu], 0, w->updates[cpu]);
	assert_cell(rig, cpu + 1, HCT_KIND_MEMBER, HCT_OP_update_va_mapping, w->members[cpu], 0, 0);
}

static void test_concurrent_writer(void **state)
{
	u32 pages;
	u32 cpu;

	(void)state;
	for (pages = 1; pages <= 5; pages++) {
		struct writer w = { .seed = pages, .nr = 600000 };
		struct rig *rig = rig_new(1 + pages % 3, pages);
		pthread_t thread;

		for (cpu = 0; cpu < rig->p.nr_rings; cpu++)
			rig_run(rig, cpu, cpu + 1, 0);
		w.rig = rig;
		w.now = rig->now;
		assert_int_equal(pthread_create(&thread, NULL, write_all, &w), 0);
		read_while_written(rig, &w);
		pthread_join(thread, NULL);
		rig_drain(rig);

		for (cpu = 0; cpu < rig->p.nr_rings; cpu++)
			assert_all_there(rig, &w, cpu);
		rig_free(rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_order_in_one_go),
		cmocka_unit_test(test_inherited_time),
		cmocka_unit_test(test_equal_times),
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_fault_index),
		cmocka_unit_test(test_fault_index_when_due),
		cmocka_unit_test(test_fault_and_reset),
		cmocka_unit_test(test_fault_foreign_cons),
		cmocka_unit_test(test_fault_cons_goes_back),
		cmocka_unit_test(test_fault_in_round),
		cmocka_unit_test(test_fault_for_ever),
		cmocka_unit_test(test_fault_from_thread),
		cmocka_unit_test(test_fault_record_past_prod),
		cmocka_unit_test(test_fault_record_past_end),
		cmocka_unit_test(test_fault_alone),
		cmocka_unit_test(test_fault_everywhere),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_concurrent_writer),
	};

	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
