/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multicalls of one vCPU. Xen records a multicall with the number of its
 * members, then each member. When it is preempted it is recorded again, with
 * the number that is left and no mark, after whatever the guest did in between
 * (an upcall runs first, so other calls of the same vCPU stand there in about
 * half of all cases, and dom0's privcmd may even switch tasks). So a few
 * incomplete batches are kept for each vCPU and a new record is matched with them.
 *
 * What the members of a vCPU belong to, from a record on:
 *
 *   a multicall                           INSIDE a new batch
 *   one of what an open batch still lacks INSIDE that batch: it was preempted between members
 *   one of a member more than that        DOUBTED: preempted inside a member, by the size of it
 *     then that member once more          INSIDE that batch
 *     then any other                      INSIDE a new batch: the multicall was mistaken
 *   the last member; an iret              OUTSIDE
 *   a call that is no member, a gap       OUTSIDE
 *
 * What a place for a batch holds:
 *
 *   FREE     nothing
 *   OPEN     a batch with members to come. When it is over, for whatever reason, that is told
 *   OVER     its last member came, which was told; kept aside until the next one is over
 *   AGAIN    OVER before a multicall of one: its last member was preempted, and will be
 *            recorded once more. It is open until then, and is over again in silence
 *
 * Source: do_multicall() in Xen's common/multicall.c.
 */
#ifndef HCTRACE_BATCH_H
#define HCTRACE_BATCH_H

#include <hctrace/account.h>
#include <hctrace/decode.h>

#define HCT_MAX_OPEN_BATCHES	4
#define HCT_VCPU_SETS		256
#define HCT_VCPU_WAYS		4

/**
 * enum hct_batch_state - what a place for a batch holds, see above
 * @HCT_BATCH_FREE: nothing
 * @HCT_BATCH_OPEN: a batch with members to come
 * @HCT_BATCH_OVER: one that is over, though its last member may come back
 * @HCT_BATCH_AGAIN: one whose last member does
 */
enum hct_batch_state {
	HCT_BATCH_FREE,
	HCT_BATCH_OPEN,
	HCT_BATCH_OVER,
	HCT_BATCH_AGAIN,
};

/**
 * struct hct_batch - a multicall and its members so far
 * @id: number of the batch, ascending since the start; 0: it is free
 * @declared: members it was first recorded with
 * @seen: members recorded so far
 * @last_op: hypercall number of the last of them
 * @tick: when it was last heard of, see hct_vcpu_tick()
 * @splits: times it was preempted and went on
 * @state: &enum hct_batch_state
 * @counted: its multicall is in the statistics, so its end will be
 */
struct hct_batch {
	u32 id;
	u32 tick;
	u32 splits;
	u8 state;
	bool counted;
	u32 declared;
	u32 seen;
	u32 last_op;
};

/**
 * enum hct_vcpu_state - what the next member of a vCPU belongs to, see above
 * @HCT_VCPU_OUTSIDE: no multicall that is known
 * @HCT_VCPU_INSIDE: the batch that is active
 * @HCT_VCPU_DOUBTED: that one if it is its last member again, else a new one
 */
enum hct_vcpu_state {
	HCT_VCPU_OUTSIDE,
	HCT_VCPU_INSIDE,
	HCT_VCPU_DOUBTED,
};

/**
 * struct hct_vcpu - what is remembered of one vCPU
 * @who: which one
 * @used: whether the entry is taken
 * @nr_open: batches in @open
 * @state: &enum hct_vcpu_state
 * @active: index in @open of the batch whose members come now, unless @state is OUTSIDE
 * @doubted: members announced by the last multicall that was, or is, in doubt
 * @doubt_counted: whether the statistics want that multicall, if it is a new one
 * @last: id of the batch that the last record belonged to, 0: none
 * @stamp: when it was last looked up, in look-ups
 * @open: batches with members to come
 * @done: the last batch that is over, or free
 */
struct hct_vcpu {
	struct hct_vcpu_id who;
	bool used;
	u8 state;
	u8 nr_open;
	u8 active;
	u32 doubted;
	bool doubt_counted;
	u32 last;
	u64 stamp;
	struct hct_batch open[HCT_MAX_OPEN_BATCHES];
	struct hct_batch done;
};

/**
 * struct hct_vcpu_table - the vCPUs seen lately
 * @lookups: number of look-ups
 * @evicted: vCPUs forgotten for want of room that had something open; a continuation of
 *	theirs counts as a call
 * @last_batch: id of the newest batch
 * @tick: number of calls of hct_vcpu_tick()
 * @acct: where ends of batches are counted
 * @ended: told of each batch that is over, once; may be NULL
 * @ctx: first argument of @ended
 * @set_used: by set, whether an entry of it was ever taken. Hosts have few vCPUs, and
 *	the others' memory is left alone
 * @vcpus: set-associative, by domain and vCPU, set after set
 */
struct hct_vcpu_table {
	u64 lookups;
	u64 evicted;
	u32 last_batch;
	u32 tick;
	struct hct_account *acct;
	void (*ended)(void *ctx, const struct hct_vcpu_id *who, const struct hct_batch *batch,
		      enum hct_batch_end end);
	void *ctx;
	bool set_used[HCT_VCPU_SETS];
	struct hct_vcpu vcpus[HCT_VCPU_SETS * HCT_VCPU_WAYS];
};

/**
 * enum hct_batch_verdict - what a record turns out to be
 * @HCT_BATCH_NEW: a new multicall, or a new member
 * @HCT_BATCH_CONTINUED: a preempted multicall goes on, or a preempted member is
 *	recorded once more
 * @HCT_BATCH_MISTAKEN: a new member, and it shows that its multicall is a new one
 *	too, though it was taken for a continuation
 */
enum hct_batch_verdict {
	HCT_BATCH_NEW,
	HCT_BATCH_CONTINUED,
	HCT_BATCH_MISTAKEN,
};

/** hct_vcpu_init() - @tab, all zero, is an empty table that counts into @acct */
void hct_vcpu_init(struct hct_vcpu_table *tab, struct hct_account *acct);

/** hct_vcpu_restart() - a new stream begins: nothing of the old one goes on */
void hct_vcpu_restart(struct hct_vcpu_table *tab);

/**
 * hct_vcpu_get() - the entry of a vCPU, made if need be
 * @tab: the table
 * @who: which vCPU; it is about to begin something that can go on
 *
 * For want of room another one is forgotten: one with nothing that can go on, else one
 * of the same domain, else one of a domain that has several in its place. Return: the
 * entry, valid until the next call.
 */
struct hct_vcpu *hct_vcpu_get(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who);

/** hct_vcpu_find() - the same of one that has an entry; NULL: it has none */
struct hct_vcpu *hct_vcpu_find(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who);

/** hct_vcpu_forget() - a domain is being destroyed: its vCPUs make no more calls */
void hct_vcpu_forget(struct hct_vcpu_table *tab, u16 domid);

/** hct_vcpu_close() - whatever a vCPU has open is over, in the manner of @end */
void hct_vcpu_close(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, enum hct_batch_end end);

/** hct_vcpu_uncount() - the statistics were reset: what is open is not in them */
void hct_vcpu_uncount(struct hct_vcpu_table *tab);

/**
 * hct_vcpu_tick() - a second or so has gone by
 * @tab: the table
 *
 * Ends batches that were not heard of for a whole tick: no preempted multicall
 * waits that long.
 */
void hct_vcpu_tick(struct hct_vcpu_table *tab);

/**
 * hct_batch_multicall() - a multicall was recorded
 * @tab: the table
 * @vcpu: of the caller
 * @count: number of members it announces
 * @counted: whether the statistics want it
 *
 * Return: %HCT_BATCH_NEW or %HCT_BATCH_CONTINUED.
 */
enum hct_batch_verdict hct_batch_multicall(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					   u32 count, bool counted);

/**
 * hct_batch_member() - a call inside a multicall was recorded
 * @tab: the table
 * @vcpu: of the caller
 * @call: the member
 * @marked: it says that it goes on, and is believed
 *
 * A member without a batch (HVM and PVH guests, a parent lost or not asked for)
 * is a new member. Return: &enum hct_batch_verdict.
 */
enum hct_batch_verdict hct_batch_member(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					const struct hct_call *call, bool marked);

/** hct_batch_empty() - a multicall without members, of @who; it needs no entry. Return: its id */
u32 hct_batch_empty(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who, bool counted);

/** hct_batch_other() - another call of this vCPU: no members until its next multicall */
void hct_batch_other(struct hct_vcpu *vcpu);

#endif /* HCTRACE_BATCH_H */
