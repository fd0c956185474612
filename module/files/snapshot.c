// SPDX-License-Identifier: GPL-2.0
/* See snapshot.h. */
#include <linux/mm.h>
#include <linux/slab.h>

#include "../pipe.h"
#include "../xen/hypervisor.h"
#include "snapshot.h"

/* Bytes of the tables with @nr rows; the space behind them is not allocated. */
static size_t tables_size(u32 nr)
{
	return offsetof(struct hct_account, domains) + nr * sizeof(struct hct_domain);
}

/* Returns with pipe held, unless there is no memory. */
static struct hct_pipeline *lock_with_room(struct hct_snapshot *snap)
{
	struct hct_pipeline *p = hct_pipe_lock();
	u32 nr = p->acct->nr;

	for (;;) {
		u32 room = nr;

		hct_pipe_unlock();
		/* In a PV dom0 each page that vmalloc() maps is a trap into Xen. */
		snap->acct = kvmalloc(tables_size(room), GFP_KERNEL);
		if (!snap->acct)
			return NULL;

		p = hct_pipe_lock();
		nr = p->acct->nr;
		if (nr <= room)
			return p;
		/* More domains came meanwhile, which ends at HCT_MAX_DOMAINS. */
		kvfree(snap->acct);
	}
}

int hct_snapshot_take(struct hct_snapshot *snap)
{
	struct hct_pipeline *p;
	u32 i;

	memset(snap, 0, sizeof(*snap));
	hct_session_status(&snap->status);
	p = lock_with_room(snap);
	if (!p)
		return -ENOMEM;

	hct_pipeline_settle(p);
	memcpy(snap->acct, p->acct, tables_size(p->acct->nr));
	snap->acct->tsc_khz = hct_clock_khz(hct_pipe_clock()) ?: hct_hyp_tsc_khz();
	hct_pipeline_total(p, &snap->total);
	snap->trust = hct_pipeline_trust(p);
	for (i = 0; i < p->nr_rings; i++)
		snap->good_rings += !p->rings[i].fault &&
				    p->rings[i].pcpu_state == HCT_PCPU_OK;
	snap->members = p->settings.kinds[HCT_KIND_MEMBER];
	snap->profile = p->settings.profile;
	hct_pipe_unlock();
	return 0;
}

void hct_snapshot_drop(struct hct_snapshot *snap)
{
	kvfree(snap->acct);
	snap->acct = NULL;
}
