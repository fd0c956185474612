// SPDX-License-Identifier: GPL-2.0
/* The mark of a continuation is believed where a call may go on; else it is a call. */
#include <hctrace/table.h>

#include "rig.h"

#define CALL	HCT_KIND_CALL
#define MEMBER	HCT_KIND_MEMBER
#define MMU	HCT_OP_mmu_update
#define EXT	HCT_OP_mmuext_op

/* A rig with d1v0 running on its first ring, and no gap that a mark could stand behind. */
static struct rig *rig_of_d1(u32 nr_rings)
{
	struct rig *rig = rig_new(nr_rings, 8);
	struct hct_domain *dom = hct_account_domain(rig->p.acct, 1);
	unsigned int kind, marked;

	for (kind = 0; kind < HCT_NR_MARKED_KINDS; kind++) {
		for (marked = 0; marked < HCT_NR_MARKED; marked++)
			dom->opened[kind][marked].gap = rig->p.acct->gaps;
	}
	rig_run(rig, 0, 1, 0);
	return rig;
}

static bool is_bound(const struct rig *rig, u16 domid, u8 kind, u32 op)
{
	return hct_cell_is_bound(rig_row(rig, domid), kind, op, true);
}

#define assert_exact(rig, domid, kind, op)	assert_false(is_bound(rig, domid, kind, op))
#define assert_bound(rig, domid, kind, op)	assert_true(is_bound(rig, domid, kind, op))

/* A guest that marks each of its calls: they are calls all the same, but for one. */
static void test_forger(void **state)
{
	static const u32 words[] = { WORD_MMU_UPDATE, WORD_MMUEXT };
	static const u32 ops[] = { MMU, EXT };
	unsigned int op;
	u32 i;

	(void)state;
	for (op = 0; op < ARRAY_SIZE(ops); op++) {
		struct rig *rig = rig_new(1, 8);

		rig_run(rig, 0, 7, 0);
		for (i = 0; i < 1000; i++)
			rig_call(rig, 0, words[op], (i % 3) | PREEMPTED);
		rig_drain(rig);
		assert_cell(rig, 7, CALL, ops[op], 999, 1, 999);
		assert_bound(rig, 7, CALL, ops[op]);
		assert_exact(rig, 7, CALL, ops[!op]);
		assert_exact(rig, 7, MEMBER, ops[op]);
		assert_int_equal(rig_row(rig, 7)->cells[CALL][ops[op]].window, 1000);
		rig_free(rig);
	}
}

/* In multicalls it is no better off. */
static void test_forging_members(void **state)
{
	struct rig *rig = rig_new(1, 8);
	u32 i;

	(void)state;
	rig_run(rig, 0, 7, 0);
	for (i = 0; i < 100; i++) {
		rig_call(rig, 0, WORD_MULTICALL, 2);
		rig_member(rig, 0, WORD_MMUEXT, 5 | PREEMPTED);
		rig_member(rig, 0, WORD_MMUEXT, 5 | PREEMPTED);
	}
	rig_drain(rig);
	assert_cell(rig, 7, MEMBER, EXT, 199, 1, 199 * 5);
	assert_cell(rig, 7, CALL, HCT_OP_multicall, 100, 0, 200);
	assert_bound(rig, 7, MEMBER, EXT);
	rig_free(rig);
}

/* What another guest does and what it marks are nothing to this one. */
static void test_beside_an_honest_one(void **state)
{
	struct rig *rig = rig_of_d1(2);
	u32 i;

	(void)state;
	rig_run(rig, 1, 7, 0);
	for (i = 0; i < 100; i++) {
		rig_call(rig, 1, WORD_MMU_UPDATE, 900 | PREEMPTED);
		rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
		rig_call(rig, 1, WORD_MMU_UPDATE, 900 | PREEMPTED);
		rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
		rig_call(rig, 1, WORD_MMU_UPDATE, 1 | PREEMPTED);
		rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
		rig_call(rig, 0, WORD_MMU_UPDATE, PREEMPTED);
	}
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 100, 300, 100000);
	assert_exact(rig, 1, CALL, MMU);
	assert_cell(rig, 7, CALL, MMU, 299, 1, 199 * 900 + 100);
	assert_bound(rig, 7, CALL, MMU);
	rig_free(rig);
}

/* Xen repeats a count when nothing was done yet; it never goes up again. */
static void test_counts(void **state)
{
	struct rig *rig = rig_of_d1(1);

	(void)state;
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 1, 6, 1000);
	assert_exact(rig, 1, CALL, MMU);

	/* Larger than what is left: of no call that was seen. */
	rig_call(rig, 0, WORD_MMU_UPDATE, 1 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 2, 6, 1001);
	assert_bound(rig, 1, CALL, MMU);
	/* And it vouches for none of its own. */
	rig_call(rig, 0, WORD_MMU_UPDATE, 1 | PREEMPTED);
	rig_call(rig, 0, WORD_MMUEXT, 1 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 3, 6, 1002);
	assert_cell(rig, 1, CALL, EXT, 1, 0, 1);
	rig_free(rig);
}

/* An interrupt's calls come between, and the task continues on another vCPU. */
static void test_across_vcpus(void **state)
{
	struct rig *rig = rig_of_d1(2);
	u32 i;

	(void)state;
	rig_run(rig, 1, 1, 1);
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_call(rig, 0, WORD_MMU_UPDATE, 500 | PREEMPTED);
	for (i = 0; i < 500; i++)
		rig_call(rig, i & 1, WORD_MMU_UPDATE, 1 + i % 9);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 1, WORD_MMU_UPDATE, 400 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 30);
	rig_call(rig, 0, WORD_MMU_UPDATE, 20 | PREEMPTED);
	rig_call(rig, 1, WORD_MMU_UPDATE, 300 | PREEMPTED);
	rig_drain(rig);
	assert_int_equal(rig_row(rig, 1)->cells[CALL][MMU].calls, 502);
	assert_int_equal(rig_row(rig, 1)->cells[CALL][MMU].cont, 4);
	assert_exact(rig, 1, CALL, MMU);
	rig_free(rig);
}

/* As many calls at once as there are places go on in any order; more do if others vouch. */
static void test_many_at_once(void **state)
{
	struct rig *rig = rig_of_d1(1);
	u32 i;

	(void)state;
	for (i = 0; i < HCT_MAX_OPENED; i++)
		rig_call(rig, 0, WORD_MMU_UPDATE, 100 * (i + 1));
	for (i = 0; i < 1000; i++)
		rig_call(rig, 0, WORD_MMU_UPDATE, 1 + i % 99);
	for (i = HCT_MAX_OPENED; i > 0; i--)
		rig_call(rig, 0, WORD_MMU_UPDATE, (100 * i - 50) | PREEMPTED);
	for (i = 0; i < HCT_MAX_OPENED; i++)
		rig_call(rig, 0, WORD_MMU_UPDATE, (100 * i + 49) | PREEMPTED);
	rig_drain(rig);
	assert_int_equal(rig_row(rig, 1)->cells[CALL][MMU].cont, 2 * HCT_MAX_OPENED);
	assert_exact(rig, 1, CALL, MMU);
	rig_free(rig);
}

/* Two ticks in which it makes others; a domain that is paused has all the time. */
static void test_time(void **state)
{
	struct rig *rig = rig_of_d1(1);
	u32 i;

	(void)state;
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_drain(rig);
	for (i = 0; i < 3600; i++)
		hct_pipeline_tick(&rig->p, 1000);
	rig_call(rig, 0, WORD_MMU_UPDATE, 900 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 1, 1, 1000);
	for (i = 0; i < 2; i++) {
		hct_pipeline_tick(&rig->p, 1000);
		rig_call(rig, 0, WORD_MMU_UPDATE, 1);
		rig_drain(rig);
	}
	rig_call(rig, 0, WORD_MMU_UPDATE, 800 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 4, 1, 1802);
	assert_bound(rig, 1, CALL, MMU);
	rig_free(rig);
}

/* Calls that were lost vouch for one mark behind each loss, and it for none. */
static void test_gaps(void **state)
{
	struct rig *rig = rig_of_d1(1);

	(void)state;
	rig_put(rig, 0, XEN_TRC_LOST_RECORDS, 7, 1, 0, 0);
	rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 1, 1, 600);
	assert_bound(rig, 1, CALL, MMU);
	hct_pipeline_gap(&rig->p);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MMU_UPDATE, 5 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 4 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 2, 2, 604);
	rig_free(rig);
}

/* A call of nobody known may be anybody's, so it vouches like a gap. */
static void test_unattributed_call(void **state)
{
	struct rig *rig = rig_of_d1(2);

	(void)state;
	rig_call(rig, 1, WORD_MMU_UPDATE, 600);
	rig_call(rig, 0, WORD_MMU_UPDATE, 500 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 0, 1, 0);
	assert_exact(rig, 1, CALL, MMU);
	rig_free(rig);
}

/* A new start: what was open has gone on unseen. A new domain of the id: it was another's. */
static void test_restart_and_death(void **state)
{
	struct rig *rig = rig_of_d1(1);

	(void)state;
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_drain(rig);
	rig_restart(rig, HCT_PROFILE_PV);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MMU_UPDATE, 500 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 400 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 2, 1, 1400);

	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 1);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MMU_UPDATE, 500 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 400 | PREEMPTED);
	rig_drain(rig);
	assert_int_equal(rig_row(rig, 1)->generation, 2);
	assert_cell(rig, 1, CALL, MMU, 1, 1, 400);
	rig_free(rig);
}

/* A preempted member comes again, marked, in the multicall that goes on. */
static void test_member(void **state)
{
	struct rig *rig = rig_of_d1(1);

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 500);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 100 | PREEMPTED);
	rig_member(rig, 0, WORD_MMU_UPDATE, 9);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_multicall, 1, 1, 3);
	assert_cell(rig, 1, MEMBER, MMU, 2, 1, 509);
	assert_exact(rig, 1, MEMBER, MMU);

	/* Larger than the one that it should go on with: another member, of another multicall. */
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 500);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 501 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_multicall, 3, 1, 9);
	assert_cell(rig, 1, MEMBER, MMU, 4, 1, 1510);
	assert_bound(rig, 1, MEMBER, MMU);
	rig_free(rig);
}

/* A cursor above cache_flush is such a mark as well. */
static void test_cache_flush(void **state)
{
	struct rig *rig = rig_new(1, 8);
	u32 i;

	(void)state;
	rig_run(rig, 0, 7, 0);
	for (i = 0; i < 10; i++)
		rig_call(rig, 0, WORD_GRANT, HCT_GRANT_cache_flush | 5 << 12, 2);
	rig_drain(rig);
	assert_cell(rig, 7, CALL, HCT_CELL_GRANT + HCT_GRANT_cache_flush, 9, 1, 18);
	rig_free(rig);
}

/* What is not counted is followed nevertheless, and casts no doubt on what is. */
static void test_filtered(void **state)
{
	struct rig *rig = rig_of_d1(1);

	(void)state;
	rig->p.settings.kinds[CALL] = false;
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_call(rig, 0, WORD_MMUEXT, 9 | PREEMPTED);
	rig_drain(rig);
	rig->p.settings.kinds[CALL] = true;
	rig_call(rig, 0, WORD_MMU_UPDATE, 900 | PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, MMU, 0, 1, 0);
	assert_exact(rig, 1, CALL, MMU);
	assert_exact(rig, 1, CALL, EXT);
	rig_free(rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forger),
		cmocka_unit_test(test_forging_members),
		cmocka_unit_test(test_beside_an_honest_one),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_across_vcpus),
		cmocka_unit_test(test_many_at_once),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_unattributed_call),
		cmocka_unit_test(test_restart_and_death),
		cmocka_unit_test(test_member),
		cmocka_unit_test(test_cache_flush),
		cmocka_unit_test(test_filtered),
	};

	return cmocka_run_group_tests_name("opened", tests, NULL, NULL);
}
