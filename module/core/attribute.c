// SPDX-License-Identifier: GPL-2.0
/* The state machine drawn in attribute.h. */
#include <hctrace/attribute.h>

/* Two records that cannot both be about this pCPU: none of them is believed. */
static void contradict_attr(struct hct_attr *attr)
{
	attr->contradictions++;
	hct_attr_gap(attr);
}

/* Whether it is news that @who runs here, or goes on, or stops. */
static bool is_news(const struct hct_attr *attr, const struct hct_vcpu_id *who)
{
	/* LOST may name the vCPU of before a switch that was lost itself. */
	return attr->state == HCT_ATTR_KNOWN && !attr->after_lost &&
	       !hct_vcpu_is_same(&attr->who, who);
}

static void now_running(struct hct_attr *attr, const struct hct_vcpu_id *who)
{
	attr->state = HCT_ATTR_KNOWN;
	attr->who = *who;
	attr->after_lost = false;
}

static void feed_runstate(struct hct_attr *attr, const struct hct_record *rec)
{
	/* Xen writes them behind the switch, of which they then say what is no news. */
	if (attr->by_switch)
		return;
	if (rec->run.new != XEN_RUNSTATE_RUNNING && rec->run.old != XEN_RUNSTATE_RUNNING)
		return;
	if (is_news(attr, &rec->run.who))
		contradict_attr(attr);
	else if (rec->run.new == XEN_RUNSTATE_RUNNING)
		now_running(attr, &rec->run.who);
	else
		attr->state = HCT_ATTR_NONE;
}

void hct_attr_gap(struct hct_attr *attr)
{
	attr->state = HCT_ATTR_UNKNOWN;
	attr->after_lost = false;
}

void hct_attr_feed(struct hct_attr *attr, const struct hct_record *rec)
{
	switch (rec->type) {
	case HCT_REC_RUNSTATE:
		feed_runstate(attr, rec);
		break;
	case HCT_REC_CONTINUE:
		if (is_news(attr, &rec->run.who))
			contradict_attr(attr);
		else
			now_running(attr, &rec->run.who);
		break;
	case HCT_REC_SWITCH:
		if (attr->by_switch)
			now_running(attr, &rec->sw.next);
		break;
	case HCT_REC_LOST:
		now_running(attr, &rec->lost.who);
		attr->after_lost = true;
		break;
	}
}

const struct hct_vcpu_id *hct_attr_caller(struct hct_attr *attr)
{
	if (attr->state == HCT_ATTR_KNOWN && attr->who.domid < XEN_DOMID_FIRST_RESERVED)
		return &attr->who;
	if (attr->state != HCT_ATTR_UNKNOWN && !attr->after_lost)
		contradict_attr(attr);
	return NULL;
}
