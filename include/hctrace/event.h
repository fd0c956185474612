/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the pipeline hands on besides filling the tables: one event per hypercall,
 * per closed batch, per loss and per domain that comes or goes. A sink passes
 * them to tracepoints, rings, or a printed line.
 */
#ifndef HCTRACE_EVENT_H
#define HCTRACE_EVENT_H

#include <hctrace/decode.h>
#include <uapi/xen_hctrace.h>

/* The fields of &struct xen_hctrace_call: the tracepoint and its format are made from this. */
#define HCT_CALL_FIELDS(X)	\
	X(u64, tsc)		\
	X(u64, ns)		\
	X(u32, op)		\
	X(u32, a0)		\
	X(u32, a1)		\
	X(u32, a2)		\
	X(u32, batch)		\
	X(u16, domid)		\
	X(u16, vcpu)		\
	X(u16, pcpu)		\
	X(u16, flags)		\
	X(u8, kind)		\
	X(u8, args)		\
	X(u16, subop)		\
	X(u32, pid)		\
	X(u16, target)		\
	X(u16, reserved)

/**
 * struct hct_moment - when and where something was recorded
 * @tsc: the host's time stamp counter
 * @ns: the same in CLOCK_MONOTONIC nanoseconds, 0 if not known
 * @pcpu: Xen's CPU id
 */
struct hct_moment {
	u64 tsc;
	u64 ns;
	u16 pcpu;
};

/**
 * struct hct_batch_event - a multicall that is over
 * @at: the record that showed it
 * @who: whose it was
 * @id: as in &struct xen_hctrace_call; never 0
 * @declared: members it announced
 * @seen: members that were recorded
 * @splits: times it was preempted and went on
 * @end: &enum hct_batch_end
 */
struct hct_batch_event {
	struct hct_moment at;
	struct hct_vcpu_id who;
	u32 id;
	u32 declared;
	u32 seen;
	u32 splits;
	u8 end;
};

/* Reasons for gaps, 0 included, which is none. */
#define HCT_NR_GAPS	(XEN_HCTRACE_GAP_SILENT + 1)

/**
 * struct hct_loss_event - Xen lost records, or nobody can tell whether it did
 * @at: the record that told of it; @at.pcpu of a gap may be %XEN_HCTRACE_UNKNOWN: all of
 *	them
 * @count: how many; 0: not known, @gap says why
 * @before: whether that was before we began
 * @gap: &enum xen_hctrace_gap, 0: it is a loss
 */
struct hct_loss_event {
	struct hct_moment at;
	u32 count;
	bool before;
	u8 gap;
};

/** hct_gap_hides() - whether records may be missing in a gap, else only their time is in doubt */
static inline bool hct_gap_hides(u32 reason)
{
	return reason != XEN_HCTRACE_GAP_CLOCK;
}

/**
 * struct hct_domain_event - a domain was created or destroyed
 * @at: the record that told of it
 * @domid: its id
 * @created: else destroyed
 */
struct hct_domain_event {
	struct hct_moment at;
	u16 domid;
	bool created;
};

/**
 * struct hct_sink - who wants to hear of events
 * @record: every record as it came, before anything is made of it
 * @call: a hypercall, whether the statistics count it or not
 * @batch: a multicall is over
 * @loss: Xen lost records, or there is a gap
 * @domain: a domain came or went
 * @calm: for how long, from @tsc on, calls that the statistics count need not be told one
 *	by one; 0: not now. Who has this has no @record, @batch, @loss and @domain
 * @calls: so many such calls at once, all within that time
 * @ctx: first argument of all of these
 *
 * Each may be NULL. They are called in the order of the stream, but for @calls, in the
 * context of hct_pipeline_feed() and the like, and must not call back.
 */
struct hct_sink {
	void (*record)(void *ctx, u16 pcpu, const u32 *words, unsigned int nr_words);
	void (*call)(void *ctx, const struct xen_hctrace_call *call);
	void (*batch)(void *ctx, const struct hct_batch_event *batch);
	void (*loss)(void *ctx, const struct hct_loss_event *loss);
	void (*domain)(void *ctx, const struct hct_domain_event *domain);
	u64 (*calm)(void *ctx, u64 tsc);
	void (*calls)(void *ctx, u64 tsc, u64 nr);
	void *ctx;
};

#endif /* HCTRACE_EVENT_H */
