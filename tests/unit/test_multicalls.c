// SPDX-License-Identifier: GPL-2.0
/* Multicalls as wholes: how large, how they ended, which members were theirs. */
#include "rig.h"

static struct rig *rig_of_d1(void)
{
	struct rig *rig = rig_new(1, 4);

	rig_run(rig, 0, 1, 0);
	return rig;
}

static void put_multicall(struct rig *rig, u32 declared, u32 seen)
{
	rig_call(rig, 0, WORD_MULTICALL, declared);
	while (seen--)
		rig_member(rig, 0, HCT_OP_update_va_mapping);
}

static void assert_ends(struct rig *rig, u64 complete, u64 cut_short, u64 lost)
{
	const struct hct_batches *batches;

	rig_drain(rig);
	batches = &rig_row(rig, 1)->batches;
	assert_int_equal(batches->ends[HCT_END_COMPLETE], complete);
	assert_int_equal(batches->ends[HCT_END_SHORT], cut_short);
	assert_int_equal(batches->ends[HCT_END_LOST], lost);
}

static void test_sizes(void **state)
{
	static const struct {
		u32 size;
		unsigned int bucket;
	} cases[] = {
		{ 1, 0 }, { 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 3 }, { 8, 3 }, { 9, 4 }, { 16, 4 },
		{ 17, 5 }, { 32, 5 }, { 33, 6 }, { 64, 6 }, { 65, 7 }, { 128, 7 }, { 129, 8 },
		{ 0x7fffffff, 8 }, { 0xffffffff, 8 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rig *rig = rig_of_d1();
		unsigned int bucket;

		put_multicall(rig, cases[i].size, 0);
		rig_drain(rig);
		for (bucket = 0; bucket < HCT_NR_SIZES; bucket++)
			assert_int_equal(rig_row(rig, 1)->batches.sizes[bucket],
					 bucket == cases[i].bucket);
		assert_int_equal(rig_row(rig, 1)->batches.max, cases[i].size);
		rig_free(rig);
	}
}

/* Preempted after 4 of 10, with an upcall in between: one batch of 10. */
static void test_preempted_is_one(void **state)
{
	struct rig *rig = rig_of_d1();
	const struct hct_batches *batches;

	(void)state;
	put_multicall(rig, 10, 4);
	rig_call(rig, 0, HCT_OP_iret);
	put_multicall(rig, 6, 6);
	assert_ends(rig, 1, 0, 0);
	batches = &rig_row(rig, 1)->batches;
	assert_int_equal(batches->seen, 10);
	assert_int_equal(batches->sizes[4], 1);
	assert_int_equal(batches->sizes[3], 0);
	assert_int_equal(batches->max, 10);
	rig_free(rig);
}

/* A member that was preempted is recorded twice, and seen once. */
static void test_reexecuted_member(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, WORD_MMU_UPDATE, 100);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, WORD_MMU_UPDATE, 40 | PREEMPTED);
	assert_ends(rig, 1, 0, 0);
	assert_int_equal(rig_row(rig, 1)->batches.seen, 1);
	rig_free(rig);
}

static void test_iret_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	rig_member(rig, 0, HCT_OP_iret);
	put_multicall(rig, 2, 2);	/* would be what is left of it */
	assert_ends(rig, 1, 1, 0);
	assert_int_equal(rig_row(rig, 1)->batches.seen, 5);
	rig_free(rig);
}

static void test_empty_list(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 0, 0);
	assert_ends(rig, 1, 0, 0);
	assert_int_equal(rig_row(rig, 1)->batches.sizes[0], 1);
	rig_free(rig);
}

static void test_blocked_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_RUNNABLE);
	rig_run(rig, 0, 1, 0);
	assert_ends(rig, 0, 0, 0);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_run(rig, 0, 1, 0);
	assert_ends(rig, 0, 1, 0);
	rig_free(rig);
}

static void test_death_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 1);
	rig_drain(rig);
	assert_true(rig->p.acct->domains[0].dead);
	assert_int_equal(rig->p.acct->domains[0].batches.ends[HCT_END_SHORT], 1);
	rig_free(rig);
}

static void test_gap_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	rig_drain(rig);
	hct_pipeline_gap(&rig->p);
	rig_run(rig, 0, 1, 0);
	assert_ends(rig, 0, 0, 1);
	rig_free(rig);
}

static void test_restart_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	rig_drain(rig);
	rig_restart(rig, HCT_PROFILE_PV);
	assert_ends(rig, 0, 0, 1);
	rig_free(rig);
}

static void test_loss_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	rig->xen[0].current_vcpu = (struct hct_vcpu_id){ .domid = 1, .vcpu = 0 };
	rig_lose(rig, 0);
	rig_drain(rig);
	rig_call(rig, 0, HCT_OP_iret);	/* with LOST in front of it */
	assert_ends(rig, 0, 0, 1);
	rig_free(rig);
}

/* Not heard of for a whole tick. What goes on in time is left alone. */
static void test_age_ends_it(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 5, 2);
	put_multicall(rig, 9, 1);
	rig_drain(rig);
	hct_pipeline_tick(&rig->p, 1000);
	assert_ends(rig, 0, 0, 0);
	put_multicall(rig, 8, 1);	/* the second one goes on */
	rig_drain(rig);
	hct_pipeline_tick(&rig->p, 1000);
	assert_ends(rig, 0, 1, 0);
	put_multicall(rig, 7, 7);
	assert_ends(rig, 1, 1, 0);
	assert_int_equal(rig_row(rig, 1)->batches.seen, 2 + 9);
	/* What was left of the first is a new one by now. */
	put_multicall(rig, 3, 3);
	assert_ends(rig, 2, 1, 0);
	assert_cell(rig, 1, HCT_KIND_CALL, HCT_OP_multicall, 3, 2, 17);
	rig_free(rig);
}

/* More open at once than are remembered: the oldest has ended. */
static void test_many_open(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 i;

	(void)state;
	for (i = 0; i < HCT_MAX_OPEN_BATCHES + 2; i++)
		put_multicall(rig, 10 * (i + 1), 1);
	assert_ends(rig, 0, 2, 0);
	rig_free(rig);
}

/* HVM and PVH guests: members without a multicall. */
static void test_no_parent(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 i;

	(void)state;
	for (i = 0; i < 7; i++)
		rig_member(rig, 0, HCT_OP_update_va_mapping);
	assert_ends(rig, 0, 0, 0);
	assert_int_equal(rig_row(rig, 1)->batches.seen, 0);
	assert_cell(rig, 1, HCT_KIND_MEMBER, HCT_OP_update_va_mapping, 7, 0, 0);
	rig_free(rig);
}

/* What was begun before a reset belongs to before. */
static void test_reset_between(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 10, 4);
	rig_drain(rig);
	hct_pipeline_reset(&rig->p);
	put_multicall(rig, 6, 6);
	put_multicall(rig, 2, 2);
	assert_ends(rig, 1, 0, 0);
	assert_int_equal(rig_row(rig, 1)->batches.seen, 2);
	rig_free(rig);
}

/* A multicall taken for a continuation until its first member says otherwise. */
static void test_mistaken(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	put_multicall(rig, 10, 4);
	rig_call(rig, 0, WORD_MULTICALL, 7);	/* one more than is left */
	rig_member(rig, 0, WORD_MMU_UPDATE, 1);
	rig_drain(rig);
	assert_cell(rig, 1, HCT_KIND_CALL, HCT_OP_multicall, 2, 0, 17);
	assert_int_equal(rig_row(rig, 1)->batches.sizes[3], 1);
	assert_int_equal(rig_row(rig, 1)->batches.sizes[4], 1);
	assert_int_equal(rig_row(rig, 1)->batches.seen, 5);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_preempted_is_one),
		cmocka_unit_test(test_reexecuted_member),
		cmocka_unit_test(test_iret_ends_it),
		cmocka_unit_test(test_empty_list),
		cmocka_unit_test(test_blocked_ends_it),
		cmocka_unit_test(test_death_ends_it),
		cmocka_unit_test(test_gap_ends_it),
		cmocka_unit_test(test_restart_ends_it),
		cmocka_unit_test(test_loss_ends_it),
		cmocka_unit_test(test_age_ends_it),
		cmocka_unit_test(test_many_open),
		cmocka_unit_test(test_no_parent),
		cmocka_unit_test(test_reset_between),
		cmocka_unit_test(test_mistaken),
	};

	return cmocka_run_group_tests_name("multicalls", tests, NULL, NULL);
}
