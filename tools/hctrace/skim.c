// SPDX-License-Identifier: GPL-2.0
/* See skim.h. */
#include "skim.h"

/**
 * struct shape - how Xen records an op; all zero: without arguments
 * @tags: of the op word
 * @nr_args: words behind the op word
 * @units_at: word of the payload with the units
 * @units_mask: all ones if there is one
 * @odd: bits of the first argument that are only set in a continuation
 * @cmd_mask: all ones if the first argument is a command that has a cell of its own
 * @nr_cmds: commands known; the cell behind theirs is that of the others
 * @first_cell: cell of command 0, less the op
 */
struct shape {
	u32 tags;
	u32 units_mask;
	u32 odd;
	u32 cmd_mask;
	u8 nr_args;
	u8 units_at;
	u8 nr_cmds;
	u8 first_cell;
};

#define TAG(arg)	(1u << (20 + 2 * (arg)))

/* No branches, however ops follow each other: that is what a record mostly costs. */
static const struct shape shapes[HCT_NR_OPS] = {
	[HCT_OP_mmu_update] = {
		.tags = TAG(1), .nr_args = 1, .units_at = 1, .units_mask = ~0u,
		.odd = XEN_MMU_PREEMPTED,
	},
	[HCT_OP_mmuext_op] = {
		.tags = TAG(1), .nr_args = 1, .units_at = 1, .units_mask = ~0u,
		.odd = XEN_MMU_PREEMPTED,
	},
	[HCT_OP_multicall] = {
		.tags = TAG(1), .nr_args = 1, .units_at = 1, .units_mask = ~0u,
	},
	[HCT_OP_grant_table_op] = {
		.tags = TAG(0) | TAG(2), .nr_args = 2, .units_at = 2, .units_mask = ~0u,
		.odd = ~HCT_GRANT_CMD_MASK, .cmd_mask = ~0u, .nr_cmds = HCT_NR_GRANT_OPS,
		.first_cell = HCT_CELL_GRANT - HCT_OP_grant_table_op,
	},
	[HCT_OP_vcpu_op] = {
		.tags = TAG(0) | TAG(1), .nr_args = 2, .cmd_mask = ~0u,
		.nr_cmds = HCT_NR_VCPU_OPS, .first_cell = HCT_CELL_VCPU - HCT_OP_vcpu_op,
	},
	[HCT_OP_sched_op] = {
		.tags = TAG(0), .nr_args = 1, .cmd_mask = ~0u,
		.nr_cmds = HCT_NR_SCHED_OPS, .first_cell = HCT_CELL_SCHED - HCT_OP_sched_op,
	},
};

/**
 * struct row - records being counted
 * @who: whose calls they are; NULL: calls are odd here
 * @dom: its row, once it has made a call
 * @vcpu: its multicalls, once it has made one that may have to do with them
 * @noise: records that are no concern of ours
 * @kinds: bit &enum hct_kind set: such a call came
 */
struct row {
	struct hct_pipeline *p;
	const struct hct_vcpu_id *who;
	struct hct_domain *dom;
	struct hct_vcpu *vcpu;
	u64 noise;
	u8 kinds;
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

static inline void count(struct hct_cell *cell, u32 units)
{
	cell->calls++;
	cell->window++;
	cell->units += units;
}

static inline bool has_shape(const struct shape *shape, const u32 *data, unsigned int n)
{
	return data[0] == (data[0] % HCT_NR_OPS | shape->tags) && n == 1u + shape->nr_args &&
	       !(data[1] & shape->odd);
}

static inline unsigned int cell_of(const struct shape *shape, const u32 *data)
{
	u32 cmd = data[1] & shape->cmd_mask;

	return data[0] % HCT_NR_OPS + shape->first_cell +
	       (cmd < shape->nr_cmds ? cmd : shape->nr_cmds);
}

static inline bool count_pv(struct row *row, enum hct_kind kind, const u32 *data, unsigned int n)
{
	const u32 op = data[0] % HCT_NR_OPS;
	const struct shape *shape = &shapes[op];
	struct hct_vcpu_table *vcpus = row->p->vcpus;
	struct hct_cell *cell;

	if (!has_shape(shape, data, n))
		return false;
	if (!row->vcpu)
		row->vcpu = hct_vcpu_get(vcpus, row->who);

	row->kinds |= 1u << kind;
	cell = &row->dom->cells[kind][cell_of(shape, data)];
	if (kind == HCT_KIND_MEMBER) {
		if (row->vcpu->doubt)
			return false;
		hct_batch_member(vcpus, row->vcpu, &(struct hct_call){ .op = op });
	} else if (op != HCT_OP_multicall) {
		hct_batch_other(row->vcpu);
	} else if (hct_batch_multicall(vcpus, row->vcpu, data[1], true) == HCT_BATCH_NEW) {
		hct_account_batch(row->dom, data[1]);
	} else {
		cell->cont++;
		return true;
	}
	count(cell, data[shape->units_at] & shape->units_mask);
	return true;
}

static inline bool count_hvm(struct row *row, const u32 *data, unsigned int n)
{
	if (n != 1 || data[0] >= HCT_NR_OPS)
		return false;
	row->kinds |= 1u << HCT_KIND_HVM;
	count(&row->dom->cells[HCT_KIND_HVM][data[0]], 0);
	return true;
}

static inline bool count_record(struct row *row, u32 event, const u32 *data, unsigned int n)
{
	if (event != XEN_TRC_PV_HYPERCALL_V2 && event != XEN_TRC_PV_SUBCALL &&
	    event != XEN_TRC_HVM_VMMCALL) {
		row->noise += hct_event_is_noise(event);
		return hct_event_is_noise(event);
	}
	if (!row->who)
		return false;
	if (!row->dom)
		row->dom = hct_account_domain(row->p->acct, row->who->domid);
	if (event == XEN_TRC_HVM_VMMCALL)
		return count_hvm(row, data, n);
	return count_pv(row, event == XEN_TRC_PV_SUBCALL ? HCT_KIND_MEMBER : HCT_KIND_CALL,
			data, n);
}

/* So many records were counted, the last one at @tsc. */
static void advance(struct row *row, struct hct_ring *ring, u64 nr, u64 tsc, u64 turn)
{
	struct hct_pipeline *p = row->p;

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
	p->kinds_seen |= row->kinds;
	ring->count.consumed += nr;
	ring->count.skipped += row->noise;
	ring->count.events += nr - row->noise;
	ring->count.attributed += nr - row->noise;
}

u32 skim(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words, u32 nr_words, u64 until,
	 u64 turn)
{
	struct row row = { .p = p, .who = caller(p, ring) };
	const u32 *end = words + nr_words - XEN_TRC_MAX_WORDS;
	u64 last = ring->newest > p->last_tsc ? ring->newest : p->last_tsc;
	const u32 *at = words;
	u64 tsc = ring->tsc;
	u64 nr;

	if (p->sink || nr_words <= XEN_TRC_MAX_WORDS)
		return 0;

	for (nr = 0; at < end; nr++) {
		unsigned int size = xen_trc_words(*at);
		unsigned int n = xen_trc_extra(*at);
		u64 time = tsc;

		if (xen_trc_has_tsc(*at)) {
			time = at[1] | (u64)at[2] << 32;
			if (time < last || time > until)
				break;
			last = time;
		}
		if (!count_record(&row, xen_trc_event(*at), at + size - n, n))
			break;
		tsc = time;
		at += size;
	}
	if (nr)
		advance(&row, ring, nr, tsc, turn);
	return at - words;
}
