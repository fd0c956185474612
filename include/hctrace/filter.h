/* SPDX-License-Identifier: GPL-2.0 */
/* What a reader wants to have of the stream. */
#ifndef HCTRACE_FILTER_H
#define HCTRACE_FILTER_H

#include <hctrace/types.h>
#include <hctrace/xen_trace.h>
#include <uapi/xen_hctrace.h>

/* A set of 16-bit numbers, one bit each. */
#define HCT_SET_WORDS	(65536 / 64)

static inline void hct_set_add(u64 *set, u16 nr)
{
	set[nr / 64] |= 1ull << (nr % 64);
}

static inline void hct_set_del(u64 *set, u16 nr)
{
	set[nr / 64] &= ~(1ull << (nr % 64));
}

static inline bool hct_set_has(const u64 *set, u16 nr)
{
	return set[nr / 64] >> (nr % 64) & 1;
}

/**
 * struct hct_filter - which calls
 * @kinds: bit &enum xen_hctrace_kind set: these; 0: none
 * @known_only: leave out calls of unknown domains
 * @ops: bit n set: op n; 0: all ops, those from 64 on too
 * @domains: a set of %HCT_SET_WORDS words, or NULL for all; %XEN_HCTRACE_UNKNOWN in
 *	it stands for the unknown
 * @pcpus: a set like that, or NULL for all
 */
struct hct_filter {
	u32 kinds;
	bool known_only;
	u64 ops;
	const u64 *domains;
	const u64 *pcpus;
};

/** hct_filter_call() - whether the filter lets a call through; any context */
bool hct_filter_call(const struct hct_filter *filter, const struct xen_hctrace_call *call);

/** hct_filter_pcpu() - whether it wants to know of this pCPU at all; any context */
static inline bool hct_filter_pcpu(const struct hct_filter *filter, u16 pcpu)
{
	return !filter->pcpus || hct_set_has(filter->pcpus, pcpu);
}

/**
 * hct_filter_raw() - whether an event is in an event mask, as Xen tests it
 * @mask: class bits and sub-class bits
 * @event: 28-bit event id
 *
 * Two kinds of record are never let through: a guest's own, and WRAP, which shows
 * what the memory held before. LOST_RECORDS always is: Xen does not ask the mask.
 */
bool hct_filter_raw(u32 mask, u32 event);

#endif /* HCTRACE_FILTER_H */
