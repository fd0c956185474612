// SPDX-License-Identifier: GPL-2.0
/* What all rings together come to, and how far to believe it; see pipeline.h. */
#include <hctrace/pipeline.h>

u64 hct_pipeline_contradictions(const struct hct_pipeline *p)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < p->nr_rings; i++)
		sum += p->rings[i].attr.contradictions;
	return sum;
}

const char *hct_pipeline_trust(const struct hct_pipeline *p)
{
	if (p->unreliable)
		return "UNRELIABLE";
	return hct_pipeline_contradictions(p) ? "suspect" : "ok";
}

static void tick_trust(struct hct_pipeline *p)
{
	p->quiet_ticks = p->tick_contradictions ? 0 : p->quiet_ticks + 1;
	p->tick_contradictions = 0;
	if (p->quiet_ticks >= HCT_TRUST_TICKS)
		p->unreliable = false;
}

void hct_pipeline_total(const struct hct_pipeline *p, struct hct_counters *total)
{
	u32 i;

	memset(total, 0, sizeof(*total));
	total->uncounted = p->uncounted + p->nr_ringless;
	for (i = 0; i < p->nr_rings; i++) {
		const struct hct_counters *count = &p->rings[i].count;

		total->consumed += count->consumed;
		total->skipped += count->skipped;
		total->undecodable += count->undecodable;
		total->events += count->events;
		total->attributed += count->attributed;
		total->unattributed += count->unattributed;
		total->malformed += count->malformed;
		total->filtered += count->filtered;
		total->lost += count->lost;
		total->lost_before += count->lost_before;
		total->late += count->late;
		total->suspected += count->suspected;
		total->resyncs += count->resyncs;
		total->forgotten += count->forgotten;
		/* Also if a reset came since: it is not read now, or has nothing to be read. */
		total->uncounted += p->rings[i].fault != HCT_RING_OK ||
				    p->rings[i].pcpu_state == HCT_PCPU_SILENT;
	}
}

void hct_pipeline_tick(struct hct_pipeline *p, u32 elapsed_ms)
{
	hct_account_tick(p->acct, elapsed_ms);
	hct_vcpu_tick(p->vcpus);
	tick_trust(p);
}

void hct_pipeline_settle(struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++)
		hct_cpu_settle(p, &p->rings[i], p->rings[i].tsc);
}

void hct_pipeline_reset(struct hct_pipeline *p)
{
	u32 i;

	hct_pipeline_settle(p);
	hct_account_reset(p->acct);
	hct_vcpu_uncount(p->vcpus);
	p->uncounted = 0;
	for (i = 0; i < p->nr_rings; i++) {
		memset(&p->rings[i].count, 0, sizeof(p->rings[i].count));
		p->rings[i].attr.contradictions = 0;
		p->rings[i].peak_used = 0;
	}
}
