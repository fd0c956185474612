// SPDX-License-Identifier: GPL-2.0
/*
 * What the host may have changed behind our back, looked at twice a second under ctl:
 * whether Xen still records our calls, and on which pCPUs it does.
 *
 * Xen does not tell whether tracing is on. But a hypercall of our own is recorded before
 * it is carried out, in the ring of whatever pCPU we are on: if no ring has moved behind
 * it, tracing is off, or a mask keeps it out, or that pCPU is silent. Setting one after
 * the other right tells which.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <hctrace/silent.h>

#include "ctl.h"
#include "pipe.h"
#include "watch.h"
#include "xen/hypervisor.h"

/* More than any Xen is built for; a number beyond is not believed. */
#define MAX_PCPUS	4096

/* All under ctl. */
static struct hct_pcpu *watch_pcpus;
static u64 *watch_idle_ns;		/* of each pCPU, as Xen last said */
static u32 *watch_prods;		/* of each pCPU's ring, before Xen was asked */
static u32 watch_nr;
static int watch_error = -EAGAIN;	/* why there are no idle times */

int hct_watch_init(u32 nr)
{
	watch_nr = clamp_t(u32, nr, 1, MAX_PCPUS);
	watch_pcpus = kvcalloc(watch_nr, sizeof(*watch_pcpus), GFP_KERNEL);
	watch_idle_ns = kvcalloc(watch_nr, sizeof(*watch_idle_ns), GFP_KERNEL);
	watch_prods = kvcalloc(watch_nr, sizeof(*watch_prods), GFP_KERNEL);
	if (watch_pcpus && watch_idle_ns && watch_prods)
		return 0;
	hct_watch_exit();
	return -ENOMEM;
}

void hct_watch_exit(void)
{
	kvfree(watch_pcpus);
	kvfree(watch_idle_ns);
	kvfree(watch_prods);
	watch_pcpus = NULL;
	watch_idle_ns = NULL;
	watch_prods = NULL;
}

void hct_watch_forget(void)
{
	u32 i;

	lockdep_assert_held(&hct_ctl);
	for (i = 0; i < watch_nr; i++)
		hct_pcpu_forget_look(&watch_pcpus[i]);
}

int hct_watch_call(struct hct_tbuf_info *info, bool *recorded)
{
	struct hct_pipeline *p;
	int rc;

	lockdep_assert_held(&hct_ctl);
	p = hct_pipe_lock();
	hct_rings_look(p);
	hct_pipe_unlock();
	rc = hct_hyp_get_info(info);
	p = hct_pipe_lock();
	*recorded = hct_rings_moved(p);
	hct_pipe_unlock();
	return rc;
}

static void note_prods(void)
{
	struct hct_pipeline *p = hct_pipe_lock();
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		if (p->rings[i].pcpu < watch_nr)
			watch_prods[p->rings[i].pcpu] = hct_cursor_prod(&p->rings[i].cur);
	}
	hct_pipe_unlock();
}

/* Under pipe. Return: whether its calls are not recorded, which is news. */
static bool look_at(struct hct_pipeline *p, u32 cpu, struct hct_pcpu_look *look, bool judge)
{
	struct hct_ring *ring = hct_pipeline_ring(p, cpu);
	struct hct_pcpu *pcpu = &watch_pcpus[cpu];
	bool news;

	hct_pipe_assert_held();
	look->idle_ns = watch_idle_ns[cpu];
	look->has_ring = ring;
	look->prod_before = watch_prods[cpu];
	look->prod_after = ring ? hct_cursor_prod(&ring->cur) : 0;
	look->is_full = ring && hct_cursor_is_full(&ring->cur);
	/* Where nothing can be told of switches, all that can be told is who is there. */
	if (!judge)
		hct_pcpu_forget_look(pcpu);
	news = hct_pcpu_look(pcpu, look);
	if (ring)
		hct_ring_note_pcpu(ring, pcpu->state);
	return news && (pcpu->state == HCT_PCPU_SILENT || pcpu->state == HCT_PCPU_NO_RING);
}

static void log_silent(u32 cpu)
{
	if (watch_pcpus[cpu].state == HCT_PCPU_SILENT)
		pr_warn_ratelimited("pCPU %u is silent: it was offline, and Xen has forgotten its trace buffer until the host reboots\n",
				    cpu);
	else
		pr_warn_ratelimited("pCPU %u has no trace buffer: it came online after Xen had made them\n",
				    cpu);
}

void hct_watch_pcpus(u32 *nr_online, bool judge)
{
	struct hct_pcpu_look look = { .before_ns = ktime_get_ns() };
	u32 nr, cpu, online = 0, ringless = 0, silent = 0;
	bool news = false;
	struct hct_pipeline *p;

	lockdep_assert_held(&hct_ctl);
	memset(watch_idle_ns, 0, watch_nr * sizeof(*watch_idle_ns));
	note_prods();
	watch_error = hct_hyp_cpu_idle(watch_idle_ns, watch_nr, &nr);
	look.after_ns = ktime_get_ns();
	if (watch_error)
		return;

	p = hct_pipe_lock();
	judge = judge && !p->unreliable;
	for (cpu = 0; cpu < nr; cpu++) {
		if (look_at(p, cpu, &look, judge)) {
			hct_emit_gap(p, XEN_HCTRACE_GAP_SILENT, cpu);
			silent = cpu;
			news = true;
		}
		online += watch_idle_ns[cpu] != 0;
		ringless += watch_pcpus[cpu].state == HCT_PCPU_NO_RING;
	}
	hct_pipeline_note_ringless(p, ringless);
	hct_pipe_unlock();
	*nr_online = online;
	if (news)
		log_silent(silent);
}

bool hct_watch_has_silent(void)
{
	u32 cpu;

	lockdep_assert_held(&hct_ctl);
	for (cpu = 0; cpu < watch_nr; cpu++) {
		if (watch_pcpus[cpu].state == HCT_PCPU_SILENT ||
		    watch_pcpus[cpu].state == HCT_PCPU_NO_RING)
			return true;
	}
	return false;
}

/* "1,3" into @buf, or "none" */
static void list_pcpus(u8 state, char *buf, size_t size)
{
	size_t len = 0;
	u32 cpu;

	scnprintf(buf, size, "none");
	for (cpu = 0; cpu < watch_nr; cpu++) {
		if (watch_pcpus[cpu].state == state)
			len += scnprintf(buf + len, size - len, "%s%u", len ? "," : "", cpu);
	}
}

void hct_watch_status(struct hct_watch_status *status)
{
	lockdep_assert_held(&hct_ctl);
	status->error = watch_error;
	list_pcpus(HCT_PCPU_SILENT, status->silent, sizeof(status->silent));
	list_pcpus(HCT_PCPU_NO_RING, status->ringless, sizeof(status->ringless));
}
