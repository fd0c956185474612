// SPDX-License-Identifier: GPL-2.0
/* See replay.h. */
#include <stdlib.h>

#include "base/event_text.h"
#include "replay.h"

#define NR_OPEN		4096

/* A multicall whose members are still to come. */
struct open_batch {
	u32 id;
	u32 declared;
	u32 seen;
	u16 domid;
};

/**
 * struct replay - multicalls in flight
 * @open: by id modulo its size; one that is in the way of a newer one is over
 */
struct replay {
	struct recording *rec;
	struct open_batch open[NR_OPEN];
};

struct replay *replay_new(struct recording *rec)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (replay)
		replay->rec = rec;
	return replay;
}

void replay_free(struct replay *replay)
{
	free(replay);
}

bool replay_is_sane(const struct xen_hctrace_call *call)
{
	if (call->kind >= HCT_NR_KINDS)
		return false;
	return call->domid < XEN_DOMID_FIRST_RESERVED || call->domid == XEN_HCTRACE_UNKNOWN;
}

static bool is_multicall(const struct hct_call *call)
{
	return call->kind == HCT_KIND_CALL && call->op == HCT_OP_multicall &&
	       call->has_arg & 2 && !(call->flags & HCT_CALL_MALFORMED);
}

static void end_batch(struct replay *replay, struct open_batch *batch, enum hct_batch_end end)
{
	if (batch->id)
		hct_account_batch_end(replay->rec->p.acct, batch->domid, end);
	batch->id = 0;
}

static void begin_batch(struct replay *replay, u32 id, u16 domid, u32 declared)
{
	struct open_batch *batch = &replay->open[id % NR_OPEN];

	end_batch(replay, batch, HCT_END_SHORT);
	if (!declared) {
		hct_account_batch_end(replay->rec->p.acct, domid, HCT_END_COMPLETE);
		return;
	}
	*batch = (struct open_batch){ .id = id, .declared = declared, .domid = domid };
}

static void see_member(struct replay *replay, u32 id, u16 domid)
{
	struct open_batch *batch = &replay->open[id % NR_OPEN];

	if (batch->id != id)
		return;
	hct_account_batch_seen(replay->rec->p.acct, domid);
	if (++batch->seen >= batch->declared)
		end_batch(replay, batch, HCT_END_COMPLETE);
}

/* As in the core: calls of nobody known may be any domain's, whichever are asked for. */
static bool is_counted(const struct hct_settings *settings, const struct xen_hctrace_call *call)
{
	return hct_settings_wants_call(settings, call->kind, call->op) &&
	       (call->domid == XEN_HCTRACE_UNKNOWN ||
		hct_settings_wants_domain(settings, call->domid));
}

void replay_call(struct replay *replay, struct hct_ring *ring,
		 const struct xen_hctrace_call *call)
{
	struct hct_pipeline *p = &replay->rec->p;
	struct hct_call decoded = event_decoded(call);
	bool known = call->domid != XEN_HCTRACE_UNKNOWN;
	struct hct_domain *dom;
	struct hct_cell *cell;

	ring->count.consumed++;
	ring->count.events++;
	ring->count.attributed += known;
	ring->count.unattributed += !known;
	ring->count.malformed += !!(call->flags & XEN_HCTRACE_F_MALFORMED);
	ring->count.late += !!(call->flags & XEN_HCTRACE_F_LATE);
	p->unreliable = call->flags & XEN_HCTRACE_F_UNRELIABLE;
	ring->attr.contradictions += p->unreliable;

	/* Who is filtered out has a row nevertheless, so that generations are the same. */
	dom = known ? hct_account_domain(p->acct, call->domid) :
		      &p->acct->special[HCT_ROW_UNATTRIBUTED];
	if (!is_counted(&p->settings, call)) {
		ring->count.filtered++;
		return;
	}
	cell = &dom->cells[call->kind][hct_account_cell(&decoded)];
	if (call->flags & XEN_HCTRACE_F_CONTINUED) {
		hct_cell_continuation(cell);
		return;
	}
	hct_account_doubt(dom, &decoded);
	hct_cell_call(cell, hct_account_units(&decoded));
	if (!known)
		return;
	if (is_multicall(&decoded)) {
		hct_account_batch(dom, call->a1);
		begin_batch(replay, call->batch, call->domid, call->a1);
	} else if (call->kind == HCT_KIND_MEMBER && call->batch) {
		see_member(replay, call->batch, call->domid);
	}
}

void replay_cut(struct replay *replay)
{
	unsigned int i;

	for (i = 0; i < NR_OPEN; i++)
		end_batch(replay, &replay->open[i], HCT_END_LOST);
}

void replay_domain(struct replay *replay, u16 domid)
{
	unsigned int i;

	for (i = 0; i < NR_OPEN; i++) {
		if (replay->open[i].domid == domid)
			end_batch(replay, &replay->open[i], HCT_END_SHORT);
	}
	hct_account_died(replay->rec->p.acct, domid);
}
