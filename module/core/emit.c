// SPDX-License-Identifier: GPL-2.0
/* What the pipeline found, as the events of event.h. */
#include <hctrace/pipeline.h>

XEN_HCTRACE_ASSERT((int)XEN_HCTRACE_KIND_CALL == (int)HCT_KIND_CALL);
XEN_HCTRACE_ASSERT((int)XEN_HCTRACE_KIND_MEMBER == (int)HCT_KIND_MEMBER);
XEN_HCTRACE_ASSERT((int)XEN_HCTRACE_KIND_HVM == (int)HCT_KIND_HVM);
XEN_HCTRACE_ASSERT((int)XEN_HCTRACE_KIND_V1 == (int)HCT_KIND_V1);
XEN_HCTRACE_ASSERT((int)XEN_HCTRACE_KIND_DRAFT == (int)HCT_KIND_DRAFT);

/* Xen only ever records these, in 32 bits. */
#define NR_SHOWN_ARGS	3

void hct_emit_moment(struct hct_pipeline *p, const struct hct_ring *ring)
{
	u64 ns = 0;

	p->now.tsc = ring->tsc;
	p->now.pcpu = ring->pcpu;
	if (!p->sink)
		return;
	p->has_ns = p->clock && hct_clock_ns(p->clock, p->clock_epoch, ring->tsc, &ns);
	/* Two segments of the clock may differ by its uncertainty where they meet. */
	if (p->has_ns && !p->is_late) {
		if (ns < p->last_ns)
			ns = p->last_ns;
		p->last_ns = ns;
	}
	p->now.ns = ns;
}

/* What the decoder found about a call; nothing about most of them. */
static u16 finding_flags(const struct hct_call *call)
{
	u16 flags = 0;

	if (call->flags & HCT_CALL_MALFORMED)
		flags |= XEN_HCTRACE_F_MALFORMED;
	if (call->flags & HCT_CALL_SURPLUS)
		flags |= XEN_HCTRACE_F_SURPLUS;
	if (call->flags & HCT_CALL_ARGS_MISSING)
		flags |= XEN_HCTRACE_F_ARGS_MISSING;
	if (call->flags & HCT_CALL_VIRIDIAN)
		flags |= XEN_HCTRACE_F_VIRIDIAN;
	return flags;
}

/* Whether an event cannot show all of the arguments. */
static bool has_wide_args(const struct hct_call *call)
{
	unsigned int i;

	for (i = 0; i < NR_SHOWN_ARGS; i++) {
		if (call->has_arg & 1 << i && call->args[i] >> 32)
			return true;
	}
	return call->has_arg >> NR_SHOWN_ARGS;
}

static u16 call_flags(const struct hct_pipeline *p, const struct hct_record *rec, bool continued)
{
	const struct hct_call *call = &rec->call;
	u16 flags = call->flags ? finding_flags(call) : 0;

	if (continued)
		flags |= XEN_HCTRACE_F_CONTINUED;
	if (!rec->has_tsc)
		flags |= XEN_HCTRACE_F_NO_TSC;
	if (p->is_late)
		flags |= XEN_HCTRACE_F_LATE;
	if (p->unreliable)
		flags |= XEN_HCTRACE_F_UNRELIABLE;
	if (!p->has_ns)
		flags |= XEN_HCTRACE_F_NO_NS;
	if (call->has_arg && has_wide_args(call))
		flags |= XEN_HCTRACE_F_WIDE_ARGS;
	return flags;
}

static u16 subop_of(const struct hct_call *call)
{
	u64 cmd;

	if (call->flags & (HCT_CALL_MALFORMED | HCT_CALL_VIRIDIAN) || !(call->has_arg & 1))
		return XEN_HCTRACE_NO_SUBOP;
	switch (call->op) {
	case HCT_OP_grant_table_op:
		cmd = call->args[0] & HCT_GRANT_CMD_MASK;
		break;
	case HCT_OP_vcpu_op:
	case HCT_OP_sched_op:
		cmd = call->args[0];
		break;
	default:
		return XEN_HCTRACE_NO_SUBOP;
	}
	return cmd < XEN_HCTRACE_NO_SUBOP ? cmd : XEN_HCTRACE_NO_SUBOP;
}

void hct_emit_call(struct hct_pipeline *p, const struct hct_record *rec,
		   const struct hct_vcpu_id *who, u32 batch, bool continued)
{
	const struct hct_call *call = &rec->call;
	struct xen_hctrace_call out;

	if (!p->sink || !p->sink->call)
		return;
	out = (struct xen_hctrace_call){
		.tsc = p->now.tsc,
		.ns = p->now.ns,
		.op = call->flags & HCT_CALL_MALFORMED ? call->op_word : call->op,
		.batch = batch,
		.domid = who ? who->domid : XEN_HCTRACE_UNKNOWN,
		.vcpu = who ? who->vcpu : XEN_HCTRACE_UNKNOWN,
		.pcpu = p->now.pcpu,
		.flags = call_flags(p, rec, continued),
		.kind = call->kind,
		.subop = subop_of(call),
		.target = XEN_HCTRACE_UNKNOWN,
	};
	if (!(call->flags & HCT_CALL_MALFORMED)) {
		out.args = call->has_arg;
		out.a0 = call->args[0];
		out.a1 = call->args[1];
		out.a2 = call->args[2];
	}
	p->sink->call(p->sink->ctx, &out);
}

void hct_emit_batch(void *pipeline, const struct hct_vcpu_id *who, const struct hct_batch *batch,
		    enum hct_batch_end end)
{
	const struct hct_pipeline *p = pipeline;
	struct hct_batch_event event;

	if (!p->sink || !p->sink->batch)
		return;
	event = (struct hct_batch_event){
		.at = p->now,
		.who = *who,
		.id = batch->id,
		.declared = batch->declared,
		.seen = batch->seen,
		.splits = batch->splits,
		.end = end,
	};
	p->sink->batch(p->sink->ctx, &event);
}

void hct_emit_loss(struct hct_pipeline *p, u32 count, bool before)
{
	struct hct_loss_event event = { .at = p->now, .count = count, .before = before };

	if (p->sink && p->sink->loss)
		p->sink->loss(p->sink->ctx, &event);
}

void hct_emit_gap(struct hct_pipeline *p, enum xen_hctrace_gap reason, u16 pcpu)
{
	struct hct_loss_event event = { .at = p->now, .gap = reason };

	event.at.pcpu = pcpu;
	p->uncounted += hct_gap_hides(reason);
	if (p->sink && p->sink->loss)
		p->sink->loss(p->sink->ctx, &event);
}

void hct_emit_domain(struct hct_pipeline *p, u16 domid, bool created)
{
	struct hct_domain_event event = { .at = p->now, .domid = domid, .created = created };

	if (p->sink && p->sink->domain)
		p->sink->domain(p->sink->ctx, &event);
}
