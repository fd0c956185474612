// SPDX-License-Identifier: GPL-2.0
/*
 * What a guest makes up costs nobody but itself: a neighbour's figures and events are
 * the same whether it does or not. docs/trust.md has what is believed of whom.
 */
#include "rig.h"

#define HONEST		1
#define FORGER		5
#define COOKIE		0xcafe2000u

/* What was told of the honest domain: a digest of each event but for when, and which batch. */
static struct {
	u64 calls;
	u64 batches;
	u64 digest;
	u64 gaps;
} heard;

static void digest(u64 value)
{
	heard.digest = (heard.digest ^ value) * 0x100000001b3ull;
	heard.digest ^= heard.digest >> 29;
}

static void on_call(void *ctx, const struct xen_hctrace_call *call)
{
	(void)ctx;
	assert_int_not_equal(call->domid, XEN_HCTRACE_UNKNOWN);
	if (call->domid != HONEST)
		return;
	heard.calls++;
	digest(call->op);
	digest(call->a0 | (u64)call->a1 << 32);
	digest(call->a2 | (u64)call->vcpu << 32 | (u64)call->pcpu << 48);
	digest(call->flags | (u64)call->kind << 16 | (u64)call->args << 24 |
	       (u64)call->subop << 32 | (u64)!!call->batch << 48);
}

static void on_batch(void *ctx, const struct hct_batch_event *batch)
{
	(void)ctx;
	if (batch->who.domid != HONEST)
		return;
	heard.batches++;
	digest(batch->declared | (u64)batch->seen << 32);
	digest(batch->splits | (u64)batch->end << 32 | (u64)batch->who.vcpu << 40);
}

static void on_loss(void *ctx, const struct hct_loss_event *loss)
{
	(void)ctx;
	(void)loss;
	heard.gaps++;
}

static const struct hct_sink sink = { .call = on_call, .batch = on_batch, .loss = on_loss };

/* A time slice of the honest domain: a few calls, a multicall begun, or the rest of one. */
static void live(struct rig *rig, u32 cpu, u64 *random, u32 *left)
{
	u32 nr = rig_random(random, 5);

	if (*left) {
		/* Preempted: the upcall ran first, as often as not. */
		if (rig_random(random, 2))
			rig_call(rig, cpu, HCT_OP_iret);
		rig_call(rig, cpu, WORD_MULTICALL, *left);
	} else {
		rig_call(rig, cpu, WORD_VCPU_OP, 3, rig_random(random, 4));
		rig_call(rig, cpu, WORD_MMU_UPDATE, 1 + rig_random(random, 9));
		*left = 2 + rig_random(random, 20);
		rig_call(rig, cpu, WORD_MULTICALL, *left);
	}
	for (nr++; nr && *left; nr--, (*left)--)
		rig_member(rig, cpu, HCT_OP_update_va_mapping);
}

/* One call with everything in it that a guest can choose. */
static void forge(struct rig *rig, u32 cpu, u64 *random)
{
	static const u32 counts[] = { 0, 1, 2, 7, 20, 0x7fffffff, 0x80000000, 0xffffffff };
	const u32 count = counts[rig_random(random, ARRAY_SIZE(counts))];
	const u32 any = rig_random(random, ~0u);

	switch (rig_random(random, 12)) {
	case 0:
		rig_call(rig, cpu, any);
		break;
	case 1:
		rig_member(rig, cpu, any);
		break;
	case 2:
		rig_call(rig, cpu, WORD_MMU_UPDATE, count);
		break;
	case 3:
		rig_member(rig, cpu, WORD_MMUEXT, count | PREEMPTED);
		break;
	case 4:
		rig_call(rig, cpu, WORD_GRANT, 12 | any << 12, count);
		break;
	case 5:
	case 6:
		rig_call(rig, cpu, WORD_MULTICALL, count);
		break;
	case 7:
		rig_member(rig, cpu, HCT_OP_iret);
		break;
	case 8:
		rig_member(rig, cpu, WORD_VCPU_OP, 3, COOKIE);
		break;
	case 9:
		rig_put(rig, cpu, XEN_TRC_HVM_VMMCALL, any);
		break;
	case 10:
		rig_call(rig, cpu, WORD_SCHED_OP, any);
		break;
	default:
		rig_member(rig, cpu, HCT_OP_update_va_mapping);
	}
}

/* The first vCPU of the forger that shares its place in the table with that of the honest one. */
static u16 place_of(u16 vcpu)
{
	return HCT_VCPU_SETS + vcpu - (FORGER - HONEST) * 31;
}

/* Both domains on both pCPUs, in turn. The forger has many vCPUs, d1 two. */
static void story(struct hct_domain *row, bool forging, u64 seed)
{
	struct rig *rig = rig_new(2, 16);
	u64 schedule = seed, honest = seed + 1, forged = seed + 2;
	u32 left[2] = { 0 };
	u32 i, slice, nr;

	memset(&heard, 0, sizeof(heard));
	rig->p.sink = &sink;
	/* The drawing of cookies is another matter: this one is known. */
	hct_marker_send(&rig->p.marker, COOKIE);
	for (i = 0; i < 3000; i++) {
		const u32 cpu = rig_random(&schedule, 2);

		rig_run(rig, cpu, HONEST, cpu);
		live(rig, cpu, &honest, &left[cpu]);
		for (slice = 0; slice < 6; slice++) {
			rig_run(rig, cpu, FORGER, place_of(cpu) + rig_random(&schedule, 24) *
				HCT_VCPU_SETS);
			for (nr = forging ? rig_random(&forged, 4) : 0; nr; nr--)
				forge(rig, cpu, &forged);
		}
		if (i % 16 == 15)
			rig_drain(rig);
		if (i % 500 == 499)
			hct_pipeline_tick(&rig->p, 1000);
	}
	rig_drain(rig);

	*row = *rig_row(rig, HONEST);
	assert_true(rig->p.marker.awaited);
	assert_false(rig->p.marker.seen);
	assert_string_equal(hct_pipeline_trust(&rig->p), "ok");
	assert_int_equal(rig_total(rig).unattributed, 0);
	assert_int_equal(rig_total(rig).lost, 0);
	assert_int_equal(heard.gaps, 0);
	if (forging) {
		assert_true(rig_total(rig).malformed > 1000);
		assert_true(rig_total(rig).events > 3 * heard.calls / 2);
		assert_true(rig->p.vcpus->evicted > 100);
		assert_int_equal(rig->p.breaker.state, HCT_BREAKER_TRIPPED);
		assert_int_equal(rig->p.breaker.domid, FORGER);
	} else {
		assert_int_equal(rig_total(rig).malformed, 0);
	}
	rig_free(rig);
}

static void test_neighbour(void **state)
{
	static struct hct_domain alone, beside;
	u64 seed;

	(void)state;
	for (seed = 20261130; seed < 20261140; seed++) {
		u64 calls, batches, events;

		story(&alone, false, seed);
		calls = heard.calls;
		batches = heard.batches;
		events = heard.digest;
		assert_true(calls > 6000 && batches > 500);

		story(&beside, true, seed);
		assert_memory_equal(beside.cells, alone.cells, sizeof(alone.cells));
		assert_memory_equal(&beside.batches, &alone.batches, sizeof(alone.batches));
		assert_int_equal(heard.calls, calls);
		assert_int_equal(heard.batches, batches);
		assert_true(heard.digest == events);
	}
}

/*
 * HVM guests may write records of a class of their own, with whatever behind it. We never
 * ask for it, but another program may for half a second: none of it means anything.
 */
static void test_guests_own_class(void **state)
{
	static const u32 events[] = {
		XEN_TRC_PV_HYPERCALL_V2, XEN_TRC_PV_SUBCALL, XEN_TRC_HVM_VMMCALL,
		XEN_TRC_LOST_RECORDS, XEN_TRC_DOM_ADD, XEN_TRC_DOM_REM, XEN_TRC_SCHED_SWITCH,
		XEN_TRC_CONTINUE_RUNNING, RUNSTATE(RUNNABLE, RUNNING), RUNSTATE(RUNNING, BLOCKED),
	};
	struct rig *rig = rig_new(1, 1);
	u32 i;

	(void)state;
	rig_run(rig, 0, HONEST, 0);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		/* As Xen makes it of what the guest says: the class is not the guest's choice. */
		rig_put(rig, 0, XEN_TRC_CLS_GUEST | (events[i] & 0xffff), FORGER, 0, FORGER, 0);
		rig_put(rig, 0, XEN_TRC_CLS_GUEST | events[i], FORGER << 16, FORGER, 0, 0, 0);
	}
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, HONEST, HCT_KIND_CALL, HCT_OP_iret, 1, 0, 0);
	assert_int_equal(rig_total(rig).events, 1);
	assert_int_equal(rig_total(rig).lost + rig_total(rig).lost_before, 0);
	assert_int_equal(rig_total(rig).skipped, 1 + 2 * ARRAY_SIZE(events));
	assert_int_equal(rig->p.acct->deaths, 0);
	assert_string_equal(hct_pipeline_trust(&rig->p), "ok");
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_neighbour),
		cmocka_unit_test(test_guests_own_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
