/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calls of a domain may still go on. When Xen preempts an mmu_update, an mmuext_op
 * or a cache_flush it records it again, with a mark, and with the count that is left:
 * less than before, or the same if nothing was done yet. But the mark stands in an
 * argument, which is the guest's to choose. So it is believed only where a call of this
 * op, as large or larger, was seen before and not yet used up by others. It may continue
 * on another vCPU, if the task behind it was moved there.
 *
 * No record shows that a call is over. What is remembered are the largest few calls of
 * the running tick and of the one before: as a larger one vouches for a smaller one,
 * that is enough for as many preempted calls of one op at a time as there are places.
 * Calls that were not seen vouch for none: behind a gap one mark is believed without.
 *
 * Source: do_mmu_update() and do_mmuext_op() in Xen's arch/x86/mm.c,
 * do_grant_table_op() in common/grant_table.c.
 */
#ifndef HCTRACE_OPENED_H
#define HCTRACE_OPENED_H

#include <hctrace/types.h>

#define HCT_MAX_OPENED	8

/** enum hct_marked - ops whose preempted form Xen marks */
enum hct_marked {
	HCT_MARKED_NONE,	/* all others */
	HCT_MARKED_MMU_UPDATE,
	HCT_MARKED_MMUEXT_OP,
	HCT_MARKED_CACHE_FLUSH,
	HCT_NR_MARKED,
};

/**
 * struct hct_opened - calls of one domain, kind and op that may go on
 * @floor: calls up to this count need no place of their own in @now
 * @gap: the last gap behind which a mark was believed without a call
 * @now: counts that are left, plus one, of calls heard of in the running tick; 0: a free place
 * @before: the same of the tick before in which there were any
 */
struct hct_opened {
	u32 floor;
	u32 gap;
	u32 now[HCT_MAX_OPENED];
	u32 before[HCT_MAX_OPENED];
};

/** hct_opened_add() - remember a call that is larger than @opened->floor */
void hct_opened_add(struct hct_opened *opened, u32 count);

/** hct_opened_call() - a call without a mark was recorded, with this count */
static inline void hct_opened_call(struct hct_opened *opened, u32 count)
{
	if (count > opened->floor)
		hct_opened_add(opened, count);
}

/**
 * hct_opened_goes_on() - whether a mark is believed
 * @opened: calls of the same domain, kind and op
 * @gap: number of the last gap
 * @count: what is left, by the record
 */
bool hct_opened_goes_on(struct hct_opened *opened, u32 gap, u32 count);

/** hct_opened_turn() - a tick is over; what was not heard of in two of them is */
static inline void hct_opened_turn(struct hct_opened *opened)
{
	unsigned int i;
	u32 any = 0;

	for (i = 0; i < HCT_MAX_OPENED; i++)
		any |= opened->now[i];
	/* A domain that does not run, paused for an hour perhaps, has not finished anything. */
	if (!any)
		return;
	memcpy(opened->before, opened->now, sizeof(opened->before));
	memset(opened->now, 0, sizeof(opened->now));
	opened->floor = 0;
}

#endif /* HCTRACE_OPENED_H */
