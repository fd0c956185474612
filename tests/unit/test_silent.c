// SPDX-License-Identifier: GPL-2.0
/* pCPUs whose calls leave no records, told by idle times as Xen gave them on a real host. */
#include <hctrace/silent.h>

#include "rig.h"

#define MS		1000000ull
#define IDLE_AT_FIRST	(77000 * MS)

/* A pCPU with a ring, looked at every 505 ms. */
struct story {
	struct hct_pcpu pcpu;
	struct hct_pcpu_look look;
};

static void begin(struct story *s)
{
	memset(s, 0, sizeof(*s));
	s->look.has_ring = true;
	s->look.idle_ns = IDLE_AT_FIRST;
	s->look.before_ns = 1000 * MS;
	s->look.after_ns = 1002 * MS;
	hct_pcpu_look(&s->pcpu, &s->look);
	assert_int_equal(s->pcpu.state, HCT_PCPU_OK);
}

/* 505 ms on, in which it was idle for @idle_ms, with @records. Return: its state. */
static u8 after(struct story *s, u64 idle_ms, u32 records)
{
	s->look.before_ns += 505 * MS;
	s->look.after_ns += 505 * MS;
	s->look.idle_ns += idle_ms * MS;
	s->look.prod_after += 16 * records;
	s->look.prod_before = s->look.prod_after;
	hct_pcpu_look(&s->pcpu, &s->look);
	return s->pcpu.state;
}

static void test_healthy(void **state)
{
	struct story s;
	u32 i;

	(void)state;
	/* Nobody on it, and samples that are off by up to 20 ms. */
	begin(&s);
	for (i = 0; i < 1000; i++)
		assert_int_equal(after(&s, 505 + (i % 3 - 1) * 20, 0), HCT_PCPU_OK);
	/* A vCPU now and then, with its records. */
	for (i = 0; i < 1000; i++)
		assert_int_equal(after(&s, 236, 2), HCT_PCPU_OK);
	/* One without an end: it need not switch. */
	after(&s, 100, 1);
	for (i = 0; i < 1000; i++)
		assert_int_equal(after(&s, 0, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 3, 1), HCT_PCPU_OK);
	/* A record that comes while Xen is asked is not missed. */
	for (i = 0; i < 100; i++) {
		s.look.before_ns += 505 * MS;
		s.look.after_ns += 505 * MS;
		s.look.idle_ns += i % 2 ? 400 * MS : 0;
		s.look.prod_before = s.look.prod_after + (i % 2 ? 16 : 0);
		s.look.prod_after = s.look.prod_before;
		hct_pcpu_look(&s.pcpu, &s.look);
		assert_int_equal(s.pcpu.state, HCT_PCPU_OK);
	}
}

/* Its ring is full, because nobody reads it: there is no room for a record. */
static void test_full(void **state)
{
	struct story s;
	u32 i;

	(void)state;
	begin(&s);
	s.look.is_full = true;
	for (i = 0; i < 100; i++)
		assert_int_equal(after(&s, 100, 0), HCT_PCPU_OK);
}

/* Off and on between two looks: only that it runs somebody tells, in the second look. */
static void test_quick(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	after(&s, 300, 5);
	assert_int_equal(after(&s, 236, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 240, 0), HCT_PCPU_SILENT);
	/* It stays so, idle or not. */
	assert_int_equal(after(&s, 505, 0), HCT_PCPU_SILENT);
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_SILENT);
	hct_pcpu_forget_look(&s.pcpu);
	assert_int_equal(after(&s, 505, 0), HCT_PCPU_SILENT);
	assert_int_equal(after(&s, 505, 0), HCT_PCPU_SILENT);
	/* A record shows that it is not. */
	assert_int_equal(after(&s, 505, 1), HCT_PCPU_OK);
}

/* A light load adds up: 2 in a hundred, in many looks. */
static void test_light_load(void **state)
{
	struct story s;
	u32 i = 0;

	(void)state;
	begin(&s);
	while (after(&s, 480, 0) == HCT_PCPU_OK && i < 100)
		i++;
	assert_in_range(i, 2, 10);
}

/* While it is offline its idle time reads 0, and goes on with the time away included. */
static void test_offline(void **state)
{
	struct story s;
	u64 idle;

	(void)state;
	begin(&s);
	after(&s, 300, 5);
	idle = s.look.idle_ns;
	s.look.idle_ns = 0;
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_OFFLINE);
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_OFFLINE);
	s.look.idle_ns = idle + 1200 * MS;
	assert_int_equal(after(&s, 300, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 505, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 505, 0), HCT_PCPU_OK);
	/* Now one vCPU has it for itself, and never stops. */
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_SILENT);
}

/* It came back with its ring: it was only parked, or the host was suspended. */
static void test_parked(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	s.look.idle_ns = 0;
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_OFFLINE);
	s.look.idle_ns = IDLE_AT_FIRST;
	assert_int_equal(after(&s, 300, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 300, 3), HCT_PCPU_OK);
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_OK);
	assert_int_equal(after(&s, 0, 0), HCT_PCPU_OK);
}

/* It came online after the buffers were made. */
static void test_no_ring(void **state)
{
	struct hct_pcpu_look look = { .before_ns = 5, .after_ns = 6 };
	struct hct_pcpu pcpu = { .state = HCT_PCPU_OK };

	(void)state;
	assert_true(hct_pcpu_look(&pcpu, &look));
	assert_int_equal(pcpu.state, HCT_PCPU_OFFLINE);
	look.idle_ns = 1;
	assert_true(hct_pcpu_look(&pcpu, &look));
	assert_int_equal(pcpu.state, HCT_PCPU_NO_RING);
	assert_false(hct_pcpu_look(&pcpu, &look));
}

/* Idle times that go back, or run ahead of our clock, accuse nobody. */
static void test_odd_figures(void **state)
{
	struct story s;
	u32 i;

	(void)state;
	begin(&s);
	for (i = 0; i < 50; i++)
		assert_int_equal(after(&s, 900, 0), HCT_PCPU_OK);
	begin(&s);
	for (i = 0; i < 50; i++) {
		s.look.idle_ns -= 600 * MS;
		assert_int_equal(after(&s, 0, 0), HCT_PCPU_OK);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_healthy),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_quick),
		cmocka_unit_test(test_light_load),
		cmocka_unit_test(test_offline),
		cmocka_unit_test(test_parked),
		cmocka_unit_test(test_no_ring),
		cmocka_unit_test(test_odd_figures),
	};

	return cmocka_run_group_tests_name("silent", tests, NULL, NULL);
}
