// SPDX-License-Identifier: GPL-2.0
/*
 * The file `status`: one "key value" a line, then a line for each pCPU. The
 * ledger in it adds up: consumed = skipped + undecodable + events, and
 * events = attributed + unattributed.
 */
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <hctrace/table.h>

#include "../drain.h"
#include "../pipe.h"
#include "../session.h"
#include "status.h"

struct ring_line {
	u16 pcpu;
	enum hct_ring_fault fault;
	enum hct_pcpu_state pcpu_state;
	u8 attr_state;
	struct hct_vcpu_id who;
	struct hct_counters count;
	u64 contradictions;
	u32 peak_percent;
};

/* What is taken from the pipeline, at one moment. */
struct ledger {
	struct hct_counters total;
	struct hct_marker marker;
	const char *trust;
	u64 contradictions;
	u64 vcpus_evicted;
	u64 clock_steps;
	u64 deaths;
	u32 domains;
	u32 nr;
	struct ring_line lines[];
};

static void take_line(struct ring_line *line, const struct hct_ring *ring)
{
	line->pcpu = ring->pcpu;
	line->fault = ring->fault;
	line->pcpu_state = ring->pcpu_state;
	line->attr_state = ring->attr.state;
	line->who = ring->attr.who;
	line->count = ring->count;
	line->contradictions = ring->attr.contradictions;
	line->peak_percent = ring->cur.data_size ?
			     div_u64(100ull * ring->peak_used, ring->cur.data_size) : 0;
}

static struct ledger *take_ledger(void)
{
	struct hct_pipeline *p;
	struct ledger *ledger;
	u32 room;
	u32 i;

	/* It only changes when tracing starts. */
	p = hct_pipe_lock();
	room = p->nr_rings;
	hct_pipe_unlock();
	ledger = kvzalloc(struct_size(ledger, lines, room), GFP_KERNEL);
	if (!ledger)
		return NULL;

	p = hct_pipe_lock();
	hct_pipeline_total(p, &ledger->total);
	ledger->vcpus_evicted = p->vcpus->evicted;
	ledger->clock_steps = p->clock_steps;
	ledger->deaths = p->acct->deaths;
	ledger->domains = p->acct->nr;
	ledger->marker = p->marker;
	ledger->trust = hct_pipeline_trust(p);
	ledger->contradictions = hct_pipeline_contradictions(p);
	for (i = 0; i < p->nr_rings && ledger->nr < room; i++)
		take_line(&ledger->lines[ledger->nr++], &p->rings[i]);
	hct_pipe_unlock();
	return ledger;
}

/* Why somebody who wants events cannot have them yet */
static void show_waiting(struct seq_file *m, int error)
{
	seq_puts(m, "waiting          ");
	if (!error)
		seq_puts(m, "none\n");
	else if (error == -EBUSY)
		seq_puts(m, "another program holds the buffers\n");
	else
		seq_printf(m, "error %d, the kernel log says why\n", error);
}

static const char *session_state(const struct hct_status *s)
{
	if (s->pause.is_on)
		return "paused";
	if (s->tracing.is_on)
		return "tracing";
	return s->wait_error ? "waiting" : "stopped";
}

/* Why tracing is paused, and for how long; the setting `breaker` says whether it may. */
static void show_breaker(struct seq_file *m, const struct hct_status *s)
{
	seq_printf(m, "breaker_trips    %llu\n", s->pause.trips);
	if (s->pause.trips)
		seq_printf(m, "last_pause       %llu.%llu s ago\n",
			   div_u64(s->pause.age_ms, MSEC_PER_SEC),
			   div_u64(s->pause.age_ms, 100) % 10);
	else
		seq_puts(m, "last_pause       none\n");
	seq_printf(m, "paused_ms        %llu\n", s->pause.total_ms);
	if (!s->pause.is_on)
		seq_puts(m, "paused_for       none\n");
	else if (s->pause.domid == HCT_BREAKER_NOBODY)
		seq_puts(m, "paused_for       d?\n");
	else
		seq_printf(m, "paused_for       d%u\n", s->pause.domid);
	if (s->pause.left_ms == HCT_BREAKER_STAYS)
		seq_puts(m, "pause_left_ms    until_gone\n");
	else
		seq_printf(m, "pause_left_ms    %llu\n", s->pause.is_on ? s->pause.left_ms : 0);
}

static void show_session(struct seq_file *m, const struct hct_status *s)
{
	const struct hct_tracing_status *t = &s->tracing;
	const struct hct_hyp *hyp = &t->hyp;

	seq_printf(m, "state            %s\n", session_state(s));
	show_waiting(m, s->wait_error);
	seq_printf(m, "statistics       %s\n", s->counting ? "on" : "off");
	seq_printf(m, "demands          %u\n", s->demands);
	seq_printf(m, "traced_ms        %llu\n", s->traced_ms);
	seq_printf(m, "xen              %u.%u%s\n", hyp->major, hyp->minor, hyp->extra);
	seq_printf(m, "sysctl_version   0x%02x\n", hyp->sysctl_version);
	seq_printf(m, "dom0             %s\n", hyp->pv ? "PV" : "PVH");
	seq_printf(m, "sched_gran       %s\n", hyp->sched_gran);
	seq_printf(m, "pcpus_online     %u\n", hyp->nr_pcpus);
	seq_printf(m, "tbuf_requested   %u\n", t->requested_pages);
	seq_printf(m, "tbuf_pages       %u\n", t->actual_pages);
	seq_printf(m, "mask             0x%08x\n", t->asked_mask);
	seq_printf(m, "mask_before      0x%08x\n", t->found_mask);
	seq_printf(m, "mask_changes     %llu\n", t->mask_changes);
	seq_printf(m, "found_off        %llu\n", t->found_off);
	if (s->watch.error)
		seq_printf(m, "pcpus_silent     not known: error %d\n", s->watch.error);
	else
		seq_printf(m, "pcpus_silent     %s\n", s->watch.silent);
	seq_printf(m, "pcpus_no_ring    %s\n", s->watch.ringless);
	show_breaker(m, s);
	seq_printf(m, "last_error       %s\n", s->last_error[0] ? s->last_error : "none");
}

/* The settings, as the control file has them; its first line is `state` above. */
static void show_settings(struct seq_file *m, char *text)
{
	char *line, *value, *rest = text;

	text[0] = '\0';
	hct_session_format(text, HCT_CONTROL_FORMAT_MAX);
	while ((line = strsep(&rest, "\n"))) {
		value = line;
		line = strsep(&value, " ");
		if (value)
			seq_printf(m, "%-16s %s\n", line, value);
	}
}

/* pCPUs whose running vCPU is not known: after a gap, or because none ever switched. */
static void show_unknown(struct seq_file *m, const struct ledger *ledger)
{
	const char *sep = "";
	u32 i;

	seq_puts(m, "pcpus_unknown    ");
	for (i = 0; i < ledger->nr; i++) {
		if (ledger->lines[i].attr_state != HCT_ATTR_UNKNOWN)
			continue;
		seq_printf(m, "%s%u", sep, ledger->lines[i].pcpu);
		sep = ",";
	}
	seq_puts(m, *sep ? "\n" : "none\n");
}

static void show_marker(struct seq_file *m, const struct hct_marker *marker)
{
	seq_puts(m, "selftest         ");
	if (!marker->cookie)
		seq_puts(m, "not run\n");
	else if (!marker->seen)
		seq_puts(m, "FAILED: our own call was not recorded\n");
	else if (!marker->known)
		seq_printf(m, "ok on pcpu %u\n", marker->pcpu);
	else
		seq_printf(m, "ok on pcpu %u by d%uv%u\n", marker->pcpu, marker->who.domid,
			   marker->who.vcpu);
}

static void show_ledger(struct seq_file *m, const struct ledger *ledger)
{
	const struct hct_counters *t = &ledger->total;
	char coverage[16];

	seq_printf(m, "pcpus_with_ring  %u\n", ledger->nr);
	seq_printf(m, "consumed         %llu\n", t->consumed);
	seq_printf(m, "skipped          %llu\n", t->skipped);
	seq_printf(m, "undecodable      %llu\n", t->undecodable);
	seq_printf(m, "events           %llu\n", t->events);
	seq_printf(m, "attributed       %llu\n", t->attributed);
	seq_printf(m, "unattributed     %llu\n", t->unattributed);
	seq_printf(m, "malformed        %llu\n", t->malformed);
	seq_printf(m, "filtered         %llu\n", t->filtered);
	seq_printf(m, "lost             %llu\n", t->lost);
	seq_printf(m, "late             %llu\n", t->late);
	seq_printf(m, "clock_steps      %llu\n", ledger->clock_steps);
	seq_printf(m, "coverage         %s\n", hct_coverage_format(t, coverage, sizeof(coverage)));
	seq_printf(m, "uncounted        %llu\n", t->uncounted);
	seq_printf(m, "resyncs          %llu\n", t->resyncs);
	seq_printf(m, "suspected        %llu\n", t->suspected);
	seq_printf(m, "losses_forgotten %llu\n", t->forgotten);
	seq_printf(m, "lost_before      %llu\n", t->lost_before);
	seq_printf(m, "attribution      %s\n", ledger->trust);
	seq_printf(m, "contradictions   %llu\n", ledger->contradictions);
	show_unknown(m, ledger);
	show_marker(m, &ledger->marker);
	seq_printf(m, "domains          %u of %u rows\n", ledger->domains, HCT_MAX_DOMAINS);
	seq_printf(m, "domains_died     %llu\n", ledger->deaths);
	seq_printf(m, "vcpus_forgotten  %llu\n", ledger->vcpus_evicted);
}

static void show_wakeups(struct seq_file *m)
{
	struct hct_wakeups w;

	hct_drain_wakeups(&w);
	seq_printf(m, "rounds           %llu\n", w.rounds);
	seq_printf(m, "wakeups          virq %llu timer %llu sync %llu busy %llu\n",
		   w.virq, w.timer, w.sync, w.busy);
}

/* The state of a ring, and how often it was resynchronised. */
static void format_ring(const struct ring_line *line, char *buf, size_t size)
{
	static const char *const names[] = {
		[HCT_RING_OK] = "ok",
		[HCT_RING_BAD_INDEX] = "bad_index",
		[HCT_RING_FOREIGN_CONS] = "foreign_cons",
		[HCT_RING_BAD_RECORD] = "bad_record",
	};

	if (line->pcpu_state == HCT_PCPU_SILENT)
		scnprintf(buf, size, "silent");
	else if (line->pcpu_state == HCT_PCPU_OFFLINE)
		scnprintf(buf, size, "offline");
	else if (line->count.resyncs && !line->fault)
		scnprintf(buf, size, "resynced:%llu", line->count.resyncs);
	else
		scnprintf(buf, size, "%s", names[line->fault]);
}

static void format_current(const struct ring_line *line, char *buf, size_t size)
{
	if (line->attr_state != HCT_ATTR_KNOWN)
		scnprintf(buf, size, "d?");
	else if (line->who.domid == XEN_DOMID_IDLE)
		scnprintf(buf, size, "d[IDLE]");
	else
		scnprintf(buf, size, "d%uv%u", line->who.domid, line->who.vcpu);
}

static void show_line(struct seq_file *m, const struct ring_line *line)
{
	char current_vcpu[24];
	char ring[32];

	format_current(line, current_vcpu, sizeof(current_vcpu));
	format_ring(line, ring, sizeof(ring));
	seq_printf(m, "%-6u %12llu %12llu %10llu %10llu %6u%%  %-12s %s\n", line->pcpu,
		   line->count.consumed, line->count.events, line->count.unattributed,
		   line->count.lost, line->peak_percent, ring, current_vcpu);
}

int hct_status_show(struct seq_file *m, void *unused)
{
	struct hct_status *status = kmalloc(sizeof(*status), GFP_KERNEL);
	char *text = kvmalloc(HCT_CONTROL_FORMAT_MAX, GFP_KERNEL);
	struct ledger *ledger = NULL;
	int rc = -ENOMEM;
	u32 i;

	/* All of it or nothing: what is not there would be taken for not so. */
	if (status && text)
		ledger = take_ledger();
	if (!ledger)
		goto out;
	hct_session_status(status);

	seq_puts(m, "# xen-hctrace status 1\n");
	show_session(m, status);
	show_settings(m, text);
	show_ledger(m, ledger);
	show_wakeups(m);
	seq_printf(m, "# %-4s %12s %12s %10s %10s %7s  %-12s %s\n", "pcpu", "consumed", "events",
		   "unattrib", "lost", "peak", "ring", "runs");
	for (i = 0; i < ledger->nr; i++)
		show_line(m, &ledger->lines[i]);
	rc = 0;
out:
	kvfree(ledger);
	kvfree(text);
	kfree(status);
	return rc;
}
