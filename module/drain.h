/* SPDX-License-Identifier: GPL-2.0 */
/* The drain: the thread that takes the rings through the pipeline, in rounds. */
#ifndef HCT_DRAIN_H
#define HCT_DRAIN_H

#include "tbuf.h"

/** struct hct_wakeups - why the drain woke up, in times */
struct hct_wakeups {
	u64 virq;
	u64 timer;
	u64 sync;
	u64 busy;	/* a ring was too full to wait for any of the others */
	u64 rounds;
};

/**
 * hct_drain_start() - begin to empty freshly attached rings
 * @tbuf: attached; its rings belong to the pipeline until they are attached anew
 * @tripped: called, more than once perhaps, when the breaker is tripped: tracing must pause.
 *	It must not wait
 *
 * Return: 0 or -ENOMEM.
 */
int hct_drain_start(struct hct_tbuf *tbuf, void (*tripped)(void));

/** hct_drain_stop() - take what is left, after Xen was told to stop, and end the thread */
void hct_drain_stop(void);

/** hct_drain_wake() - a ring is half full; any context */
void hct_drain_wake(void);

/**
 * hct_drain_sync() - wait until all that was recorded before now is counted
 *
 * Waits for two rounds that begin after the call, for two seconds at most: a late
 * answer is better than none. No lock but ctl may be held. Return: 0, at once if nothing is
 * traced; -ERESTARTSYS.
 */
int hct_drain_sync(void);

/** hct_drain_wakeups() - ask how often it woke up, since the load */
void hct_drain_wakeups(struct hct_wakeups *wakeups);

#endif /* HCT_DRAIN_H */
