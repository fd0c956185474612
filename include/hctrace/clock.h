/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the time stamp counter of a record to CLOCK_MONOTONIC.
 *
 * Anchors are readings of both clocks, taken whenever the rings are looked at.
 * The time of a record is interpolated between the two around it: a constant rate
 * would drift, since CLOCK_MONOTONIC is slewed.
 *
 * The counter that dom0 reads may differ from the host's, which is in the records,
 * by a constant: a PVH dom0 has an offset. It is measured with calls of our own,
 * whose records must lie between our readings before and after.
 *
 * The counter of a host begins anew when it comes back from suspend to memory, in
 * which CLOCK_MONOTONIC stands still. Each time an epoch ends and another begins. The
 * anchors of the last one are kept: Xen's rings still hold records of it.
 */
#ifndef HCTRACE_CLOCK_H
#define HCTRACE_CLOCK_H

#include <hctrace/types.h>

#define HCT_CLOCK_ANCHORS	8

/*
 * A counter that falls by more than so many ticks, a third of a second on the fastest
 * of hosts, has begun anew. The records of one pCPU never go back at all; those of
 * two differ by as much as their counters do.
 */
#define HCT_TSC_STEP		0x40000000ull

/** hct_tsc_fell() - whether a counter that was at @before and is at @now has begun anew */
static inline bool hct_tsc_fell(u64 before, u64 now)
{
	return now < before && before - now > HCT_TSC_STEP;
}

/* Anchors closer than this say little of the rate: the newer takes the older's place. */
#define HCT_CLOCK_MIN_NS	1000000

/**
 * struct hct_anchor - both clocks at one moment, and how they go on from there
 * @tsc: dom0's time stamp counter
 * @ns: CLOCK_MONOTONIC
 * @mult: nanoseconds per tick from here to the next anchor, times 2^32
 * @error_ns: how far @ns was from what the anchors before it made one expect: the
 *	clocks of a host may step, and those of its CPUs may differ
 */
struct hct_anchor {
	u64 tsc;
	u64 ns;
	u64 mult;
	u64 error_ns;
};

/**
 * struct hct_clock - the conversion
 * @anchors: ascending, @nr of them
 * @nr: number of anchors
 * @nominal_mult: like @mult of an anchor, at the rate that the kernel believes in
 * @first: the first anchor since hct_clock_init(), for the rate over all
 * @bracket_ticks: how long the reading of the newest anchor took
 * @same_counter: dom0 reads the host's own counter, so there is no offset
 * @has_offset: whether the offset is known
 * @offset_low: least that the host's counter is ahead of dom0's, in ticks modulo 2^64
 * @offset_span: it is at most so much more
 * @offset_gap: how far calls of our own contradicted each other on it, lately
 * @epoch: times that the counter began anew
 * @past: the anchors of the epoch before, @nr_past of them
 * @nr_past: 0: none, or their offset was not known
 * @past_offset: by how much the host's counter was ahead then
 * @unsteady: the counter has jumped ahead, so it may fall as well: dom0's vCPUs move
 *	between pCPUs whose counters differ
 */
struct hct_clock {
	struct hct_anchor anchors[HCT_CLOCK_ANCHORS];
	u32 nr;
	u64 nominal_mult;
	struct hct_anchor first;
	u64 bracket_ticks;
	bool same_counter;
	bool has_offset;
	u64 offset_low;
	u64 offset_span;
	u64 offset_gap;
	u32 epoch;
	struct hct_anchor past[HCT_CLOCK_ANCHORS];
	u32 nr_past;
	u64 past_offset;
	bool unsteady;
};

/**
 * hct_clock_init() - know nothing yet
 * @clock: the clock
 * @tsc_khz: rate of the counter, as far as it is known; 0: it is not, and no time ever will be
 * @same_counter: dom0 reads the host's own counter, as PV domains do
 */
void hct_clock_init(struct hct_clock *clock, u32 tsc_khz, bool same_counter);

/**
 * hct_clock_anchor() - both clocks were read
 * @clock: the clock
 * @before: dom0's counter before @ns was read
 * @ns: CLOCK_MONOTONIC
 * @after: dom0's counter after it
 *
 * Readings that go backwards begin anew. If the counter fell by more than
 * %HCT_TSC_STEP that is another epoch, in which an offset has to be measured again.
 */
void hct_clock_anchor(struct hct_clock *clock, u64 before, u64 ns, u64 after);

/**
 * hct_clock_calibrate() - a call of our own was recorded
 * @clock: the clock
 * @before: dom0's counter before it
 * @tsc: the host's counter in its record
 * @after: dom0's counter after it
 *
 * Each can only narrow the offset down; one that contradicts those before shows
 * that there is no constant offset, as where Xen emulates dom0's counter because the
 * host's are not in step. Then the latest is taken, and the uncertainty grows. One of
 * before the counter began anew says nothing, and none does where it is one counter.
 */
void hct_clock_calibrate(struct hct_clock *clock, u64 before, u64 tsc, u64 after);

/**
 * hct_clock_ns() - the time of a record
 * @clock: the clock
 * @epoch: which epoch the record is of
 * @tsc: its counter
 * @ns: filled in
 *
 * Return: whether it is known, which it may be for the latest epoch and the one before.
 */
bool hct_clock_ns(const struct hct_clock *clock, u32 epoch, u64 tsc, u64 *ns);

/**
 * hct_clock_latest() - which records there cannot be
 * @clock: the clock
 *
 * Return: the host's counter by which any record of this epoch was made that was in a
 * ring before the newest reading, with %HCT_TSC_STEP to spare; 0: not known.
 */
u64 hct_clock_latest(const struct hct_clock *clock);

/**
 * hct_clock_divide() - tell the records of two epochs apart
 * @clock: the clock
 *
 * Return: below this they are of the latest epoch, else of the one before, as long as
 * no ring has any of the latter that is much older than the last reading of it;
 * 0: not known.
 */
u64 hct_clock_divide(const struct hct_clock *clock);

/**
 * hct_clock_uncertainty_ns() - how far hct_clock_ns() may be off
 * @clock: the clock
 *
 * By the offset, by the time that reading both clocks took, and by how well the
 * latest anchors agree with each other. Return: all ones: not known.
 */
u64 hct_clock_uncertainty_ns(const struct hct_clock *clock);

/** hct_clock_khz() - rate of the counter since the first anchor, 0: not known yet */
u32 hct_clock_khz(const struct hct_clock *clock);

#endif /* HCTRACE_CLOCK_H */
