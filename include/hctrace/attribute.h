/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who runs on a pCPU. Hypercall records carry no domain; the scheduler's records
 * of the same ring supply it. What a ring has not proven is unknown, never
 * guessed.
 *
 *   RUNSTATE new = running        current = that vCPU
 *   RUNSTATE old = running        none, between two vCPUs
 *   CONTINUE_RUNNING, INFCONT     current = that vCPU
 *   SCHED_SWITCH                  current = next, where runstates are not asked for
 *   LOST_RECORDS                  current = the vCPU it names
 *   a gap, or a contradiction     unknown
 *
 * A RUNSTATE blocked -> runnable is written by the waker's pCPU and says nothing
 * about who runs there. Source: Xen's common/sched/core.c, common/trace.c.
 */
#ifndef HCTRACE_ATTRIBUTE_H
#define HCTRACE_ATTRIBUTE_H

#include <hctrace/decode.h>

/**
 * enum hct_attr_state - what is known of a pCPU
 * @HCT_ATTR_UNKNOWN: nothing since the start or since a gap
 * @HCT_ATTR_NONE: the scheduler is between two vCPUs
 * @HCT_ATTR_KNOWN: &hct_attr.who runs
 */
enum hct_attr_state {
	HCT_ATTR_UNKNOWN,
	HCT_ATTR_NONE,
	HCT_ATTR_KNOWN,
};

/**
 * struct hct_attr - attribution state of one ring
 * @state: &enum hct_attr_state
 * @by_switch: SCHED_SWITCH is the authority, because runstates are not traced
 * @after_lost: nothing but a LOST record vouches for @who, which may lag by one switch
 * @who: the running vCPU, idle ones included, if @state is KNOWN
 * @contradictions: records that cannot follow on what the ring said before: Xen
 *	schedules whole cores (one pCPU then writes the records of its siblings
 *	too), or records went missing without a word
 */
struct hct_attr {
	u8 state;
	bool by_switch;
	bool after_lost;
	struct hct_vcpu_id who;
	u64 contradictions;
};

/**
 * hct_attr_gap() - forget who runs
 * @attr: the ring's state
 */
void hct_attr_gap(struct hct_attr *attr);

/**
 * hct_attr_feed() - learn from a record
 * @attr: the ring's state
 * @rec: any decoded record; those of no concern change nothing
 */
void hct_attr_feed(struct hct_attr *attr, const struct hct_record *rec);

/**
 * hct_attr_caller() - who makes the hypercall that was just recorded
 * @attr: the ring's state
 *
 * Return: the vCPU, or NULL if it cannot be known (the idle domain and Xen's
 * other own domains make no hypercalls: such a record proves a gap).
 */
const struct hct_vcpu_id *hct_attr_caller(struct hct_attr *attr);

#endif /* HCTRACE_ATTRIBUTE_H */
