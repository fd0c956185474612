// SPDX-License-Identifier: GPL-2.0
/* What a sink is told: each event with its fields and flags, and no more of them. */
#include "rig.h"

#define CALL		HCT_KIND_CALL

#define MAX_EVENTS	64

static struct {
	struct xen_hctrace_call calls[MAX_EVENTS];
	struct hct_batch_event batches[MAX_EVENTS];
	struct hct_loss_event losses[MAX_EVENTS];
	struct hct_domain_event domains[MAX_EVENTS];
	u32 nr_calls, nr_batches, nr_losses, nr_domains, nr_records;
} heard;

static void on_record(void *ctx, u16 pcpu, const u32 *words, unsigned int nr_words)
{
	assert_ptr_equal(ctx, &heard);
	assert_true(pcpu < RIG_MAX_RINGS);
	assert_int_equal(nr_words, xen_trc_words(words[0]));
	heard.nr_records++;
}

static void on_call(void *ctx, const struct xen_hctrace_call *call)
{
	assert_ptr_equal(ctx, &heard);
	assert_true(heard.nr_calls < MAX_EVENTS);
	heard.calls[heard.nr_calls++] = *call;
}

static void on_batch(void *ctx, const struct hct_batch_event *batch)
{
	assert_ptr_equal(ctx, &heard);
	assert_true(heard.nr_batches < MAX_EVENTS);
	heard.batches[heard.nr_batches++] = *batch;
}

static void on_loss(void *ctx, const struct hct_loss_event *loss)
{
	assert_ptr_equal(ctx, &heard);
	assert_true(heard.nr_losses < MAX_EVENTS);
	heard.losses[heard.nr_losses++] = *loss;
}

static void on_domain(void *ctx, const struct hct_domain_event *domain)
{
	assert_ptr_equal(ctx, &heard);
	assert_true(heard.nr_domains < MAX_EVENTS);
	heard.domains[heard.nr_domains++] = *domain;
}

static const struct hct_sink sink = {
	.record = on_record,
	.call = on_call,
	.batch = on_batch,
	.loss = on_loss,
	.domain = on_domain,
	.ctx = &heard,
};

static struct rig *listen(u32 nr_rings)
{
	struct rig *rig = rig_new(nr_rings, 1);

	memset(&heard, 0, sizeof(heard));
	rig->p.sink = &sink;
	return rig;
}

/* The ledger and the sink agree. */
static void done(struct rig *rig)
{
	struct hct_counters total;

	rig_drain(rig);
	total = rig_total(rig);
	assert_int_equal(heard.nr_calls, total.events);
	assert_int_equal(heard.nr_records, total.consumed);
	rig_free(rig);
}

static void test_fields(void **state)
{
	struct rig *rig = listen(2);
	const struct xen_hctrace_call *call = heard.calls;

	(void)state;
	rig_run(rig, 1, 3, 2);
	rig_call(rig, 1, WORD_GRANT, 5 | 3 << 12, 2);
	rig_call(rig, 1, HCT_OP_iret);
	rig_call(rig, 1, WORD_SCHED_OP, 0xabcdef);
	done(rig);

	assert_int_equal(call->tsc, 1001);
	assert_int_equal(call->ns, 0);
	assert_int_equal(call->op, HCT_OP_grant_table_op);
	assert_int_equal(call->args, 5);
	assert_int_equal(call->a0, 5 | 3 << 12);
	assert_int_equal(call->a1, 0);
	assert_int_equal(call->a2, 2);
	assert_int_equal(call->batch, 0);
	assert_int_equal(call->domid, 3);
	assert_int_equal(call->vcpu, 2);
	assert_int_equal(call->pcpu, 1);
	assert_int_equal(call->kind, XEN_HCTRACE_KIND_CALL);
	assert_int_equal(call->subop, 5);
	assert_int_equal(call->flags, XEN_HCTRACE_F_NO_NS);

	assert_int_equal(call[1].op, HCT_OP_iret);
	assert_int_equal(call[1].args, 0);
	assert_int_equal(call[1].subop, XEN_HCTRACE_NO_SUBOP);
	assert_int_equal(call[2].subop, XEN_HCTRACE_NO_SUBOP);
	assert_int_equal(call[2].a0, 0xabcdef);
	/* Nobody tells these yet. */
	assert_int_equal(call->pid, 0);
	assert_int_equal(call->target, XEN_HCTRACE_UNKNOWN);
	assert_int_equal(call->reserved, 0);
}

static void test_unknown(void **state)
{
	struct rig *rig = listen(1);

	(void)state;
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, WORD_MMU_UPDATE, 7 | PREEMPTED);
	done(rig);
	assert_int_equal(heard.calls[0].domid, XEN_HCTRACE_UNKNOWN);
	assert_int_equal(heard.calls[0].vcpu, XEN_HCTRACE_UNKNOWN);
	/* Nobody vouches for its mark. */
	assert_int_equal(heard.calls[1].flags, XEN_HCTRACE_F_NO_NS);
}

static void test_flags(void **state)
{
	const u32 forged = 3 | 3u << 20;
	struct rig *rig = listen(1);
	struct xen_hctrace_call *call = heard.calls;

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, forged);
	rig_call(rig, 0, HCT_OP_iret, 1, 2);
	rig_call(rig, 0, HCT_OP_mmu_update);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, 1u << 31);
	rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, HCT_OP_sched_op);
	rig_call(rig, 0, HCT_OP_multicall | TAG(1, 2), 3, 1);
	rig_call(rig, 0, HCT_OP_iret | TAG(3, 1), 3);
	rig_drain(rig);
	/* Now somebody contradicts. */
	rig->p.unreliable = true;
	rig_call(rig, 0, HCT_OP_iret);
	done(rig);

	assert_int_equal(call[0].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_MALFORMED);
	assert_int_equal(call[0].op, forged);
	assert_int_equal(call[0].args, 0);
	assert_int_equal(call[1].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_SURPLUS);
	assert_int_equal(call[2].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_ARGS_MISSING);
	assert_int_equal(call[3].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_NO_TSC |
					XEN_HCTRACE_F_VIRIDIAN);
	assert_int_equal(call[4].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_NO_TSC);
	assert_int_equal(call[4].tsc, call[2].tsc);
	assert_int_equal(call[4].kind, XEN_HCTRACE_KIND_HVM);
	assert_int_equal(call[5].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_WIDE_ARGS);
	assert_int_equal(call[5].a1, 3);
	assert_int_equal(call[6].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_WIDE_ARGS);
	assert_int_equal(call[7].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_UNRELIABLE);
	assert_int_equal(call[7].domid, XEN_HCTRACE_UNKNOWN);
}

static void test_late(void **state)
{
	struct rig *rig = listen(1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig->now -= 500;
	rig_call(rig, 0, HCT_OP_iret);
	done(rig);
	assert_int_equal(heard.calls[0].flags, XEN_HCTRACE_F_NO_NS);
	assert_int_equal(heard.calls[1].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_LATE);
}

static void test_batches(void **state)
{
	struct rig *rig = listen(1);
	const struct xen_hctrace_call *call = heard.calls;
	const struct hct_batch_event *batch = heard.batches;
	u32 i;

	(void)state;
	rig_run(rig, 0, 1, 0);
	/* A multicall of 10, preempted after 4, an upcall in between. */
	rig_call(rig, 0, WORD_MULTICALL, 10);
	for (i = 0; i < 4; i++)
		rig_member(rig, 0, HCT_OP_iret + 1);
	rig_call(rig, 0, WORD_SCHED_OP, 0);
	rig_call(rig, 0, WORD_MULTICALL, 6);
	for (i = 0; i < 6; i++)
		rig_member(rig, 0, HCT_OP_iret + 1);
	/* An empty one, one that ends early, and one the domain's end cuts short. */
	rig_call(rig, 0, WORD_MULTICALL, 0);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, WORD_MULTICALL, 2);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 1);
	done(rig);

	assert_int_equal(heard.nr_batches, 4);
	assert_int_equal(batch[0].declared, 10);
	assert_int_equal(batch[0].seen, 10);
	assert_int_equal(batch[0].splits, 1);
	assert_int_equal(batch[0].end, HCT_END_COMPLETE);
	assert_int_equal(batch[0].who.domid, 1);
	assert_int_equal(batch[0].at.tsc, 1013);
	assert_int_equal(batch[1].declared, 0);
	assert_int_equal(batch[1].end, HCT_END_COMPLETE);
	assert_int_equal(batch[2].declared, 3);
	assert_int_equal(batch[2].seen, 1);
	assert_int_equal(batch[2].end, HCT_END_SHORT);
	assert_int_equal(batch[3].declared, 2);
	assert_int_equal(batch[3].seen, 0);

	/* The multicall, its members and its continuation bear one number. */
	for (i = 0; i < 12; i++)
		assert_int_equal(call[i].batch, i == 5 ? 0 : batch[0].id);
	assert_int_equal(call[0].flags, XEN_HCTRACE_F_NO_NS);
	assert_int_equal(call[6].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_CONTINUED);
	assert_int_equal(call[13].batch, batch[1].id);
	assert_int_equal(call[14].batch, batch[2].id);
	assert_int_equal(call[15].batch, batch[2].id);
	assert_int_equal(call[16].batch, batch[3].id);
	assert_int_equal(heard.nr_domains, 1);
	assert_int_equal(heard.domains[0].domid, 1);
	assert_false(heard.domains[0].created);
}

/* A batch whose last member was preempted is over once, not twice. */
static void test_batch_ends_once(void **state)
{
	struct rig *rig = listen(1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, WORD_MMU_UPDATE, 600);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, WORD_MMU_UPDATE, 200 | PREEMPTED);
	done(rig);
	assert_int_equal(heard.nr_batches, 1);
	assert_int_equal(heard.calls[3].batch, heard.calls[0].batch);
	assert_int_equal(heard.calls[3].flags, XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_CONTINUED);
}

/* What looks like a continuation by its size, and is not, does not count as a split. */
static void test_mistaken(void **state)
{
	struct rig *rig = listen(1);

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, HCT_OP_iret + 1);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	rig_member(rig, 0, HCT_OP_iret + 2);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 1);
	done(rig);
	assert_int_equal(heard.nr_batches, 2);
	assert_int_equal(heard.batches[0].splits, 0);
	assert_int_equal(heard.batches[1].splits, 0);
	assert_int_not_equal(heard.calls[3].batch, heard.calls[1].batch);
}

static void test_losses(void **state)
{
	struct rig *rig = listen(1);
	struct hct_counters total;
	u32 i;
	u64 sum = 0;

	(void)state;
	rig->p.sink = NULL;
	rig_run(rig, 0, 1, 0);
	rig_lose(rig, 0);
	rig_drain(rig);
	rig->p.sink = &sink;
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	total = rig_total(rig);
	for (i = 0; i < heard.nr_losses; i++)
		sum += heard.losses[i].count;
	assert_int_equal(heard.nr_losses, 1);
	assert_int_equal(sum, total.lost);
	assert_false(heard.losses[0].before);
	assert_int_equal(heard.losses[0].at.pcpu, 0);
	rig_free(rig);
}

/* What was heard, in its order: c a call, b and m gaps. */
static char order[MAX_EVENTS];

static void order_call(void *ctx, const struct xen_hctrace_call *call)
{
	(void)ctx;
	strcat(order, call->domid == XEN_HCTRACE_UNKNOWN ? "?" : "c");
}

static void order_loss(void *ctx, const struct hct_loss_event *loss)
{
	(void)ctx;
	assert_int_equal(loss->count, 0);
	assert_int_equal(loss->at.pcpu, XEN_HCTRACE_UNKNOWN);
	strcat(order, loss->gap == XEN_HCTRACE_GAP_BREAKER ? "b" : "m");
}

/* A gap is told once, between what was recorded before and behind its mark. */
static void test_gap_in_its_turn(void **state)
{
	static const struct hct_sink in_order = { .call = order_call, .loss = order_loss };
	struct rig *rig = listen(2);

	(void)state;
	order[0] = '\0';
	rig->p.sink = &in_order;
	rig_run(rig, 0, 1, 0);
	rig_run(rig, 1, 2, 0);
	rig_call(rig, 1, HCT_OP_iret);
	rig_call(rig, 0, HCT_OP_iret);
	hct_pipeline_tell_gap(&rig->p, XEN_HCTRACE_GAP_BREAKER);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 1, HCT_OP_iret);
	rig_drain(rig);
	assert_string_equal(order, "ccb??");

	/* Where nothing is recorded any more it is told as well, and not too early. */
	rig_call(rig, 1, HCT_OP_iret);
	hct_round_begin(&rig->p, false);
	hct_pipeline_tell_gap(&rig->p, XEN_HCTRACE_GAP_MASK);
	hct_pipeline_tell_gap(&rig->p, XEN_HCTRACE_GAP_BREAKER);
	hct_round_run(&rig->p, 100);
	assert_string_equal(order, "ccb??");
	rig_drain(rig);
	assert_string_equal(order, "ccb???bm");
	rig_drain(rig);
	assert_string_equal(order, "ccb???bm");
	rig_free(rig);
}

/* Statistics off: events all the same, the tables stay empty, the ledger adds up. */
static void test_stats_off(void **state)
{
	struct rig *rig = listen(1);

	(void)state;
	rig->p.stats_off = true;
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, WORD_MULTICALL, 1);
	rig_member(rig, 0, HCT_OP_iret + 1);
	rig_drain(rig);
	assert_int_equal(heard.nr_calls, 4);
	assert_int_equal(heard.nr_batches, 1);
	assert_int_equal(rig_total(rig).filtered, 4);
	assert_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret, 0, 0, 0);
	assert_cell(rig, 1, CALL, HCT_OP_iret, 0, 0, 0);
	assert_cell(rig, 1, CALL, HCT_OP_multicall, 0, 0, 0);
	assert_int_equal(rig_row(rig, 1)->batches.ends[HCT_END_COMPLETE], 0);
	done(rig);
}

/* Our own proof that calls are traced is nobody's event. */
static void test_marker(void **state)
{
	struct rig *rig = listen(1);

	(void)state;
	hct_marker_send(&rig->p.marker, 0x4843);
	rig_run(rig, 0, 0, 0);
	rig_member(rig, 0, WORD_VCPU_OP, 3, 0x4843);
	rig_member(rig, 0, WORD_VCPU_OP, 3, 1);
	rig_drain(rig);
	assert_true(rig->p.marker.seen);
	assert_int_equal(heard.nr_calls, 1);
	assert_int_equal(heard.calls[0].a1, 1);
	rig_free(rig);
}

/* Times never go backwards where the clock's segments meet. */
static void test_times(void **state)
{
	struct rig *rig = listen(1);
	struct hct_clock clock;

	(void)state;
	hct_clock_init(&clock, 1000000, true);
	rig->p.clock = &clock;
	hct_clock_anchor(&clock, 0, 5000, 0);
	rig_run(rig, 0, 1, 0);
	rig->now = 2000;
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	/* The newer reading puts it all 100 ns earlier. */
	hct_clock_anchor(&clock, 2001, 6901, 2001);
	rig->now = 2002;
	rig_call(rig, 0, HCT_OP_iret);
	rig->now = 2500;
	rig_call(rig, 0, HCT_OP_iret);
	done(rig);
	assert_int_equal(heard.calls[0].flags, 0);
	assert_in_range(heard.calls[0].ns, 6999, 7000);
	assert_int_equal(heard.calls[1].ns, heard.calls[0].ns);
	assert_in_range(heard.calls[2].ns, 7399, 7400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_batch_ends_once),
		cmocka_unit_test(test_mistaken),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_gap_in_its_turn),
		cmocka_unit_test(test_stats_off),
		cmocka_unit_test(test_marker),
		cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
