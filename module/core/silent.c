// SPDX-License-Identifier: GPL-2.0
/* See silent.h. */
#include <hctrace/silent.h>

static void watch_from(struct hct_pcpu *pcpu, const struct hct_pcpu_look *look)
{
	pcpu->is_watched = true;
	pcpu->looks = 0;
	/* A switch between two looks shows in one of them, whenever it was. */
	pcpu->prod = look->prod_before;
	pcpu->since_ns = look->after_ns;
	pcpu->idle_ns = look->idle_ns;
}

/* Whether somebody ran who must have left a record since the first look. */
static bool has_switched(const struct hct_pcpu *pcpu, const struct hct_pcpu_look *look)
{
	u64 passed = look->before_ns - pcpu->since_ns;
	u64 idle = look->idle_ns - pcpu->idle_ns;

	if (!idle && !pcpu->was_offline)
		return false;
	return idle + HCT_IDLE_SLACK_NS + passed / 64 < passed;
}

static u8 judge_look(struct hct_pcpu *pcpu, const struct hct_pcpu_look *look)
{
	if (!look->idle_ns) {
		pcpu->is_watched = false;
		pcpu->was_offline = true;
		return HCT_PCPU_OFFLINE;
	}
	if (!look->has_ring)
		return HCT_PCPU_NO_RING;
	if (pcpu->is_watched && (look->prod_after != pcpu->prod || look->is_full)) {
		pcpu->was_offline = false;
		watch_from(pcpu, look);
		return HCT_PCPU_OK;
	}
	if (!pcpu->is_watched || look->idle_ns < pcpu->idle_ns) {
		watch_from(pcpu, look);
		return pcpu->state == HCT_PCPU_SILENT ? HCT_PCPU_SILENT : HCT_PCPU_OK;
	}

	pcpu->looks++;
	if (pcpu->looks >= HCT_SILENT_LOOKS && has_switched(pcpu, look))
		return HCT_PCPU_SILENT;
	return pcpu->state;
}

bool hct_pcpu_look(struct hct_pcpu *pcpu, const struct hct_pcpu_look *look)
{
	u8 before = pcpu->state;

	pcpu->state = judge_look(pcpu, look);
	return pcpu->state != before;
}

void hct_pcpu_forget_look(struct hct_pcpu *pcpu)
{
	pcpu->is_watched = false;
}
