// SPDX-License-Identifier: GPL-2.0
/* The state machine drawn in attribute.h. */
#include <hctrace/attribute.h>

static bool same(const struct hct_vcpu_id *a, const struct hct_vcpu_id *b)
{
	return a->domid == b->domid && a->vcpu == b->vcpu;
}

static void contradict(struct hct_attr *attr)
{
	/* LOST may name the vCPU of before a switch that was lost itself. */
	if (!attr->after_lost)
		attr->contradictions++;
}

static void now_running(struct hct_attr *attr, const struct hct_vcpu_id *who)
{
	attr->state = HCT_ATTR_KNOWN;
	attr->who = *who;
	attr->after_lost = false;
}

static void feed_runstate(struct hct_attr *attr, const struct hct_record *rec)
{
	if (rec->run.new == XEN_RUNSTATE_RUNNING) {
		if (attr->state == HCT_ATTR_KNOWN && !same(&attr->who, &rec->run.who))
			contradict(attr);
		now_running(attr, &rec->run.who);
	} else if (rec->run.old == XEN_RUNSTATE_RUNNING) {
		if (attr->state == HCT_ATTR_KNOWN && !same(&attr->who, &rec->run.who)) {
			contradict(attr);
			return;
		}
		attr->state = HCT_ATTR_NONE;
	}
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
		if (attr->state == HCT_ATTR_KNOWN && !same(&attr->who, &rec->run.who))
			contradict(attr);
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
	if (attr->state != HCT_ATTR_UNKNOWN)
		contradict(attr);
	return NULL;
}
