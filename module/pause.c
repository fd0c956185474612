// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses of tracing: what the circuit breaker of hctrace/breaker.h decides is done
 * here, under ctl.
 *
 * A pause is no stop. The buffers stay ours and the drain goes on; nothing but Xen's
 * own switch is off, because that is all that its warnings depend on. What was lost
 * inside Xen and not told yet is forgotten by the switching, and there is no time to
 * ask for it first: so there is a gap in the stream, and not a count.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "ctl.h"
#include "pause.h"
#include "pipe.h"
#include "xen/hypervisor.h"

static void hct_begin_pause_work(struct work_struct *work);
static DECLARE_WORK(hct_pause_work, hct_begin_pause_work);

/* All under ctl. */
static bool tracing_begun;			/* from hct_pause_or_enable() to hct_pause_stop() */
static bool tracing_paused;
static ktime_t paused_since;			/* if tracing_paused */
static u64 paused_ms;				/* in pauses that are over */
static ktime_t pause_began;			/* the last one */
static struct hct_hyp_domain breaker_offender;	/* as it was last seen */

/* The breaker, with the time set; until hct_pipe_unlock(). */
static struct hct_breaker *hct_lock_breaker(void)
{
	struct hct_pipeline *p = hct_pipe_lock();

	hct_breaker_now(&p->breaker, ktime_to_ms(ktime_get()));
	return &p->breaker;
}

static void hct_log_pause(const struct hct_breaker *b)
{
	char who[16] = "some domain", how_long[48] = "until that domain is gone";

	if (b->domid != HCT_BREAKER_NOBODY)
		scnprintf(who, sizeof(who), "d%u", b->domid);
	if (hct_breaker_left_ms(b) != HCT_BREAKER_STAYS)
		scnprintf(how_long, sizeof(how_long), "for %llu s",
			  div_u64(hct_breaker_left_ms(b), MSEC_PER_SEC));
	pr_warn("%s made malformed hypercalls, each a warning in Xen's log: tracing is off %s (control: start, or breaker off)\n",
		who, how_long);
}

static void hct_note_pause(const struct hct_breaker *b)
{
	tracing_paused = true;
	paused_since = ktime_get();
	pause_began = paused_since;
	hct_log_pause(b);
}

/* It was just opened: know the domain again. One that is gone by now stays unknown. */
static void hct_note_offender(u16 domid)
{
	if (domid != HCT_BREAKER_NOBODY)
		hct_hyp_domain(domid, &breaker_offender);
}

/* The breaker was tripped, and nobody has forgiven it meanwhile: switch tracing off. */
static void hct_begin_pause(void)
{
	struct hct_breaker *b = hct_lock_breaker();
	struct hct_breaker now;
	struct hct_pipeline *p;
	bool tripped;
	int rc;

	tripped = hct_breaker_opened(b);
	hct_pipe_unlock();
	if (!tripped)
		return;
	rc = hct_hyp_disable();
	if (rc)
		pr_err("Xen refused to stop tracing: error %d\n", rc);
	/* Behind all that was recorded. */
	p = hct_pipe_lock();
	hct_pipeline_forgotten(p);
	hct_pipeline_tell_gap(p, XEN_HCTRACE_GAP_BREAKER);
	now = p->breaker;
	hct_pipe_unlock();
	hct_note_offender(now.domid);
	hct_note_pause(&now);
}

static void hct_begin_pause_work(struct work_struct *work)
{
	mutex_lock(&hct_ctl);
	if (tracing_begun)
		hct_begin_pause();
	mutex_unlock(&hct_ctl);
}

void hct_pause_ask(void)
{
	queue_work(hct_wq, &hct_pause_work);
}

static void hct_count_pause(void)
{
	paused_ms = hct_pause_ms();
	tracing_paused = false;
}

/* If Xen refuses, the next tick tries again. */
static void hct_end_pause(void)
{
	u64 ms = ktime_ms_delta(ktime_get(), paused_since);
	int rc = hct_hyp_enable();

	if (rc) {
		pr_err_once("Xen refused to trace again: error %d\n", rc);
		return;
	}
	hct_count_pause();
	pr_notice("tracing is on again, after %llu.%llu s\n", div_u64(ms, MSEC_PER_SEC),
		  div_u64(ms, 100) % 10);
}

/* End the pause if it need not be any more. */
static void hct_review_pause(void)
{
	struct hct_breaker *b = hct_lock_breaker();
	bool on;

	if (hct_breaker_is_over(b))
		hct_breaker_arm(b);
	on = b->state == HCT_BREAKER_ARMED;
	hct_pipe_unlock();
	if (on)
		hct_end_pause();
}

/*
 * Xen is asked, for it records nothing now. An id may have been given to another
 * domain between two looks, which then has another UUID or has run for less long.
 */
static bool hct_offender_is_gone(u16 domid)
{
	struct hct_hyp_domain now;
	int rc = hct_hyp_domain(domid, &now);
	bool other;

	if (rc)
		return rc == -ESRCH;
	other = memcmp(now.handle, breaker_offender.handle, sizeof(now.handle)) ||
		now.cpu_ns < breaker_offender.cpu_ns;
	breaker_offender = now;
	return other;
}

void hct_pause_tick(void)
{
	struct hct_breaker *b;
	u16 domid;

	lockdep_assert_held(&hct_ctl);
	if (!tracing_paused)
		return;
	/* Whoever may have switched it on did not ask us. */
	hct_hyp_disable();
	b = hct_lock_breaker();
	domid = b->domid;
	hct_pipe_unlock();
	if (domid != HCT_BREAKER_NOBODY && hct_offender_is_gone(domid)) {
		b = hct_lock_breaker();
		hct_breaker_gone(b, domid);
		hct_pipe_unlock();
	}
	hct_review_pause();
}

void hct_pause_follow(bool breaker)
{
	struct hct_breaker *b;

	lockdep_assert_held(&hct_ctl);
	if (breaker)
		return;
	b = hct_lock_breaker();
	hct_breaker_arm(b);
	hct_pipe_unlock();
	if (tracing_paused)
		hct_review_pause();
}

void hct_pause_forgive(void)
{
	struct hct_pipeline *p;

	lockdep_assert_held(&hct_ctl);
	p = hct_pipe_lock();
	/* The rings of a stream that has ended are not mapped any more. */
	if (tracing_begun)
		hct_pipeline_forgive(p);
	else
		hct_breaker_forgive(&p->breaker);
	hct_pipe_unlock();
	if (tracing_paused)
		hct_review_pause();
}

int hct_pause_or_enable(void)
{
	struct hct_breaker now;
	struct hct_breaker *b;
	bool tripped;
	int rc;

	lockdep_assert_held(&hct_ctl);
	b = hct_lock_breaker();
	/* Tripped by the last records before a stop, or open since then. */
	tripped = hct_breaker_opened(b);
	if (hct_breaker_is_over(b))
		hct_breaker_arm(b);
	now = *b;
	hct_pipe_unlock();
	if (now.state == HCT_BREAKER_ARMED) {
		rc = hct_hyp_enable();
		tracing_begun = !rc;
		return rc;
	}
	if (tripped)
		hct_note_offender(now.domid);
	hct_note_pause(&now);
	tracing_begun = true;
	return 0;
}

void hct_pause_stop(void)
{
	lockdep_assert_held(&hct_ctl);
	if (tracing_paused)
		hct_count_pause();
	tracing_begun = false;
}

void hct_pause_reset(void)
{
	lockdep_assert_held(&hct_ctl);
	paused_ms = 0;
	paused_since = ktime_get();
}

bool hct_pause_is_on(void)
{
	lockdep_assert_held(&hct_ctl);
	return tracing_paused;
}

u64 hct_pause_ms(void)
{
	lockdep_assert_held(&hct_ctl);
	return paused_ms + (tracing_paused ? ktime_ms_delta(ktime_get(), paused_since) : 0);
}

void hct_pause_status(struct hct_pause_status *status)
{
	const struct hct_breaker *b;

	lockdep_assert_held(&hct_ctl);
	b = hct_lock_breaker();
	status->is_on = tracing_paused;
	status->total_ms = hct_pause_ms();
	status->age_ms = ktime_ms_delta(ktime_get(), pause_began);
	status->domid = b->state == HCT_BREAKER_ARMED ? HCT_BREAKER_NOBODY : b->domid;
	status->left_ms = hct_breaker_left_ms(b);
	status->trips = b->trips;
	hct_pipe_unlock();
}

void hct_pause_exit(void)
{
	/* It takes ctl itself, and does nothing once we do not trace. */
	cancel_work_sync(&hct_pause_work);
}
