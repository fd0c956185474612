/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of our own that must come back through the rings: they prove that calls are
 * traced, and tell by how much the host's counter is ahead of dom0's. Any guest can make
 * the same call, so each has a cookie that nobody can guess, is believed once, and only
 * from dom0 or from a caller that is not known yet.
 */
#ifndef HCTRACE_MARKER_H
#define HCTRACE_MARKER_H

#include <hctrace/decode.h>

/* As VCPUOP_is_up takes it, no vCPU's number from here on: MAX_VIRT_CPUS of Xen's PV. */
#define HCT_MARKER_MIN		8192u

/**
 * struct hct_marker - the newest of them
 * @cookie: its second argument; 0: none was made
 * @awaited: it was made and has not come
 * @seen: whether it came, or one before it did
 * @fresh: whether it came, and nobody has looked at @tsc since
 * @tsc: of its record
 * @before: our own counter before the call
 * @after: and after it; 0: it has not returned yet
 * @known: whether it was clear then who ran there
 * @pcpu: where it was recorded
 * @who: who made it, if @known
 */
struct hct_marker {
	u32 cookie;
	bool awaited;
	bool seen;
	bool fresh;
	bool known;
	u64 tsc;
	u64 before;
	u64 after;
	u16 pcpu;
	struct hct_vcpu_id who;
};

/**
 * hct_marker_cookie() - a cookie, %HCT_MARKER_MIN or more
 * @random: 32 bits that nobody can guess
 */
u32 hct_marker_cookie(u32 random);

/** hct_marker_send() - the call is about to be made */
void hct_marker_send(struct hct_marker *marker, u32 cookie);

/**
 * hct_marker_returned() - the call was made
 * @marker: the marker
 * @before: our own counter before the call
 * @after: and after it, not 0
 */
void hct_marker_returned(struct hct_marker *marker, u64 before, u64 after);

/** hct_marker_refuse() - the call was not made after all */
void hct_marker_refuse(struct hct_marker *marker);

/**
 * hct_marker_take() - whether a call is the one that is awaited
 * @marker: noted there if it is, and no other is believed
 * @call: the call
 * @who: its caller, NULL: not known
 * @tsc: of its record
 * @pcpu: where it was recorded
 */
bool hct_marker_take(struct hct_marker *marker, const struct hct_call *call,
		     const struct hct_vcpu_id *who, u64 tsc, u16 pcpu);

/**
 * hct_marker_take_times() - whether it has come and returned, and nobody has looked yet
 * @marker: its @tsc lies between @before and @after, but for the offset of our counter
 */
bool hct_marker_take_times(struct hct_marker *marker);

#endif /* HCTRACE_MARKER_H */
