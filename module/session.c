// SPDX-License-Identifier: GPL-2.0
/*
 * The session: what Xen is told, and when. Everything here runs under ctl.
 *
 * Starting, in this order: claim the VIRQ, which keeps other consumers out;
 * tracing off; masks; buffers (allocating them switches tracing on, so off
 * again); map, check, empty; thread; tracing on. Stopping is the reverse, with
 * the VIRQ last, because until then we may still write cons.
 *
 * We trace while somebody wants it: the statistics, from a start to a stop, and
 * each demand of a reader or tracepoint. A stop ends it for all of them, so that
 * another program can have the buffers, until somebody begins to want events anew.
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

/* The event that tells who runs, if the mask has it. */
#define RUNSTATES		0x00021001u

/* So long nobody may want events before we stop: readers come and go. */
#define IDLE_GRACE		(HZ / 2)

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
static bool counting;			/* the statistics want events */
static LIST_HEAD(demands);
static bool handed_over;		/* stopped: the demands have to wait */
static u32 asked_mask;			/* what Xen was last asked for, the breaker aside */
static bool breaker_tripped;
static u16 breaker_domid;
static u32 found_mask;
static u64 mask_changes;
static ktime_t counted_since;		/* if tracing and counting */
static u64 traced_ms;
static char last_error[HCT_ERROR_MAX];

static void watchdog(struct work_struct *work);
static void breaker(struct work_struct *work);
static void idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(watchdog_work, watchdog);
static DECLARE_DELAYED_WORK(idle_work, idle);
static DECLARE_WORK(breaker_work, breaker);

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

/* What Xen is asked for now. */
static u32 wanted_mask(void)
{
	return breaker_tripped ? asked_mask & ~XEN_TRC_CLS_PV : asked_mask;
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
	hct_selftest_run(wanted_mask(), hyp.pv);
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

/* Make the pipeline do what we decided. */
static void publish(void)
{
	struct hct_pipeline *p = hct_pipe_lock();

	p->settings = *settings;
	p->stats_off = !counting;
	p->by_switch = !xen_trc_mask_has(asked_mask, RUNSTATES);
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

/* Begin to trace what is asked for. */
static int start(void)
{
	struct hct_tbuf_info info;
	int rc;

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
	counted_since = ktime_get();
	announce();
	hct_selftest_run(wanted_mask(), hyp.pv);
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
	if (counting)
		traced_ms += ktime_ms_delta(ktime_get(), counted_since);
	tracing = false;
}

/* Trace what everybody together wants, no more and no less. */
static int follow_demand(void)
{
	u32 before = asked_mask;
	u32 mask = union_mask();
	int rc;

	/* Until it is stopped, tracing goes on as it was. */
	if (!mask && tracing) {
		publish();
		mod_delayed_work(system_wq, &idle_work, IDLE_GRACE);
		return 0;
	}
	if (!mask) {
		publish();
		return 0;
	}

	asked_mask = mask;
	publish();
	if (!tracing) {
		rc = start();
		if (rc)
			asked_mask = before;
		return rc;
	}
	if (mask == before)
		return 0;
	/* Other records may tell who runs. */
	if (xen_trc_mask_has(mask, RUNSTATES) != xen_trc_mask_has(before, RUNSTATES))
		gap();
	return hct_hyp_set_evt_mask(wanted_mask());
}

/* Nobody has wanted anything for a while: let others have the buffers. */
static void idle(struct work_struct *work)
{
	mutex_lock(&ctl);
	if (tracing && !union_mask())
		stop();
	mutex_unlock(&ctl);
}

/* The statistics begin or cease to want events. */
static int count(bool on)
{
	int rc;

	if (on == counting)
		return follow_demand();
	if (tracing && !on)
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
	if (tracing)
		rearm_breaker();
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

	mutex_lock(&ctl);
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
	mutex_unlock(&ctl);
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
	return hct_kinds_mask(kinds, hyp.pv);
}

u32 hct_session_default_kinds(void)
{
	return 1 << (hyp.pv ? HCT_KIND_CALL : HCT_KIND_HVM);
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

	mutex_lock(&ctl);
	rc = start_counting();
	mutex_unlock(&ctl);
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
		len = hct_control_format(settings, counting, buf, size);
	mutex_unlock(&ctl);
	return len;
}

void hct_session_status(struct hct_status *status)
{
	const struct hct_demand *demand;

	memset(status, 0, sizeof(*status));
	mutex_lock(&ctl);
	status->hyp = hyp;
	status->tracing = tracing;
	status->counting = counting;
	list_for_each_entry(demand, &demands, node)
		status->demands++;
	status->traced_ms = traced_ms;
	if (tracing && counting)
		status->traced_ms += ktime_ms_delta(ktime_get(), counted_since);
	status->requested_pages = requested_pages;
	status->actual_pages = tbuf.pages;
	status->nr_rings = tbuf.nr;
	status->asked_mask = tracing ? wanted_mask() : hct_settings_mask(settings);
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
	rc = hct_drain_init(settings, hyp.pv);
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
	/* They take ctl themselves, and do nothing once we do not trace. */
	cancel_work_sync(&breaker_work);
	cancel_delayed_work_sync(&idle_work);
	hct_drain_exit();
	free_settings();
}
