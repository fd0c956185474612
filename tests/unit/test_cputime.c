// SPDX-License-Identifier: GPL-2.0
/* Whose time it was: each cycle of a pCPU is a domain's, idle, filtered, or nobody's known. */
#include <hctrace/table.h>

#include "rig.h"

/* At so many cycles, from here on. */
static void at(struct rig *rig, u64 tsc)
{
	rig->now = tsc;
}

static void lose(struct rig *rig, u32 cpu, u16 domid, u16 vcpu, u64 first_tsc)
{
	rig_put(rig, cpu, XEN_TRC_LOST_RECORDS, 9, (u32)vcpu << 16 | domid, (u32)first_tsc,
		(u32)(first_tsc >> 32));
}

static u64 unknown(const struct rig *rig)
{
	return rig->p.acct->special[HCT_ROW_UNATTRIBUTED].cycles;
}

static u64 cycles(const struct rig *rig, u16 domid)
{
	const struct hct_domain *dom = hct_account_find(rig->p.acct, domid);

	return dom ? dom->cycles : 0;
}

#define assert_times(rig, of_d1, of_d2, of_idle, of_nobody) do {	\
	hct_pipeline_settle(&(rig)->p);					\
	assert_int_equal(cycles(rig, 1), of_d1);			\
	assert_int_equal(cycles(rig, 2), of_d2);			\
	assert_int_equal((rig)->p.acct->idle_cycles, of_idle);		\
	assert_int_equal(unknown(rig), of_nobody);			\
} while (0)

/* From becoming running to leaving; what the scheduler takes is the next one's. */
static void test_slices(void **state)
{
	struct rig *rig = rig_new(2, 1);

	(void)state;
	at(rig, 1000);
	rig_call(rig, 0, HCT_OP_iret);
	at(rig, 1100);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1150);
	rig_run(rig, 1, 2, 0);
	at(rig, 1300);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	at(rig, 1310);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), IDLE << 16);
	at(rig, 1400);
	rig_put(rig, 0, RUNSTATE(BLOCKED, RUNNABLE), 0x00010000);
	at(rig, 1500);
	rig_stop(rig, 0, IDLE, 0, XEN_RUNSTATE_RUNNABLE);
	at(rig, 1501);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1700);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 1750);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	/* d1 runs, and so it does for as long as its pCPU has told anything. */
	assert_times(rig, 200 + 250, 0, 200, 100);
	at(rig, 1760);
	rig_call(rig, 1, HCT_OP_iret);
	rig_drain(rig);
	assert_times(rig, 450, 610, 200, 100);
	assert_int_equal(hct_cpu_observed(rig->p.acct), 750 + 610);
	rig_free(rig);
}

/* Lost records: up to the first of them nothing had changed, after that nobody knows. */
static void test_lost(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 1200);
	rig_call(rig, 0, HCT_OP_iret);
	at(rig, 2000);
	lose(rig, 0, 2, 0, 1400);
	at(rig, 2100);
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 400, 100, 0, 600);
	rig_free(rig);
}

/* It names who ran before a switch that was lost, too: time is only his who is seen to stop. */
static void test_lost_names_the_old(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 2000);
	lose(rig, 0, 1, 0, 1500);
	at(rig, 2300);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00020000);
	at(rig, 2400);
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	at(rig, 3000);
	lose(rig, 0, 2, 0, 2500);
	at(rig, 3100);
	lose(rig, 0, 2, 0, 3050);
	rig_drain(rig);
	assert_times(rig, 500, 100, 0, 800 + 700);
	rig_free(rig);
}

/* A time of the first lost record that cannot be is no reason to claim any. */
static void test_lost_at_no_time(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 2000);
	lose(rig, 0, 1, 0, 5000);
	at(rig, 2100);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 3000);
	lose(rig, 0, 1, 0, 7);
	rig_drain(rig);
	assert_times(rig, 100, 0, 0, 1000 + 900);
	rig_free(rig);
}

/* What Xen lost before we began was before our time, too. */
static void test_lost_before(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	lose(rig, 0, 1, 0, 500);
	at(rig, 1100);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	rig_drain(rig);
	assert_times(rig, 100, 0, 0, 0);
	rig_free(rig);
}

/* Two records that cannot both be about this pCPU: the time between them is nobody's. */
static void test_contradiction(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1100);
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	at(rig, 1300);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1310);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1350);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 1400);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	/* It has stopped, and cannot do so again. */
	at(rig, 1450);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 40 + 50, 0, 0, 100 + 200 + 10 + 50);
	rig_free(rig);
}

/* Where one pCPU writes of others nobody's time is known, as nobody's calls are. */
static void test_unreliable(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.unreliable = true;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 1300);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 0, 0, 0, 300);
	rig_free(rig);
}

static void test_gap(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 1200);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	hct_ring_gap(&rig->p, &rig->rings[0]);
	at(rig, 1900);
	rig_call(rig, 0, HCT_OP_iret);
	at(rig, 2000);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 2050);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_times(rig, 200 + 50, 0, 0, 800);
	rig_free(rig);
}

/* Tracing stopped and went on: of the time between nothing is told. */
static void test_stop_and_start(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 1200);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_ptr_equal(hct_pipeline_attach(&rig->p, rig->rings, 1), rig->rings);
	rig_restart(rig, HCT_PROFILE_PV);
	at(rig, 5000);
	rig_call(rig, 0, HCT_OP_iret);
	at(rig, 5010);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 5020);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_times(rig, 200 + 10, 0, 0, 10);
	rig_free(rig);
}

/* The host slept, and its TSC began anew. */
static void test_step(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 900000);
	rig_run(rig, 0, 1, 0);
	at(rig, 900100);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	hct_pipeline_step(&rig->p);
	at(rig, 500);
	rig_call(rig, 0, HCT_OP_iret);
	at(rig, 600);
	rig_run(rig, 0, 1, 0);
	at(rig, 650);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_int_equal(cycles(rig, 1), 100 + 50);
	rig_free(rig);
}

/* A time that steps back in a ring is not taken away from anybody. */
static void test_back(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 1100);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 1050);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00010000);
	at(rig, 1130);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 130, 0, 0, 0);
	rig_free(rig);
}

static void test_switches(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig_restart(rig, HCT_PROFILE_HVM);
	at(rig, 1000);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, IDLE, 0, 1, 0);
	/* Of runstates only those beside a switch would come. */
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1200);
	rig_put(rig, 0, XEN_TRC_SCHED_INFCONT, 1, 0, 0, 0);
	at(rig, 1300);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 1, 0, 2, 0);
	at(rig, 1350);
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 2, 0, IDLE, 0);
	at(rig, 1390);
	/* It was not d1 that ran. */
	rig_put(rig, 0, XEN_TRC_SCHED_SWITCH, 1, 0, IDLE, 0);
	at(rig, 1395);
	rig_put(rig, 0, XEN_TRC_SCHED_INFCONT, IDLE, 0, 0, 0);
	rig_drain(rig);
	assert_times(rig, 300, 50, 5, 40);
	rig_free(rig);
}

/* Xen's other domains have no vCPUs: who says that they run is not believed. */
static void test_no_domain(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 0x7ff2, 0);
	at(rig, 1100);
	rig_stop(rig, 0, 0x7ff2, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 0, 0, 0, 100);
	assert_int_equal(rig->p.acct->nr, 0);
	rig_free(rig);
}

static void test_filter(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	rig->p.settings.all_domains = false;
	rig->p.settings.domains[0] = 1 << 2;
	at(rig, 1000);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00010000);
	at(rig, 1100);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00020000);
	at(rig, 1130);
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 0, 30, 0, 0);
	assert_int_equal(rig->p.acct->filtered_cycles, 100);
	assert_int_equal(hct_cpu_observed(rig->p.acct), 130);
	/* Nobody wants any: their time passes all the same. */
	hct_pipeline_set(&rig->p, &rig->p.settings, false);
	at(rig, 1200);
	rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), 0x00020000);
	at(rig, 1300);
	rig_put(rig, 0, XEN_TRC_CONTINUE_RUNNING, 0x00020000);
	rig_drain(rig);
	hct_pipeline_set(&rig->p, &rig->p.settings, true);
	at(rig, 1310);
	rig_stop(rig, 0, 2, 0, XEN_RUNSTATE_BLOCKED);
	rig_drain(rig);
	assert_times(rig, 0, 40, 0, 0);
	rig_free(rig);
}

/* What was before a reset is not of after it, and who runs goes on. */
static void test_reset(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	at(rig, 1000);
	rig_run(rig, 0, 1, 0);
	at(rig, 1500);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	hct_pipeline_reset(&rig->p);
	assert_int_equal(hct_cpu_observed(rig->p.acct), 0);
	at(rig, 1700);
	rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_BLOCKED);
	rig_run(rig, 0, IDLE, 0);
	at(rig, 1900);
	rig_stop(rig, 0, IDLE, 0, XEN_RUNSTATE_RUNNABLE);
	rig_drain(rig);
	assert_times(rig, 200, 0, 200, 0);
	rig_free(rig);
}

/* The dead keep their time, were they folded; the next of their id begins with none. */
static void test_death(void **state)
{
	struct rig *rig = rig_new(1, 4);
	u32 i;

	(void)state;
	for (i = 0; i < HCT_MAX_DOMAINS + 10; i++) {
		at(rig, 1000 * (i + 1));
		rig_run(rig, 0, 1, 0);
		at(rig, 1000 * (i + 1) + 7);
		rig_stop(rig, 0, 1, 0, XEN_RUNSTATE_OFFLINE);
		rig_put(rig, 0, RUNSTATE(RUNNABLE, RUNNING), IDLE << 16);
		rig_put(rig, 0, XEN_TRC_DOM_REM, 1);
		at(rig, 1000 * (i + 2) - 1);
		rig_stop(rig, 0, IDLE, 0, XEN_RUNSTATE_RUNNABLE);
		rig_drain(rig);
	}
	assert_int_equal(rig->p.acct->nr, HCT_MAX_DOMAINS);
	/* The first slice begins with the ring, the others where the idle ones end. */
	assert_int_equal(rig->p.acct->special[HCT_ROW_GONE].cycles, 7 + 9 * 8);
	assert_int_equal(rig->p.acct->domains[0].cycles, 8);
	assert_int_equal(hct_cpu_observed(rig->p.acct), 1000 * i - 1);
	rig_free(rig);
}

/* Whatever comes, each cycle that a pCPU has told of stands in one place. */
static void test_sum(void **state)
{
	static const u32 events[] = {
		RUNSTATE(RUNNABLE, RUNNING), RUNSTATE(RUNNING, BLOCKED),
		RUNSTATE(RUNNING, RUNNABLE), RUNSTATE(BLOCKED, RUNNABLE),
		XEN_TRC_CONTINUE_RUNNING, XEN_TRC_SCHED_INFCONT, RUNSTATE(RUNNING, RUNNING),
	};
	u64 random = 20261201;
	u32 round, i;

	(void)state;
	for (round = 0; round < 50; round++) {
		u64 first[4] = { 0 }, last[4] = { 0 };
		u64 sum = 0;
		struct rig *rig = rig_new(4, 4);

		if (round & 1)
			rig_restart(rig, HCT_PROFILE_HVM);
		for (i = 0; i < 1000; i++) {
			u32 cpu = rig_random(&random, 4);
			u16 domid = rig_random(&random, 8) ? rig_random(&random, 4) : IDLE;
			u32 what = rig_random(&random, ARRAY_SIZE(events) + 4);

			rig->now += rig_random(&random, 100);
			first[cpu] = first[cpu] ?: rig->now;
			last[cpu] = rig->now;
			if (what < ARRAY_SIZE(events))
				rig_put(rig, cpu, events[what], (u32)domid << 16);
			else if (what == ARRAY_SIZE(events))
				rig_put(rig, cpu, XEN_TRC_SCHED_SWITCH, domid, 0,
					rig_random(&random, 4), 0);
			else if (what == ARRAY_SIZE(events) + 1)
				lose(rig, cpu, domid, 0, rig->now - rig_random(&random, 300));
			else
				rig_call(rig, cpu, HCT_OP_iret);
			if (!rig_random(&random, 50))
				rig_drain(rig);
			if (!rig_random(&random, 50))
				hct_ring_gap(&rig->p, &rig->rings[cpu]);
		}
		rig_drain(rig);
		hct_pipeline_settle(&rig->p);
		for (i = 0; i < 4; i++)
			sum += last[i] - first[i];
		assert_int_equal(hct_cpu_observed(rig->p.acct), sum);
		rig_free(rig);
	}
}

static void test_format(void **state)
{
	static struct hct_account acct;
	char buf[32];

	(void)state;
	assert_string_equal(hct_cpu_ms_format(&acct, 5, buf, sizeof(buf)), "-");
	acct.tsc_khz = 2400000;
	assert_string_equal(hct_cpu_ms_format(&acct, 0, buf, sizeof(buf)), "0.000");
	assert_string_equal(hct_cpu_ms_format(&acct, 2399, buf, sizeof(buf)), "0.000");
	assert_string_equal(hct_cpu_ms_format(&acct, 2400, buf, sizeof(buf)), "0.001");
	assert_string_equal(hct_cpu_ms_format(&acct, 2400000ull * 1234 + 5 * 2400, buf,
					      sizeof(buf)), "1234.005");
	/* All pCPUs there can be, for years. */
	assert_string_equal(hct_cpu_ms_format(&acct, ~0ull, buf, sizeof(buf)),
			    "7686143364045.646");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_names_the_old),
		cmocka_unit_test(test_lost_at_no_time),
		cmocka_unit_test(test_lost_before),
		cmocka_unit_test(test_contradiction),
		cmocka_unit_test(test_unreliable),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_stop_and_start),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_no_domain),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
