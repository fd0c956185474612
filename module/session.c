// SPDX-License-Identifier: GPL-2.0
/*
 * The session: what is wanted, by whom. Everything here runs under ctl.
 *
 * We trace while somebody wants it: the statistics, from a start to a stop, and
 * each demand of a reader or tracepoint. A stop ends it for all of them, so that
 * another program can have the buffers, until somebody begins to want events anew.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "hctrace.h"

/* So long nobody may want events before we stop: readers come and go. */
#define IDLE_GRACE		(HZ / 2)

/* Of all that follows, and of what tracing.c has. */
DEFINE_MUTEX(hct_ctl);

/* Unbound, because what runs on it may take a while; freezable, as the drain is. */
struct workqueue_struct *hct_wq;

static bool live;
static struct hct_settings *settings;	/* what the user sees */
static struct hct_settings *scratch;
static struct hct_settings *before;
static bool counting;			/* the statistics want events */
static LIST_HEAD(demands);
static bool handed_over;		/* stopped: the demands have to wait */
static ktime_t counted_since;		/* if tracing and counting */
static u64 traced_ms;
static char last_error[HCT_ERROR_MAX];

static void idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(idle_work, idle);

/* What everybody together wants of Xen; 0: nobody wants anything. */
static u32 union_mask(void)
{
	const struct hct_demand *demand;
	u32 mask = counting ? hct_settings_mask(settings) : 0;

	if (handed_over)
		return 0;
	list_for_each_entry(demand, &demands, node)
		mask |= demand->mask;
	return mask;
}

/* Make the pipeline do what we decided. */
static void publish(void)
{
	struct hct_pipeline *p = hct_pipe_lock();

	p->settings = *settings;
	p->stats_off = !counting;
	p->by_switch = hct_tracing_by_switch();
	hct_pipe_unlock();
}

static void stop(void)
{
	if (!hct_tracing_is_on())
		return;
	hct_tracing_stop();
	if (counting)
		traced_ms += ktime_ms_delta(ktime_get(), counted_since);
}

/* Trace what everybody together wants, no more and no less. */
static int follow_demand(void)
{
	u32 before = hct_tracing_mask();
	u32 mask = union_mask();
	int rc;

	/* Until it is stopped, tracing goes on as it was. */
	if (!mask && hct_tracing_is_on()) {
		publish();
		mod_delayed_work(hct_wq, &idle_work, IDLE_GRACE);
		return 0;
	}
	if (!mask) {
		publish();
		return 0;
	}

	hct_tracing_ask(mask);
	publish();
	if (hct_tracing_is_on())
		return hct_tracing_change(before);
	rc = hct_tracing_start(settings->profile);
	if (rc)
		hct_tracing_ask(before);
	else
		counted_since = ktime_get();
	return rc;
}

/* Nobody has wanted anything for a while: let others have the buffers. */
static void idle(struct work_struct *work)
{
	mutex_lock(&hct_ctl);
	if (hct_tracing_is_on() && !union_mask())
		stop();
	mutex_unlock(&hct_ctl);
}

/* The statistics begin or cease to want events. */
static int count(bool on)
{
	int rc;

	if (on == counting)
		return follow_demand();
	if (hct_tracing_is_on() && !on)
		traced_ms += ktime_ms_delta(ktime_get(), counted_since);
	counting = on;
	counted_since = ktime_get();
	rc = follow_demand();
	if (rc)
		counting = !on;
	return rc;
}

static int start_counting(void)
{
	bool waited = handed_over;
	int rc;

	handed_over = false;
	hct_tracing_rearm();
	rc = count(true);
	if (rc) {
		handed_over = waited;
		publish();
	}
	return rc;
}

static void stop_all(void)
{
	handed_over = true;
	stop();
	count(false);
}

int hct_session_demand(struct hct_demand *demand, u32 mask)
{
	bool waited;
	int rc = 0;

	mutex_lock(&hct_ctl);
	waited = handed_over;
	if (!live) {
		rc = mask ? -ENODEV : 0;
		goto out;
	}
	/* Wanting anything anew ends a stop; wanting less does not. */
	if (mask && !demand->mask)
		handed_over = false;
	list_del_init(&demand->node);
	demand->mask = mask;
	if (mask)
		list_add_tail(&demand->node, &demands);
	rc = follow_demand();
	if (rc) {
		list_del_init(&demand->node);
		demand->mask = 0;
		handed_over = waited;
		publish();
	}
out:
	mutex_unlock(&hct_ctl);
	return rc;
}

void hct_session_want_tracepoints(bool on)
{
	static struct hct_demand demand = HCT_DEMAND_INIT(demand);

	hct_readers_traced(on);
	/* What the statistics count: for anything else there are readers. */
	hct_session_demand(&demand, on ? hct_settings_mask(settings) : 0);
}

u32 hct_session_kinds_mask(u32 kinds)
{
	return hct_kinds_mask(kinds, hct_tracing_dom0_is_pv());
}

u32 hct_session_default_kinds(void)
{
	return 1 << (hct_tracing_dom0_is_pv() ? HCT_KIND_CALL : HCT_KIND_HVM);
}

static void reset(void)
{
	hct_pipeline_reset(hct_pipe_lock());
	hct_pipe_unlock();
	traced_ms = 0;
	counted_since = ktime_get();
}

int hct_session_start(void)
{
	int rc;

	mutex_lock(&hct_ctl);
	rc = start_counting();
	mutex_unlock(&hct_ctl);
	return rc;
}

static int control(const char *text, size_t len)
{
	u32 verbs;
	int rc = 0;

	*before = *settings;
	if (hct_control_parse(text, len, settings, &verbs, last_error, sizeof(last_error), scratch))
		return -EINVAL;

	if (verbs & HCT_VERB_STOP)
		stop_all();
	rc = verbs & HCT_VERB_START ? start_counting() : follow_demand();
	if (rc) {
		scnprintf(last_error, sizeof(last_error),
			  "tracing cannot begin: error %d, the kernel log says why", rc);
		*settings = *before;
		publish();
		return rc;
	}
	/* Last, because nothing may have changed when starting fails. */
	if (verbs & HCT_VERB_RESET)
		reset();
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
	rc = live ? control(text, len) : -ENODEV;
	mutex_unlock(&hct_ctl);
	return rc;
}

size_t hct_session_format(char *buf, size_t size)
{
	size_t len = 0;

	mutex_lock(&hct_ctl);
	if (live)
		len = hct_control_format(settings, counting, buf, size);
	mutex_unlock(&hct_ctl);
	return len;
}

void hct_session_status(struct hct_status *status)
{
	const struct hct_demand *demand;

	memset(status, 0, sizeof(*status));
	mutex_lock(&hct_ctl);
	hct_tracing_status(status);
	if (!status->tracing)
		status->asked_mask = hct_settings_mask(settings);
	status->counting = counting;
	list_for_each_entry(demand, &demands, node)
		status->demands++;
	status->traced_ms = traced_ms;
	if (status->tracing && counting)
		status->traced_ms += ktime_ms_delta(ktime_get(), counted_since);
	strscpy(status->last_error, last_error, sizeof(status->last_error));
	mutex_unlock(&hct_ctl);
}

static int init_settings(struct hct_config *config)
{
	const char *text = config->settings;
	u32 verbs;

	settings = kmalloc(sizeof(*settings), GFP_KERNEL);
	scratch = kmalloc(sizeof(*scratch), GFP_KERNEL);
	before = kmalloc(sizeof(*before), GFP_KERNEL);
	if (!settings || !scratch || !before)
		return -ENOMEM;

	hct_settings_init(settings, hct_tracing_dom0_is_pv() ? HCT_PROFILE_PV : HCT_PROFILE_HVM);
	if (config->poll_ms > HCT_POLL_MS_MAX) {
		pr_err("parameter poll_ms: a number from 1 to %u\n", HCT_POLL_MS_MAX);
		return -EINVAL;
	}
	if (config->poll_ms)
		settings->poll_ms = config->poll_ms;
	if (!text)
		return 0;
	if (hct_control_parse(text, strlen(text), settings, &verbs, last_error,
			      sizeof(last_error), scratch)) {
		pr_err("parameter control: %s\n", last_error);
		return -EINVAL;
	}
	if (verbs & (HCT_VERB_START | HCT_VERB_STOP))
		config->autostart = verbs & HCT_VERB_START;
	return 0;
}

static void free_settings(void)
{
	kfree(settings);
	kfree(scratch);
	kfree(before);
	settings = NULL;
	scratch = NULL;
	before = NULL;
}

int hct_session_init(struct hct_config *config)
{
	int rc;

	hct_wq = alloc_workqueue("xen-hctrace", WQ_UNBOUND | WQ_FREEZABLE, 0);
	if (!hct_wq)
		return -ENOMEM;
	rc = hct_tracing_init(config->sysctl_version, config->tbuf_pages);
	if (rc)
		goto err_wq;
	rc = init_settings(config);
	if (rc)
		goto err_settings;
	rc = hct_drain_init(settings, hct_tracing_dom0_is_pv());
	if (rc)
		goto err_settings;

	mutex_lock(&hct_ctl);
	live = true;
	mutex_unlock(&hct_ctl);
	return 0;

err_settings:
	free_settings();
err_wq:
	destroy_workqueue(hct_wq);
	return rc;
}

void hct_session_exit(void)
{
	hct_drain_sync();
	mutex_lock(&hct_ctl);
	stop();
	live = false;
	mutex_unlock(&hct_ctl);
	hct_tracing_exit();
	/* It takes ctl itself, and does nothing once we do not trace. */
	cancel_delayed_work_sync(&idle_work);
	hct_drain_exit();
	free_settings();
	destroy_workqueue(hct_wq);
}
