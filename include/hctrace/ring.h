/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reader's output: what it wants of the stream, written to a ring in perf's
 * layout (<linux/perf_event.h>, struct perf_event_mmap_page) that the reader has
 * mapped, shared and writable.
 *
 *   page 0: data_head (ours), data_tail (the reader's) | 2^n pages of data
 *
 * One writer: whoever calls anything here but hct_out_readable() holds the lock of
 * the stream. Of the shared memory only data_tail is ever read, and believed only
 * if it lies between where it was and head; whatever else a reader scribbles over
 * page 0 and the data, it only spoils what it reads itself.
 */
#ifndef HCTRACE_RING_H
#define HCTRACE_RING_H

#ifdef __KERNEL__
#include <uapi/linux/perf_event.h>
#else
#include <linux/perf_event.h>
#endif

#include <hctrace/event.h>
#include <hctrace/filter.h>

#define HCT_OUT_PAGE_BYTES	4096u
#define HCT_OUT_MAX_PAGES	1024u	/* of data */
#define HCT_OUT_MAX_PCPUS	4096u	/* whose losses are told apart */

/**
 * struct hct_out_config - how a reader wants it
 * @filter: which calls; in raw mode only @filter.pcpus counts
 * @raw_mask: not 0: raw mode, records of this event mask instead of calls
 * @common_type: id of the tracepoint xen_hctrace:hct_hypercall
 * @with_ids: samples are TID|TIME|CPU|RAW and LOST records end in the same ids; else,
 *	and always in raw mode, RAW alone
 * @with_domains: FORK and EXIT records tell of domains that come and go; not in raw mode
 * @watermark_bytes: make data readable at so many bytes; 0: a quarter of the ring; half
 *	of it at most
 * @max_latency_ns: make it readable when the oldest of it is so old, at
 *	hct_out_flush(); 0: each time
 * @nr_pcpus: the losses of so many are told apart, %HCT_OUT_MAX_PCPUS at most, and if
 *	0; the last stands for all above too
 */
struct hct_out_config {
	struct hct_filter filter;
	u32 raw_mask;
	u16 common_type;
	bool with_ids;
	bool with_domains;
	u32 watermark_bytes;
	u64 max_latency_ns;
	u32 nr_pcpus;
};

/**
 * struct hct_out_counters - the ledger, see &struct xen_hctrace_info
 * @matched: calls (raw mode: records) asked for = @written + @lost + @paused, always
 * @written: of them, in the ring
 * @lost: of them, for want of room
 * @paused: of them, while there was no ring or output was paused
 * @xen_lost: records lost inside Xen while the reader was enabled
 * @late: written calls with XEN_HCTRACE_F_LATE
 * @wakeups: times a wake-up was asked for
 *
 * Once hct_out_flush() has found room, the LOST records ever written add up to
 * @lost + @xen_lost, if hct_out_reset() was never called.
 */
struct hct_out_counters {
	u64 matched;
	u64 written;
	u64 lost;
	u64 paused;
	u64 xen_lost;
	u64 late;
	u64 wakeups;
};

/**
 * struct hct_out - one reader's output
 * @cfg: what it wants; changes only while there is no ring
 * @count: the ledger
 * @enabled: else nothing matches and no loss is counted
 * @paused: what matches is counted and not written
 * @wake: a wake-up is due
 * @page: page 0, the data follow it; NULL: no ring yet. Read without a lock by
 *	hct_out_readable()
 * @data: first data page
 * @size: of the data in bytes, a power of two; set before @page
 * @watermark: bytes
 * @head: position of the next byte to write; page 0's copy is never read
 * @tail: the last data_tail that could be believed
 * @published: what data_head was last set to
 * @ready_head: up to here data may be waited for. Read without a lock by
 *	hct_out_readable()
 * @oldest_ns: time of the first record behind @ready_head; all ones: not known
 * @last_ns: highest time heard of
 * @last_pcpu: pCPU last heard of
 * @raw_pcpu: pCPU of the open sample of raw mode
 * @raw_bytes: words collected for it so far, behind @head; 0: no sample is open
 * @raw_max_bytes: so many at most
 * @lost_due: losses of the ring that no LOST record has told yet
 * @nr_xen_due: entries of @xen_due_pcpus
 * @xen_due_pcpus: pCPUs with losses inside Xen yet to be told
 * @xen_due: how many, for each pCPU
 * @nr_gaps_due: entries of @gaps_due
 * @gaps_due: &enum xen_hctrace_gap, gaps yet to be told
 * @gap_pcpus: where the last one of each reason was
 * @nr_doms_due: members of @doms_due
 * @doms_due: set of domains of which it is yet to be told that they came or went; NULL:
 *	nobody wants to know
 * @doms_new: of them, those that came last
 *
 * Nobody but the writer may look at a field unless it is said here.
 */
struct hct_out {
	struct hct_out_config cfg;
	struct hct_out_counters count;
	bool enabled;
	bool paused;
	bool wake;

	struct perf_event_mmap_page *page;
	u8 *data;
	u64 size;
	u64 watermark;
	u64 head;
	u64 tail;
	u64 published;
	u64 ready_head;
	u64 oldest_ns;
	u64 last_ns;
	u16 last_pcpu;

	u16 raw_pcpu;
	u32 raw_bytes;
	u32 raw_max_bytes;

	u64 lost_due;
	u32 nr_xen_due;
	u16 *xen_due_pcpus;
	u64 *xen_due;

	u32 nr_gaps_due;
	u8 gaps_due[HCT_NR_GAPS];
	u16 gap_pcpus[HCT_NR_GAPS];

	u32 nr_doms_due;
	u64 *doms_due;
	u64 *doms_new;
};

/** hct_out_due_bytes() - memory for what a reader is yet to be told: little on most hosts */
size_t hct_out_due_bytes(const struct hct_out_config *cfg);

/**
 * hct_out_init() - a reader without a ring
 * @out: filled in
 * @cfg: how it wants it; copied, but for the sets
 * @enabled: from the begin on
 * @due: hct_out_due_bytes(), as of an array of u64; they stay the caller's
 */
void hct_out_init(struct hct_out *out, const struct hct_out_config *cfg, bool enabled, void *due);

/** hct_out_call_bytes() - length of a call's record in the ring of a reader that wants it so */
u32 hct_out_call_bytes(const struct hct_out_config *cfg);

/**
 * hct_out_map() - hand it its ring
 * @out: a reader without one
 * @page: 1 + @nr_pages pages of zeroes, contiguous; they stay the caller's
 * @nr_pages: data pages, a power of two up to %HCT_OUT_MAX_PAGES
 */
void hct_out_map(struct hct_out *out, struct perf_event_mmap_page *page, u32 nr_pages);

/**
 * hct_out_unmap() - take the ring away; calls are paused and losses kept until the next
 * @out: the reader
 *
 * A hct_out_readable() that has begun may still look at page 0: it must stay in place
 * until that is over.
 */
void hct_out_unmap(struct hct_out *out);

/** hct_out_enable() - PERF_EVENT_IOC_ENABLE and _DISABLE; losses are still told then */
void hct_out_enable(struct hct_out *out, bool enabled);

/** hct_out_pause() - PERF_EVENT_IOC_PAUSE_OUTPUT; while paused nothing is written */
void hct_out_pause(struct hct_out *out, bool paused);

/**
 * hct_out_reset() - PERF_EVENT_IOC_RESET: the ledger begins anew
 * @out: the reader
 *
 * The ring goes on as it was: samples in it, and LOST records yet to come, may be
 * of before the reset.
 */
void hct_out_reset(struct hct_out *out);

/**
 * hct_out_call() - a hypercall
 * @out: the reader
 * @call: the hypercall
 *
 * Return: whether to wake the reader, here as below.
 */
bool hct_out_call(struct hct_out *out, const struct xen_hctrace_call *call);

/**
 * hct_out_record() - a record as Xen wrote it, for a reader in raw mode
 * @out: the reader; nothing happens if it is not in raw mode
 * @pcpu: whose ring it came from
 * @words: the record, copied out
 * @nr_words: its length, 1 to %XEN_TRC_MAX_WORDS
 */
bool hct_out_record(struct hct_out *out, u16 pcpu, const u32 *words, unsigned int nr_words);

/**
 * hct_out_loss() - Xen lost records, or there is a gap
 * @out: the reader
 * @loss: what is known of it; losses of before we began are not counted. Gaps of one
 *	reason are told once if there is no room meanwhile
 */
bool hct_out_loss(struct hct_out *out, const struct hct_loss_event *loss);

/**
 * hct_out_domain() - a domain came or went
 * @out: the reader; nothing happens if it did not ask for these
 * @domain: which
 *
 * A reader that has no room learns of it before the next call that it gets. What
 * happens to one id meanwhile is told once, for it has no call in between.
 */
bool hct_out_domain(struct hct_out *out, const struct hct_domain_event *domain);

/**
 * hct_out_flush() - let the reader see what there is
 * @out: the reader
 * @now_ns: the present time, CLOCK_MONOTONIC
 *
 * Ends an open sample, tells losses if there is room by now, publishes data_head,
 * and makes data readable that would become too old. To be called before the lock
 * is given up, and at hct_out_due_ns().
 */
bool hct_out_flush(struct hct_out *out, u64 now_ns);

/**
 * hct_out_due_ns() - when data become too old, as of the last hct_out_flush()
 * @out: the reader
 *
 * Return: CLOCK_MONOTONIC, all ones if nothing waits for that.
 */
u64 hct_out_due_ns(const struct hct_out *out);

/**
 * hct_out_readable() - whether poll() should say so; takes no lock
 * @out: the reader
 *
 * True while there are data between the reader's data_tail and what is ready. A
 * data_tail that cannot be is none to wait for: the answer is false.
 */
bool hct_out_readable(const struct hct_out *out);

#endif /* HCTRACE_RING_H */
