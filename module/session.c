// SPDX-License-Identifier: GPL-2.0
/*
 * The session: what Xen is told, and when. Everything here runs under ctl.
 *
 * Starting, in this order: claim the VIRQ, which keeps other consumers out;
 * tracing off; masks; buffers (allocating them switches tracing on, so off
 * again); map, check, empty; thread; tracing on. Stopping is the reverse, with
 * the VIRQ last, because until then we may still write cons.
 *
 * While we hold the VIRQ we own the buffers, but a stock xentrace that finds
 * them taken has changed both masks before it gives up. So they are asserted
 * anew twice a second.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "hctrace.h"

#define WATCHDOG_PERIOD		(HZ / 2)

static DEFINE_MUTEX(ctl);

/* All under ctl. */
static bool live;
static struct hct_hyp hyp;
static struct hct_tbuf tbuf;
static struct hct_settings *settings;	/* what the user sees */
static struct hct_settings *scratch;
static struct hct_settings *before;
static u32 requested_pages;
static bool tracing;
static bool breaker_tripped;
static u16 breaker_domid;
static u32 found_mask;
static u64 mask_changes;
static ktime_t started;
static u64 traced_ms;
static char last_error[HCT_ERROR_MAX];

static void watchdog(struct work_struct *work);
static void breaker(struct work_struct *work);
static DECLARE_DELAYED_WORK(watchdog_work, watchdog);
static DECLARE_WORK(breaker_work, breaker);

/* What Xen is asked for now. */
static u32 wanted_mask(void)
{
	u32 mask = hct_settings_mask(settings);

	return breaker_tripped ? mask & ~XEN_TRC_CLS_PV : mask;
}

static void gap(void)
{
	hct_pipeline_gap(hct_pipe_lock());
	hct_pipe_unlock();
}

/*
 * Another program changed the mask. What was recorded meanwhile may lack the
 * scheduler's records, so who runs is unknown from here on. The mark comes
 * first: it stands at the present end of each ring.
 */
static void watchdog(struct work_struct *work)
{
	struct hct_tbuf_info info;

	/* Never waits for ctl: stopping waits for us under it. */
	if (!mutex_trylock(&ctl))
		goto again;
	if (!hct_hyp_get_info(&info) && info.evt_mask != wanted_mask()) {
		gap();
		hct_hyp_set_evt_mask(wanted_mask());
		if (!mask_changes++)
			pr_notice("another program set Xen's event mask to 0x%08x; it is set back to 0x%08x whenever that happens\n",
				  info.evt_mask, wanted_mask());
	}
	/* This mask cannot be read. */
	hct_hyp_set_all_cpus();
	mutex_unlock(&ctl);
again:
	schedule_delayed_work(&watchdog_work, WATCHDOG_PERIOD);
}

static void breaker(struct work_struct *work)
{
	u16 domid;

	mutex_lock(&ctl);
	domid = hct_pipe_lock()->breaker_domid;
	hct_pipe_unlock();
	if (tracing && !breaker_tripped) {
		breaker_tripped = true;
		breaker_domid = domid;
		hct_hyp_set_evt_mask(wanted_mask());
		pr_warn("d%u makes malformed hypercalls, each a warning in Xen's log: PV events are off until the next start\n",
			domid);
	}
	mutex_unlock(&ctl);
}

void hct_session_breaker(void)
{
	if (!READ_ONCE(breaker_tripped))
		schedule_work(&breaker_work);
}

/* Make the settings those of the pipeline too. */
static void publish_settings(void)
{
	struct hct_pipeline *p = hct_pipe_lock();

	p->settings = *settings;
	p->by_switch = settings->profile == HCT_PROFILE_HVM;
	hct_pipe_unlock();
}

static void rearm_breaker(void)
{
	struct hct_pipeline *p;

	if (!breaker_tripped)
		return;
	breaker_tripped = false;
	p = hct_pipe_lock();
	p->breaker_tripped = false;
	hct_pipe_unlock();
	/* No gap: the scheduler's records were never switched off. */
	hct_hyp_set_evt_mask(wanted_mask());
}

/*
 * Prove that calls are traced: make one that the pipeline will know again. It comes
 * by the sync that opening the status begins with.
 */
static void send_marker(void)
{
	static u32 starts;
	u32 cookie = 0x48430000 + (++starts & 0xffff);

	hct_pipe_lock()->marker.cookie = cookie;
	hct_pipe_unlock();
	if (!hct_hyp_mark(cookie))
		return;
	/* As HVM domains of Xen before 4.15.1 cannot. */
	hct_pipe_lock()->marker.cookie = 0;
	hct_pipe_unlock();
}

/* Once: the size of the buffers holds until the host reboots. */
static void announce(void)
{
	static bool announced;

	if (announced)
		return;
	announced = true;
	pr_info("Xen %u.%u%s, %s dom0, %u of %u pCPUs traced, %u pages each, profile %s\n",
		hyp.major, hyp.minor, hyp.extra, hyp.pv ? "PV" : "PVH", tbuf.nr, hyp.nr_pcpus,
		tbuf.pages, hct_profile_name(settings->profile));
	if (requested_pages && requested_pages != tbuf.pages)
		pr_notice("tbuf_pages=%u cannot be had: the buffers exist and keep their size until the host reboots\n",
			  requested_pages);
}

static int start(void)
{
	struct hct_tbuf_info info;
	int rc;

	if (tracing) {
		rearm_breaker();
		return 0;
	}

	rc = hct_hyp_claim(hct_drain_wake);
	if (rc) {
		if (rc == -EBUSY)
			pr_err("another program holds Xen's trace buffers (xentrace?): end it, then start again\n");
		else
			pr_err("VIRQ_TBUF cannot be bound: error %d\n", rc);
		return rc;
	}
	rc = hct_hyp_get_info(&info);
	if (rc)
		goto err_claim;
	found_mask = info.evt_mask;

	/* Refused where there are no buffers yet: nothing is traced then. */
	hct_hyp_disable();
	breaker_tripped = false;
	rc = hct_hyp_set_all_cpus();
	if (!rc)
		rc = hct_hyp_set_evt_mask(wanted_mask());
	if (rc) {
		pr_err("Xen refused the event mask 0x%08x: error %d\n", wanted_mask(), rc);
		goto err_mask;
	}

	rc = hct_tbuf_attach(&tbuf, requested_pages ?: HCT_DEFAULT_TBUF_PAGES);
	if (rc)
		goto err_mask;
	rc = hct_drain_start(&tbuf);
	if (rc)
		goto err_attach;
	rc = hct_hyp_enable();
	if (rc) {
		pr_err("Xen refused to trace: error %d\n", rc);
		goto err_drain;
	}

	tracing = true;
	started = ktime_get();
	announce();
	/* It is a member of a multicall. */
	if (settings->kinds[HCT_KIND_MEMBER])
		send_marker();
	schedule_delayed_work(&watchdog_work, WATCHDOG_PERIOD);
	return 0;

err_drain:
	hct_drain_stop();
err_attach:
	hct_tbuf_detach(&tbuf);
err_mask:
	hct_hyp_set_evt_mask(found_mask);
err_claim:
	hct_hyp_release();
	return rc;
}

static void stop(void)
{
	if (!tracing)
		return;
	cancel_delayed_work_sync(&watchdog_work);
	hct_hyp_disable();
	hct_drain_stop();
	hct_hyp_set_evt_mask(found_mask);
	hct_tbuf_detach(&tbuf);
	hct_hyp_release();
	tracing = false;
	traced_ms += ktime_ms_delta(ktime_get(), started);
}

static void reset(void)
{
	hct_pipeline_reset(hct_pipe_lock());
	hct_pipe_unlock();
	traced_ms = 0;
	started = ktime_get();
}

int hct_session_start(void)
{
	int rc;

	mutex_lock(&ctl);
	rc = start();
	mutex_unlock(&ctl);
	return rc;
}

/* Tell a running trace of new settings. */
static void apply(void)
{
	u32 mask = hct_settings_mask(before);

	publish_settings();
	if (!tracing || hct_settings_mask(settings) == mask)
		return;
	/* Another profile may mean other records for who runs. */
	if (settings->profile != before->profile)
		gap();
	hct_hyp_set_evt_mask(wanted_mask());
}

static int control(const char *text, size_t len)
{
	u32 verbs;
	int rc = 0;

	*before = *settings;
	if (hct_control_parse(text, len, settings, &verbs, last_error, sizeof(last_error), scratch))
		return -EINVAL;

	if (verbs & HCT_VERB_STOP)
		stop();
	apply();
	if (verbs & HCT_VERB_START)
		rc = start();
	if (rc) {
		scnprintf(last_error, sizeof(last_error),
			  "tracing cannot begin: error %d, the kernel log says why", rc);
		*settings = *before;
		publish_settings();
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
	if (rc && rc != -ETIMEDOUT)
		return rc;

	mutex_lock(&ctl);
	rc = live ? control(text, len) : -ENODEV;
	mutex_unlock(&ctl);
	return rc;
}

size_t hct_session_format(char *buf, size_t size)
{
	size_t len = 0;

	mutex_lock(&ctl);
	if (live)
		len = hct_control_format(settings, tracing, buf, size);
	mutex_unlock(&ctl);
	return len;
}

void hct_session_status(struct hct_status *status)
{
	memset(status, 0, sizeof(*status));
	mutex_lock(&ctl);
	status->hyp = hyp;
	status->tracing = tracing;
	status->traced_ms = traced_ms + (tracing ? ktime_ms_delta(ktime_get(), started) : 0);
	status->requested_pages = requested_pages;
	status->actual_pages = tbuf.pages;
	status->asked_mask = wanted_mask();
	status->found_mask = found_mask;
	status->mask_changes = mask_changes;
	status->breaker_tripped = breaker_tripped;
	status->breaker_domid = breaker_domid;
	strscpy(status->last_error, last_error, sizeof(status->last_error));
	mutex_unlock(&ctl);
}

static int init_hypervisor(u32 sysctl_version)
{
	int rc = hct_hyp_init(&hyp, sysctl_version);

	switch (rc) {
	case 0:
		break;
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

static int init_settings(const struct hct_config *config)
{
	const char *text = config->settings;
	u32 verbs;

	settings = kmalloc(sizeof(*settings), GFP_KERNEL);
	scratch = kmalloc(sizeof(*scratch), GFP_KERNEL);
	before = kmalloc(sizeof(*before), GFP_KERNEL);
	if (!settings || !scratch || !before)
		return -ENOMEM;

	hct_settings_init(settings, hyp.pv ? HCT_PROFILE_PV : HCT_PROFILE_HVM);
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

int hct_session_init(const struct hct_config *config)
{
	int rc;

	rc = init_hypervisor(config->sysctl_version);
	if (rc)
		return rc;
	rc = init_settings(config);
	if (rc)
		goto err_settings;
	rc = hct_drain_init(settings);
	if (rc)
		goto err_settings;

	requested_pages = config->tbuf_pages;
	mutex_lock(&ctl);
	live = true;
	mutex_unlock(&ctl);
	return 0;

err_settings:
	free_settings();
	return rc;
}

void hct_session_exit(void)
{
	hct_drain_sync();
	mutex_lock(&ctl);
	stop();
	live = false;
	mutex_unlock(&ctl);
	/* It takes ctl itself, and does nothing once we do not trace. */
	cancel_work_sync(&breaker_work);
	hct_drain_exit();
	free_settings();
}
