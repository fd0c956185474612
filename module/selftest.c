// SPDX-License-Identifier: GPL-2.0
/*
 * A call of our own that the pipeline will know again. It proves that calls are
 * traced, and tells by how much the host's time stamp counter is ahead of ours. It
 * comes by the sync that opening the status begins with.
 */
#include <linux/preempt.h>

#include "hctrace.h"

/* With the time known so well, another marker tells nothing new. */
#define GOOD_UNCERTAINTY_NS	5000

/* So many in a row; what they have not told by then they will not. */
#define MAX_MARKERS		32

/* Under ctl. */
static bool refused;
static u32 nr_sent;

/* Whether a call of our own would tell something: that calls are traced, or the time. */
static bool is_wanted(u32 mask)
{
	struct hct_clock_state state;
	struct hct_marker marker;

	/* It is a member of a multicall. */
	if (!xen_trc_mask_has(mask, XEN_TRC_PV_SUBCALL))
		return false;
	marker = hct_pipe_lock()->marker;
	hct_pipe_unlock();
	if (!marker.cookie) {
		nr_sent = 0;
		return !refused;
	}
	hct_drain_clock(&state);
	return nr_sent < MAX_MARKERS && marker.seen && !marker.fresh &&
	       state.uncertainty_ns > GOOD_UNCERTAINTY_NS;
}

void hct_selftest_run(u32 mask)
{
	static u32 sent;
	u32 cookie = 0x48430000 + (++sent & 0xffff);
	struct hct_marker *marker;
	u64 before, after;
	int rc;

	if (!is_wanted(mask))
		return;
	nr_sent++;
	marker = &hct_pipe_lock()->marker;
	marker->cookie = cookie;
	marker->after = 0;
	hct_pipe_unlock();

	preempt_disable();
	before = hct_hyp_tsc();
	rc = hct_hyp_mark(cookie);
	after = hct_hyp_tsc();
	preempt_enable();

	/* HVM domains of Xen before 4.15.1 have no multicalls. */
	refused = rc;
	marker = &hct_pipe_lock()->marker;
	marker->cookie = rc ? 0 : cookie;
	marker->before = before;
	marker->after = after;
	hct_pipe_unlock();
}
