// SPDX-License-Identifier: GPL-2.0
/* From rings to statistics: attribution, losses, filters, breaker, gaps. */
#include "rig.h"

#define CALL	HCT_KIND_CALL
#define MEMBER	HCT_KIND_MEMBER
#define HVM	HCT_KIND_HVM

#define SCHED_BLOCK	1

static void test_s6_attribution(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_call(rig, 0, HCT_OP_xen_version);		/* nobody knows whose */
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_SCHED_OP, SCHED_BLOCK);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_run(rig, 0, IDLE, 0);
	rig_stop(rig, 0, IDLE, 0, XEN_RUNSTATE_RUNNABLE);
	rig_run(rig, 0, 0, 1);
	rig_put(rig, 0, RUNSTATE(BLOCKED, RUNNABLE), 0x00010000);	/* a wake of d1v0 */
	rig_call(rig, 0, WORD_MULTICALL, 2);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_member(rig, 0, WORD_MMU_UPDATE, 1);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00000001);
	rig_call(rig, 0, HCT_OP_event_channel_op);
	rig_drain(rig);

	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_xen_version, 1, 0, 0);
	assert_cell(rig, 1, CALL, HCT_CELL_SCHED + SCHED_BLOCK, 1, 0, 0);
	assert_cell(rig, 0, CALL, HCT_OP_multicall, 1, 0, 2);
	assert_cell(rig, 0, MEMBER, HCT_OP_update_va_mapping, 1, 0, 0);
	assert_cell(rig, 0, MEMBER, HCT_OP_mmu_update, 1, 0, 1);
	assert_cell(rig, 0, CALL, HCT_OP_event_channel_op, 1, 0, 0);
	assert_int_equal(rig_total(rig).attributed, 5);
	assert_int_equal(rig_total(rig).unattributed, 1);
	assert_int_equal(rig_total(rig).skipped, 7);
	assert_int_equal(rig->rings[0].attr.contradictions, 0);
	rig_free(rig);
}

/* Between two vCPUs, and while Xen idles, nobody can make a call. */
static void test_nobody_runs(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_RUNNABLE);
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, IDLE, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 0x7ff2, 0);		/* another domain of Xen's own */
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);

	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, 3, 0, 0);
	/* d1 ran, and that is all that is known of it. */
	assert_int_equal(rig->p.acct->nr, 1);
	assert_int_equal(rig_row(rig, 1)->cycles, 1);
	/* Each proves that something is amiss. */
	assert_int_equal(rig->rings[0].attr.contradictions, 3);
	rig_free(rig);
}

/* A vCPU that did not run here stops: one of the two records is about another pCPU. */
static void test_contradiction(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, HCT_OP_memory_op);
	rig_drain(rig);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, 1, 0, 0);
	assert_cell(rig, 1, CALL, HCT_OP_memory_op, 1, 0, 0);
	assert_int_equal(rig->rings[0].attr.contradictions, 1);
	assert_string_equal(hct_pipeline_trust(&rig->p), "suspect");
	rig_free(rig);
}

/*
 * Core scheduling: one pCPU writes the records of its siblings too. Nobody is
 * credited any more, until nothing of the kind was seen for a while.
 */
static void test_core_scheduling(void **state)
{
	struct rig *rig = rig_new(2, 4);
	u32 i;

	(void)state;
	assert_string_equal(hct_pipeline_trust(&rig->p), "ok");
	for (i = 0; i < HCT_TRUST_LIMIT; i++) {
		rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
		rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010001);
	}
	rig_run(rig, 1, 2, 0);
	rig_call(rig, 1, HCT_OP_iret);
	rig_drain(rig);
	assert_string_equal(hct_pipeline_trust(&rig->p), "UNRELIABLE");
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, 1, 0, 0);

	for (i = 0; i < HCT_TRUST_TICKS; i++) {
		assert_string_equal(hct_pipeline_trust(&rig->p), "UNRELIABLE");
		hct_pipeline_tick(&rig->p, 1000);
	}
	hct_pipeline_tick(&rig->p, 1000);
	assert_string_equal(hct_pipeline_trust(&rig->p), "suspect");
	rig_call(rig, 1, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 2, CALL, HCT_OP_iret, 1, 0, 0);
	hct_pipeline_reset(&rig->p);
	assert_string_equal(hct_pipeline_trust(&rig->p), "ok");
	rig_free(rig);
}

/* A few in a long time are no core scheduling. */
static void test_rare_contradictions(void **state)
{
	struct rig *rig = rig_new(1, 4);
	u32 i;

	(void)state;
	for (i = 0; i < 3 * HCT_TRUST_LIMIT; i++) {
		rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
		rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010001);
		if (i % (HCT_TRUST_LIMIT - 1))
			continue;
		rig_drain(rig);
		hct_pipeline_tick(&rig->p, 1000);
	}
	rig_drain(rig);
	assert_string_equal(hct_pipeline_trust(&rig->p), "suspect");
	rig_free(rig);
}

#define COOKIE		0xcafe2000u

/* A call of our own is found, says where we ran, and is in no statistics. */
static void test_marker(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	hct_marker_send(&rig->p.marker, COOKIE);
	rig_run(rig, 1, 0, 3);
	rig_call(rig, 1, WORD_MULTICALL, 1);
	rig_member(rig, 1, WORD_VCPU_OP, 3, COOKIE);
	rig_call(rig, 1, WORD_MULTICALL, 1);
	rig_member(rig, 1, WORD_VCPU_OP, 3, COOKIE + 1);
	rig_drain(rig);
	assert_true(rig->p.marker.seen);
	assert_true(rig->p.marker.known);
	assert_int_equal(rig->p.marker.pcpu, 1);
	assert_int_equal(rig->p.marker.who.vcpu, 3);
	assert_int_equal(rig_total(rig).filtered, 1);
	assert_cell(rig, 0, MEMBER, HCT_CELL_VCPU + HCT_VCPU_is_up, 1, 0, 0);
	rig_free(rig);
}

/* Right behind the start nobody is known: it is one of those whom nothing is credited to. */
static void test_marker_of_nobody(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	hct_marker_send(&rig->p.marker, COOKIE);
	rig_member(rig, 0, WORD_VCPU_OP, 3, COOKIE);
	rig_drain(rig);
	assert_true(rig->p.marker.seen);
	assert_false(rig->p.marker.known);
	rig_free(rig);
}

/* A guest that puts a cookie into its members moves nothing, and hides none of them. */
static void test_forged_marker(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u32 i;

	(void)state;
	hct_marker_send(&rig->p.marker, COOKIE);
	rig_run(rig, 0, 5, 0);
	rig_call(rig, 0, WORD_MULTICALL, 8);
	for (i = 0; i < 8; i++)
		rig_member(rig, 0, WORD_VCPU_OP, 3, COOKIE);
	rig_drain(rig);
	assert_true(rig->p.marker.awaited);
	assert_false(rig->p.marker.seen);
	assert_false(rig->p.marker.fresh);
	assert_int_equal(rig->p.marker.tsc, 0);
	assert_int_equal(rig_total(rig).filtered, 0);
	assert_cell(rig, 5, MEMBER, HCT_CELL_VCPU + HCT_VCPU_is_up, 8, 0, 0);
	rig_free(rig);
}

/* It is taken once: what looks like it afterwards is a call, dom0's own ones included. */
static void test_marker_once(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u64 tsc;

	(void)state;
	hct_marker_send(&rig->p.marker, COOKIE);
	rig_run(rig, 0, 0, 0);
	rig_member(rig, 0, WORD_VCPU_OP, 2, COOKIE);	/* another sub-operation */
	rig_call(rig, 0, WORD_VCPU_OP, 3, COOKIE);	/* no member */
	rig_member(rig, 0, HCT_OP_vcpu_op);
	rig_drain(rig);
	assert_true(rig->p.marker.awaited);
	rig_member(rig, 0, WORD_VCPU_OP, 3, COOKIE);
	rig_drain(rig);
	assert_false(rig->p.marker.awaited);
	/* It may come before the call has returned; both are needed to tell the time by it. */
	assert_false(hct_marker_take_times(&rig->p.marker));
	hct_marker_returned(&rig->p.marker, 1, 2);
	assert_true(hct_marker_take_times(&rig->p.marker));
	assert_false(hct_marker_take_times(&rig->p.marker));
	tsc = rig->p.marker.tsc;
	rig_member(rig, 0, WORD_VCPU_OP, 3, COOKIE);
	rig_drain(rig);
	assert_false(rig->p.marker.fresh);
	assert_true(rig->p.marker.tsc == tsc);
	assert_int_equal(rig_total(rig).filtered, 1);
	assert_cell(rig, 0, MEMBER, HCT_CELL_VCPU + HCT_VCPU_is_up, 1, 0, 0);
	assert_cell(rig, 0, CALL, HCT_CELL_VCPU + HCT_VCPU_is_up, 1, 0, 0);

	/* One that was refused, or never sent, is not waited for. */
	hct_marker_send(&rig->p.marker, COOKIE);
	hct_marker_refuse(&rig->p.marker);
	rig_member(rig, 0, WORD_VCPU_OP, 3, COOKIE);
	rig_member(rig, 0, WORD_VCPU_OP, 3, 0);
	rig_drain(rig);
	assert_int_equal(rig_total(rig).filtered, 1);
	rig_free(rig);
}

/* Whatever random bits there are, it is a number beyond all vCPUs that fits the record. */
static void test_cookies(void **state)
{
	u64 random = 1;
	u32 i;

	(void)state;
	assert_int_equal(hct_marker_cookie(0), 8192);
	assert_int_equal(hct_marker_cookie(~0u), ~0u);
	for (i = 0; i < 10000; i++)
		assert_true(hct_marker_cookie(rig_random(&random, ~0u)) >= HCT_MARKER_MIN);
}

/* A loss reported before anything else on a ring is from before we came. */
static void test_lost_before(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_put(rig, 0, XEN_TRC_LOST_RECORDS, 500, 1, 0, 0);
	rig_put(rig, 0, XEN_TRC_LOST_RECORDS, 7, 1, 0, 0);
	rig_drain(rig);
	assert_int_equal(rig_total(rig).lost_before, 500);
	assert_int_equal(rig_total(rig).lost, 7);
	rig_free(rig);
}

/* A stop without a start before it says at least that nobody runs now. */
static void test_stop_when_unknown(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_int_equal(rig->rings[0].attr.state, HCT_ATTR_NONE);
	assert_int_equal(rig->rings[0].attr.contradictions, 0);
	rig_free(rig);
}

/* "Goes on" is as good as "begins": often the first a busy ring says. */
static void test_continue(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00050001);
	rig_call(rig, 0, HCT_OP_iret);
	rig_put(rig, 1, XEN_TRC_SCHED_INFCONT, 6, 2, 1000, 2000);
	rig_call(rig, 1, HCT_OP_memory_op);
	/* Another one goes on that did not run: neither is believed. */
	rig_put(rig, 1, XEN_TRC_CONTINUE_RUNNING, 0x00070000);
	rig_call(rig, 1, HCT_OP_console_io);
	rig_drain(rig);
	assert_cell(rig, 5, CALL, HCT_OP_iret, 1, 0, 0);
	assert_cell(rig, 6, CALL, HCT_OP_memory_op, 1, 0, 0);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_console_io, 1, 0, 0);
	assert_int_equal(rig->rings[0].attr.contradictions, 0);
	assert_int_equal(rig->rings[1].attr.contradictions, 1);
	rig_free(rig);
}

/* What one ring says is nothing to another. */
static void test_rings_are_apart(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_run(rig, 1, 2, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 1, HCT_OP_memory_op);
	rig_stop(rig, 1, 2, 0, XEN_RUNSTATE_BLOCKED);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 2, 0, 0);
	assert_cell(rig, 2, CALL, HCT_OP_memory_op, 1, 0, 0);
	rig_free(rig);
}

static void test_lost_resync(void **state)
{
	struct rig *rig = rig_new(1, 1);
	struct fx_ring *xen = &rig->xen[0];

	(void)state;
	/* d1v0 runs, unknown to us; its records overflow, we hear of it by LOST. */
	xen->current_vcpu.domid = 1;
	rig_lose(rig, 0);
	rig_drain(rig);
	rig_call(rig, 0, HCT_OP_memory_op);
	rig_call(rig, 0, HCT_OP_memory_op);
	/* Then it overflows again, and d2v0 comes in meanwhile. */
	rig_lose(rig, 0);
	rig_drain(rig);
	xen->current_vcpu.domid = 2;
	rig_call(rig, 0, HCT_OP_console_io);
	rig_drain(rig);

	assert_cell(rig, 1, CALL, HCT_OP_memory_op, 2, 0, 0);
	assert_cell(rig, 2, CALL, HCT_OP_console_io, 1, 0, 0);
	assert_cell(rig, 2, CALL, HCT_OP_memory_op, 0, 0, 0);
	assert_int_equal(rig_total(rig).lost, 2);
	assert_int_equal(rig_total(rig).lost, xen->refused);
	rig_free(rig);
}

/* LOST may name the vCPU of before; the record behind it corrects that silently. */
static void test_lost_names_the_old(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_lose(rig, 0);
	rig_drain(rig);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00030004);
	rig_call(rig, 0, HCT_OP_console_io);
	rig_drain(rig);
	assert_cell(rig, 3, CALL, HCT_OP_console_io, 1, 0, 0);
	assert_int_equal(rig->rings[0].attr.contradictions, 0);
	rig_free(rig);
}

/*
 * Guests of 32 bits send what others send, in Xen's words: a PV guest with a multicall
 * (whose list has entries of half the size, which no record shows) and with addresses
 * above 2 GB, an HVM guest in protected mode, and on Xen 4.2 the old format.
 */
static void test_guests_of_32_bits(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 2);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_member(rig, 0, WORD_MMU_UPDATE, 3);
	rig_call(rig, 0, WORD_MMUEXT, 0x7fffffff);	/* the count's last bit is Xen's mark */
	rig_call(rig, 0, HCT_OP_iret);
	rig_put(rig, 0, 0x0020f001, 0xc04013a7, HCT_OP_sched_op);
	rig_run(rig, 0, 2, 0);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_hvm_op);
	rig_member(rig, 0, HCT_OP_xen_version);
	rig_drain(rig);

	assert_cell(rig, 1, CALL, HCT_OP_multicall, 1, 0, 2);
	assert_cell(rig, 1, MEMBER, HCT_OP_update_va_mapping, 1, 0, 0);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmu_update, 1, 0, 3);
	assert_cell(rig, 1, CALL, HCT_OP_mmuext_op, 1, 0, 0x7fffffff);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 1, 0, 0);
	assert_cell(rig, 1, HCT_KIND_V1, HCT_OP_sched_op, 1, 0, 0);
	assert_cell(rig, 2, HVM, HCT_OP_hvm_op, 1, 0, 0);
	assert_cell(rig, 2, MEMBER, HCT_OP_xen_version, 1, 0, 0);
	rig_free(rig);
}

/* In the hvm profile there are no runstates: the scheduler's switches tell. */
static void test_by_switch(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_restart(rig, HCT_PROFILE_HVM);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_memory_op);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 0, 1, 3, 2);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, 0x80010001);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, 64);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, 0x00100014);	/* no tags here: just a number */
	rig_member(rig, 0, WORD_MMU_UPDATE, 4);			/* without a parent */
	rig_put(rig, 0, XEN_TRC_SCHED_INFCONT, 3, 2, 1000, 2000);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 3, 2, IDLE, 0);
	rig_drain(rig);

	assert_special(rig, HCT_ROW_UNATTRIBUTED, HVM, HCT_OP_memory_op, 1, 0, 0);
	assert_cell(rig, 3, HVM, HCT_OP_sched_op, 2, 0, 0);
	assert_cell(rig, 3, HVM, HCT_CELL_VIRIDIAN, 1, 0, 0);
	assert_cell(rig, 3, HVM, HCT_CELL_OTHER, 2, 0, 0);
	assert_cell(rig, 3, MEMBER, HCT_OP_mmu_update, 1, 0, 4);
	assert_int_equal(rig->rings[0].attr.contradictions, 0);
	rig_free(rig);
}

/* With runstates a SCHED_SWITCH is no authority: it names units, not vCPUs. */
static void test_switch_beside_runstates(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_restart(rig, HCT_PROFILE_ALL);
	rig_run(rig, 0, 1, 1);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 1, 1, 2, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 1, 0, 0);
	rig_free(rig);
}

/* Records of every kind that are not calls, each in its own column. */
static void test_ledger_columns(void **state)
{
	struct rig *rig = rig_new(1, 1);
	struct hct_counters total;

	(void)state;
	rig_run(rig, 0, 1, 0);						/* skipped */
	rig_put(rig, 0, 0x00201104, 1, 2, 3, 4, 5);			/* skipped: page fault */
	rig_put(rig, 0, XEN_TRC_CPU_CHANGE, 2, 64);			/* skipped */
	rig_put(rig, 0, XEN_TRC_DOM_ADD, 9);				/* skipped */
	rig_put(rig, 0, XEN_TRC_DOM_ADD, 9, 9);				/* undecodable */
	rig_put_words(rig, 0, XEN_TRC_PV_HYPERCALL_V2, NULL, 0);	/* undecodable */
	rig_put_words(rig, 0, RUNSTATE(RUNNABLE, RUNNING), NULL, 0);	/* undecodable */
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, 0x0010001d);					/* forged */
	rig_put(rig, 0, XEN_TRC_PV_DRAFT, HCT_OP_iret);			/* skipped: not asked for */
	rig_put(rig, 0, 0x0020f001, 0xc04013a7, HCT_OP_sched_op);	/* v1 */
	rig_drain(rig);

	total = rig_total(rig);
	assert_int_equal(total.consumed, 11);
	assert_int_equal(total.skipped, 5);
	assert_int_equal(total.undecodable, 3);
	assert_int_equal(total.events, 3);
	assert_int_equal(total.malformed, 1);
	assert_int_equal(total.late, 0);
	assert_cell(rig, 1, HCT_KIND_V1, HCT_OP_sched_op, 1, 0, 0);

	rig->p.settings.kinds[HCT_KIND_DRAFT] = true;
	rig_put(rig, 0, XEN_TRC_PV_DRAFT, HCT_OP_multicall, 32);
	rig_drain(rig);
	assert_cell(rig, 1, HCT_KIND_DRAFT, HCT_OP_multicall, 1, 0, 32);

	hct_pipeline_reset(&rig->p);
	total = rig_total(rig);
	assert_int_equal(total.consumed, 0);
	assert_int_equal(rig->p.acct->nr, 0);
	rig_free(rig);
}

/* Padding carries stale memory; even a record in there is none. */
static void test_stale_padding(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u32 calls = 0;
	u32 lap;

	(void)state;
	rig_run(rig, 0, 1, 0);
	/* 20 and 16 bytes in turn, so that padding of several sizes comes about. */
	for (lap = 0; lap < 40; lap++) {
		u32 i;

		for (i = 0; i < 60; i++, calls++)
			rig_call(rig, 0, WORD_MULTICALL, 0);
		for (i = 0; i < lap; i++, calls++)
			rig_call(rig, 0, HCT_OP_memory_op);
		rig_drain(rig);
	}
	assert_int_equal(rig_total(rig).events, calls);
	assert_int_equal(rig_total(rig).undecodable, 0);
	assert_int_equal(rig_total(rig).consumed, rig->xen[0].written_records);
	rig_free(rig);
}

/* A guest can put any number in the op word: it must not pass for an op. */
static void test_forged(void **state)
{
	static const u32 forged[] = {
		0x0010001d,	/* a tag with no word behind it */
		0xfff0000d,	/* reserved tags */
		0x0040000d,	/* a multicall without its count */
		0x00c00001,
		0x00100017,
	};
	struct rig *rig = rig_new(1, 1);
	unsigned int i;

	(void)state;
	rig_run(rig, 0, 5, 0);
	for (i = 0; i < ARRAY_SIZE(forged); i++) {
		rig_call(rig, 0, forged[i]);
		rig_member(rig, 0, forged[i]);
		hct_account_tick(rig->p.acct, 1000);
	}
	rig_call(rig, 0, 0x000fffff);		/* not forged, but no op either */
	rig_drain(rig);

	assert_cell(rig, 5, CALL, HCT_CELL_MALFORMED, ARRAY_SIZE(forged), 0, 0);
	assert_cell(rig, 5, MEMBER, HCT_CELL_MALFORMED, ARRAY_SIZE(forged), 0, 0);
	assert_cell(rig, 5, CALL, HCT_CELL_OTHER, 1, 0, 0);
	for (i = 0; i < HCT_NR_OPS; i++) {
		assert_cell(rig, 5, CALL, i, 0, 0, 0);
		assert_cell(rig, 5, MEMBER, i, 0, 0, 0);
	}
	assert_int_equal(rig_total(rig).malformed, 2 * ARRAY_SIZE(forged));
	rig_free(rig);
}

static void forge(struct rig *rig, u32 nr)
{
	while (nr--)
		rig_call(rig, 0, 0xfff00000);
	rig_drain(rig);
}

static void assert_tripped(const struct rig *rig, u16 domid)
{
	assert_int_equal(rig->p.breaker.state, HCT_BREAKER_TRIPPED);
	assert_int_equal(rig->p.breaker.domid, domid);
}

static void assert_armed(const struct rig *rig)
{
	assert_int_equal(rig->p.breaker.state, HCT_BREAKER_ARMED);
}

/* Five of them trip it, over whatever time, in whatever stream; the worst is named. */
static void test_breaker(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 7, 0);
	forge(rig, 2);
	hct_account_tick(rig->p.acct, 1000);
	forge(rig, 1);
	rig_run(rig, 0, 8, 0);
	forge(rig, 1);
	assert_armed(rig);
	rig_restart(rig, HCT_PROFILE_PV);
	assert_armed(rig);
	rig_run(rig, 0, 8, 1);
	forge(rig, 1);
	assert_tripped(rig, 7);
	forge(rig, 9);
	assert_tripped(rig, 7);
	rig_free(rig);
}

/* Nobody is known to have made them: they count all the same, as do those of members. */
static void test_breaker_unattributed(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	forge(rig, 2);
	rig_member(rig, 0, 0xfff00000);
	rig->p.unreliable = true;
	rig_run(rig, 0, 7, 0);
	forge(rig, 1);
	assert_armed(rig);
	rig->p.unreliable = false;
	forge(rig, 1);
	assert_tripped(rig, HCT_BREAKER_NOBODY);
	rig_free(rig);
}

/* The first one is enough for the next round to begin at once, until it is tripped. */
static void test_breaker_hurries(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u32 i;

	(void)state;
	rig_run(rig, 0, 7, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_false(hct_pipeline_take_hurry(&rig->p));
	for (i = 0; i < 5; i++) {
		forge(rig, 1);
		assert_true(hct_pipeline_take_hurry(&rig->p));
		assert_false(hct_pipeline_take_hurry(&rig->p));
	}
	assert_tripped(rig, 7);
	forge(rig, 1);
	assert_false(hct_pipeline_take_hurry(&rig->p));
	rig_free(rig);
}

/* What was recorded before a start is not held against anybody behind it. */
static void test_breaker_forgives(void **state)
{
	struct rig *rig = rig_new(2, 1);
	u32 i;

	(void)state;
	rig_run(rig, 0, 7, 0);
	rig_run(rig, 1, 8, 0);
	forge(rig, 9);
	assert_tripped(rig, 7);
	for (i = 0; i < 9; i++)
		rig_call(rig, 1, 0xfff00000);
	hct_pipeline_forgive(&rig->p);
	for (i = 0; i < 4; i++)
		rig_call(rig, 1, 0xfff00000);
	rig_drain(rig);
	assert_armed(rig);
	assert_false(hct_breaker_opened(&rig->p.breaker));
	rig_call(rig, 1, 0xfff00000);
	rig_drain(rig);
	assert_tripped(rig, 8);
	assert_int_equal(rig_total(rig).malformed, 9 + 9 + 4 + 1);
	rig_free(rig);
}

/* Switched off it looks at nothing. */
static void test_breaker_off(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.breaker = false;
	rig_run(rig, 0, 7, 0);
	forge(rig, 100);
	assert_armed(rig);
	assert_false(rig->p.hurry);
	assert_int_equal(rig_total(rig).malformed, 100);
	rig_free(rig);
}

/* A domain that is created or destroyed is not the one that had its id before. */
static void test_breaker_death(void **state)
{
	struct rig *rig = rig_new(1, 1);
	struct hct_breaker *b = &rig->p.breaker;

	(void)state;
	rig_run(rig, 0, 7, 0);
	forge(rig, 5);
	assert_true(hct_breaker_opened(b));
	assert_false(hct_breaker_is_over(b));
	rig_put(rig, 0, XEN_TRC_DOM_REM, 8);
	rig_drain(rig);
	assert_false(hct_breaker_is_over(b));
	rig_put(rig, 0, XEN_TRC_DOM_REM, 7);
	rig_drain(rig);
	assert_true(hct_breaker_is_over(b));
	rig_free(rig);
}

/* The breaker looks at what comes in, not at what is counted. */
static void test_breaker_despite_filter(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.kinds[CALL] = false;
	rig_run(rig, 0, 7, 0);
	forge(rig, 5);
	assert_tripped(rig, 7);
	assert_int_equal(rig_total(rig).filtered, 5);
	rig_free(rig);
}

/* Domains beyond the table share a row, but not the blame. */
static void test_breaker_beyond_table(void **state)
{
	struct rig *rig = rig_new(1, 4);
	u32 i;

	(void)state;
	for (i = 0; i < HCT_MAX_DOMAINS; i++) {
		rig_run(rig, 0, i, 0);
		rig_call(rig, 0, HCT_OP_iret);
	}
	rig_drain(rig);
	rig_run(rig, 0, 300, 0);
	forge(rig, 5);
	assert_tripped(rig, 300);
	rig_free(rig);
}

static void story_for_filters(struct rig *rig)
{
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 2);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_member(rig, 0, WORD_MMU_UPDATE, 3);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, 0x000fffff);
	rig_run(rig, 0, 2, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
}

static void test_filter_kinds(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.kinds[MEMBER] = false;
	story_for_filters(rig);
	assert_int_equal(rig_total(rig).filtered, 2);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmu_update, 0, 0, 0);
	assert_cell(rig, 1, CALL, HCT_OP_multicall, 1, 0, 2);
	rig_free(rig);
}

static void test_filter_domains(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.all_domains = false;
	rig->p.settings.domains[0] = 1 << 2;
	story_for_filters(rig);
	assert_int_equal(rig_total(rig).filtered, 5);
	assert_cell(rig, 2, CALL, HCT_OP_iret, 1, 0, 0);
	rig_free(rig);
}

static void test_filter_ops(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.all_ops = false;
	rig->p.settings.ops = 1ull << HCT_OP_iret | 1ull << HCT_OP_mmu_update | 1ull << 63;
	story_for_filters(rig);
	assert_int_equal(rig_total(rig).filtered, 3);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 1, 0, 0);
	assert_cell(rig, 1, MEMBER, HCT_OP_mmu_update, 1, 0, 3);
	assert_cell(rig, 1, CALL, HCT_CELL_OTHER, 0, 0, 0);
	assert_cell(rig, 2, CALL, HCT_OP_iret, 1, 0, 0);
	rig_free(rig);
}

/* Calls of nobody known: of the kinds and ops that are asked for, and of any domain. */
static void test_filter_unattributed(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.kinds[MEMBER] = false;
	rig->p.settings.all_ops = false;
	rig->p.settings.ops = 1ull << HCT_OP_iret | 1ull << HCT_OP_mmu_update;
	rig->p.settings.all_domains = false;
	rig->p.settings.domains[0] = 1 << 2;
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, HCT_OP_memory_op);
	rig_call(rig, 0, 0xfff00000 | HCT_OP_iret);
	rig_call(rig, 0, 0x000fffff);
	rig_member(rig, 0, HCT_OP_iret);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_iret);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_drain(rig);
	assert_int_equal(rig_total(rig).unattributed, 7);
	assert_int_equal(rig_total(rig).filtered, 5);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, 1, 0, 0);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, HVM, HCT_OP_iret, 1, 0, 0);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, MEMBER, HCT_OP_iret, 0, 0, 0);

	rig->p.settings.kinds[CALL] = false;
	rig->p.settings.kinds[HVM] = false;
	rig->p.settings.all_ops = true;
	rig_call(rig, 0, HCT_OP_iret);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_iret);
	rig_drain(rig);
	assert_int_equal(rig_total(rig).filtered, 7);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, 1, 0, 0);
	rig_free(rig);
}

/* A forged op word is a number beyond all ops, whatever its low bits say. */
static void test_filter_forged(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.all_ops = false;
	rig->p.settings.ops = 1ull << HCT_OP_iret;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, 0xfff00000 | HCT_OP_iret);
	rig_call(rig, 0, 0xfff00000 | HCT_OP_mmu_update);
	rig_drain(rig);
	assert_int_equal(rig_total(rig).malformed, 2);
	assert_int_equal(rig_total(rig).filtered, 2);
	assert_cell(rig, 1, CALL, HCT_CELL_MALFORMED, 0, 0, 0);
	rig_free(rig);
}

/* The calls whose caller is unknown: nobody can vouch for a mark, so they are calls. */
static void test_unattributed_continuation(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_call(rig, 0, WORD_MMU_UPDATE, 1000);
	rig_call(rig, 0, WORD_MMU_UPDATE, 600 | PREEMPTED);
	rig_drain(rig);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_mmu_update, 2, 0, 1600);
	assert_int_equal(rig->p.acct->special[HCT_ROW_UNATTRIBUTED].doubted[CALL],
			 1 << HCT_MARKED_MMU_UPDATE);
	rig_free(rig);
}

/* What was recorded before a gap is still credited by what came before it. */
static void test_gap(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_run(rig, 1, 2, 0);
	rig_call(rig, 0, HCT_OP_iret);
	hct_pipeline_gap(&rig->p);
	rig_call(rig, 0, HCT_OP_memory_op);
	rig_call(rig, 1, HCT_OP_memory_op);
	rig_run(rig, 0, 3, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 1, 0, 0);
	assert_cell(rig, 3, CALL, HCT_OP_iret, 1, 0, 0);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_memory_op, 2, 0, 0);
	rig_free(rig);
}

/* A gap set while half of the records are read, on a held one, or on an empty ring. */
static void test_gap_in_a_round(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, HCT_OP_iret);
	hct_round_begin(&rig->p, true);
	assert_true(hct_round_run(&rig->p, 2));
	rig_call(rig, 0, HCT_OP_iret);
	hct_pipeline_gap(&rig->p);
	rig_call(rig, 0, HCT_OP_memory_op);
	assert_false(hct_round_run(&rig->p, 100));
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 3, 0, 0);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_memory_op, 1, 0, 0);

	rig_run(rig, 0, 1, 0);
	rig_drain(rig);
	hct_pipeline_gap(&rig->p);
	rig_call(rig, 0, HCT_OP_memory_op);
	rig_drain(rig);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_memory_op, 2, 0, 0);
	rig_free(rig);
}

/* A second gap before the first is reached: between them nothing is known either. */
static void test_two_gaps(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, HCT_OP_iret);
	hct_pipeline_gap(&rig->p);
	rig_call(rig, 0, HCT_OP_memory_op);
	hct_pipeline_gap(&rig->p);
	rig_call(rig, 0, HCT_OP_memory_op);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 1, 0, 0);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_memory_op, 2, 0, 0);
	rig_free(rig);
}

/* Runstates that come along while switches are the authority, as when a reader leaves. */
static void test_runstates_beside_switches(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_restart(rig, HCT_PROFILE_HVM);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, IDLE, 0, 1, 0);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 1, 0, 2, 0);
	rig_put(rig, 0, RUNSTATE(RUNNING, RUNNABLE), 0x00010000);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00020000);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_drain(rig);
	assert_cell(rig, 1, HVM, HCT_OP_sched_op, 1, 0, 0);
	assert_cell(rig, 2, HVM, HCT_OP_sched_op, 1, 0, 0);
	assert_int_equal(rig->rings[0].attr.contradictions, 0);
	rig_free(rig);
}

/* From a gap on, who runs is learnt in the manner of the new profile. */
static void test_gap_changes_profile(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 1, 0, 2, 0);
	rig_call(rig, 0, HCT_OP_iret);
	hct_pipeline_learn_by_switch(&rig->p, true);
	hct_pipeline_gap(&rig->p);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 1, 0, 2, 0);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_drain(rig);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 1, 0, 0);
	assert_cell(rig, 2, HVM, HCT_OP_sched_op, 1, 0, 0);
	rig_free(rig);
}

/* Other rings may be fewer, and in another order: each pCPU's ledger goes on. */
static void test_other_rings(void **state)
{
	static struct hct_ring others[2];
	struct rig *rig = rig_new(3, 1);
	u32 cpu;

	(void)state;
	for (cpu = 0; cpu < 3; cpu++) {
		rig_put(rig, cpu, RUNSTATE(RUNNABLE, RUNNING), cpu);
		rig_call(rig, cpu, HCT_OP_iret);
	}
	rig_call(rig, 2, HCT_OP_iret);
	rig_drain(rig);
	assert_ptr_equal(hct_pipeline_ring(&rig->p, 2), &rig->rings[2]);

	memset(others, 0, sizeof(others));
	others[0].pcpu = 2;
	others[1].pcpu = 1;
	assert_ptr_equal(hct_pipeline_attach(&rig->p, others, 2), rig->rings);
	assert_int_equal(others[0].count.events, 2);
	assert_int_equal(others[1].count.events, 1);
	assert_true(others[0].peak_used > others[1].peak_used);
	assert_ptr_equal(hct_pipeline_ring(&rig->p, 2), &others[0]);
	assert_ptr_equal(hct_pipeline_ring(&rig->p, 1), &others[1]);
	assert_null(hct_pipeline_ring(&rig->p, 0));

	assert_ptr_equal(hct_pipeline_attach(&rig->p, rig->rings, 3), others);
	rig_free(rig);
}

/* A new start forgets who ran and what was open, not what was counted. */
static void test_restart(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 4);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_drain(rig);
	rig_restart(rig, HCT_PROFILE_PV);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_drain(rig);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, MEMBER, HCT_OP_update_va_mapping, 1, 0, 0);
	assert_cell(rig, 1, CALL, HCT_OP_multicall, 2, 0, 7);
	rig_free(rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s6_attribution),
		cmocka_unit_test(test_nobody_runs),
		cmocka_unit_test(test_contradiction),
		cmocka_unit_test(test_core_scheduling),
		cmocka_unit_test(test_rare_contradictions),
		cmocka_unit_test(test_marker),
		cmocka_unit_test(test_marker_of_nobody),
		cmocka_unit_test(test_forged_marker),
		cmocka_unit_test(test_marker_once),
		cmocka_unit_test(test_cookies),
		cmocka_unit_test(test_lost_before),
		cmocka_unit_test(test_stop_when_unknown),
		cmocka_unit_test(test_continue),
		cmocka_unit_test(test_rings_are_apart),
		cmocka_unit_test(test_lost_resync),
		cmocka_unit_test(test_lost_names_the_old),
		cmocka_unit_test(test_guests_of_32_bits),
		cmocka_unit_test(test_by_switch),
		cmocka_unit_test(test_other_rings),
		cmocka_unit_test(test_switch_beside_runstates),
		cmocka_unit_test(test_ledger_columns),
		cmocka_unit_test(test_stale_padding),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_breaker),
		cmocka_unit_test(test_breaker_unattributed),
		cmocka_unit_test(test_breaker_hurries),
		cmocka_unit_test(test_breaker_forgives),
		cmocka_unit_test(test_breaker_off),
		cmocka_unit_test(test_breaker_death),
		cmocka_unit_test(test_breaker_despite_filter),
		cmocka_unit_test(test_breaker_beyond_table),
		cmocka_unit_test(test_filter_kinds),
		cmocka_unit_test(test_filter_domains),
		cmocka_unit_test(test_filter_ops),
		cmocka_unit_test(test_filter_unattributed),
		cmocka_unit_test(test_filter_forged),
		cmocka_unit_test(test_unattributed_continuation),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_gap_in_a_round),
		cmocka_unit_test(test_two_gaps),
		cmocka_unit_test(test_gap_changes_profile),
		cmocka_unit_test(test_runstates_beside_switches),
		cmocka_unit_test(test_restart),
	};

	return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
