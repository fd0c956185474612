// SPDX-License-Identifier: GPL-2.0
/*
 * The order of a stream from many pCPUs, whose counters are skewed, which write in
 * bursts while they are read, and where budgets end in the middle: nothing is lost,
 * nothing comes twice, nothing waits longer than a round, and what comes late says so.
 */
#include <stdlib.h>

#include "rig.h"

#define MAX_CPUS		8
#define NR_CALLS	200000
#define NOT_YET		(~0u)

/**
 * struct stream - what was written, and what came
 * @rig: the pipeline
 * @seed: of the random numbers
 * @skew: of each pCPU's counter
 * @nr: calls written; each has its number as its argument
 * @round: rounds begun
 * @visible: by call: the first round that could see it
 * @got: by call: whether it came
 * @last: by pCPU: the number of its last call that came, and 1
 * @waiting: all calls before this one have come
 * @late: calls that came with XEN_HCTRACE_F_LATE
 * @highest_tsc: of all that came
 */
struct stream {
	struct rig *rig;
	u64 seed;
	s64 skew[MAX_CPUS];
	u32 nr;
	u32 round;
	u32 visible[NR_CALLS];
	bool got[NR_CALLS];
	u32 last[MAX_CPUS];
	u32 waiting;
	u64 late;
	u64 highest_tsc;
};

static void on_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct stream *s = ctx;
	u32 nr = call->a1;
	bool is_late = call->tsc < s->highest_tsc;

	assert_true(nr < s->nr);
	assert_false(s->got[nr]);
	s->got[nr] = true;
	assert_true(s->last[call->pcpu] <= nr);
	s->last[call->pcpu] = nr + 1;
	assert_int_equal(call->domid, call->pcpu + 1);

	assert_int_equal(!!(call->flags & XEN_HCTRACE_F_LATE), is_late);
	s->late += is_late;
	if (!is_late)
		s->highest_tsc = call->tsc;
}

static void write_burst(struct stream *s)
{
	u32 cpu = rig_random(&s->seed, MAX_CPUS);
	u32 left = 1 + rig_random(&s->seed, 12);

	for (; left && s->nr < NR_CALLS; left--) {
		const u32 words[] = { WORD_MMU_UPDATE, s->nr };

		s->rig->now += rig_random(&s->seed, 20);
		assert_true(fx_trace(&s->rig->xen[cpu], XEN_TRC_PV_HYPERCALL_V2, true,
				     s->rig->now + s->skew[cpu], words, 2));
		s->visible[s->nr++] = NOT_YET;
	}
}

static void begin_round(struct stream *s)
{
	u32 nr;

	s->round++;
	for (nr = s->nr; nr && s->visible[nr - 1] == NOT_YET; nr--)
		s->visible[nr - 1] = s->round;
	hct_round_begin(&s->rig->p, s->nr == NR_CALLS);
}

/* All that the round before could see has come by now. */
static void end_round(struct stream *s)
{
	while (s->waiting < s->nr && s->got[s->waiting])
		s->waiting++;
	if (s->waiting < s->nr)
		assert_true(s->visible[s->waiting] >= s->round);
}

static void run(struct stream *s, u32 max_skew)
{
	const struct hct_sink sink = { .call = on_call, .ctx = s };
	u32 cpu;

	s->rig = rig_new(MAX_CPUS, 2);
	s->rig->now = 1000000;
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		rig_run(s->rig, cpu, cpu + 1, 0);
	rig_drain(s->rig);
	s->rig->p.sink = &sink;
	s->rig->p.last_tsc = 0;
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		s->skew[cpu] = (s64)rig_random(&s->seed, max_skew + 1) - (s64)max_skew / 2;

	while (s->waiting < NR_CALLS) {
		begin_round(s);
		do {
			if (rig_random(&s->seed, 3))
				write_burst(s);
		} while (hct_round_run(&s->rig->p, 1 + rig_random(&s->seed, 40)));
		end_round(s);
	}
	assert_int_equal(rig_total(s->rig).lost, 0);
	assert_int_equal(rig_total(s->rig).late, s->late);
	assert_int_equal(rig_total(s->rig).events, NR_CALLS);
	s->rig->p.sink = NULL;
	rig_free(s->rig);
}

/* Counters in step: no call comes late, whatever the bursts and budgets. */
static void test_in_step(void **state)
{
	struct stream *s = calloc(1, sizeof(*s));

	(void)state;
	s->seed = 11;
	run(s, 0);
	assert_int_equal(s->late, 0);
	free(s);
}

/* Skewed by less and by more than what a round has: some come late, and say so. */
static void test_skewed(void **state)
{
	static const u32 skews[] = { 10, 1000, 100000 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(skews); i++) {
		struct stream *s = calloc(1, sizeof(*s));

		s->seed = 12 + i;
		run(s, skews[i]);
		assert_true(s->late < NR_CALLS);
		free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_step),
		cmocka_unit_test(test_skewed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
