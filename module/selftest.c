// SPDX-License-Identifier: GPL-2.0
/*
 * A call of our own that the pipeline will know again. It proves that calls are
 * traced, and tells by how much the host's time stamp counter is ahead of ours. It
 * comes by the sync that opening the status begins with.
 */
#include <linux/preempt.h>
#include <linux/random.h>

#include "ctl.h"
#include "pipe.h"
#include "selftest.h"
#include "xen/hypervisor.h"

static bool marker_refused;	/* under ctl */

/* Whether a call of our own would tell something: that calls are traced, or the time. */
static bool is_wanted(u32 mask, bool pv)
{
	struct hct_marker marker;
	struct hct_pipeline *p;

	/* It is a member of a multicall. */
	if (!xen_trc_mask_has(mask, XEN_TRC_PV_SUBCALL))
		return false;
	p = hct_pipe_lock();
	marker = p->marker;
	hct_pipe_unlock();
	if (!marker.cookie)
		return !marker_refused;
	/* A PV domain reads the host's counter itself; else its offset is watched. */
	return !pv && marker.seen && !marker.fresh;
}

void hct_selftest_run(u32 mask, bool pv)
{
	u32 cookie = hct_marker_cookie(get_random_u32());
	struct hct_pipeline *p;
	u64 before, after;
	int rc;

	lockdep_assert_held(&hct_ctl);
	if (!is_wanted(mask, pv))
		return;
	p = hct_pipe_lock();
	hct_marker_send(&p->marker, cookie);
	hct_pipe_unlock();

	preempt_disable();
	before = hct_hyp_tsc();
	rc = hct_hyp_mark(cookie);
	after = hct_hyp_tsc();
	preempt_enable();

	/* HVM domains of Xen before 4.15.1 have no multicalls. */
	marker_refused = rc;
	p = hct_pipe_lock();
	if (rc)
		hct_marker_refuse(&p->marker);
	else
		hct_marker_returned(&p->marker, before, after);
	hct_pipe_unlock();
}
