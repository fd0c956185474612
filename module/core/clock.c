// SPDX-License-Identifier: GPL-2.0
/* Interpolation between readings of two clocks; see clock.h. */
#include <hctrace/clock.h>

#define NSEC_PER_MSEC_U64	1000000ull

/* The widest step that 32 bits of fraction leave room for, about 4 s. */
#define MAX_STEP_NS		0xffffffffull

/* The rate over all is worth telling from here on. */
#define KHZ_MIN_NS		100000000ull

static u64 scale_tsc(u64 ticks, u64 mult)
{
	return (__uint128_t)ticks * mult >> 32;
}

void hct_clock_init(struct hct_clock *clock, u32 tsc_khz, bool same_counter)
{
	memset(clock, 0, sizeof(*clock));
	if (tsc_khz)
		clock->nominal_mult = (NSEC_PER_MSEC_U64 << 32) / tsc_khz;
	clock->same_counter = same_counter;
	clock->has_offset = same_counter;
}

static u64 tsc_offset(const struct hct_clock *clock)
{
	return clock->offset_low + clock->offset_span / 2;
}

static void begin_anew(struct hct_clock *clock, const struct hct_anchor *anchor)
{
	clock->anchors[0] = *anchor;
	clock->first = *anchor;
	clock->nr = 1;
}

/*
 * The counter fell. What was measured of it is kept for the records that are left. A
 * PV dom0 reads the host's in any epoch.
 */
static void begin_epoch(struct hct_clock *clock)
{
	clock->epoch++;
	memcpy(clock->past, clock->anchors, sizeof(clock->past));
	clock->nr_past = clock->has_offset ? clock->nr : 0;
	clock->past_offset = tsc_offset(clock);
	if (clock->same_counter)
		return;
	clock->has_offset = false;
	clock->offset_low = 0;
	clock->offset_span = 0;
	clock->offset_gap = 0;
}

/* Whether the counter went on by far more than time did, however wrong its rate is. */
static bool clock_jumped(const struct hct_clock *clock, const struct hct_anchor *last,
			 const struct hct_anchor *anchor)
{
	u64 elapsed_ns = anchor->ns - last->ns;

	return anchor->tsc > last->tsc && anchor->ns > last->ns &&
	       scale_tsc(anchor->tsc - last->tsc, clock->nominal_mult) >
	       elapsed_ns + elapsed_ns / 256 + scale_tsc(HCT_TSC_STEP, clock->nominal_mult);
}

/*
 * How far an anchor is from the line through the oldest and the last one, or on from
 * the only one. The last two alone may be so close that they make no line.
 */
static u64 clock_surprise(const struct hct_clock *clock, const struct hct_anchor *anchor)
{
	const struct hct_anchor *first = &clock->anchors[0];
	const struct hct_anchor *last = &clock->anchors[clock->nr - 1];
	u64 mult = clock->nominal_mult;
	u64 expected;

	if (clock->nr > 1 && last->ns - first->ns <= MAX_STEP_NS)
		mult = ((last->ns - first->ns) << 32) / (last->tsc - first->tsc);
	expected = last->ns + scale_tsc(anchor->tsc - last->tsc, mult);

	return expected > anchor->ns ? expected - anchor->ns : anchor->ns - expected;
}

void hct_clock_anchor(struct hct_clock *clock, u64 before, u64 ns, u64 after)
{
	struct hct_anchor anchor = {
		.tsc = before + (after - before) / 2, .ns = ns, .mult = clock->nominal_mult,
	};
	struct hct_anchor *last;

	if (!clock->nominal_mult)
		return;
	clock->bracket_ticks = after - before;
	if (!clock->nr) {
		begin_anew(clock, &anchor);
		return;
	}

	last = &clock->anchors[clock->nr - 1];
	if (clock_jumped(clock, last, &anchor))
		clock->unsteady = true;
	if (hct_tsc_fell(last->tsc, anchor.tsc) && !clock->unsteady)
		begin_epoch(clock);
	if (anchor.tsc <= last->tsc || ns <= last->ns || ns - last->ns > MAX_STEP_NS) {
		begin_anew(clock, &anchor);
		return;
	}
	if (clock->nr >= 2 && ns - last[-1].ns < HCT_CLOCK_MIN_NS) {
		last--;
		clock->nr--;
	} else if (clock->nr == HCT_CLOCK_ANCHORS) {
		memmove(&clock->anchors[0], &clock->anchors[1],
			sizeof(clock->anchors) - sizeof(clock->anchors[0]));
		last--;
		clock->nr--;
	}
	anchor.error_ns = clock_surprise(clock, &anchor);
	last->mult = ((ns - last->ns) << 32) / (anchor.tsc - last->tsc);
	clock->anchors[clock->nr++] = anchor;
}

/* From @low to @low + @span, modulo 2^64. */
struct interval {
	u64 low;
	u64 span;
};

/* Make @below, which begins first, what both have in common. Return: the gap between them. */
static u64 cut_both(struct interval *below, const struct interval *above)
{
	u64 ahead = above->low - below->low;

	if (ahead > below->span)
		return ahead - below->span;
	below->low = above->low;
	below->span -= ahead;
	if (below->span > above->span)
		below->span = above->span;
	return 0;
}

void hct_clock_calibrate(struct hct_clock *clock, u64 before, u64 tsc, u64 after)
{
	struct interval old = { clock->offset_low, clock->offset_span };
	struct interval seen = { tsc - after, after - before };
	u64 gap = 0;

	/* Nothing is to be learnt where it is one counter, whoever claims to know better. */
	if (clock->same_counter)
		return;
	if (clock->nr && hct_tsc_fell(after, clock->anchors[clock->nr - 1].tsc))
		return;
	if (clock->has_offset)
		gap = (s64)(seen.low - old.low) < 0 ? cut_both(&seen, &old) : cut_both(&old, &seen);
	if (gap || !clock->has_offset)
		old = (struct interval){ tsc - after, after - before };
	else if ((s64)(seen.low - old.low) < 0)
		old = seen;

	clock->has_offset = true;
	clock->offset_low = old.low;
	clock->offset_span = old.span;
	clock->offset_gap -= clock->offset_gap / 8;
	if (gap > clock->offset_gap)
		clock->offset_gap = gap;
}

static u64 interpolate_ns(const struct hct_clock *clock, const struct hct_anchor *anchors, u32 nr,
			  u64 own)
{
	const struct hct_anchor *anchor;
	u32 i;

	for (i = nr - 1; i && own < anchors[i].tsc; i--)
		;
	anchor = &anchors[i];
	if (own >= anchor->tsc)
		return anchor->ns + scale_tsc(own - anchor->tsc, anchor->mult);
	return anchor->ns - scale_tsc(anchor->tsc - own, clock->nominal_mult);
}

bool hct_clock_ns(const struct hct_clock *clock, u32 epoch, u64 tsc, u64 *ns)
{
	if (epoch == clock->epoch) {
		if (!clock->has_offset || !clock->nr)
			return false;
		*ns = interpolate_ns(clock, clock->anchors, clock->nr, tsc - tsc_offset(clock));
		return true;
	}
	if (epoch + 1 != clock->epoch || !clock->nr_past)
		return false;
	*ns = interpolate_ns(clock, clock->past, clock->nr_past, tsc - clock->past_offset);
	/* Time stood still before the counter did. */
	if (*ns > clock->first.ns)
		*ns = clock->first.ns;
	return true;
}

u64 hct_clock_latest(const struct hct_clock *clock)
{
	u64 host;

	if (!clock->has_offset || !clock->nr)
		return 0;
	host = clock->anchors[clock->nr - 1].tsc + tsc_offset(clock);
	return host + HCT_TSC_STEP > host ? host + HCT_TSC_STEP : 0;
}

u64 hct_clock_divide(const struct hct_clock *clock)
{
	u64 now, then;

	if (!clock->nr_past)
		return 0;
	/* As far as it takes, the offset stays what it was. */
	now = clock->anchors[clock->nr - 1].tsc + clock->past_offset;
	then = clock->past[clock->nr_past - 1].tsc + clock->past_offset;
	return now < then ? now + (then - now) / 2 : 0;
}

u64 hct_clock_uncertainty_ns(const struct hct_clock *clock)
{
	u64 error_ns = 0;
	u32 i;

	if (!clock->has_offset || !clock->nr)
		return ~0ull;
	for (i = 0; i < clock->nr; i++) {
		if (clock->anchors[i].error_ns > error_ns)
			error_ns = clock->anchors[i].error_ns;
	}
	/* It may go as far again until the next call; one more for each of the roundings. */
	return scale_tsc(clock->offset_span / 2 + clock->bracket_ticks / 2 + 2 * clock->offset_gap,
		     clock->nominal_mult) +
	       error_ns + 3;
}

u32 hct_clock_khz(const struct hct_clock *clock)
{
	const struct hct_anchor *last;
	u64 ticks, ns;

	if (!clock->nr)
		return 0;
	last = &clock->anchors[clock->nr - 1];
	ticks = last->tsc - clock->first.tsc;
	ns = last->ns - clock->first.ns;
	if (ns < KHZ_MIN_NS)
		return 0;
	/* The kernel cannot divide 128 bits; 44 leave room for the factor. */
	for (; ticks >> 44; ticks >>= 1)
		ns >>= 1;
	return ticks * NSEC_PER_MSEC_U64 / ns;
}
