// SPDX-License-Identifier: GPL-2.0
/* The clock: what a record's counter is in nanoseconds, and how sure that is. */
#include "rig.h"

#include <hctrace/clock.h>

#define MS	1000000ull

/* At 1 GHz a tick is a nanosecond. */
static struct hct_clock gigahertz(bool same_counter)
{
	struct hct_clock clock;

	hct_clock_init(&clock, 1000000, same_counter);
	return clock;
}

static void assert_ns(const struct hct_clock *clock, u64 tsc, u64 want)
{
	u64 ns;

	assert_true(hct_clock_ns(clock, clock->epoch, tsc, &ns));
	assert_in_range(ns, want - 1, want + 1);
}

static void test_unknown(void **state)
{
	struct hct_clock clock = gigahertz(true);
	u64 ns;

	(void)state;
	assert_false(hct_clock_ns(&clock, 0, 1, &ns));
	assert_int_equal(hct_clock_uncertainty_ns(&clock), ~0ull);
	assert_int_equal(hct_clock_khz(&clock), 0);
}

/* A kernel that does not know the rate: readings and calls of our own make no clock either. */
static void test_no_rate(void **state)
{
	struct hct_clock clock;
	u64 ns, i;

	(void)state;
	hct_clock_init(&clock, 0, true);
	for (i = 1; i < 20; i++)
		hct_clock_anchor(&clock, i * 100 * MS, i * 100 * MS, i * 100 * MS + 10);
	hct_clock_calibrate(&clock, 2000 * MS, 2000 * MS + 1, 2000 * MS + 2);
	assert_false(hct_clock_ns(&clock, 0, 1000 * MS, &ns));
	assert_int_equal(hct_clock_uncertainty_ns(&clock), ~0ull);
	assert_int_equal(hct_clock_khz(&clock), 0);
}

static void test_interpolate(void **state)
{
	struct hct_clock clock = gigahertz(true);

	(void)state;
	/* The counter runs at 1 GHz, then CLOCK_MONOTONIC is slewed by a tenth. */
	hct_clock_anchor(&clock, 1000, 500, 1000);
	hct_clock_anchor(&clock, 1000 + 100 * MS, 500 + 100 * MS, 1000 + 100 * MS);
	hct_clock_anchor(&clock, 1000 + 200 * MS, 500 + 210 * MS, 1000 + 200 * MS);
	assert_ns(&clock, 1000 + 50 * MS, 500 + 50 * MS);
	assert_ns(&clock, 1000 + 150 * MS, 500 + 155 * MS);
	/* Before the first and after the last: at the nominal rate. */
	assert_ns(&clock, 400, 500 - 600);
	assert_ns(&clock, 1000 + 201 * MS, 500 + 211 * MS);
	assert_int_equal(hct_clock_khz(&clock), 200 * MS * 1000 / 210 * 1000 / MS);
}

/* Rounds may follow each other fast; the rate between two of them says nothing. */
static void test_close_anchors(void **state)
{
	struct hct_clock clock = gigahertz(true);
	u64 i;

	(void)state;
	hct_clock_anchor(&clock, 0, 1000, 0);
	for (i = 1; i <= 20; i++)
		hct_clock_anchor(&clock, i * 100000, 1000 + i * 100000 + (i & 1) * 500, i * 100000);
	/* The first, the last ones within 1 ms of the one before, and the newest. */
	assert_int_equal(clock.nr, 4);
	assert_int_equal(clock.anchors[1].tsc, 900000);
	assert_int_equal(clock.anchors[2].tsc, 1800000);
	assert_int_equal(clock.anchors[3].tsc, 2000000);
	/* On the line from the first to the second, whose reading was 500 ns off. */
	assert_ns(&clock, 450000, 451250);
}

static void test_many_anchors(void **state)
{
	struct hct_clock clock = gigahertz(true);
	u64 i;

	(void)state;
	for (i = 0; i < 100; i++)
		hct_clock_anchor(&clock, i * 10 * MS, i * 20 * MS, i * 10 * MS);
	assert_int_equal(clock.nr, HCT_CLOCK_ANCHORS);
	assert_ns(&clock, 985 * MS, 1970 * MS);
	assert_int_equal(hct_clock_khz(&clock), 500000);
}

/* A long way at a high rate must not overflow. */
static void test_far(void **state)
{
	const u64 year_ns = 365ull * 86400 * 1000 * MS;
	struct hct_clock clock;

	(void)state;
	hct_clock_init(&clock, 5000000, true);
	hct_clock_anchor(&clock, 5 * 7, 7, 5 * 7);
	clock.first = clock.anchors[0];
	hct_clock_anchor(&clock, 5 * (7 + year_ns), 7 + year_ns, 5 * (7 + year_ns));
	/* Too far for one step: it began anew. */
	assert_int_equal(clock.nr, 1);
	assert_ns(&clock, 5 * (7 + year_ns + 1000), 7 + year_ns + 1000);
	clock.first = (struct hct_anchor){ .tsc = 5 * 7, .ns = 7 };
	assert_in_range(hct_clock_khz(&clock), 4999999, 5000001);
}

static void test_backwards(void **state)
{
	struct hct_clock clock = gigahertz(true);

	(void)state;
	hct_clock_anchor(&clock, 100 * MS, 100 * MS, 100 * MS);
	hct_clock_anchor(&clock, 200 * MS, 200 * MS, 200 * MS);
	hct_clock_anchor(&clock, 150 * MS, 300 * MS, 150 * MS);
	assert_int_equal(clock.nr, 1);
	assert_ns(&clock, 151 * MS, 301 * MS);
	hct_clock_anchor(&clock, 160 * MS, 300 * MS, 160 * MS);
	assert_int_equal(clock.nr, 1);
}

/* A PVH dom0: the host's counter is ahead, behind, or wraps around. */
static void test_offset(void **state)
{
	static const u64 offsets[] = { 0, 123456789, -5000ull, 1ull << 63, ~0ull };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		struct hct_clock clock = gigahertz(false);
		u64 host = offsets[i];
		u64 ns;

		hct_clock_anchor(&clock, 1000, 1000, 1000);
		assert_false(hct_clock_ns(&clock, 0, host + 1000, &ns));
		assert_int_equal(hct_clock_uncertainty_ns(&clock), ~0ull);
		/* Between 2000 and 2400, recorded at 2100; then a better one. */
		hct_clock_calibrate(&clock, 2000, host + 2100, 2400);
		assert_int_equal(hct_clock_uncertainty_ns(&clock), 203);
		assert_true(hct_clock_ns(&clock, 0, host + 3000, &ns));
		assert_in_range(ns, 3000 - 203, 3000 + 203);
		hct_clock_calibrate(&clock, 4000, host + 4010, 4020);
		assert_int_equal(hct_clock_uncertainty_ns(&clock), 13);
		assert_true(hct_clock_ns(&clock, 0, host + 3000, &ns));
		assert_in_range(ns, 3000 - 13, 3000 + 13);
		/* A wide one teaches nothing. */
		hct_clock_calibrate(&clock, 5000, host + 5500, 6000);
		assert_int_equal(hct_clock_uncertainty_ns(&clock), 13);
		/* Two that overlap on the other side narrow it down further. */
		hct_clock_calibrate(&clock, 7000, host + 7018, 7020);
		assert_true(hct_clock_uncertainty_ns(&clock) < 13);
		assert_true(hct_clock_ns(&clock, 0, host + 3000, &ns));
		assert_in_range(ns, 3000 - 13, 3000 + 13);
		/* Somebody changed the counter: the old interval is not believed. */
		hct_clock_calibrate(&clock, 8000, host + 99010, 8020);
		assert_true(hct_clock_ns(&clock, 0, host + 90000 + 9000, &ns));
		assert_in_range(ns, 8000 - 13, 8000 + 13);
		/* And as far as that may it be off again, until many have agreed. */
		assert_in_range(hct_clock_uncertainty_ns(&clock), 2 * 90900, 2 * 91100);
		for (ns = 0; ns < 100; ns++)
			hct_clock_calibrate(&clock, 9000, host + 100010, 9020);
		assert_in_range(hct_clock_uncertainty_ns(&clock), 13, 13 + 2 * 8);
	}
}

static void test_bracket(void **state)
{
	struct hct_clock clock = gigahertz(true);

	(void)state;
	hct_clock_anchor(&clock, 1000, 500, 1200);
	assert_int_equal(hct_clock_uncertainty_ns(&clock), 103);
	assert_ns(&clock, 1100, 500);
}

/* Suspend to memory: the counter begins anew, CLOCK_MONOTONIC goes on where it was. */
static void test_epoch(void **state)
{
	const u64 up = 3600 * 1000 * MS;	/* an hour in ticks */
	struct hct_clock clock = gigahertz(true);
	u64 ns;

	(void)state;
	assert_int_equal(hct_clock_latest(&clock), 0);
	hct_clock_anchor(&clock, up, 7 * MS, up);
	hct_clock_anchor(&clock, up + 100 * MS, 107 * MS, up + 100 * MS);
	assert_int_equal(hct_clock_latest(&clock), up + 100 * MS + HCT_TSC_STEP);
	assert_int_equal(hct_clock_divide(&clock), 0);
	hct_clock_anchor(&clock, 3000 * MS, 120 * MS, 3000 * MS);
	assert_int_equal(clock.epoch, 1);
	assert_int_equal(clock.nr, 1);
	assert_int_equal(hct_clock_latest(&clock), 3000 * MS + HCT_TSC_STEP);
	assert_int_equal(hct_clock_divide(&clock), 3000 * MS + (up + 100 * MS - 3000 * MS) / 2);

	/* What is left of before, as it was measured then; time stood still before it slept. */
	assert_true(hct_clock_ns(&clock, 0, up + 50 * MS, &ns));
	assert_in_range(ns, 57 * MS - 1, 57 * MS);
	assert_true(hct_clock_ns(&clock, 0, up + 110 * MS, &ns));
	assert_in_range(ns, 117 * MS - 1, 117 * MS);
	assert_true(hct_clock_ns(&clock, 0, up + 900 * MS, &ns));
	assert_int_equal(ns, 120 * MS);
	assert_ns(&clock, 2999 * MS, 119 * MS);
	assert_ns(&clock, 3001 * MS, 121 * MS);
	assert_int_equal(hct_clock_uncertainty_ns(&clock), 3);
	assert_int_equal(hct_clock_khz(&clock), 0);

	/* Of the one before the last nothing is left; nor is there one to come. */
	hct_clock_anchor(&clock, 100 * MS, 130 * MS, 100 * MS);
	assert_int_equal(clock.epoch, 2);
	assert_false(hct_clock_ns(&clock, 0, up, &ns));
	assert_true(hct_clock_ns(&clock, 1, 3005 * MS, &ns));
	assert_in_range(ns, 125 * MS - 1, 125 * MS);
	assert_false(hct_clock_ns(&clock, 3, up, &ns));
}

/* A PV dom0 reads the host's counter: whatever a call of our own seems to say, times stay. */
static void test_same_counter(void **state)
{
	struct hct_clock clock = gigahertz(true);
	u64 ns, again;

	(void)state;
	hct_clock_anchor(&clock, 1000 * MS, 7 * MS, 1000 * MS);
	assert_true(hct_clock_ns(&clock, 0, 1001 * MS, &ns));
	hct_clock_calibrate(&clock, 1000 * MS, 10900 * MS, 1000 * MS + 20);
	assert_true(hct_clock_ns(&clock, 0, 1001 * MS, &again));
	assert_int_equal(again, ns);
	assert_int_equal(again, 8 * MS);
}

/* The offset of a PVH dom0 is measured anew, and by no call of before. */
static void test_epoch_offset(void **state)
{
	const u64 up = 3600 * 1000 * MS;
	struct hct_clock clock = gigahertz(false);
	u64 ns;

	(void)state;
	hct_clock_anchor(&clock, up, 7 * MS, up);
	hct_clock_calibrate(&clock, up, up + 1000, up);
	hct_clock_anchor(&clock, 3000 * MS, 120 * MS, 3000 * MS);
	assert_true(hct_clock_ns(&clock, 0, up + 1000 + 50 * MS, &ns));
	assert_in_range(ns, 57 * MS - 1, 57 * MS);
	assert_int_equal(hct_clock_divide(&clock), 3000 * MS + 1000 + (up - 3000 * MS) / 2);
	assert_false(hct_clock_ns(&clock, 1, 3000 * MS + 1000, &ns));
	assert_int_equal(hct_clock_latest(&clock), 0);
	hct_clock_calibrate(&clock, up + 1, up + 1002, up + 3);
	assert_false(hct_clock_ns(&clock, 1, 3000 * MS + 1000, &ns));
	assert_int_equal(hct_clock_uncertainty_ns(&clock), ~0ull);
	hct_clock_calibrate(&clock, 3001 * MS, 3001 * MS + 2010, 3001 * MS + 20);
	assert_true(hct_clock_ns(&clock, 1, 3010 * MS + 2000, &ns));
	assert_in_range(ns, 130 * MS - 13, 130 * MS + 13);
	assert_int_equal(hct_clock_latest(&clock), 3000 * MS + 2000 + HCT_TSC_STEP);

	/* Never measured: nothing is known of what is left. */
	clock = gigahertz(false);
	hct_clock_anchor(&clock, up, 7 * MS, up);
	hct_clock_anchor(&clock, 3000 * MS, 120 * MS, 3000 * MS);
	assert_int_equal(clock.epoch, 1);
	assert_false(hct_clock_ns(&clock, 0, up, &ns));
	assert_int_equal(hct_clock_divide(&clock), 0);
}

/* Falls that are none: less than the counters of CPUs differ, or on hosts where they do. */
static void test_no_epoch(void **state)
{
	struct hct_clock clock = gigahertz(true);
	u64 tsc = 3600 * 1000 * MS;
	u64 ns = 7 * MS;

	(void)state;
	hct_clock_anchor(&clock, tsc, ns, tsc);
	hct_clock_anchor(&clock, tsc - HCT_TSC_STEP, ns + MS, tsc - HCT_TSC_STEP);
	assert_int_equal(clock.epoch, 0);
	/* A day without readings, at a rate that is not what the kernel believes. */
	tsc += 86400 * 1001 * MS;
	ns += 86400 * 1000 * MS;
	hct_clock_anchor(&clock, tsc, ns, tsc);
	assert_false(clock.unsteady);
	/* To a CPU that is ahead, and back. */
	hct_clock_anchor(&clock, tsc + 5000 * MS, ns + MS, tsc + 5000 * MS);
	assert_true(clock.unsteady);
	hct_clock_anchor(&clock, tsc + 2 * MS, ns + 2 * MS, tsc + 2 * MS);
	assert_int_equal(clock.epoch, 0);
	assert_ns(&clock, tsc + 3 * MS, ns + 3 * MS);
}

/* Clocks that disagree with themselves: the uncertainty says by how much, for a while. */
static void test_surprise(void **state)
{
	struct hct_clock clock = gigahertz(true);
	u64 i;

	(void)state;
	for (i = 0; i < 5; i++)
		hct_clock_anchor(&clock, i * 100 * MS, 7 + i * 100 * MS, i * 100 * MS);
	assert_int_equal(hct_clock_uncertainty_ns(&clock), 3);
	/* One CPU's clock is 2 ms ahead of the others'. */
	hct_clock_anchor(&clock, 500 * MS, 7 + 502 * MS, 500 * MS);
	assert_in_range(hct_clock_uncertainty_ns(&clock), 2 * MS, 2 * MS + 10);
	/* A slew that goes on is no surprise, after its begin. */
	for (i = 0; i < 2 * HCT_CLOCK_ANCHORS + 2; i++)
		hct_clock_anchor(&clock, (600 + i * 100) * MS, 7 + (604 + i * 102) * MS,
				 (600 + i * 100) * MS);
	assert_in_range(hct_clock_uncertainty_ns(&clock), 3, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_no_rate),
		cmocka_unit_test(test_interpolate),
		cmocka_unit_test(test_same_counter),
		cmocka_unit_test(test_close_anchors),
		cmocka_unit_test(test_many_anchors),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_offset),
		cmocka_unit_test(test_bracket),
		cmocka_unit_test(test_epoch),
		cmocka_unit_test(test_epoch_offset),
		cmocka_unit_test(test_no_epoch),
		cmocka_unit_test(test_surprise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
