// SPDX-License-Identifier: GPL-2.0
/* See skim.h. */
#include <hctrace/shape.h>
#include <hctrace/skim.h>

/*
 * A header beside that of a direct call without arguments, whether it has a time or not:
 * 0, or by how much it is more. The number of arguments stands uppermost.
 */
#define BESIDE(header)	(((header) - (XEN_TRC_PV_HYPERCALL_V2 | 1u << 28)) << 1)
#define MEMBER		BESIDE(XEN_TRC_PV_SUBCALL | 1u << 28)
#define VMMCALL		BESIDE(XEN_TRC_HVM_VMMCALL | 1u << 28)
#define WITHOUT_ARGS	(~0u >> 3)

#define NR_KINDS	(HCT_KIND_HVM + 1)	/* that are counted in rows */

/**
 * struct row - records being counted
 * @p: the pipeline
 * @dom: whose calls they are; NULL: calls are odd here
 * @vcpu: its multicalls, or @nobody
 * @nobody: where it has none, and its first one is odd
 * @until: latest time
 * @last: time of the last record
 * @noise: records that are no concern of ours
 * @calls: calls, by &enum hct_kind
 * @filtered: of them, what settings leave out
 * @ops: bit n set: calls of op n are counted, by &enum hct_kind
 * @headers: all headers in one
 */
struct row {
	struct hct_pipeline *p;
	struct hct_domain *dom;
	struct hct_vcpu *vcpu;
	struct hct_vcpu *nobody;
	u64 until;
	u64 last;
	u64 noise;
	u64 calls[NR_KINDS];
	u64 filtered;
	const u64 *ops;
	u32 headers;
};

/* How much of a row is counted: a constant where it is looked at, which costs nothing. */
enum wish {
	WISH_NOBODY,	/* nobody knows whose calls they are */
	WISH_SOME,	/* settings leave some of them out */
	WISH_ALL,
};

/* What most rows are between: nothing is made ready for it. */
static inline bool is_runstate(u32 header)
{
	return (header & (XEN_TRC_CLASSES | XEN_TRC_SUBCLASSES)) == (XEN_TRC_CLS_SCHED | 0x1000);
}

/* Whose calls they are without a question, if anybody's are. */
static const struct hct_vcpu_id *caller_of(const struct hct_pipeline *p,
					   const struct hct_ring *ring)
{
	const struct hct_vcpu_id *who = &ring->attr.who;

	if (ring->attr.state != HCT_ATTR_KNOWN || who->domid >= XEN_DOMID_FIRST_RESERVED ||
	    p->unreliable || p->marker.cookie)
		return NULL;
	return who;
}

/* Whether settings want all calls of a domain counted. */
static bool wants_all(const struct hct_pipeline *p, const struct hct_domain *dom)
{
	const struct hct_settings *set = &p->settings;

	return set->kinds[HCT_KIND_CALL] && set->kinds[HCT_KIND_MEMBER] &&
	       set->kinds[HCT_KIND_HVM] && set->all_ops && !p->stats_off &&
	       hct_settings_wants_domain(set, dom->domid);
}

/* Which they want, where these are not all. */
static void choose_ops(const struct hct_pipeline *p, const struct hct_domain *dom,
		       u64 ops[NR_KINDS])
{
	const struct hct_settings *set = &p->settings;
	bool any = !p->stats_off && hct_settings_wants_domain(set, dom->domid);
	u32 kind;

	for (kind = 0; kind < NR_KINDS; kind++)
		ops[kind] = !any || !set->kinds[kind] ? 0 : set->all_ops ? ~0ull : set->ops;
}

/* Whether a call is counted; if it is not, it is filtered. */
static inline bool is_counted(struct row *row, enum wish wish, u32 kind, u32 op)
{
	if (wish == WISH_ALL || row->ops[kind] >> op & 1)
		return true;
	row->filtered++;
	return false;
}

/* Whether a payload is that of an op that has no arguments. */
static inline bool is_bare(const u32 *data)
{
	return data[0] < HCT_NR_OPS && !hct_shapes[data[0]].args;
}

/*
 * Whether it is that of a call as Xen always records it, with @beside of the arguments that
 * it has, and the call cannot go on with another one. No branches, however ops follow each
 * other: that is what a record mostly costs.
 */
static inline bool is_usual(const struct hct_shape *shape, u32 beside, const u32 *data)
{
	return !(((data[0] & -HCT_NR_OPS) ^ shape->tags) | (beside ^ shape->beside) |
		 (data[1] & (u32)shape->odd)) &&
	       (data[1] & (u32)shape->cmd_mask) <= shape->last_cmd;
}

/* Count such a call; if it may go on it is remembered. */
static inline void count_usual(struct row *row, struct hct_domain *dom, enum wish wish, u32 kind,
			       const struct hct_shape *shape, const u32 *data)
{
	const u32 op = data[0] % HCT_NR_OPS;
	const u32 cell = op + shape->cell + (data[1] & (u32)shape->cmd_mask);
	const u32 units = data[shape->units_at] & (u32)shape->units_mask;

	hct_opened_call(&dom->opened[kind][shape->mark], units & shape->mark_all);
	if (is_counted(row, wish, kind, op))
		hct_cell_call(&dom->cells[kind][cell], units);
}

static inline void count_bare(struct row *row, struct hct_domain *dom, enum wish wish, u32 kind,
			      u32 op)
{
	if (is_counted(row, wish, kind, op))
		hct_cell_call(&dom->cells[kind][op], 0);
}

static void count_multicall(struct row *row, enum wish wish, u32 members)
{
	struct hct_cell *cell = &row->dom->cells[HCT_KIND_CALL][HCT_OP_multicall];
	bool counted = is_counted(row, wish, HCT_KIND_CALL, HCT_OP_multicall);
	bool continued = hct_batch_multicall(row->p->vcpus, row->vcpu, members, counted) ==
			 HCT_BATCH_CONTINUED;

	if (!counted)
		return;
	if (continued) {
		hct_cell_continuation(cell);
		return;
	}
	hct_account_batch(row->dom, members);
	hct_cell_call(cell, members);
}

/* A member of what the vCPU is inside of, if of anything: hct_batch_member() in short. */
static inline void follow_member(struct row *row, u32 op)
{
	struct hct_vcpu *vcpu = row->vcpu;
	struct hct_batch *batch = &vcpu->open[vcpu->active];

	if (vcpu->state == HCT_VCPU_OUTSIDE) {
		vcpu->last = 0;
	} else if (batch->seen + 1 >= batch->declared || op == HCT_OP_iret) {
		hct_batch_member(row->p->vcpus, vcpu, &(struct hct_call){ .op = op }, false);
	} else {
		/* The others are still to come. */
		batch->last_op = op;
		batch->seen++;
		row->dom->batches.seen += batch->counted;
	}
}

/*
 * Count records that begin from @at to @end, up to the first odd one. Return: the
 * first that was not counted. The words behind the last one may be read, too.
 */
static __always_inline const u32 *count_row(struct row *row, enum wish wish, const u32 *at,
					    const u32 *end)
{
	const bool is_known = wish != WISH_NOBODY;
	struct hct_domain *const dom = row->dom;
	u64 last = row->last;
	u32 headers = row->headers;

	while (at < end) {
		const u32 header = *at;
		const u32 beside = BESIDE(header);
		const struct hct_shape *shape;
		const u32 *data = at + 1;
		u64 time = last;

		if (xen_trc_has_tsc(header)) {
			time = at[1] | (u64)at[2] << 32;
			data += 2;
			if (time < last || time > row->until)
				break;
		}
		if (is_known && !(beside & WITHOUT_ARGS)) {
			shape = &hct_shapes[data[0] % HCT_NR_OPS];
			if (!is_usual(shape, beside, data))
				break;
			if (shape != &hct_shapes[HCT_OP_multicall]) {
				count_usual(row, dom, wish, HCT_KIND_CALL, shape, data);
				hct_batch_other(row->vcpu);
			} else if (row->vcpu != row->nobody) {
				count_multicall(row, wish, data[1]);
			} else {
				break;
			}
			row->calls[HCT_KIND_CALL]++;
		} else if (is_known && beside == MEMBER) {
			if (!is_bare(data) || row->vcpu->state == HCT_VCPU_DOUBTED)
				break;
			follow_member(row, data[0]);
			count_bare(row, dom, wish, HCT_KIND_MEMBER, data[0]);
			row->calls[HCT_KIND_MEMBER]++;
		} else if (is_known && beside == VMMCALL) {
			if (data[0] >= HCT_NR_OPS)
				break;
			count_bare(row, dom, wish, HCT_KIND_HVM, data[0]);
			row->calls[HCT_KIND_HVM]++;
		} else if (hct_event_is_noise(xen_trc_event(header))) {
			row->noise++;
		} else if (is_known && (beside & WITHOUT_ARGS) == MEMBER) {
			shape = &hct_shapes[data[0] % HCT_NR_OPS];
			if (!is_usual(shape, beside - MEMBER, data) ||
			    row->vcpu->state == HCT_VCPU_DOUBTED)
				break;
			follow_member(row, data[0] % HCT_NR_OPS);
			count_usual(row, dom, wish, HCT_KIND_MEMBER, shape, data);
			row->calls[HCT_KIND_MEMBER]++;
		} else {
			break;
		}
		headers |= header;
		last = time;
		at = data + xen_trc_extra(header);
	}
	row->last = last;
	row->headers = headers;
	return at;
}

/* The same of whoever runs. Where that is not known, or has no row yet, calls are odd. */
static const u32 *count_any(struct row *row, enum wish wish, const u32 *at, const u32 *end)
{
	switch (wish) {
	case WISH_ALL:
		return count_row(row, WISH_ALL, at, end);
	case WISH_SOME:
		return count_row(row, WISH_SOME, at, end);
	default:
		return count_row(row, WISH_NOBODY, at, end);
	}
}

/* The last few words: what is not there must not be read. Return: words counted. */
static u32 count_tail(struct row *row, enum wish wish, const u32 *words, u32 nr_words)
{
	u32 copy[2 * XEN_TRC_MAX_WORDS] = { 0 };
	u32 whole = 0;

	memcpy(copy, words, 4 * nr_words);
	while (whole < nr_words && whole + xen_trc_words(copy[whole]) <= nr_words)
		whole += xen_trc_words(copy[whole]);
	return count_any(row, wish, copy, copy + whole) - copy;
}

/* So many calls were counted. */
static u64 nr_calls(const struct row *row)
{
	u64 nr = 0;
	u32 kind;

	for (kind = 0; kind < NR_KINDS; kind++)
		nr += row->calls[kind];
	return nr;
}

/* What was counted, in the ledger; the second oldest record comes at @turn. */
static void advance_ring(const struct row *row, struct hct_ring *ring, u64 turn)
{
	struct hct_pipeline *p = row->p;
	u64 tsc = xen_trc_has_tsc(row->headers) ? row->last : ring->tsc;
	u64 calls = nr_calls(row);
	u32 kind;

	for (kind = 0; kind < NR_KINDS; kind++)
		p->kinds_seen |= !!row->calls[kind] << kind;
	ring->count.consumed += row->noise + calls;
	ring->count.skipped += row->noise;
	ring->count.events += calls;
	ring->count.attributed += calls;
	ring->count.filtered += row->filtered;

	ring->fresh = false;
	ring->tsc = tsc;
	if (tsc > ring->newest)
		ring->newest = tsc;
	/* In the order of time the others had come between them. */
	if (tsc > turn)
		tsc = turn;
	if (tsc > p->last_tsc)
		p->last_tsc = tsc;
	p->is_late = false;
}

/* The next record may be one that can be counted. @counted: set to how many calls were. */
static u32 skim_row(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words, u32 nr_words,
		    u64 until, u64 turn, u64 *counted)
{
	const u32 safe = nr_words > XEN_TRC_MAX_WORDS ? nr_words - XEN_TRC_MAX_WORDS : 0;
	const struct hct_vcpu_id *who = caller_of(p, ring);
	struct hct_vcpu nobody;
	struct row row = {
		.p = p, .until = until, .vcpu = &nobody, .nobody = &nobody,
		.last = ring->newest > p->last_tsc ? ring->newest : p->last_tsc,
		.dom = who ? hct_account_find(p->acct, who->domid) : NULL,
	};
	enum wish wish = WISH_NOBODY;
	u64 ops[NR_KINDS];
	u32 taken;

	nobody.state = HCT_VCPU_OUTSIDE;
	nobody.active = 0;
	/* A domain's first call, and a vCPU's first multicall, make room, the long way. */
	if (row.dom) {
		row.vcpu = hct_vcpu_find(p->vcpus, who) ?: &nobody;
		wish = wants_all(p, row.dom) ? WISH_ALL : WISH_SOME;
	}
	if (wish == WISH_SOME) {
		choose_ops(p, row.dom, ops);
		row.ops = ops;
	}
	taken = count_any(&row, wish, words, words + safe) - words;
	if (taken >= safe)
		taken += count_tail(&row, wish, words + taken, nr_words - taken);
	if (taken)
		advance_ring(&row, ring, turn);
	*counted = nr_calls(&row) - row.filtered;
	return taken;
}

/* As long as the sink is calm; then it is told how many there were. */
static u32 skim_calm(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words, u32 nr_words,
		     u64 until, u64 turn)
{
	const struct hct_sink *sink = p->sink;
	u64 from = ring->tsc;
	u64 calm, counted;
	u32 taken;

	if (!sink->calm)
		return 0;
	if (xen_trc_has_tsc(words[0])) {
		if (nr_words < 3)
			return 0;
		from = words[1] | (u64)words[2] << 32;
	}
	calm = sink->calm(sink->ctx, from);
	if (!calm || from > until)
		return 0;
	if (calm - 1 < until - from)
		until = from + calm - 1;
	taken = skim_row(p, ring, words, nr_words, until, turn, &counted);
	if (counted)
		sink->calls(sink->ctx, from, counted);
	return taken;
}

u32 hct_skim(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words, u32 nr_words,
	     u64 until, u64 turn)
{
	u64 counted;

	/* The time of a pCPU begins with its first record. */
	if (!nr_words || ring->fresh || is_runstate(words[0]))
		return 0;
	if (p->sink)
		return skim_calm(p, ring, words, nr_words, until, turn);
	return skim_row(p, ring, words, nr_words, until, turn, &counted);
}
