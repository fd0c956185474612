// SPDX-License-Identifier: GPL-2.0
/* See skim.h. */
#include <hctrace/shape.h>
#include <hctrace/skim.h>

/* What the header of a direct call has, and by how much that of a member is more. */
#define CALL_HEADER	(XEN_TRC_PV_HYPERCALL_V2 | 1u << 28)
#define MEMBER_MORE	(XEN_TRC_PV_SUBCALL - XEN_TRC_PV_HYPERCALL_V2)

/**
 * struct row - records being counted
 * @dom: whose calls they are; NULL: calls are odd here
 * @vcpu: its multicalls; NULL: it has none, and its first one is odd
 * @until: latest time
 * @last: time of the last record
 * @noise: records that are no concern of ours
 * @calls: calls, by &enum hct_kind
 * @headers: all headers in one
 */
struct row {
	struct hct_pipeline *p;
	struct hct_domain *dom;
	struct hct_vcpu *vcpu;
	u64 until;
	u64 last;
	u64 noise;
	u64 calls[HCT_KIND_HVM + 1];
	u32 headers;
};

/* Whose calls are counted without a question, if anybody's are. */
static const struct hct_vcpu_id *caller(const struct hct_pipeline *p, const struct hct_ring *ring)
{
	const struct hct_settings *set = &p->settings;
	const struct hct_vcpu_id *who = &ring->attr.who;

	if (ring->attr.state != HCT_ATTR_KNOWN || who->domid >= XEN_DOMID_FIRST_RESERVED ||
	    p->unreliable || p->stats_off || p->marker.cookie)
		return NULL;
	if (!set->kinds[HCT_KIND_CALL] || !set->kinds[HCT_KIND_MEMBER] ||
	    !set->kinds[HCT_KIND_HVM] || !set->all_ops ||
	    !hct_settings_wants_domain(set, who->domid))
		return NULL;
	return who;
}

/* The other members of the batch are still to come: hct_batch_member() in short. */
static inline bool goes_on(struct hct_domain *dom, struct hct_vcpu *vcpu, u32 op)
{
	struct hct_batch *batch = &vcpu->open[vcpu->active];

	if (vcpu->state != HCT_VCPU_INSIDE || batch->seen + 1 >= batch->declared || op == HCT_OP_iret)
		return false;
	vcpu->last = batch->id;
	batch->last_op = op;
	batch->seen++;
	dom->batches.seen += batch->counted;
	return true;
}

static inline bool has_shape(const struct hct_shape *shape, u32 header, const u32 *data)
{
	u32 tags = data[0] & -HCT_NR_OPS;

	return !((header - CALL_HEADER - shape->more) << 1 | (tags ^ shape->tags) |
		 (data[1] & (u32)shape->odd));
}

static inline struct hct_cell *cell_of(struct hct_cell *cells, const struct hct_shape *shape,
				       const u32 *data)
{
	u32 cmd = data[1] & (u32)shape->cmd_mask;

	cmd = cmd < shape->nr_cmds ? cmd : shape->nr_cmds;
	return &cells[data[0] % HCT_NR_OPS + shape->cell + cmd];
}

/* A cache_flush may go on, with a mark, and nobody on a PV guest makes any. */
static inline bool is_flush(const struct hct_cell *cells, const struct hct_cell *cell)
{
	return cell == &cells[HCT_CELL_GRANT + HCT_GRANT_cache_flush];
}

/* Count a call; if it may go on it is remembered. */
static inline void count(struct hct_domain *dom, u32 kind, struct hct_cell *cell,
			 const struct hct_shape *shape, const u32 *data)
{
	u32 units = data[shape->units_at] & (u32)shape->units_mask;

	hct_opened_call(&dom->opened[kind][shape->mark], units & shape->mark_all);
	hct_cell_call(cell, units);
}

static inline void count_multicall(struct row *row, struct hct_cell *cell, u32 members)
{
	if (hct_batch_multicall(row->p->vcpus, row->vcpu, members, true) == HCT_BATCH_CONTINUED) {
		hct_cell_continuation(cell);
		return;
	}
	hct_account_batch(row->dom, members);
	hct_cell_call(cell, members);
}

/*
 * Count records that begin from @at to @end, up to the first odd one. Return: the
 * first that was not counted. The words behind the last one may be read, too.
 */
static const u32 *count_row(struct row *row, const u32 *at, const u32 *end)
{
	struct hct_vcpu_table *const vcpus = row->p->vcpus;
	struct hct_domain *const dom = row->dom;
	struct hct_vcpu *const vcpu = row->vcpu;
	const u64 until = row->until;
	u64 last = row->last;
	u32 headers = row->headers;

	while (at < end) {
		const u32 header = *at;
		const u32 event = xen_trc_event(header);
		const u32 *data = at + 1;
		const struct hct_shape *shape;
		struct hct_cell *cell;
		u64 time = last;
		u32 op;

		if (xen_trc_has_tsc(header)) {
			time = at[1] | (u64)at[2] << 32;
			data += 2;
			if (time < last || time > until)
				break;
		}
		op = data[0] % HCT_NR_OPS;
		shape = &hct_shapes[op];

		if (event == XEN_TRC_PV_HYPERCALL_V2) {
			if (!dom || !has_shape(shape, header, data) ||
			    (!vcpu && op == HCT_OP_multicall))
				break;
			cell = cell_of(dom->cells[HCT_KIND_CALL], shape, data);
			if (is_flush(dom->cells[HCT_KIND_CALL], cell))
				break;
			row->calls[HCT_KIND_CALL]++;
			if (op == HCT_OP_multicall) {
				count_multicall(row, cell, data[1]);
			} else {
				if (vcpu)
					hct_batch_other(vcpu);
				count(dom, HCT_KIND_CALL, cell, shape, data);
			}
		} else if (event == XEN_TRC_PV_SUBCALL) {
			if (!dom || !has_shape(shape, header - MEMBER_MORE, data) ||
			    (vcpu && vcpu->state == HCT_VCPU_DOUBTED))
				break;
			cell = cell_of(dom->cells[HCT_KIND_MEMBER], shape, data);
			if (is_flush(dom->cells[HCT_KIND_MEMBER], cell))
				break;
			row->calls[HCT_KIND_MEMBER]++;
			if (vcpu && !goes_on(dom, vcpu, op))
				hct_batch_member(vcpus, vcpu, &(struct hct_call){ .op = op },
						 false);
			count(dom, HCT_KIND_MEMBER, cell, shape, data);
		} else if (event == XEN_TRC_HVM_VMMCALL) {
			if (!dom || xen_trc_extra(header) != 1 || op != data[0])
				break;
			row->calls[HCT_KIND_HVM]++;
			hct_cell_call(&dom->cells[HCT_KIND_HVM][op], 0);
		} else if (hct_event_is_noise(event)) {
			row->noise++;
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

/* The last few words: what is not there must not be read. Return: words counted. */
static u32 count_tail(struct row *row, const u32 *words, u32 nr_words)
{
	u32 copy[2 * XEN_TRC_MAX_WORDS] = { 0 };
	u32 whole = 0;

	memcpy(copy, words, 4 * nr_words);
	while (whole < nr_words && whole + xen_trc_words(copy[whole]) <= nr_words)
		whole += xen_trc_words(copy[whole]);
	return count_row(row, copy, copy + whole) - copy;
}

/* What was counted, in the ledger; the second oldest record comes at @turn. */
static void advance(const struct row *row, struct hct_ring *ring, u64 turn)
{
	struct hct_pipeline *p = row->p;
	u64 tsc = xen_trc_has_tsc(row->headers) ? row->last : ring->tsc;
	u64 calls = 0;
	u32 kind;

	for (kind = 0; kind < ARRAY_SIZE(row->calls); kind++) {
		calls += row->calls[kind];
		p->kinds_seen |= !!row->calls[kind] << kind;
	}
	ring->count.consumed += row->noise + calls;
	ring->count.skipped += row->noise;
	ring->count.events += calls;
	ring->count.attributed += calls;

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

u32 hct_skim(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words, u32 nr_words, u64 until,
	 u64 turn)
{
	const struct hct_vcpu_id *who = caller(p, ring);
	struct row row = {
		.p = p, .until = until,
		.last = ring->newest > p->last_tsc ? ring->newest : p->last_tsc,
		.dom = who ? hct_account_find(p->acct, who->domid) : NULL,
	};
	u32 safe = nr_words > XEN_TRC_MAX_WORDS ? nr_words - XEN_TRC_MAX_WORDS : 0;
	u32 taken;

	if (p->sink)
		return 0;
	/* A domain's first call, and a vCPU's first multicall, make room, the long way. */
	if (row.dom)
		row.vcpu = hct_vcpu_find(p->vcpus, who);
	taken = count_row(&row, words, words + safe) - words;
	if (taken >= safe)
		taken += count_tail(&row, words + taken, nr_words - taken);
	if (taken)
		advance(&row, ring, turn);
	return taken;
}
