// SPDX-License-Identifier: GPL-2.0
/* Multicalls and continuations: preempted calls are recorded again and count once. */
#include "rig.h"

#define CALL	HCT_KIND_CALL
#define MEMBER	HCT_KIND_MEMBER

#define GRANT_COPY	5
#define GRANT_FLUSH	12

/* A rig with d1v0 running on its only ring. */
static struct rig *rig_of_d1(void)
{
	struct rig *rig = rig_new(1, 1);

	rig_run(rig, 0, 1, 0);
	return rig;
}

static void put_members(struct rig *rig, u32 nr)
{
	while (nr--)
		rig_member(rig, 0, HCT_OP_update_va_mapping);
}

/* What the guest does when it is interrupted between two parts of a multicall. */
static void put_upcall(struct rig *rig)
{
	rig_call(rig, 0, HCT_OP_event_channel_op);
	rig_call(rig, 0, WORD_VCPU_OP, 8, 0);
	rig_call(rig, 0, HCT_OP_iret);
}

static void assert_multicalls(struct rig *rig, u64 calls, u64 cont, u64 units)
{
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_multicall, calls, cont, units);
}

static void test_plain(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 4);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_member(rig, 0, WORD_MMUEXT, 1);
	rig_call(rig, 0, WORD_MMU_UPDATE, 7 | PREEMPTED);
	rig_call(rig, 0, WORD_GRANT, GRANT_COPY | 3 << 12, 2);

	assert_multicalls(rig, 1, 0, 3);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmu_update, 1, 0, 4);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 1, 0, 0);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmuext_op, 1, 0, 1);
	assert_cell(rig, 1, CALL, HCT_OP_mmu_update, 0, 1, 0);
	assert_cell(rig, 1, CALL, HCT_CELL_GRANT + GRANT_COPY, 1, 0, 2);
	rig_free(rig);
}

static void test_mmu_update_parts(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, 200 | PREEMPTED);
	rig_call(rig, 0, WORD_MMU_UPDATE, PREEMPTED);
	rig_call(rig, 0, WORD_MMUEXT, 2);
	rig_call(rig, 0, WORD_MMUEXT, PREEMPTED);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_mmu_update, 1, 3, 1000);
	assert_cell(rig, 1, CALL, HCT_OP_mmuext_op, 1, 1, 2);
	rig_free(rig);
}

/* cache_flush is the one grant op whose continuation shows, by its cursor. */
static void test_cache_flush(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_GRANT, GRANT_FLUSH, 4);
	rig_call(rig, 0, WORD_GRANT, GRANT_FLUSH | 5 << 12, 2);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_CELL_GRANT + GRANT_FLUSH, 1, 1, 4);
	rig_free(rig);
}

static void test_between_members(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 4);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, WORD_VCPU_OP, 8, 0);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	put_members(rig, 6);
	/* The next one of 6 is new: nothing is open any more. */
	rig_call(rig, 0, WORD_MULTICALL, 6);
	put_members(rig, 6);

	assert_multicalls(rig, 2, 1, 16);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 16, 0, 0);
	rig_free(rig);
}

/* Preempted again and again, with and without an upcall in between. */
static void test_many_parts(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 left;

	(void)state;
	for (left = 32; left; left--) {
		rig_call(rig, 0, WORD_MULTICALL, left);
		put_members(rig, 1);
		if (left & 1)
			put_upcall(rig);
	}
	assert_multicalls(rig, 1, 31, 32);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 32, 0, 0);
	rig_free(rig);
}

/* The preempted member is recorded twice, and counts as one left too many. */
static void test_inside_member(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 500);
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 7);
	rig_member(rig, 0, WORD_MMU_UPDATE, 100 | PREEMPTED);
	put_members(rig, 2);
	/* Once more, between members: the resumed one has not moved the count. */
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 4);
	put_members(rig, 4);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	put_members(rig, 1);

	assert_multicalls(rig, 2, 2, 11);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmu_update, 1, 1, 500);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 10, 0, 0);
	rig_free(rig);
}

/* A member without a mark is known by its number only. */
static void test_inside_unmarked_member(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 3);
	put_members(rig, 1);
	rig_member(rig, 0, WORD_GRANT, GRANT_COPY, 8);
	rig_call(rig, 0, WORD_MULTICALL, 2);
	rig_member(rig, 0, WORD_GRANT, GRANT_COPY, 5);
	put_members(rig, 1);

	assert_multicalls(rig, 1, 1, 3);
	assert_cell(rig, 1, MEMBER, HCT_CELL_GRANT + GRANT_COPY, 1, 1, 8);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 2, 0, 0);
	rig_free(rig);
}

/* The last member is preempted, twice: the batch looked complete each time. */
static void test_inside_last_member(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 2);
	put_members(rig, 1);
	rig_member(rig, 0, WORD_MMUEXT, 9);
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, WORD_MMUEXT, 5 | PREEMPTED);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, WORD_MMUEXT, PREEMPTED);

	assert_multicalls(rig, 1, 2, 2);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmuext_op, 1, 2, 9);
	rig_free(rig);
}

/* Taken for a continuation by its size; its first member shows that it is none. */
static void test_mistaken(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 3);
	rig_member(rig, 0, WORD_MMU_UPDATE, 500);
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 7);
	assert_multicalls(rig, 1, 1, 10);
	rig_member(rig, 0, WORD_MMU_UPDATE, 100);	/* no mark: a new update */
	put_members(rig, 6);
	assert_multicalls(rig, 2, 0, 17);

	/* The first one is still open, and goes on. */
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	put_members(rig, 6);
	assert_multicalls(rig, 2, 1, 17);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmu_update, 2, 0, 600);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 15, 0, 0);
	/* Each record was counted when it came. */
	assert_int_equal(rig_row(rig, 1)->cells[CALL][HCT_OP_multicall].window, 3);
	rig_free(rig);
}

/* The same after a batch that was complete: multicalls of one mmuext each. */
static void test_mistaken_of_one(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 i;

	(void)state;
	for (i = 0; i < 20; i++) {
		rig_call(rig, 0, WORD_MULTICALL, 1);
		rig_member(rig, 0, WORD_MMUEXT, 1);
	}
	assert_multicalls(rig, 20, 0, 20);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmuext_op, 20, 0, 20);
	rig_free(rig);
}

/* What the filter leaves out is not brought in by a correction. */
static void test_mistaken_and_filtered(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 5);
	rig_call(rig, 0, WORD_MULTICALL, 5);
	put_members(rig, 4);
	assert_multicalls(rig, 1, 1, 10);

	rig->p.settings.kinds[CALL] = false;
	rig_call(rig, 0, WORD_MULTICALL, 2);
	rig_member(rig, 0, HCT_OP_memory_op);
	assert_multicalls(rig, 1, 1, 10);
	rig_free(rig);
}

/* A correction of what a reset has wiped out. */
static void test_mistaken_and_reset(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 5);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	rig_drain(rig);
	hct_pipeline_reset(&rig->p);
	rig_member(rig, 0, HCT_OP_memory_op);
	assert_multicalls(rig, 0, 0, 0);
	rig_free(rig);
}

/* privcmd lets dom0's tasks be switched inside a multicall: four may be open. */
static void test_several_open(void **state)
{
	static const u32 left[] = { 10, 20, 30, 40 };
	struct rig *rig = rig_new(1, 2);
	unsigned int i;

	(void)state;
	rig_run(rig, 0, 0, 0);
	for (i = 0; i < ARRAY_SIZE(left); i++) {
		rig_call(rig, 0, WORD_MULTICALL, left[i] + 2);
		put_members(rig, 2);
		rig_stop(rig, 0, 0, 0, XEN_RUNSTATE_BLOCKED);
		rig_run(rig, 0, 0, 0);
	}
	for (i = ARRAY_SIZE(left); i > 0; i--) {
		rig_call(rig, 0, WORD_MULTICALL, left[i - 1]);
		put_members(rig, left[i - 1]);
	}
	rig_drain(rig);
	assert_cell(rig, 0, CALL, HCT_OP_multicall, 4, 4, 108);
	assert_cell(rig, 0, MEMBER, HCT_OP_update_va_mapping, 108, 0, 0);
	rig_free(rig);
}

/* A fifth takes the place of the oldest. */
static void test_too_many_open(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 i;

	(void)state;
	for (i = 1; i <= 5; i++) {
		rig_call(rig, 0, WORD_MULTICALL, 10 * i);
		put_members(rig, 1);
	}
	rig_call(rig, 0, WORD_MULTICALL, 19);
	rig_call(rig, 0, WORD_MULTICALL, 9);
	assert_multicalls(rig, 6, 1, 159);
	rig_free(rig);
}

/* Of two with as many members left the newer one goes on first. */
static void test_alike(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		rig_call(rig, 0, WORD_MULTICALL, 8);
		put_members(rig, 3);
	}
	for (i = 0; i < 3; i++) {
		rig_call(rig, 0, WORD_MULTICALL, 5);
		put_members(rig, 5);
	}
	assert_multicalls(rig, 3, 2, 21);

	/* Only the newer one is looked at for the member that is resumed. */
	rig_call(rig, 0, WORD_MULTICALL, 8);
	rig_member(rig, 0, HCT_OP_memory_op);
	rig_call(rig, 0, WORD_MULTICALL, 8);
	rig_member(rig, 0, HCT_OP_console_io);
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 8);
	rig_member(rig, 0, HCT_OP_console_io);
	assert_multicalls(rig, 5, 3, 37);
	assert_cell(rig, 1, MEMBER, HCT_OP_console_io, 1, 1, 0);
	rig_free(rig);
}

/* A batch none of whose members came is not continued by another of its size. */
static void test_without_members(void **state)
{
	struct rig *rig = rig_of_d1();
	u32 i;

	(void)state;
	for (i = 0; i < 5; i++)
		rig_call(rig, 0, WORD_MULTICALL, 8);
	rig_call(rig, 0, WORD_MULTICALL, 0);
	put_members(rig, 2);
	rig_call(rig, 0, HCT_OP_multicall);	/* without its count */
	assert_multicalls(rig, 7, 0, 40);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 2, 0, 0);
	rig_free(rig);
}

/* An iret inside a multicall ends it: there is nothing to go on with. */
static void test_iret_ends(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 3);
	rig_member(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	put_members(rig, 6);
	assert_multicalls(rig, 2, 0, 16);
	rig_free(rig);
}

/* A forged number whose low bits say iret is no iret. */
static void test_forged_iret(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 4);
	rig_member(rig, 0, 0x00100000 | HCT_OP_iret);
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	put_members(rig, 3);
	assert_multicalls(rig, 1, 1, 4);
	assert_cell(rig, 1, MEMBER, HCT_CELL_MALFORMED, 1, 0, 0);
	rig_free(rig);
}

/* A forged member is never one that was preempted. */
static void test_forged_resumption(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 4);
	rig_member(rig, 0, HCT_OP_memory_op);
	rig_call(rig, 0, WORD_MULTICALL, 4);
	rig_member(rig, 0, 0xfff00000 | HCT_OP_memory_op);
	assert_multicalls(rig, 2, 0, 8);
	rig_free(rig);
}

/* Two vCPUs, on two rings or in turn on one, do not disturb each other. */
static void test_vcpus_are_apart(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_run(rig, 1, 1, 1);
	rig_call(rig, 0, WORD_MULTICALL, 10);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_call(rig, 1, WORD_MULTICALL, 9);
	rig_member(rig, 1, HCT_OP_update_va_mapping);
	/* d1v0 moves to the other pCPU and goes on there. */
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_RUNNABLE);
	rig_stop(rig, 1, 1, 1, XEN_RUNSTATE_RUNNABLE);
	rig_run(rig, 1, 1, 0);
	rig_call(rig, 1, WORD_MULTICALL, 9);
	assert_multicalls(rig, 2, 1, 19);
	rig_free(rig);
}

/* A domU that sleeps has nothing to go on with; preempted it has. */
static void test_blocked(void **state)
{
	static const struct {
		u16 domid;
		u32 to;
		u64 cont;
	} cases[] = {
		{ 1, XEN_RUNSTATE_BLOCKED, 0 },
		{ 1, XEN_RUNSTATE_RUNNABLE, 1 },
		{ 0, XEN_RUNSTATE_BLOCKED, 1 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rig *rig = rig_new(1, 1);
		u16 domid = cases[i].domid;
		u64 cont = cases[i].cont;

		rig_run(rig, 0, domid, 0);
		rig_call(rig, 0, WORD_MULTICALL, 10);
		put_members(rig, 4);
		rig_stop(rig, 0, domid, 0, cases[i].to);
		rig_run(rig, 0, domid, 0);
		rig_call(rig, 0, WORD_MULTICALL, 6);
		rig_drain(rig);
		assert_cell(rig, domid, CALL, HCT_OP_multicall, 2 - cont, cont, cont ? 10 : 16);
		rig_free(rig);
	}
}

/* Records are missing: no batch can be trusted, the one before or the one named. */
static void test_lost(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_run(rig, 1, 1, 1);
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 4);
	rig_call(rig, 1, WORD_MULTICALL, 10);
	rig_member(rig, 1, HCT_OP_update_va_mapping);
	rig_drain(rig);

	rig->xen[0].lost = 5;
	rig->xen[0].current_vcpu.vcpu = 1;
	rig_call(rig, 0, WORD_MULTICALL, 9);	/* of d1v1, as LOST says */
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	assert_multicalls(rig, 4, 0, 35);
	rig_free(rig);
}

/* A domain of the same id has nothing to do with the one that died. */
static void test_domain_died(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 5, 0);
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 4);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 5);
	rig_put(rig, 0, XEN_TRC_DOM_ADD, 5);
	rig_run(rig, 0, 5, 0);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	rig_drain(rig);
	assert_cell(rig, 5, CALL, HCT_OP_multicall, 1, 0, 6);
	assert_int_equal(rig_row(rig, 5)->generation, 2);
	rig_free(rig);
}

/* More vCPUs than the table holds: those seen last are remembered. */
static void test_eviction(void **state)
{
	struct rig *rig = rig_new(1, 2);
	u32 i;

	(void)state;
	/* These all fall into one set. */
	for (i = 0; i <= HCT_VCPU_WAYS; i++) {
		rig_run(rig, 0, 1, i * HCT_VCPU_SETS);
		rig_call(rig, 0, WORD_MULTICALL, 10);
		put_members(rig, 4);
	}
	rig_drain(rig);
	assert_int_equal(rig->p.vcpus->evicted, 1);
	for (i = HCT_VCPU_WAYS; i; i--) {
		rig_run(rig, 0, 1, i * HCT_VCPU_SETS);
		rig_call(rig, 0, WORD_MULTICALL, 6);
	}
	assert_multicalls(rig, 5, 4, 50);
	assert_int_equal(rig->p.vcpus->evicted, 1);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	assert_multicalls(rig, 6, 4, 56);
	assert_int_equal(rig->p.vcpus->evicted, 2);
	rig_free(rig);
}

/* A vCPU of d1 in whose place four of the first 800 of d2 belong. */
#define SLOT	40

/* @nr multicalls of a vCPU of d1, each preempted in its middle, with @between before it goes on. */
static void preempt_d1(struct rig *rig, u32 nr, void (*between)(struct rig *rig))
{
	u32 i;

	for (i = 0; i < nr; i++) {
		rig_run(rig, 0, 1, SLOT);
		rig_call(rig, 0, WORD_MULTICALL, 10);
		put_members(rig, 4);
		rig_stop(rig, 0, 1, SLOT, XEN_RUNSTATE_RUNNABLE);
		between(rig);
		rig_run(rig, 0, 1, SLOT);
		rig_call(rig, 0, WORD_MULTICALL, 6);
		put_members(rig, 6);
		rig_stop(rig, 0, 1, SLOT, XEN_RUNSTATE_RUNNABLE);
		rig_drain(rig);
	}
	assert_cell(rig, 1, CALL, HCT_OP_multicall, nr, nr, 10 * nr);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 10 * nr, 0, 0);
}

static void hvm_crowd(struct rig *rig)
{
	u16 vcpu;

	for (vcpu = 0; vcpu < 800; vcpu++) {
		rig_run(rig, 0, 2, vcpu);
		rig_stop(rig, 0, 2, vcpu, XEN_RUNSTATE_BLOCKED);
	}
}

/* 800 vCPUs of an HVM domain, which only run and block, cost no neighbour anything. */
static void test_crowd_that_blocks(void **state)
{
	struct rig *rig = rig_new(1, 16);

	(void)state;
	preempt_d1(rig, 200, hvm_crowd);
	assert_int_equal(rig->p.vcpus->evicted, 0);
	assert_null(hct_vcpu_find(rig->p.vcpus, &(struct hct_vcpu_id){ .domid = 2 }));
	rig_free(rig);
}

static void pv_crowd(struct rig *rig)
{
	u16 vcpu;

	for (vcpu = 0; vcpu < 800; vcpu++) {
		rig_run(rig, 0, 3, vcpu);
		rig_call(rig, 0, HCT_OP_iret);
		rig_member(rig, 0, HCT_OP_update_va_mapping);	/* its multicall was lost */
		rig_call(rig, 0, WORD_MULTICALL, 0);
		rig_call(rig, 0, WORD_MMU_UPDATE, 7 | PREEMPTED);
		rig_stop(rig, 0, 3, vcpu, XEN_RUNSTATE_RUNNABLE);
	}
}

/* Nor do those that make calls of which nothing can go on that is kept here. */
static void test_crowd_of_calls(void **state)
{
	struct rig *rig = rig_new(1, 32);

	(void)state;
	preempt_d1(rig, 20, pv_crowd);
	assert_int_equal(rig->p.vcpus->evicted, 0);
	assert_null(hct_vcpu_find(rig->p.vcpus, &(struct hct_vcpu_id){ .domid = 3 }));
	assert_cell(rig, 3, MEMBER, HCT_OP_update_va_mapping, 16000, 0, 0);
	assert_int_equal(rig_row(rig, 3)->batches.ends[HCT_END_COMPLETE], 16000);
	rig_free(rig);
}

/* In the same place: each in the middle of a multicall, so that one must go. */
static void open_crowd(struct rig *rig)
{
	const u16 first = (HCT_VCPU_SETS + SLOT + (1 - 4) * 31) % HCT_VCPU_SETS;
	u16 i;

	for (i = 0; i < 20; i++) {
		rig_run(rig, 0, 4, first + i * HCT_VCPU_SETS);
		rig_call(rig, 0, WORD_MULTICALL, 3);
		put_members(rig, 1);
		rig_stop(rig, 0, 4, first + i * HCT_VCPU_SETS, XEN_RUNSTATE_RUNNABLE);
	}
}

/* A domain that begins ever more multicalls forgets its own, and nobody else's. */
static void test_crowd_of_multicalls(void **state)
{
	struct rig *rig = rig_new(1, 16);

	(void)state;
	/* It was there first, and has filled the place. */
	open_crowd(rig);
	rig_drain(rig);
	assert_int_equal(rig->p.vcpus->evicted, 20 - HCT_VCPU_WAYS);
	preempt_d1(rig, 200, open_crowd);
	assert_int_equal(rig->p.vcpus->evicted, 201 * 20 - HCT_VCPU_WAYS + 1);
	assert_cell(rig, 4, CALL, HCT_OP_multicall, 201 * 20, 0, 3 * 201 * 20);
	rig_free(rig);
}

/* What is over goes first, though it was looked up last; and what has waited two ticks is. */
static void test_victims(void **state)
{
	struct rig *rig = rig_new(1, 2);
	const u16 set = HCT_VCPU_SETS;
	struct hct_vcpu_id who = { .domid = 1 };
	u16 i;

	(void)state;
	for (i = 0; i < HCT_VCPU_WAYS; i++) {
		rig_run(rig, 0, 1, i * set);
		rig_call(rig, 0, WORD_MULTICALL, i == 2 ? 1 : 3);
		put_members(rig, 1);
	}
	rig_drain(rig);
	hct_pipeline_tick(&rig->p, 1000);
	/* All but the third are heard of again. */
	for (i = 0; i < HCT_VCPU_WAYS; i++) {
		rig_run(rig, 0, 1, i * set);
		if (i == 2)
			rig_call(rig, 0, HCT_OP_iret);
		else
			rig_call(rig, 0, WORD_MULTICALL, 2);
	}
	rig_drain(rig);
	hct_pipeline_tick(&rig->p, 1000);
	rig_run(rig, 0, 1, HCT_VCPU_WAYS * set);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_drain(rig);
	assert_int_equal(rig->p.vcpus->evicted, 0);
	who.vcpu = 2 * set;
	assert_null(hct_vcpu_find(rig->p.vcpus, &who));
	who.vcpu = 3 * set;
	assert_non_null(hct_vcpu_find(rig->p.vcpus, &who));
	rig_free(rig);
}

/* Members are followed even if they are not counted. */
static void test_members_not_counted(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig->p.settings.kinds[MEMBER] = false;
	rig_call(rig, 0, WORD_MULTICALL, 10);
	put_members(rig, 4);
	put_upcall(rig);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	assert_multicalls(rig, 1, 1, 10);
	rig_free(rig);
}

/* A multicall inside a multicall is refused by Xen, but traced: a member like others. */
static void test_nested(void **state)
{
	struct rig *rig = rig_of_d1();

	(void)state;
	rig_call(rig, 0, WORD_MULTICALL, 3);
	put_members(rig, 1);
	rig_member(rig, 0, WORD_MULTICALL, 8);
	put_members(rig, 1);
	assert_multicalls(rig, 1, 0, 3);
	assert_cell(rig, 1, MEMBER, HCT_OP_multicall, 1, 0, 8);
	rig_free(rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_mmu_update_parts),
		cmocka_unit_test(test_cache_flush),
		cmocka_unit_test(test_between_members),
		cmocka_unit_test(test_many_parts),
		cmocka_unit_test(test_inside_member),
		cmocka_unit_test(test_inside_unmarked_member),
		cmocka_unit_test(test_inside_last_member),
		cmocka_unit_test(test_mistaken),
		cmocka_unit_test(test_mistaken_of_one),
		cmocka_unit_test(test_mistaken_and_filtered),
		cmocka_unit_test(test_mistaken_and_reset),
		cmocka_unit_test(test_several_open),
		cmocka_unit_test(test_too_many_open),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_without_members),
		cmocka_unit_test(test_iret_ends),
		cmocka_unit_test(test_forged_iret),
		cmocka_unit_test(test_forged_resumption),
		cmocka_unit_test(test_vcpus_are_apart),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_domain_died),
		cmocka_unit_test(test_eviction),
		cmocka_unit_test(test_crowd_that_blocks),
		cmocka_unit_test(test_crowd_of_calls),
		cmocka_unit_test(test_crowd_of_multicalls),
		cmocka_unit_test(test_victims),
		cmocka_unit_test(test_members_not_counted),
		cmocka_unit_test(test_nested),
	};

	return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
