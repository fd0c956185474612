// SPDX-License-Identifier: GPL-2.0
/* decode -> attribute -> account; see pipeline.h. */
#include <hctrace/pipeline.h>

static bool is_multicall(const struct hct_call *call)
{
	return call->op == HCT_OP_multicall && call->has_arg & 2 &&
	       !(call->flags & HCT_CALL_MALFORMED);
}

/* The last multicall of @dom was taken for a continuation, and was a new one. */
static void correct_multicall(struct hct_domain *dom, u32 members)
{
	struct hct_cell *cell = &dom->cells[HCT_KIND_CALL][HCT_OP_multicall];

	/* It may have been filtered out, or be gone with a reset. */
	if (!cell->cont)
		return;
	cell->cont--;
	cell->calls++;
	cell->units = hct_add(cell->units, members);
	hct_account_batch(dom, members);
}

static bool wants_call(const struct hct_pipeline *p, const struct hct_vcpu_id *who, u8 kind, u32 op)
{
	return !p->stats_off && hct_settings_wants_call(&p->settings, kind, op) &&
	       hct_settings_wants_domain(&p->settings, who->domid);
}

/*
 * Follow the caller's multicalls. Return: whether this record is a continuation.
 * @marked: it says so itself, and is believed.
 * @mistaken: set to the size of a multicall that must be counted after all.
 * @batch: set to the multicall it belongs to, or 0.
 */
static bool follow_call(struct hct_pipeline *p, const struct hct_vcpu_id *who,
			const struct hct_call *call, bool marked, u32 *mistaken, u32 *batch)
{
	bool continued = false;
	struct hct_vcpu *vcpu;

	*mistaken = 0;
	*batch = 0;
	if (call->kind != HCT_KIND_CALL && call->kind != HCT_KIND_MEMBER)
		return false;

	vcpu = hct_vcpu_find(p->vcpus, who);
	if (call->kind == HCT_KIND_CALL && is_multicall(call)) {
		const bool counted = wants_call(p, who, call->kind, call->op);

		/* Nothing else can go on, so nothing else makes an entry. */
		if (!vcpu && !call->args[1]) {
			*batch = hct_batch_empty(p->vcpus, who, counted);
			return false;
		}
		if (!vcpu)
			vcpu = hct_vcpu_get(p->vcpus, who);
		continued = hct_batch_multicall(p->vcpus, vcpu, call->args[1], counted) ==
			    HCT_BATCH_CONTINUED;
		*batch = vcpu->last;
		return continued;
	}
	if (!vcpu)
		return marked;
	if (call->kind == HCT_KIND_CALL) {
		hct_batch_other(vcpu);
		return marked;
	}

	switch (hct_batch_member(p->vcpus, vcpu, call, marked)) {
	case HCT_BATCH_CONTINUED:
		continued = true;
		break;
	case HCT_BATCH_MISTAKEN:
		*mistaken = vcpu->doubted;
		break;
	default:
		break;
	}
	*batch = vcpu->last;
	return continued || marked;
}

/* A malformed record came, and Xen has logged a warning for it. */
static void check_breaker(struct hct_pipeline *p, const struct hct_ring *ring,
			  const struct hct_vcpu_id *who)
{
	if (!p->settings.breaker || ring->cur.pos < ring->forgiven_to)
		return;
	p->hurry |= p->breaker.state == HCT_BREAKER_ARMED;
	hct_breaker_record(&p->breaker, who ? who->domid : HCT_BREAKER_NOBODY);
}

/* What a filter of ops sees: a forged op word is a number beyond all ops. */
static u32 op_to_filter(const struct hct_call *call)
{
	return call->flags & HCT_CALL_MALFORMED ? call->op_word : call->op;
}

/* Who made the call, if that can be told. */
static const struct hct_vcpu_id *caller_of(struct hct_pipeline *p, struct hct_ring *ring)
{
	const struct hct_vcpu_id *who = hct_attr_caller(&ring->attr);

	return p->unreliable ? NULL : who;
}

/* They may be any domain's, so no choice of domains leaves them out. */
static void count_unattributed(struct hct_pipeline *p, struct hct_ring *ring,
			       const struct hct_call *call)
{
	struct hct_domain *dom = &p->acct->special[HCT_ROW_UNATTRIBUTED];
	struct hct_cell *cell = &dom->cells[call->kind][hct_account_cell(call)];

	ring->count.unattributed++;
	/* Nobody vouches for a mark here, and what goes on later may be anybody's. */
	if (hct_account_marked(call) && !hct_call_has_mark(call))
		p->acct->gaps++;
	if (p->stats_off ||
	    !hct_settings_wants_call(&p->settings, call->kind, op_to_filter(call))) {
		ring->count.filtered++;
		return;
	}
	hct_account_doubt(dom, call);
	hct_cell_call(cell, hct_account_units(call));
}

static void feed_call(struct hct_pipeline *p, struct hct_ring *ring, const struct hct_record *rec)
{
	const struct hct_call *call = &rec->call;
	const struct hct_vcpu_id *who = caller_of(p, ring);
	/* Our own call is not to be found in the statistics. */
	bool own = hct_marker_take(&p->marker, call, who, ring->tsc, ring->pcpu);
	struct hct_domain *dom;
	struct hct_cell *cell;
	bool continued;
	bool marked;
	u32 mistaken;
	u32 batch;

	ring->count.events++;
	p->kinds_seen |= 1u << call->kind;
	if (call->flags & HCT_CALL_MALFORMED) {
		ring->count.malformed++;
		check_breaker(p, ring, who);
	}

	if (!who) {
		count_unattributed(p, ring, call);
		if (!own)
			hct_emit_call(p, rec, NULL, 0, false);
		return;
	}
	ring->count.attributed++;

	dom = hct_account_domain(p->acct, who->domid);
	marked = hct_account_mark(p->acct, dom, call);
	continued = follow_call(p, who, call, marked, &mistaken, &batch);
	if (!own)
		hct_emit_call(p, rec, who, batch, continued);
	if (mistaken && wants_call(p, who, HCT_KIND_CALL, HCT_OP_multicall))
		correct_multicall(dom, mistaken);

	if (own || !wants_call(p, who, call->kind, op_to_filter(call))) {
		ring->count.filtered++;
		return;
	}
	cell = &dom->cells[call->kind][hct_account_cell(call)];
	if (continued) {
		hct_cell_continuation(cell);
		return;
	}
	hct_account_doubt(dom, call);
	hct_cell_call(cell, hct_account_units(call));
	if (call->kind == HCT_KIND_CALL && is_multicall(call))
		hct_account_batch(dom, call->args[1]);
}

static bool is_guest(const struct hct_vcpu_id *who)
{
	return who->domid < XEN_DOMID_FIRST_RESERVED;
}

static void close_open(struct hct_pipeline *p, const struct hct_vcpu_id *who,
		       enum hct_batch_end end)
{
	struct hct_vcpu *vcpu = is_guest(who) ? hct_vcpu_find(p->vcpus, who) : NULL;

	if (vcpu)
		hct_vcpu_close(p->vcpus, vcpu, end);
}

static void feed_lost(struct hct_pipeline *p, struct hct_ring *ring, const struct hct_record *rec)
{
	p->acct->gaps++;
	hct_emit_loss(p, rec->lost.count, ring->fresh);
	/* A ring that was empty has lost nothing of ours before its first record. */
	if (ring->fresh)
		ring->count.lost_before += rec->lost.count;
	else
		ring->count.lost += rec->lost.count;
	if (ring->attr.state == HCT_ATTR_KNOWN)
		close_open(p, &ring->attr.who, HCT_END_LOST);
	close_open(p, &rec->lost.who, HCT_END_LOST);
}

void hct_ring_gap(struct hct_pipeline *p, struct hct_ring *ring)
{
	p->acct->gaps++;
	if (ring->attr.state == HCT_ATTR_KNOWN)
		close_open(p, &ring->attr.who, HCT_END_LOST);
	hct_cpu_settle(p, ring, ring->tsc);
	hct_attr_gap(&ring->attr);
	ring->attr.by_switch = p->by_switch;
}

void hct_pipeline_step(struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		struct hct_ring *ring = &p->rings[i];

		hct_ring_gap(p, ring);
		hct_cpu_begin(ring, 0);
		ring->tsc = 0;
		ring->newest = 0;
	}
	p->last_tsc = 0;
	p->tsc_divide = 0;
	p->clock_steps++;
	hct_emit_gap(p, XEN_HCTRACE_GAP_CLOCK, XEN_HCTRACE_UNKNOWN);
	if (p->clock)
		p->clock_epoch = p->clock->epoch;
}

/*
 * A domU's kernel does not sleep between a preempted multicall and its
 * continuation, dom0's may: privcmd lets the task be scheduled away there.
 */
static void feed_blocked(struct hct_pipeline *p, const struct hct_record *rec)
{
	if (rec->run.old == XEN_RUNSTATE_RUNNING && rec->run.new == XEN_RUNSTATE_BLOCKED &&
	    rec->run.who.domid)
		close_open(p, &rec->run.who, HCT_END_SHORT);
}

static void feed_domain(struct hct_pipeline *p, const struct hct_record *rec)
{
	u16 domid = rec->domid;

	hct_emit_domain(p, domid, rec->type == HCT_REC_DOM_ADD);
	/* An id that is given out anew was free before, even if we missed that. */
	hct_vcpu_forget(p->vcpus, domid);
	hct_account_died(p->acct, domid);
	hct_breaker_gone(&p->breaker, domid);
}

static void feed_record(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words,
			unsigned int nr_words)
{
	struct hct_record rec;

	ring->count.consumed++;
	if (p->sink && p->sink->record)
		p->sink->record(p->sink->ctx, ring->pcpu, words, nr_words);
	if (hct_decode(words, nr_words, p->settings.kinds[HCT_KIND_DRAFT], &rec)) {
		ring->count.undecodable++;
		return;
	}

	/* What cannot be a time is none, and others are not late for it. */
	if (p->tsc_latest && rec.tsc > p->tsc_latest)
		rec.has_tsc = false;
	p->is_late = rec.has_tsc && (rec.tsc < p->last_tsc || rec.tsc < ring->newest);
	if (rec.has_tsc) {
		ring->tsc = rec.tsc;
		if (p->is_late) {
			ring->count.late++;
		} else {
			p->last_tsc = rec.tsc;
			ring->newest = rec.tsc;
		}
	}
	hct_emit_moment(p, ring);

	switch (rec.type) {
	case HCT_REC_BAD:
		ring->count.undecodable++;
		return;
	case HCT_REC_CALL:
		feed_call(p, ring, &rec);
		return;
	case HCT_REC_LOST:
		feed_lost(p, ring, &rec);
		break;
	case HCT_REC_RUNSTATE:
		feed_blocked(p, &rec);
		break;
	case HCT_REC_DOM_ADD:
	case HCT_REC_DOM_REM:
		feed_domain(p, &rec);
		break;
	default:
		break;
	}
	hct_cpu_feed(p, ring, &rec);
	hct_attr_feed(&ring->attr, &rec);
	ring->count.skipped++;
}

void hct_pipeline_feed(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words,
		       unsigned int nr_words)
{
	u64 before = ring->attr.contradictions;

	feed_record(p, ring, words, nr_words);
	if (ring->fresh) {
		ring->fresh = false;
		hct_cpu_begin(ring, ring->tsc);
	}
	if (ring->attr.contradictions == before)
		return;
	p->tick_contradictions++;
	p->acct->gaps++;
	if (p->tick_contradictions >= HCT_TRUST_LIMIT)
		p->unreliable = true;
}
