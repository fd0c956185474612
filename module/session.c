// SPDX-License-Identifier: GPL-2.0
/*
 * The session: what is wanted, by whom, and whether it can be had.
 *
 * The statistics want events from a start to a stop, a reader from its first mmap or
 * ENABLE to its end, the tracepoints while one of them is on. A stop ends it for all
 * of them, so that another program can have the buffers, until somebody asks anew.
 *
 *               asks anew          wanted              had
 *      STOPPED -----------> IDLE -----------> (try) -----------> TRACING
 *                           ^  ^               | ^                 | ^
 *                           |  |   cannot be   | | a second    not | | wanted
 *                           |  |   had         v | later    wanted v |
 *                           |  +------------- WAITING          LINGERING
 *                           |    not wanted                        |
 *                           +--------------------------------------+
 *                                      half a second later
 *
 * A stop leads to STOPPED from each of them.
 *
 * Who can wait for an answer gets one: a start and an ENABLE try at once, and where
 * that fails nothing has changed. mmap and the tracepoints cannot, because they come
 * with locks of the kernel's memory or tracing in their hands, which must have
 * nothing to do with ours: they leave what they want, and a work item follows.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "ctl.h"
#include "drain.h"
#include "pause.h"
#include "pipe.h"
#include "readers.h"
#include "session.h"
#include "trace.h"
#include "tracing.h"
#include "watch.h"

/* So long nobody may want events before we stop: readers come and go. */
#define LINGER_TIME		(HZ / 2)

/*
 * When to try again: another program may end at any time, and to ask costs one
 * hypercall. Whatever else is in the way is logged each time, and does not go so soon.
 */
#define RETRY_BUSY		HZ
#define RETRY_OTHER		(60 * HZ)

enum hct_state {
	HCT_STOPPED,	/* by the user: what is wanted does not count */
	HCT_IDLE,	/* nobody wants anything, Xen is left alone */
	HCT_WAITING,	/* wanted, and cannot be had yet */
	HCT_TRACING,
	HCT_LINGERING,	/* tracing still, but nobody wants it any more */
};

/*
 * What is wanted, for those who cannot wait for ctl. The state changes under ctl and
 * this one, but for asking anew after a stop, which needs only this one.
 */
static DEFINE_SPINLOCK(demands_lock);
static LIST_HEAD(demands);
static enum hct_state session_state = HCT_IDLE;
static bool session_live;			/* work may be queued; written under ctl too */

/* The rest is under ctl. */
static struct hct_settings *session_settings;	/* what the user sees */
static struct hct_settings *parse_scratch;
static struct hct_settings *settings_before;
static bool stats_counting;			/* the statistics want events */
static int wait_error;			/* why what is wanted cannot be had, 0: it can */
static ktime_t counted_since;		/* if tracing and counting */
static u64 paused_before;		/* hct_pause_ms() then */
static u64 traced_ms;
static char last_error[HCT_ERROR_MAX];

static void hct_follow_work(struct work_struct *work);
static void hct_linger_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(follow_work, hct_follow_work);
static DECLARE_DELAYED_WORK(linger_work, hct_linger_work);

static void hct_set_state(enum hct_state next)
{
	lockdep_assert_held(&hct_ctl);
	spin_lock(&demands_lock);
	session_state = next;
	spin_unlock(&demands_lock);
}

static bool hct_is_stopped(void)
{
	bool stopped;

	spin_lock(&demands_lock);
	stopped = session_state == HCT_STOPPED;
	spin_unlock(&demands_lock);
	return stopped;
}

/* What everybody together would have of Xen; 0: nobody wants anything. */
static u32 hct_demands_mask(void)
{
	const struct hct_demand *demand;
	u32 mask = stats_counting ? hct_settings_mask(session_settings) : 0;

	lockdep_assert_held(&hct_ctl);
	spin_lock(&demands_lock);
	list_for_each_entry(demand, &demands, node)
		mask |= demand->mask;
	spin_unlock(&demands_lock);
	/* They want what the statistics count: for anything else there are readers. */
	if (hct_trace_is_on())
		mask |= hct_settings_mask(session_settings);
	return mask;
}

/* Make the pipeline do what we decided. */
static void hct_publish(void)
{
	struct hct_pipeline *p;

	lockdep_assert_held(&hct_ctl);
	p = hct_pipe_lock();
	hct_pipeline_set(p, session_settings, stats_counting);
	hct_pipeline_learn_by_switch(p, hct_tracing_by_switch());
	hct_pipe_unlock();
	hct_pause_follow(session_settings->breaker);
	hct_readers_traced(hct_trace_is_on());
}

static void hct_count_time(void)
{
	counted_since = ktime_get();
	paused_before = hct_pause_ms();
}

/* While tracing and counting: since hct_count_time(), without the pauses. */
static u64 hct_counted_ms(void)
{
	s64 ms = ktime_ms_delta(ktime_get(), counted_since) - (hct_pause_ms() - paused_before);

	return ms > 0 ? ms : 0;
}

/* Before tracing or counting begins or ends: so far it was counted. */
static void hct_settle_time(void)
{
	if (hct_tracing_is_on() && stats_counting)
		traced_ms += hct_counted_ms();
	hct_count_time();
}

static void hct_end_tracing(void)
{
	if (!hct_tracing_is_on())
		return;
	hct_settle_time();
	hct_tracing_stop();
}

/* Have Xen trace @mask, no more and no less. Where that fails all is as before. */
static int hct_begin_tracing(u32 mask)
{
	u32 mask_before = hct_tracing_mask();
	int rc;

	lockdep_assert_held(&hct_ctl);
	hct_settle_time();
	hct_tracing_ask(mask);
	hct_publish();
	if (hct_tracing_is_on())
		rc = hct_tracing_change(mask_before);
	else
		rc = hct_tracing_start(session_settings->profile);
	if (rc) {
		hct_tracing_ask(mask_before);
		hct_publish();
		return rc;
	}
	/* That may have taken a while. */
	hct_count_time();
	wait_error = 0;
	hct_set_state(HCT_TRACING);
	return 0;
}

/* For somebody who is told the error. */
static void hct_say_busy(int rc)
{
	if (rc == -EBUSY)
		pr_err_ratelimited("another program holds Xen's trace buffers (xentrace?): end it, then start again\n");
}

/* What is wanted cannot be had: try again later. */
static void hct_wait(int rc)
{
	if (rc == -EBUSY && wait_error != -EBUSY)
		pr_notice_ratelimited("another program holds Xen's trace buffers (xentrace?): who wants events waits until it ends, or for a stop\n");
	wait_error = rc;
	if (!hct_tracing_is_on())
		hct_set_state(HCT_WAITING);
	mod_delayed_work(hct_wq, &follow_work, rc == -EBUSY ? RETRY_BUSY : RETRY_OTHER);
}

/* Go where the demands lead. */
static void hct_follow_demands(void)
{
	u32 mask = hct_is_stopped() ? 0 : hct_demands_mask();
	int rc;

	if (mask) {
		rc = hct_begin_tracing(mask);
		if (rc)
			hct_wait(rc);
		return;
	}
	wait_error = 0;
	hct_publish();
	if (hct_tracing_is_on()) {
		/* Until it is stopped, tracing goes on as it was. */
		hct_set_state(HCT_LINGERING);
		mod_delayed_work(hct_wq, &linger_work, LINGER_TIME);
	} else if (!hct_is_stopped()) {
		hct_set_state(HCT_IDLE);
	}
}

static void hct_follow_work(struct work_struct *work)
{
	mutex_lock(&hct_ctl);
	if (session_live)
		hct_follow_demands();
	mutex_unlock(&hct_ctl);
}

/* Nobody has wanted anything for a while: let others have the buffers. */
static void hct_linger_work(struct work_struct *work)
{
	mutex_lock(&hct_ctl);
	if (session_live && session_state == HCT_LINGERING) {
		hct_end_tracing();
		hct_set_state(HCT_IDLE);
	}
	mutex_unlock(&hct_ctl);
}

/* The statistics begin to want events. */
static int hct_start_counting(void)
{
	bool counted = stats_counting;
	int rc;

	hct_settle_time();
	hct_pause_forgive();
	stats_counting = true;
	rc = hct_begin_tracing(hct_demands_mask());
	if (rc) {
		hct_say_busy(rc);
		stats_counting = counted;
		hct_publish();
	}
	return rc;
}

static void hct_stop_all(void)
{
	hct_end_tracing();
	stats_counting = false;
	wait_error = 0;
	hct_set_state(HCT_STOPPED);
	hct_publish();
}

/* Under demands_lock. */
static void hct_demand_change(struct hct_demand *demand, u32 mask)
{
	lockdep_assert_held(&demands_lock);
	list_del_init(&demand->node);
	demand->mask = mask;
	if (mask)
		list_add_tail(&demand->node, &demands);
}

/* Under demands_lock: who asks anew ends a stop, and a work item looks who wants what. */
static void hct_demands_changed(bool anew)
{
	lockdep_assert_held(&demands_lock);
	if (anew && session_state == HCT_STOPPED)
		session_state = HCT_IDLE;
	if (session_live)
		mod_delayed_work(hct_wq, &follow_work, 0);
}

void hct_session_want(struct hct_demand *demand, u32 mask)
{
	spin_lock(&demands_lock);
	hct_demand_change(demand, mask);
	hct_demands_changed(mask);
	spin_unlock(&demands_lock);
}

int hct_session_want_now(struct hct_demand *demand, u32 mask)
{
	int rc;

	mutex_lock(&hct_ctl);
	rc = session_live ? hct_begin_tracing(hct_demands_mask() | mask) : -ENODEV;
	if (!rc) {
		spin_lock(&demands_lock);
		hct_demand_change(demand, mask);
		spin_unlock(&demands_lock);
	}
	hct_say_busy(rc);
	mutex_unlock(&hct_ctl);
	return rc;
}

/* A tracepoint was enabled, or disabled. */
static void hct_tracepoints_changed(bool more)
{
	spin_lock(&demands_lock);
	hct_demands_changed(more);
	spin_unlock(&demands_lock);
}

void hct_session_settle(void)
{
	flush_delayed_work(&follow_work);
}

u32 hct_session_kinds_mask(u32 kinds)
{
	return hct_kinds_mask(kinds, hct_tracing_dom0_is_pv());
}

u32 hct_session_pcpu_ids(void)
{
	return hct_tracing_pcpu_ids();
}

u32 hct_session_default_kinds(void)
{
	return 1 << (hct_tracing_dom0_is_pv() ? HCT_KIND_CALL : HCT_KIND_HVM);
}

static void hct_reset(void)
{
	struct hct_pipeline *p = hct_pipe_lock();

	hct_pipeline_reset(p);
	hct_pipe_unlock();
	traced_ms = 0;
	hct_pause_reset();
	hct_count_time();
}

int hct_session_start(void)
{
	int rc;

	mutex_lock(&hct_ctl);
	rc = hct_start_counting();
	mutex_unlock(&hct_ctl);
	return rc;
}

/* The settings have changed, and with them perhaps what is wanted. */
static int hct_apply_settings(void)
{
	u32 mask = hct_demands_mask();

	if (session_state == HCT_TRACING && mask)
		return hct_begin_tracing(mask);
	/* Who waits goes on waiting, for other events. */
	hct_follow_demands();
	return 0;
}

static int hct_control(const char *text, size_t len)
{
	u32 verbs;
	int rc = 0;

	lockdep_assert_held(&hct_ctl);
	*settings_before = *session_settings;
	if (hct_control_parse(text, len, session_settings, &verbs, last_error,
			      sizeof(last_error), parse_scratch))
		return -EINVAL;

	if (verbs & HCT_VERB_STOP)
		hct_stop_all();
	if (verbs & HCT_VERB_START)
		rc = hct_start_counting();
	else
		rc = hct_apply_settings();
	if (rc) {
		scnprintf(last_error, sizeof(last_error),
			  "tracing cannot begin: error %d, the kernel log says why", rc);
		*session_settings = *settings_before;
		hct_publish();
		return rc;
	}
	/* Last, because nothing may have changed when starting fails. */
	if (verbs & HCT_VERB_RESET)
		hct_reset();
	last_error[0] = '\0';
	return 0;
}

int hct_session_control(const char *text, size_t len)
{
	int rc;

	/* What was recorded before the text is counted by the rules before it. */
	rc = hct_drain_sync();
	if (rc)
		return rc;

	mutex_lock(&hct_ctl);
	rc = session_live ? hct_control(text, len) : -ENODEV;
	mutex_unlock(&hct_ctl);
	return rc;
}

size_t hct_session_format(char *buf, size_t size)
{
	size_t len = 0;

	mutex_lock(&hct_ctl);
	if (session_live)
		len = hct_control_format(session_settings, stats_counting, buf, size);
	mutex_unlock(&hct_ctl);
	return len;
}

void hct_session_status(struct hct_status *status)
{
	const struct hct_demand *demand;

	memset(status, 0, sizeof(*status));
	mutex_lock(&hct_ctl);
	hct_tracing_status(&status->tracing);
	hct_watch_status(&status->watch);
	hct_pause_status(&status->pause);
	if (!status->tracing.is_on)
		status->tracing.asked_mask = hct_settings_mask(session_settings);
	status->counting = stats_counting;
	status->wait_error = wait_error;
	spin_lock(&demands_lock);
	list_for_each_entry(demand, &demands, node)
		status->demands++;
	spin_unlock(&demands_lock);
	status->demands += hct_trace_is_on();
	status->traced_ms = traced_ms;
	if (status->tracing.is_on && stats_counting)
		status->traced_ms += hct_counted_ms();
	strscpy(status->last_error, last_error, sizeof(status->last_error));
	mutex_unlock(&hct_ctl);
}

static int hct_init_settings(struct hct_config *config)
{
	const char *text = config->settings;
	u32 verbs;

	session_settings = kmalloc(sizeof(*session_settings), GFP_KERNEL);
	parse_scratch = kmalloc(sizeof(*parse_scratch), GFP_KERNEL);
	settings_before = kmalloc(sizeof(*settings_before), GFP_KERNEL);
	if (!session_settings || !parse_scratch || !settings_before)
		return -ENOMEM;

	hct_settings_init(session_settings,
			  hct_tracing_dom0_is_pv() ? HCT_PROFILE_PV : HCT_PROFILE_HVM);
	if (config->poll_ms > HCT_POLL_MS_MAX) {
		pr_err("parameter poll_ms: a number from 1 to %u\n", HCT_POLL_MS_MAX);
		return -EINVAL;
	}
	if (config->poll_ms)
		session_settings->poll_ms = config->poll_ms;
	if (!text)
		return 0;
	if (hct_control_parse(text, strlen(text), session_settings, &verbs, last_error,
			      sizeof(last_error), parse_scratch)) {
		pr_err("parameter control: %s\n", last_error);
		return -EINVAL;
	}
	if (verbs & (HCT_VERB_START | HCT_VERB_STOP))
		config->autostart = verbs & HCT_VERB_START;
	return 0;
}

static void hct_free_settings(void)
{
	kfree(session_settings);
	kfree(parse_scratch);
	kfree(settings_before);
	session_settings = NULL;
	parse_scratch = NULL;
	settings_before = NULL;
}

int hct_session_init(struct hct_config *config)
{
	int rc;

	rc = hct_ctl_init();
	if (rc)
		return rc;
	rc = hct_tracing_init(config->sysctl_version, config->tbuf_pages);
	if (rc)
		goto err_ctl;
	rc = hct_init_settings(config);
	if (rc)
		goto err_settings;
	rc = hct_pipe_init(session_settings, hct_tracing_dom0_is_pv());
	if (rc)
		goto err_settings;

	mutex_lock(&hct_ctl);
	spin_lock(&demands_lock);
	session_live = true;
	spin_unlock(&demands_lock);
	mutex_unlock(&hct_ctl);
	hct_trace_tell(hct_tracepoints_changed);
	/* One may have been enabled before we were here. */
	hct_tracepoints_changed(false);
	return 0;

err_settings:
	hct_free_settings();
	hct_tracing_exit();
err_ctl:
	hct_ctl_exit();
	return rc;
}

void hct_session_exit(void)
{
	hct_drain_sync();
	hct_trace_tell(NULL);
	mutex_lock(&hct_ctl);
	spin_lock(&demands_lock);
	session_live = false;
	spin_unlock(&demands_lock);
	hct_end_tracing();
	mutex_unlock(&hct_ctl);
	/* They take ctl themselves, and do nothing once we are not live. */
	cancel_delayed_work_sync(&follow_work);
	cancel_delayed_work_sync(&linger_work);
	hct_pause_exit();
	hct_pipe_exit();
	hct_free_settings();
	hct_tracing_exit();
	hct_ctl_exit();
}
