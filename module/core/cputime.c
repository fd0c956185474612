// SPDX-License-Identifier: GPL-2.0
/*
 * Whose time it was. A record that says who stops closes the time since the last such
 * record of its pCPU; where both agree on who ran it is his, else nobody's:
 *
 *   ring     X starts   CONTINUE X   X stops     Y starts   LOST first=t        Z stops
 *   time     ---?------>|---- X ---->|---- X --->|---- Y ---------->| t ---?--->|---?--->|
 *
 * Between X and Y the scheduler is at work; Xen, which reads its clock once for both,
 * has Y's time begin where that of X ends, and so has this.
 */
#include <hctrace/pipeline.h>

static u64 *time_of(struct hct_pipeline *p, const struct hct_vcpu_id *who)
{
	struct hct_account *acct = p->acct;

	if (!who || p->unreliable)
		return &acct->special[HCT_ROW_UNATTRIBUTED].cycles;
	if (who->domid == XEN_DOMID_IDLE)
		return &acct->idle_cycles;
	/* Xen's other domains have no vCPUs. */
	if (who->domid >= XEN_DOMID_FIRST_RESERVED)
		return &acct->special[HCT_ROW_UNATTRIBUTED].cycles;
	if (!hct_settings_wants_domain(&p->settings, who->domid))
		return &acct->filtered_cycles;
	return &hct_account_domain(acct, who->domid)->cycles;
}

/* The time up to @until was @who's; NULL: nobody knows whose. */
static void spend_time(struct hct_pipeline *p, struct hct_ring *ring, u64 until,
		       const struct hct_vcpu_id *who)
{
	u64 from = ring->spent_to;
	u64 *to;

	/* It may be the first time that is known of it, and a broken one may be less. */
	if (until <= from)
		return;
	ring->spent_to = until;
	if (!from || p->stats_off)
		return;
	to = time_of(p, who);
	*to = hct_add(*to, until - from);
}

/* Who runs for all that the ring has said, unless records are missing since. */
static const struct hct_vcpu_id *runner_of(const struct hct_ring *ring)
{
	const struct hct_attr *attr = &ring->attr;

	return attr->state == HCT_ATTR_KNOWN && !attr->after_lost ? &attr->who : NULL;
}

static void spend_lost(struct hct_pipeline *p, struct hct_ring *ring, u64 first)
{
	/* Up to the first record that was lost nothing had changed. */
	if (ring->spent_to && first <= ring->tsc)
		spend_time(p, ring, first, runner_of(ring));
	spend_time(p, ring, ring->tsc, NULL);
}

void hct_cpu_feed(struct hct_pipeline *p, struct hct_ring *ring, const struct hct_record *rec)
{
	const struct hct_attr *attr = &ring->attr;
	const struct hct_vcpu_id *ran = NULL;

	switch (rec->type) {
	case HCT_REC_RUNSTATE:
		if (attr->by_switch)
			return;
		if (rec->run.old == XEN_RUNSTATE_RUNNING)
			ran = &rec->run.who;
		else if (rec->run.new != XEN_RUNSTATE_RUNNING || attr->state == HCT_ATTR_NONE)
			return;
		break;
	case HCT_REC_CONTINUE:
		ran = &rec->run.who;
		break;
	case HCT_REC_SWITCH:
		if (!attr->by_switch)
			return;
		ran = &rec->sw.prev;
		break;
	case HCT_REC_LOST:
		spend_lost(p, ring, rec->lost.first_tsc);
		return;
	default:
		return;
	}
	if (ran && (attr->state != HCT_ATTR_KNOWN || !hct_vcpu_is_same(&attr->who, ran)))
		ran = NULL;
	spend_time(p, ring, ring->tsc, ran);
}

void hct_cpu_begin(struct hct_ring *ring, u64 tsc)
{
	ring->spent_to = tsc;
}

void hct_cpu_settle(struct hct_pipeline *p, struct hct_ring *ring, u64 until)
{
	spend_time(p, ring, until, runner_of(ring));
}

u64 hct_cpu_observed(const struct hct_account *acct)
{
	u64 sum = hct_add(acct->idle_cycles, acct->filtered_cycles);
	u32 i;

	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		sum = hct_add(sum, acct->special[i].cycles);
	for (i = 0; i < acct->nr; i++)
		sum = hct_add(sum, acct->domains[i].cycles);
	return sum;
}
