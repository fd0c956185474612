/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The readers: where events go besides the tables. They come from device.c, and the
 * pipeline feeds them, and the tracepoints with them.
 */
#ifndef HCT_READERS_H
#define HCT_READERS_H

#include <linux/list.h>
#include <linux/wait.h>

#include <hctrace/ring.h>

/**
 * struct hct_reader - an open file of the device, as the drain sees it
 * @node: in the list of all
 * @out: its ring, under pipe
 * @wait: who polls
 */
struct hct_reader {
	struct list_head node;
	struct hct_out out;
	wait_queue_head_t wait;
};

/** hct_readers_add() - let the drain feed it from now on */
void hct_readers_add(struct hct_reader *reader);

/** hct_readers_del() - the drain does not know it any more when this returns */
void hct_readers_del(struct hct_reader *reader);

/**
 * hct_readers_lock() - pipe, to change what a reader wants or to read its ledger
 *
 * No allocation, no hypercall and no user memory until hct_readers_unlock(), which
 * takes notice of what changed.
 */
void hct_readers_lock(void);
void hct_readers_unlock(void);

/** hct_readers_traced() - a tracepoint is on, or none is any more; takes pipe */
void hct_readers_traced(bool on);

/** hct_readers_flush() - show the readers what was written; under pipe, before it is given up */
void hct_readers_flush(void);

/** hct_readers_patience_ns() - for how long no reader misses a round, all ones: any; under pipe */
u64 hct_readers_patience_ns(void);

#endif /* HCT_READERS_H */
