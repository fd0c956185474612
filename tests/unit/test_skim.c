// SPDX-License-Identifier: GPL-2.0
/* The short way through the pipeline: it ends where the long one does. */
#include <stdlib.h>

#include <hctrace/skim.h>

#include "rig.h"

#define MAX_WORDS	6000

/* A pipeline of one ring. */
struct way {
	struct hct_pipeline p;
	struct hct_ring ring;
	struct hct_account acct;
	struct hct_vcpu_table vcpus;
	u32 nr_skimmed;
};

static struct way short_way, long_way;
static u32 words[MAX_WORDS];
static u32 nr_words;

static void begin(struct way *way, enum hct_profile profile)
{
	memset(way, 0, sizeof(*way));
	way->p.acct = &way->acct;
	way->p.vcpus = &way->vcpus;
	way->p.rings = &way->ring;
	way->p.nr_rings = 1;
	hct_settings_init(&way->p.settings, profile);
	hct_vcpu_init(&way->vcpus, &way->acct);
	hct_pipeline_start(&way->p);
}

static void begin_both(enum hct_profile profile)
{
	begin(&short_way, profile);
	begin(&long_way, profile);
	nr_words = 0;
}

/* --- making ----------------------------------------------------------------- */

static void put(u32 event, u64 tsc, const u32 *data, unsigned int n)
{
	words[nr_words++] = event | n << 28 | (tsc ? 1u << 31 : 0);
	if (tsc) {
		words[nr_words++] = tsc;
		words[nr_words++] = tsc >> 32;
	}
	memcpy(words + nr_words, data, 4 * n);
	nr_words += n;
}

/* Op words as they are recorded, and a few that are not. */
static const u32 op_words[] = {
	HCT_OP_iret, HCT_OP_iret, HCT_OP_update_va_mapping, HCT_OP_memory_op, 0, 11, 63,
	WORD_MMU_UPDATE, WORD_MMUEXT, WORD_MULTICALL, WORD_MULTICALL, WORD_MULTICALL, WORD_GRANT,
	WORD_VCPU_OP, WORD_SCHED_OP, WORD_SCHED_OP, HCT_OP_mmu_update, 64, 0x12345,
	HCT_OP_iret | TAG(0, 1), HCT_OP_iret | TAG(2, 2), HCT_OP_iret | TAG(1, 3), ~0u,
};

/* Small numbers mostly, a cache_flush that goes on, and anything. */
static u32 random_arg(u64 *random)
{
	switch (rig_random(random, 20)) {
	case 0:
		return rig_random(random, ~0u);
	case 1:
		return HCT_GRANT_cache_flush | rig_random(random, 4) << 12;
	default:
		return rig_random(random, 4);
	}
}

static void put_call(u32 event, u64 tsc, u64 *random)
{
	u32 data[7] = { op_words[rig_random(random, ARRAY_SIZE(op_words))] };
	unsigned int n = 1;
	unsigned int arg;

	for (arg = 0; arg < 6; arg++)
		n += data[0] >> (20 + 2 * arg) & 3;
	n = n > 7 ? 7 : n;
	for (arg = 1; arg < n; arg++)
		data[arg] = random_arg(random);
	if (!rig_random(random, 40))
		n = rig_random(random, 8);
	put(event, tsc, data, n);
}

static void put_any(u64 tsc, u64 *random)
{
	static const u32 events[] = {
		RUNSTATE(RUNNABLE, RUNNING), RUNSTATE(RUNNABLE, RUNNING),
		RUNSTATE(RUNNING, BLOCKED), RUNSTATE(BLOCKED, RUNNABLE),
		XEN_TRC_CONTINUE_RUNNING, XEN_TRC_SCHED_SWITCH, XEN_TRC_SCHED_INFCONT,
		XEN_TRC_LOST_RECORDS, XEN_TRC_WRAP, XEN_TRC_DOM_ADD,
		XEN_TRC_DOM_REM, XEN_TRC_PV_DRAFT, 0x00201001, 0x0020f101, 0x00201104, 0x0002220c,
		0x00081002, 0x08000001,
	};
	u32 data[7];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(data); i++)
		data[i] = rig_random(random, 3) << 16 | rig_random(random, 2);
	i = rig_random(random, ARRAY_SIZE(events));
	put(events[i], tsc, data, events[i] == XEN_TRC_SCHED_SWITCH ||
	    events[i] == XEN_TRC_LOST_RECORDS ? 4 : rig_random(random, 10) ? 1 : 0);
}

static void put_random(u64 *random)
{
	u64 tsc = 1ull << 33;
	u32 eax;

	while (nr_words < MAX_WORDS - XEN_TRC_MAX_WORDS) {
		tsc += rig_random(random, 1000);
		if (!rig_random(random, 50))
			tsc -= rig_random(random, 2000);
		switch (rig_random(random, 12)) {
		case 0:
			put_any(tsc, random);
			break;
		case 1:
			eax = rig_random(random, 70);
			put(XEN_TRC_HVM_VMMCALL, 0, &eax, 1);
			break;
		case 2 ... 5:
			put_call(XEN_TRC_PV_SUBCALL, tsc, random);
			break;
		default:
			put_call(XEN_TRC_PV_HYPERCALL_V2, tsc, random);
			break;
		}
	}
}

/* --- both ways -------------------------------------------------------------- */

static u32 feed_one(struct way *way, u32 at)
{
	hct_pipeline_feed(&way->p, &way->ring, words + at, xen_trc_words(words[at]));
	return at + xen_trc_words(words[at]);
}

static u32 records_between(u32 at, u32 end)
{
	u32 nr;

	for (nr = 0; at < end; nr++)
		at += xen_trc_words(words[at]);
	assert_int_equal(at, end);
	return nr;
}

/* Spans of random lengths, as buffers have them. */
static void run_short(u64 *random)
{
	u32 at = 0;

	while (at < nr_words) {
		u32 span = 1 + rig_random(random, nr_words - at);
		u32 taken = hct_skim(&short_way.p, &short_way.ring, words + at, span, ~0ull, ~0ull);

		assert_true(taken <= span);
		short_way.nr_skimmed += records_between(at, at + taken);
		at += taken;
		if (at < nr_words)
			at = feed_one(&short_way, at);
	}
}

static void run_long(void)
{
	u32 at = 0;

	while (at < nr_words)
		at = feed_one(&long_way, at);
}

/* The order of look-ups is kept, their number is not. */
static void forget_lookups(struct way *way)
{
	u32 i;

	way->vcpus.lookups = 0;
	for (i = 0; i < ARRAY_SIZE(way->vcpus.vcpus); i++)
		way->vcpus.vcpus[i].stamp = 0;
	way->vcpus.acct = NULL;
	way->vcpus.ctx = NULL;
}

static void compare(void)
{
	forget_lookups(&short_way);
	forget_lookups(&long_way);
	assert_memory_equal(&short_way.vcpus, &long_way.vcpus, sizeof(struct hct_vcpu_table));
	assert_memory_equal(&short_way.acct, &long_way.acct, sizeof(struct hct_account));
	assert_memory_equal(&short_way.ring, &long_way.ring, sizeof(struct hct_ring));
	assert_int_equal(short_way.p.last_tsc, long_way.p.last_tsc);
	assert_int_equal(short_way.p.kinds_seen, long_way.p.kinds_seen);
	assert_int_equal(short_way.p.unreliable, long_way.p.unreliable);
	assert_memory_equal(&short_way.p.breaker, &long_way.p.breaker, sizeof(struct hct_breaker));
}

/* --- tests ------------------------------------------------------------------ */

static void test_random(void **state)
{
	u64 random = 20261130;
	u32 skimmed = 0;
	u32 i;

	(void)state;
	for (i = 0; i < 300; i++) {
		begin_both(i % HCT_NR_PROFILES);
		short_way.p.by_switch = i & 8;
		long_way.p.by_switch = i & 8;
		put_random(&random);
		run_short(&random);
		run_long();
		compare();
		skimmed += short_way.nr_skimmed;
	}
	/* It would be no test if next to nothing went the short way. */
	assert_true(skimmed > 300 * 100);
}

/* Some of everything is left out, as bits of @i say. */
static void leave_out(struct way *way, u32 i)
{
	way->p.settings.kinds[HCT_KIND_MEMBER] = i & 1;
	way->p.settings.all_ops = i & 2;
	way->p.settings.ops = 1u << HCT_OP_iret | 1u << HCT_OP_multicall;
	way->p.settings.all_domains = i & 4;
	way->p.settings.domains[0] = 2;
	way->p.stats_off = i & 8;
}

/* Settings that leave something out are obeyed, and what they leave out is as short as the rest. */
static void test_settings(void **state)
{
	u64 spans, random = 4711;
	u32 i, skimmed;

	(void)state;
	for (i = 0; i < 64; i++) {
		begin_both(HCT_PROFILE_ALL);
		put_random(&random);
		spans = random;
		run_short(&random);
		skimmed = short_way.nr_skimmed;

		begin(&short_way, HCT_PROFILE_ALL);
		leave_out(&short_way, i);
		leave_out(&long_way, i);
		run_short(&spans);
		run_long();
		compare();
		assert_int_equal(short_way.nr_skimmed, skimmed);
	}
}

static const u32 iret = HCT_OP_iret;

/* d1v0 runs, has made a call before, and makes @nr calls. Return: words before them. */
static u32 put_irets(u32 nr)
{
	static const u32 d1v0 = 0x00010000;
	u32 first;
	u32 i;

	begin_both(HCT_PROFILE_ALL);
	put(RUNSTATE(RUNNABLE, RUNNING), 1000, &d1v0, 1);
	put(XEN_TRC_PV_HYPERCALL_V2, 1000, &iret, 1);
	first = feed_one(&short_way, feed_one(&short_way, 0));
	for (i = 1; i <= nr; i++)
		put(XEN_TRC_PV_HYPERCALL_V2, 1000 + i, &iret, 1);
	return first;
}

static u32 skim_irets(u32 first, u64 until, u64 turn)
{
	return hct_skim(&short_way.p, &short_way.ring, words + first, nr_words - first, until,
		    turn) / 4;
}

static void test_until(void **state)
{
	u32 first = put_irets(20);

	(void)state;
	assert_int_equal(skim_irets(first, 999, ~0ull), 0);
	assert_int_equal(short_way.ring.count.consumed, 2);
	assert_int_equal(skim_irets(first, 1007, ~0ull), 7);
	assert_int_equal(short_way.ring.tsc, 1007);
	assert_int_equal(short_way.p.last_tsc, 1007);
	assert_int_equal(short_way.ring.count.attributed, 8);
	/* What is cut is left. */
	nr_words -= 2;
	assert_int_equal(skim_irets(first + 28, ~0ull, ~0ull), 12);
	assert_int_equal(short_way.ring.tsc, 1019);
}

/* Running ahead makes nobody else late, and going back is late all the same. */
static void test_turn(void **state)
{
	static struct hct_ring other;
	u32 first = put_irets(20);
	u32 at = nr_words;

	(void)state;
	assert_int_equal(skim_irets(first, ~0ull, 1005), 20);
	assert_int_equal(short_way.ring.tsc, 1020);
	assert_int_equal(short_way.p.last_tsc, 1005);
	put(XEN_TRC_PV_HYPERCALL_V2, 1006, &iret, 1);
	hct_pipeline_feed(&short_way.p, &other, words + at, 4);
	assert_int_equal(other.count.late, 0);
	feed_one(&short_way, at);
	assert_int_equal(short_way.ring.count.late, 1);
	assert_int_equal(short_way.p.last_tsc, 1006);
}

static void test_sink(void **state)
{
	static const struct hct_sink sink = { .ctx = NULL };
	u32 first = put_irets(20);

	(void)state;
	short_way.p.sink = &sink;
	assert_int_equal(skim_irets(first, ~0ull, ~0ull), 0);
}

#define MOMENT_SHIFT	12
#define NR_MOMENTS	1024

/* Calls that were counted, by time, and by whether they came in rows. */
struct heard {
	const struct hct_pipeline *p;
	u32 moments[NR_MOMENTS];
	u32 in_rows;
};

static struct heard heard_short, heard_long;

static u32 moment(u64 tsc)
{
	u64 nr = (tsc - (1ull << 33) + (1u << MOMENT_SHIFT)) >> MOMENT_SHIFT;

	return tsc ? nr % NR_MOMENTS : NR_MOMENTS - 1;
}

static void hear_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct heard *heard = ctx;
	const struct hct_settings *set = &heard->p->settings;

	if (!heard->p->stats_off && hct_settings_wants_call(set, call->kind, call->op) &&
	    (call->domid == XEN_HCTRACE_UNKNOWN || hct_settings_wants_domain(set, call->domid)))
		heard->moments[moment(call->tsc)]++;
}

static u64 hear_calm(void *ctx, u64 tsc)
{
	(void)ctx;
	return tsc ? (1u << MOMENT_SHIFT) - tsc % (1u << MOMENT_SHIFT) : 0;
}

static void hear_row(void *ctx, u64 tsc, u64 nr)
{
	struct heard *heard = ctx;

	heard->moments[moment(tsc)] += nr;
	heard->in_rows += nr;
}

/* Whoever has a use for rows hears of no call less, or at another time. */
static void test_calm(void **state)
{
	static const struct hct_sink in_rows = {
		.call = hear_call, .calm = hear_calm, .calls = hear_row, .ctx = &heard_short,
	};
	static const struct hct_sink one_by_one = { .call = hear_call, .ctx = &heard_long };
	u64 random = 1812;
	u32 rows = 0;
	u32 i;

	(void)state;
	for (i = 0; i < 64; i++) {
		begin_both(HCT_PROFILE_ALL);
		leave_out(&short_way, i ^ 7);
		leave_out(&long_way, i ^ 7);
		heard_short = (struct heard){ .p = &short_way.p };
		heard_long = (struct heard){ .p = &long_way.p };
		short_way.p.sink = &in_rows;
		long_way.p.sink = &one_by_one;
		put_random(&random);
		run_short(&random);
		run_long();
		compare();
		assert_memory_equal(heard_short.moments, heard_long.moments,
				    sizeof(heard_long.moments));
		rows += heard_short.in_rows;
	}
	/* As above. */
	assert_true(rows > 64 * 20);
}

/* Nothing that the decoder makes something of is noise. */
static void test_noise(void **state)
{
	static const u32 classes[] = { 0x001, 0x002, 0x004, 0x008, 0x010, 0x020, 0x800, 0x022 };
	u32 words[XEN_TRC_MAX_WORDS] = { 0 };
	struct hct_record rec;
	unsigned int i, n;
	u32 event;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		for (event = classes[i] << 16; event >> 16 == classes[i]; event++) {
			if (!hct_event_is_noise(event))
				continue;
			for (n = 0; n < 8; n++) {
				words[0] = event | n << 28;
				assert_int_equal(hct_decode(words, 1 + n, true, &rec), 0);
				assert_int_equal(rec.type, HCT_REC_SKIP);
			}
		}
	}
	assert_true(hct_event_is_noise(0x0002220c));
	assert_true(hct_event_is_noise(0x00201104));
	assert_true(hct_event_is_noise(0x00081002));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_turn),
		cmocka_unit_test(test_sink),
		cmocka_unit_test(test_calm),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests_name("skim", tests, NULL, NULL);
}
