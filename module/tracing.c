// SPDX-License-Identifier: GPL-2.0
/*
 * What Xen is told. Everything here runs under ctl.
 *
 * Starting, in this order: claim the VIRQ, which keeps other consumers out;
 * tracing off, where there are buffers; masks; buffers (allocating them switches
 * tracing on, so off again); map, check, empty; thread; tracing on. Stopping is
 * the reverse, with the VIRQ last, because until then we may still write cons.
 *
 * While we hold the VIRQ we own the buffers, but a stock xentrace that finds
 * them taken has changed both masks before it gives up, and others may switch
 * tracing off, as Xen itself does where an index of a ring makes no sense to it. So
 * all of that is looked at twice a second, and set right.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/workqueue.h>

#include "ctl.h"
#include "drain.h"
#include "pause.h"
#include "pipe.h"
#include "selftest.h"
#include "tbuf.h"
#include "tracing.h"
#include "watch.h"
#include "xen/hypervisor.h"

#define DEFAULT_TBUF_PAGES	32	/* as stock xentrace */

#define WATCHDOG_PERIOD		(HZ / 2)

/* The event that tells who runs, if the mask has it. */
#define RUNSTATES		0x00021001u

/* All under ctl. */
static struct hct_hyp tracing_hyp;
static struct hct_tbuf tracing_tbuf;
static u32 requested_pages;
static bool tracing_begun;
static u32 asked_mask;			/* what Xen was last asked for */
static u32 found_mask;
static u64 mask_changes;
static u64 found_off;
static bool may_be_off;			/* no record in a whole period */

static void watchdog_tick(struct work_struct *work);
static DECLARE_DELAYED_WORK(watchdog_work, watchdog_tick);

static void mark_gap(void)
{
	struct hct_pipeline *p = hct_pipe_lock();

	hct_pipeline_gap(p);
	hct_pipe_unlock();
}

static void tell_gap(enum xen_hctrace_gap reason)
{
	struct hct_pipeline *p = hct_pipe_lock();

	hct_pipeline_tell_gap(p, reason);
	hct_pipe_unlock();
}

/* Whether a hypercall of ours is recorded, if all is as it should be. */
static bool hct_calls_are_asked(void)
{
	return xen_trc_mask_has(asked_mask, tracing_hyp.pv ? XEN_TRC_PV_HYPERCALL_V2 :
							     XEN_TRC_HVM_VMMCALL);
}

/* Whether somebody's switch from one vCPU to another is recorded. */
static bool hct_switches_are_asked(void)
{
	return xen_trc_mask_has(asked_mask, RUNSTATES) ||
	       xen_trc_mask_has(asked_mask, XEN_TRC_SCHED_SWITCH);
}

/*
 * Another program changed the mask. What was recorded meanwhile may lack the
 * scheduler's records, so who runs is unknown from here on. The mark comes
 * first: it stands at the present end of each ring.
 */
static void hct_set_masks_back(u32 evt_mask)
{
	if (evt_mask != asked_mask) {
		tell_gap(XEN_HCTRACE_GAP_MASK);
		hct_hyp_set_evt_mask(asked_mask);
		if (!mask_changes++)
			pr_notice("another program set Xen's event mask to 0x%08x; it is set back to 0x%08x whenever that happens\n",
				  evt_mask, asked_mask);
	}
	/* This mask cannot be read. */
	hct_hyp_set_all_cpus();
}

static void hct_note_off(void)
{
	tell_gap(XEN_HCTRACE_GAP_TRACING_OFF);
	if (!found_off++)
		pr_notice("another program, or Xen, has switched tracing off; it is switched on again whenever that happens\n");
}

/*
 * A call of ours has left no record. By now the masks are set right; if it is not for
 * them, and not for tracing either, then we are on a pCPU that is silent.
 *
 * Return: whether anything was set right.
 */
static bool hct_switch_on_again(bool mask_changed)
{
	struct hct_tbuf_info info;
	bool recorded;

	if (hct_watch_call(&info, &recorded))
		return false;
	if (recorded && !mask_changed) {
		mask_changes++;
		tell_gap(XEN_HCTRACE_GAP_MASK);
	}
	if (recorded)
		return true;
	/* Where that may well be another time in vain, who runs is not forgotten for it. */
	if (!hct_watch_has_silent())
		mark_gap();
	hct_hyp_enable();
	if (hct_watch_call(&info, &recorded) || !recorded)
		return false;
	hct_note_off();
	return true;
}

/* The same where no call of ours is asked for: a whole period without a record is odd. */
static bool hct_switch_on_blindly(bool moved)
{
	if (moved && may_be_off && !hct_watch_has_silent())
		hct_note_off();
	may_be_off = !moved;
	if (moved)
		return false;
	mark_gap();
	hct_hyp_enable();
	return true;
}

static void hct_watch_tracing(void)
{
	bool recorded, moved, mask_changed, mended = false;
	bool was_paused = hct_pause_is_on();
	struct hct_tbuf_info info;
	struct hct_pipeline *p;

	p = hct_pipe_lock();
	moved = hct_rings_moved(p);
	hct_pipe_unlock();
	if (hct_watch_call(&info, &recorded))
		return;
	mask_changed = info.evt_mask != asked_mask;
	hct_set_masks_back(info.evt_mask);
	hct_pause_tick();
	if (was_paused || hct_pause_is_on()) {
		hct_watch_forget();
		may_be_off = false;
		return;
	}
	if (!hct_calls_are_asked())
		mended = hct_switch_on_blindly(moved || mask_changed);
	else if (!recorded)
		mended = hct_switch_on_again(mask_changed);
	if (mask_changed || mended)
		hct_watch_forget();
	hct_watch_pcpus(&tracing_hyp.nr_pcpus,
			hct_switches_are_asked() && !strcmp(tracing_hyp.sched_gran, "cpu"));
}

static void watchdog_tick(struct work_struct *work)
{
	/* Never waits for ctl: stopping waits for us under it. */
	if (!mutex_trylock(&hct_ctl))
		goto again;
	hct_watch_tracing();
	if (!hct_pause_is_on())
		hct_selftest_run(asked_mask, tracing_hyp.pv);
	mutex_unlock(&hct_ctl);
again:
	queue_delayed_work(hct_wq, &watchdog_work, WATCHDOG_PERIOD);
}

/* Once: the size of the buffers holds until the host reboots. */
static void announce_once(u8 profile)
{
	static bool announced;

	if (announced)
		return;
	announced = true;
	pr_info("Xen %u.%u%s, %s dom0, %u of %u pCPUs traced, %u pages each, profile %s\n",
		tracing_hyp.major, tracing_hyp.minor, tracing_hyp.extra,
		tracing_hyp.pv ? "PV" : "PVH", tracing_tbuf.nr, tracing_hyp.nr_pcpus,
		tracing_tbuf.pages, hct_profile_name(profile));
	if (requested_pages && requested_pages != tracing_tbuf.pages)
		pr_notice("tbuf_pages=%u cannot be had: the buffers exist and keep their size until the host reboots\n",
			  requested_pages);
}

int hct_tracing_start(u8 profile)
{
	struct hct_tbuf_info info;
	int rc;

	lockdep_assert_held(&hct_ctl);
	rc = hct_hyp_claim(hct_drain_wake);
	if (rc) {
		/* Who asked knows best what to say of another program that has them. */
		if (rc != -EBUSY)
			pr_err_ratelimited("VIRQ_TBUF cannot be bound: error %d\n", rc);
		return rc;
	}
	rc = hct_hyp_get_info(&info);
	if (rc)
		goto err_claim;
	found_mask = info.evt_mask;

	/* What somebody else may have left on. */
	rc = hct_hyp_disable();
	if (rc) {
		pr_err_ratelimited("Xen refused to stop tracing: error %d\n", rc);
		goto err_claim;
	}
	rc = hct_hyp_set_all_cpus();
	if (!rc)
		rc = hct_hyp_set_evt_mask(asked_mask);
	if (rc) {
		pr_err_ratelimited("Xen refused the event mask 0x%08x: error %d\n", asked_mask, rc);
		goto err_mask;
	}

	rc = hct_tbuf_attach(&tracing_tbuf, requested_pages ?: DEFAULT_TBUF_PAGES);
	if (rc)
		goto err_mask;
	rc = hct_drain_start(&tracing_tbuf, hct_pause_ask);
	if (rc)
		goto err_attach;
	rc = hct_pause_or_enable();
	if (rc) {
		pr_err_ratelimited("Xen refused to trace: error %d\n", rc);
		goto err_drain;
	}

	tracing_begun = true;
	may_be_off = false;
	hct_watch_forget();
	/* What is said of pCPUs is known from the first moment on. */
	hct_watch_pcpus(&tracing_hyp.nr_pcpus, false);
	announce_once(profile);
	if (!hct_pause_is_on())
		hct_selftest_run(asked_mask, tracing_hyp.pv);
	queue_delayed_work(hct_wq, &watchdog_work, WATCHDOG_PERIOD);
	return 0;

err_drain:
	hct_drain_stop();
err_attach:
	hct_tbuf_detach(&tracing_tbuf);
err_mask:
	hct_hyp_set_evt_mask(found_mask);
err_claim:
	hct_hyp_release();
	return rc;
}

void hct_tracing_stop(void)
{
	bool was_paused = hct_pause_is_on();
	struct hct_pipeline *p;
	int rc;

	lockdep_assert_held(&hct_ctl);
	cancel_delayed_work_sync(&watchdog_work);
	/* What was lost is told ahead of the next record that fits: let there be room for one. */
	if (!was_paused)
		hct_drain_sync();
	rc = hct_hyp_disable();
	if (rc)
		pr_err("Xen refused to stop tracing: error %d; it is left with an empty event mask\n",
		       rc);
	if (!was_paused) {
		p = hct_pipe_lock();
		hct_pipeline_forgotten(p);
		hct_pipe_unlock();
	}
	hct_drain_stop();
	/*
	 * Where Xen traces on it does so into memory of its own, whether that is mapped or
	 * not; the less, the better for whoever comes next.
	 */
	rc = hct_hyp_set_evt_mask(rc ? 0 : found_mask);
	if (rc)
		pr_err("Xen refused its event mask of before, 0x%08x: error %d\n", found_mask, rc);
	hct_tbuf_detach(&tracing_tbuf);
	hct_hyp_release();
	hct_pause_stop();
	tracing_begun = false;
}

bool hct_tracing_is_on(void)
{
	lockdep_assert_held(&hct_ctl);
	return tracing_begun;
}

u32 hct_tracing_mask(void)
{
	lockdep_assert_held(&hct_ctl);
	return asked_mask;
}

void hct_tracing_ask(u32 mask)
{
	lockdep_assert_held(&hct_ctl);
	asked_mask = mask;
}

bool hct_tracing_by_switch(void)
{
	lockdep_assert_held(&hct_ctl);
	return !xen_trc_mask_has(asked_mask, RUNSTATES);
}

int hct_tracing_change(u32 before)
{
	lockdep_assert_held(&hct_ctl);
	if (asked_mask == before)
		return 0;
	/* Other records may tell who runs. */
	if (xen_trc_mask_has(asked_mask, RUNSTATES) != xen_trc_mask_has(before, RUNSTATES))
		mark_gap();
	return hct_hyp_set_evt_mask(asked_mask);
}

bool hct_tracing_dom0_is_pv(void)
{
	return tracing_hyp.pv;
}

u32 hct_tracing_pcpu_ids(void)
{
	return tracing_hyp.nr_pcpu_ids;
}

void hct_tracing_status(struct hct_tracing_status *status)
{
	lockdep_assert_held(&hct_ctl);
	status->hyp = tracing_hyp;
	status->is_on = tracing_begun;
	status->requested_pages = requested_pages;
	status->actual_pages = tracing_tbuf.pages;
	status->nr_rings = tracing_tbuf.nr;
	status->asked_mask = asked_mask;
	status->found_mask = found_mask;
	status->mask_changes = mask_changes;
	status->found_off = found_off;
}

int hct_tracing_init(u32 sysctl_version, u32 tbuf_pages)
{
	int rc = hct_hyp_init(&tracing_hyp, sysctl_version);

	requested_pages = tbuf_pages;
	switch (rc) {
	case 0:
		return hct_watch_init(tracing_hyp.nr_pcpu_ids);
	case -ENODEV:
		pr_err("this is not the dom0 of a Xen host\n");
		break;
	case -EOPNOTSUPP:
		pr_err("this Xen is built without trace buffers (CONFIG_TRACEBUFFER)\n");
		break;
	case -EACCES:
		pr_err("Xen refuses every known version of its sysctl interface: a Xen newer than this module (try sysctl_version=), or a FLASK policy without tbufcontrol\n");
		break;
	default:
		pr_err("Xen refuses to tell of its trace buffers: error %d\n", rc);
	}
	return rc;
}

void hct_tracing_exit(void)
{
	hct_watch_exit();
}
