// SPDX-License-Identifier: GPL-2.0
/* The circuit breaker's rules, over days of time that only passes here. */
#include "rig.h"

#include <hctrace/breaker.h>

#define SECOND_MS	1000ull

static struct hct_breaker b;

static void at(u64 ms)
{
	hct_breaker_now(&b, ms);
}

static void bad_calls(u16 domid, u32 nr)
{
	while (nr--)
		hct_breaker_record(&b, domid);
}

/* It trips, and Xen is told. */
static void trip(u16 domid)
{
	bad_calls(domid, HCT_BREAKER_LIMIT + 1);
	assert_int_equal(b.state, HCT_BREAKER_TRIPPED);
	assert_int_equal(b.domid, domid);
	assert_true(hct_breaker_opened(&b));
	assert_int_equal(b.state, HCT_BREAKER_OPEN);
}

/* It is open for just so long, and then armed again. */
static void assert_pause(u64 pause_ms)
{
	const u64 begin = b.now_ms;

	assert_int_equal(hct_breaker_left_ms(&b), pause_ms);
	at(begin + pause_ms - 1);
	assert_false(hct_breaker_is_over(&b));
	assert_int_equal(hct_breaker_left_ms(&b), 1);
	at(begin + pause_ms);
	assert_true(hct_breaker_is_over(&b));
	hct_breaker_arm(&b);
	assert_int_equal(hct_breaker_left_ms(&b), 0);
}

static int fresh(void **state)
{
	(void)state;
	memset(&b, 0, sizeof(b));
	at(5 * HCT_HOUR_MS);
	return 0;
}

static void test_five_trip_it(void **state)
{
	(void)state;
	bad_calls(3, 4);
	assert_int_equal(b.state, HCT_BREAKER_ARMED);
	assert_false(hct_breaker_opened(&b));
	bad_calls(3, 1);
	assert_int_equal(b.state, HCT_BREAKER_TRIPPED);
	assert_int_equal(b.domid, 3);
	assert_false(hct_breaker_is_over(&b));
	/* What comes until Xen is told changes nothing. */
	bad_calls(4, 100);
	assert_int_equal(b.domid, 3);
	assert_true(hct_breaker_opened(&b));
	assert_false(hct_breaker_opened(&b));
	bad_calls(4, 100);
	assert_int_equal(b.trips, 1);
	assert_pause(HCT_MINUTE_MS);
}

/* However slowly they come, and over any second or hour. */
static void test_window(void **state)
{
	const u64 begin = b.now_ms;
	u32 i;

	(void)state;
	bad_calls(3, 2);
	at(begin + HCT_HOUR_MS);
	bad_calls(3, 2);
	at(begin + HCT_BREAKER_WINDOW_MS);
	bad_calls(3, 2);
	assert_int_equal(b.state, HCT_BREAKER_ARMED);
	at(begin + HCT_BREAKER_WINDOW_MS + HCT_HOUR_MS - 1);
	bad_calls(3, 1);
	assert_int_equal(b.state, HCT_BREAKER_TRIPPED);

	fresh(NULL);
	for (i = 0; i < 100; i++) {
		at(begin + i * HCT_HOUR_MS);
		bad_calls(3, 1);
		assert_int_equal(b.state, HCT_BREAKER_ARMED);
	}
}

/* Each counts, whoever made it; who made most of them is to blame. */
static void test_blame(void **state)
{
	(void)state;
	bad_calls(3, 1);
	bad_calls(5, 2);
	bad_calls(HCT_BREAKER_NOBODY, 1);
	bad_calls(3, 1);
	assert_int_equal(b.state, HCT_BREAKER_TRIPPED);
	assert_int_equal(b.domid, 3);		/* as many as d5, and the last */

	fresh(NULL);
	bad_calls(5, 4);
	bad_calls(3, 1);
	assert_int_equal(b.domid, 5);

	fresh(NULL);
	trip(HCT_BREAKER_NOBODY);
	assert_pause(HCT_MINUTE_MS);
}

/* A minute, four of them, and from the third trip on for as long as the domain lives. */
static void test_pauses(void **state)
{
	(void)state;
	trip(3);
	assert_pause(HCT_MINUTE_MS);
	trip(3);
	assert_pause(4 * HCT_MINUTE_MS);
	/* Another domain has pauses of its own. */
	trip(4);
	assert_pause(HCT_MINUTE_MS);
	trip(3);
	assert_true(hct_breaker_left_ms(&b) == HCT_BREAKER_STAYS);
	at(b.now_ms + 365 * HCT_DAY_MS);
	assert_false(hct_breaker_is_over(&b));
	hct_breaker_gone(&b, 4);
	assert_false(hct_breaker_is_over(&b));
	hct_breaker_gone(&b, 3);
	assert_true(hct_breaker_is_over(&b));
}

/* Nobody cannot be waited for: the pause grows up to six hours, and stays there. */
static void test_longest_pause(void **state)
{
	static const u64 minutes[] = { 1, 4, 16, 64, 256, 360, 360, 360 };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(minutes); i++) {
		trip(HCT_BREAKER_NOBODY);
		assert_pause(minutes[i] * HCT_MINUTE_MS);
		hct_breaker_gone(&b, HCT_BREAKER_NOBODY);
	}
}

/* A dead offender ends it at once, and its id begins anew. */
static void test_gone(void **state)
{
	(void)state;
	trip(3);
	assert_pause(HCT_MINUTE_MS);
	trip(3);
	hct_breaker_gone(&b, 3);
	assert_true(hct_breaker_is_over(&b));
	hct_breaker_arm(&b);
	trip(3);
	assert_pause(HCT_MINUTE_MS);
	/* One that died while it was armed, too. */
	hct_breaker_gone(&b, 3);
	assert_int_equal(b.state, HCT_BREAKER_ARMED);
	trip(3);
	assert_pause(HCT_MINUTE_MS);
}

/* After a start it is as on the first day; what was tripped before opens nothing. */
static void test_forgive(void **state)
{
	(void)state;
	trip(3);
	assert_pause(HCT_MINUTE_MS);
	trip(3);
	hct_breaker_forgive(&b);
	assert_int_equal(b.state, HCT_BREAKER_ARMED);
	bad_calls(3, 4);
	assert_int_equal(b.state, HCT_BREAKER_ARMED);
	hct_breaker_forgive(&b);
	bad_calls(3, 5);
	assert_int_equal(b.state, HCT_BREAKER_TRIPPED);
	hct_breaker_forgive(&b);
	assert_false(hct_breaker_opened(&b));
	trip(3);
	assert_pause(HCT_MINUTE_MS);
	assert_int_equal(b.trips, 3);
}

/* Armed again without a start: what was borne before is borne anew, the trips stand. */
static void test_arm(void **state)
{
	(void)state;
	bad_calls(3, 5);
	hct_breaker_arm(&b);
	assert_false(hct_breaker_opened(&b));
	bad_calls(3, 4);
	assert_int_equal(b.state, HCT_BREAKER_ARMED);
	bad_calls(3, 1);
	assert_int_equal(b.state, HCT_BREAKER_TRIPPED);
}

/* Time that runs backwards, as of a caller who mixes clocks up. */
static void test_time_goes_back(void **state)
{
	const u64 begin = b.now_ms;

	(void)state;
	trip(3);
	at(0);
	assert_int_equal(b.now_ms, begin);
	assert_pause(HCT_MINUTE_MS);
}

/* Memory is bounded: who did little, long ago, is forgotten first. */
static void test_bounded(void **state)
{
	u32 i;

	(void)state;
	trip(1);
	assert_pause(HCT_MINUTE_MS);
	trip(1);
	assert_pause(4 * HCT_MINUTE_MS);
	for (i = 2; i < 2000; i++) {
		at(b.now_ms + 2 * HCT_HOUR_MS);
		trip(i);
		assert_int_equal(hct_breaker_left_ms(&b), HCT_MINUTE_MS);
		at(b.now_ms + HCT_MINUTE_MS);
		hct_breaker_arm(&b);
	}
	trip(1);
	assert_true(hct_breaker_left_ms(&b) == HCT_BREAKER_STAYS);
}

/* --- the most that guests can do ---------------------------------------------- */

/* When each bad call was made, while they could be made. */
static u64 made_ms[100000];
static u32 nr_made;

/* One call, if tracing is on; as an attacker would do. Return: whether it was. */
static bool attack(u16 domid)
{
	if (b.state != HCT_BREAKER_ARMED)
		return false;
	assert_true(nr_made < ARRAY_SIZE(made_ms));
	made_ms[nr_made++] = b.now_ms;
	hct_breaker_record(&b, domid);
	hct_breaker_opened(&b);
	return true;
}

static void pass(u64 ms)
{
	at(b.now_ms + ms);
	if (hct_breaker_is_over(&b))
		hct_breaker_arm(&b);
}

/* The most of them in any 24 hours. */
static u32 most_in_a_day(void)
{
	u32 most = 0;
	u32 first = 0;
	u32 i;

	for (i = 0; i < nr_made; i++) {
		while (made_ms[i] - made_ms[first] >= HCT_DAY_MS)
			first++;
		if (i - first + 1 > most)
			most = i - first + 1;
	}
	return most;
}

static u32 siege(u64 days, u16 (*who)(u64 call), u64 step_ms, bool reborn)
{
	const u64 end = b.now_ms + days * HCT_DAY_MS;

	nr_made = 0;
	while (b.now_ms < end) {
		while (attack(who(nr_made)))
			;
		if (reborn)
			hct_breaker_gone(&b, b.domid);
		pass(step_ms);
	}
	return most_in_a_day();
}

static u16 one(u64 call)
{
	(void)call;
	return 3;
}

static u16 many(u64 call)
{
	return call / (HCT_BREAKER_LIMIT + 1) % 20000;
}

static u16 nobody(u64 call)
{
	(void)call;
	return HCT_BREAKER_NOBODY;
}

static void test_largest_number_in_a_day(void **state)
{
	u64 end;

	(void)state;
	/* The number that docs/trust.md has. */
	assert_int_equal(HCT_BREAKER_DAY_CALLS, 104);

	/* A domain that lives on. */
	assert_int_equal(siege(9, one, SECOND_MS, false), 3 * 5);
	/* One that boots anew each second, or thousands of them. */
	fresh(NULL);
	assert_int_equal(siege(9, one, SECOND_MS, true), 16 * 5);
	fresh(NULL);
	assert_int_equal(siege(9, many, SECOND_MS, false), 16 * 5);
	/* What nobody can be blamed for: 1, 4, 16, 64, 256 and 360 minutes. */
	fresh(NULL);
	assert_int_equal(siege(9, nobody, SECOND_MS, false), 9 * 5);

	/* Just what is borne for most of a day, and then all that trips it. */
	fresh(NULL);
	nr_made = 0;
	for (end = b.now_ms + HCT_DAY_MS; b.now_ms < end; pass(HCT_BREAKER_WINDOW_MS)) {
		u32 i;

		for (i = 0; i < HCT_BREAKER_LIMIT; i++)
			assert_true(attack(3));
		assert_int_equal(b.state, HCT_BREAKER_ARMED);
	}
	b.now_ms = end - 10 * HCT_MINUTE_MS;
	while (b.now_ms < end) {
		while (attack(3))
			;
		hct_breaker_gone(&b, 3);
		pass(SECOND_MS);
	}
	assert_true(most_in_a_day() <= HCT_BREAKER_DAY_CALLS);
	assert_int_equal(most_in_a_day(), HCT_BREAKER_DAY_CALLS - HCT_BREAKER_LIMIT);
}

/* Whatever they do at random, it is never more. */
static void test_random_guests(void **state)
{
	u64 random = 20261130;
	u32 i;

	(void)state;
	nr_made = 0;
	for (i = 0; i < 60000; i++) {
		const u16 domid = rig_random(&random, 4) ? rig_random(&random, 40) :
			HCT_BREAKER_NOBODY;
		u32 nr = rig_random(&random, 6);

		while (nr-- && nr_made < ARRAY_SIZE(made_ms) && attack(domid))
			;
		if (!rig_random(&random, 3))
			hct_breaker_gone(&b, b.domid);
		pass(rig_random(&random, 5) ? rig_random(&random, 5000) :
		     rig_random(&random, HCT_HOUR_MS));
	}
	assert_true(b.trips > 100);
	assert_true(most_in_a_day() <= HCT_BREAKER_DAY_CALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_five_trip_it, fresh),
		cmocka_unit_test_setup(test_window, fresh),
		cmocka_unit_test_setup(test_blame, fresh),
		cmocka_unit_test_setup(test_pauses, fresh),
		cmocka_unit_test_setup(test_longest_pause, fresh),
		cmocka_unit_test_setup(test_gone, fresh),
		cmocka_unit_test_setup(test_forgive, fresh),
		cmocka_unit_test_setup(test_arm, fresh),
		cmocka_unit_test_setup(test_time_goes_back, fresh),
		cmocka_unit_test_setup(test_bounded, fresh),
		cmocka_unit_test_setup(test_largest_number_in_a_day, fresh),
		cmocka_unit_test_setup(test_random_guests, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
