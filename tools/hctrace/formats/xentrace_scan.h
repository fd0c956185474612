/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The windows of an xentrace file. Every so often xentrace goes over all pCPUs,
 * in ascending order, and writes what each has in its ring, if anything:
 *
 *   CPU_CHANGE header 0x2001f003 | pCPU | length in bytes | so many bytes of records
 *
 * Source: Xen's tools/xentrace/xentrace.c, monitor_tbufs().
 */
#ifndef HCTRACE_XENTRACE_SCAN_H
#define HCTRACE_XENTRACE_SCAN_H

#include "input.h"

#define XENTRACE_MAX_PCPUS	65536u
#define XENTRACE_HEADER_BYTES	12	/* of a window */

/**
 * struct damage - what of a file could not be read
 * @places: where something is wrong
 * @bytes: bytes that were passed over
 * @missing: bytes that are promised but not there
 * @breaks: where all can be read, but what is behind does not follow on what is in
 *	front: time goes back, or another recording begins
 * @break_at: offset of the first of these
 */
struct damage {
	u64 places;
	u64 bytes;
	u64 missing;
	u64 breaks;
	u64 break_at;
};

/** damage_break() - at offset @at of the input is a break */
static inline void damage_break(struct damage *damage, u64 at)
{
	if (!damage->breaks++)
		damage->break_at = at;
}

/**
 * struct window - what one pCPU had at one time
 * @pcpu: Xen's CPU id, below %XENTRACE_MAX_PCPUS
 * @from: offset of its header in the input
 * @at: offset of the next record in the input
 * @end: offset of the first byte behind it; no more than there is
 */
struct window {
	u32 pcpu;
	u64 from;
	u64 at;
	u64 end;
};

/**
 * struct scan - our place in the row of windows
 * @in: the input
 * @damage: what was found wrong
 * @at: offset where the next window should begin
 * @next: it, if it was seen already; else its offset is 0
 */
struct scan {
	struct input *in;
	struct damage *damage;
	u64 at;
	struct window next;
};

enum scan_result {
	SCAN_WINDOW,	/* here is one */
	SCAN_END,	/* there is none */
	SCAN_FULL,	/* a pipe has to forget something first */
};

/** xentrace_is() - whether there is a window in it, as far as a pipe can show */
bool xentrace_is(struct input *in);

/**
 * scan_next() - find the next window
 * @scan: our place; moved on
 * @window: filled in
 *
 * A window whose length is wrong is ended where the next one begins; what is no
 * window at all is passed over and counted.
 */
enum scan_result scan_next(struct scan *scan, struct window *window);

#endif /* HCTRACE_XENTRACE_SCAN_H */
