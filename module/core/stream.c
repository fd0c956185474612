// SPDX-License-Identifier: GPL-2.0
/* What a stream is of and for: rings, settings, whoever listens; see pipeline.h. */
#include <hctrace/pipeline.h>

void hct_pipeline_init(struct hct_pipeline *p, struct hct_account *acct,
		       struct hct_vcpu_table *vcpus, const struct hct_clock *clock)
{
	p->acct = acct;
	p->vcpus = vcpus;
	p->clock = clock;
	hct_vcpu_init(vcpus, acct);
}

void hct_pipeline_set(struct hct_pipeline *p, const struct hct_settings *settings, bool counting)
{
	p->settings = *settings;
	p->stats_off = !counting;
}

void hct_pipeline_want_domain(struct hct_pipeline *p, u16 domid, bool wanted)
{
	u8 *byte = &p->settings.domains[domid / 8];

	*byte = (*byte & ~(1u << domid % 8)) | wanted << domid % 8;
}

void hct_pipeline_learn_by_switch(struct hct_pipeline *p, bool by_switch)
{
	p->by_switch = by_switch;
}

void hct_pipeline_serve(struct hct_pipeline *p, const struct hct_sink *sink)
{
	p->sink = sink;
}

/* The ledger of a pCPU goes on over stop and start, wherever its entry was. */
static void inherit_counters(const struct hct_pipeline *p, struct hct_ring *rings, u32 nr)
{
	u32 i, j;

	for (i = 0; i < nr; i++) {
		for (j = 0; j < p->nr_rings; j++) {
			if (rings[i].pcpu != p->rings[j].pcpu)
				continue;
			rings[i].count = p->rings[j].count;
			rings[i].peak_used = p->rings[j].peak_used;
		}
	}
}

struct hct_ring *hct_pipeline_attach(struct hct_pipeline *p, struct hct_ring *rings, u32 nr)
{
	struct hct_ring *before = p->rings;

	/* What ran when the last stream ended. */
	hct_pipeline_settle(p);
	inherit_counters(p, rings, nr);
	p->rings = rings;
	p->nr_rings = nr;
	return before;
}

struct hct_ring *hct_pipeline_ring(struct hct_pipeline *p, u32 pcpu)
{
	u32 i;

	/* Most hosts have all pCPUs, and so the ring of each at its own number. */
	if (pcpu < p->nr_rings && p->rings[pcpu].pcpu == pcpu)
		return &p->rings[pcpu];
	for (i = 0; i < p->nr_rings; i++) {
		if (p->rings[i].pcpu == pcpu)
			return &p->rings[i];
	}
	return NULL;
}

void hct_ring_note_pcpu(struct hct_ring *ring, enum hct_pcpu_state state)
{
	ring->pcpu_state = state;
}

void hct_pipeline_note_ringless(struct hct_pipeline *p, u32 nr)
{
	p->nr_ringless = nr;
}

bool hct_pipeline_take_fault(struct hct_pipeline *p, struct hct_ring *copy)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		if (!p->rings[i].is_news)
			continue;
		p->rings[i].is_news = false;
		*copy = p->rings[i];
		return true;
	}
	return false;
}

bool hct_pipeline_take_hurry(struct hct_pipeline *p)
{
	bool hurry = p->hurry;

	p->hurry = false;
	return hurry;
}

void hct_pipeline_start(struct hct_pipeline *p)
{
	u32 i;

	p->vcpus->ended = hct_emit_batch;
	p->vcpus->ctx = p;
	hct_vcpu_restart(p->vcpus);
	hct_account_restart(p->acct);
	p->pending = 0;
	p->last_tsc = 0;
	p->clock_epoch = p->clock ? p->clock->epoch : 0;
	p->tsc_divide = 0;
	p->tsc_latest = 0;
	p->last_ns = 0;
	p->kinds_seen = 0;
	p->hurry = false;
	p->unreliable = false;
	p->tick_contradictions = 0;
	p->quiet_ticks = 0;
	p->gaps_due = 0;
	memset(&p->marker, 0, sizeof(p->marker));
	for (i = 0; i < p->nr_rings; i++) {
		struct hct_ring *ring = &p->rings[i];

		hct_attr_gap(&ring->attr);
		ring->attr.by_switch = p->by_switch;
		ring->attr.contradictions = 0;
		ring->held = 0;
		ring->fresh = true;
		ring->has_gap = false;
		ring->stepped = false;
		ring->forgiven_to = 0;
		ring->due = 0;
		ring->tsc = 0;
		ring->newest = 0;
		hct_cpu_begin(ring, 0);
		p->uncounted += ring->fault != HCT_RING_OK;
	}
}
