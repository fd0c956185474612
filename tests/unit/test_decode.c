// SPDX-License-Identifier: GPL-2.0
/* hct_decode(): the reference records, one test each, and every tag combination. */
#include <stdlib.h>

#include "rig.h"
#include "vectors.h"

/* In a buffer of exactly its size, so that a read beyond it is noticed. */
static u32 *exact_copy(const u32 *words, unsigned int nr)
{
	u32 *copy = malloc(4 * nr);

	assert_non_null(copy);
	memcpy(copy, words, 4 * nr);
	return copy;
}

static void assert_vcpu(const struct hct_vcpu_id *got, const struct hct_vcpu_id *want)
{
	assert_int_equal(got->domid, want->domid);
	assert_int_equal(got->vcpu, want->vcpu);
}

static void assert_call(const struct hct_call *got, const struct hct_call *want)
{
	unsigned int i;

	assert_int_equal(got->kind, want->kind);
	assert_int_equal(got->flags, want->flags);
	assert_int_equal(got->op_word, want->op_word);
	assert_int_equal(got->ip, want->ip);
	if (want->flags & HCT_CALL_MALFORMED)
		return;
	assert_int_equal(got->op, want->op);
	assert_int_equal(got->has_arg, want->has_arg);
	for (i = 0; i < HCT_NR_ARGS; i++)
		assert_int_equal(got->args[i], want->args[i]);
}

static void assert_payload(const struct hct_record *got, const struct hct_record *want)
{
	switch (want->type) {
	case HCT_REC_CALL:
		assert_call(&got->call, &want->call);
		break;
	case HCT_REC_RUNSTATE:
		assert_int_equal(got->run.old, want->run.old);
		assert_int_equal(got->run.new, want->run.new);
		assert_vcpu(&got->run.who, &want->run.who);
		break;
	case HCT_REC_CONTINUE:
		assert_vcpu(&got->run.who, &want->run.who);
		break;
	case HCT_REC_SWITCH:
		assert_vcpu(&got->sw.prev, &want->sw.prev);
		assert_vcpu(&got->sw.next, &want->sw.next);
		break;
	case HCT_REC_LOST:
		assert_int_equal(got->lost.count, want->lost.count);
		assert_vcpu(&got->lost.who, &want->lost.who);
		assert_int_equal(got->lost.first_tsc, want->lost.first_tsc);
		break;
	case HCT_REC_DOM_ADD:
	case HCT_REC_DOM_REM:
		assert_int_equal(got->domid, want->domid);
		break;
	case HCT_REC_CPU_CHANGE:
		assert_int_equal(got->cpu_change.cpu, want->cpu_change.cpu);
		assert_int_equal(got->cpu_change.window, want->cpu_change.window);
		break;
	}
}

static void assert_record(const struct hct_record *got, const struct hct_record *want)
{
	assert_int_equal(got->event, want->event);
	assert_int_equal(got->size, want->size);
	assert_int_equal(got->type, want->type);
	assert_int_equal(got->bad, want->bad);
	assert_int_equal(got->has_tsc, want->has_tsc);
	assert_int_equal(got->tsc, want->tsc);
	assert_payload(got, want);
}

static void test_vector(void **state)
{
	const struct vector *vec = *state;
	u32 *words = exact_copy(vec->words, vec->nr_words);
	struct hct_record want = vec->want;
	struct hct_record rec;
	int want_ret = vec->cut_off ? -1 : 0;

	assert_int_equal(hct_decode(words, vec->nr_words, true, &rec), want_ret);
	assert_record(&rec, &want);

	if (vec->draft)
		want.type = HCT_REC_SKIP;
	assert_int_equal(hct_decode(words, vec->nr_words, false, &rec), want_ret);
	assert_record(&rec, &want);
	free(words);
}

/* Every proper beginning of every record is cut off, the empty one included. */
static void test_cut_off(void **state)
{
	struct hct_record rec;
	unsigned int nr;
	unsigned int i;

	(void)state;
	for (i = 0; i < NR_VECTORS; i++) {
		for (nr = 0; nr < vectors[i].nr_words; nr++) {
			u32 *words = exact_copy(vectors[i].words, nr);

			assert_int_equal(hct_decode(words, nr, true, &rec), -1);
			assert_int_equal(rec.type, HCT_REC_SKIP);
			assert_false(rec.has_tsc);
			free(words);
		}
	}
}

/* Words behind the record do not change what it says. */
static void test_more_words_than_record(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_record rec;
	unsigned int i;

	(void)state;
	for (i = 0; i < NR_VECTORS; i++) {
		if (vectors[i].cut_off)
			continue;
		memset(words, 0x55, sizeof(words));
		memcpy(words, vectors[i].words, 4 * vectors[i].nr_words);
		assert_int_equal(hct_decode(words, XEN_TRC_MAX_WORDS, true, &rec), 0);
		assert_record(&rec, &vectors[i].want);
	}
}

/*
 * What a tagged record must decode to, told from the other end: add up what the
 * tags promise, then compare, and find each argument by what stands before it.
 */
struct oracle {
	bool has_reserved;
	unsigned int promised;
	u8 present;
};

static struct oracle consult(const u8 *tags)
{
	struct oracle o = { 0 };
	unsigned int i;

	for (i = 0; i < HCT_NR_ARGS; i++) {
		if (tags[i] == 3)
			o.has_reserved = true;
		else
			o.promised += tags[i];
		if (tags[i] == 1 || tags[i] == 2)
			o.present |= 1 << i;
	}
	return o;
}

/* The six hypercalls that Xen records with arguments, and which ones. */
static bool lacks_args(u32 op, u8 present)
{
	static const struct {
		u32 op;
		const char *args;
	} recorded[] = {
		{ 1, "1" }, { 13, "1" }, { 20, "02" }, { 24, "01" }, { 26, "1" }, { 29, "0" },
	};
	unsigned int i;
	const char *c;
	u8 want = 0;

	for (i = 0; i < ARRAY_SIZE(recorded); i++) {
		if (recorded[i].op != op)
			continue;
		for (c = recorded[i].args; *c; c++)
			want |= 1 << (*c - '0');
		return present != want;
	}
	return false;
}

static void assert_args(const struct hct_call *call, const u8 *tags, const u32 *payload)
{
	unsigned int before;
	unsigned int i, j;

	for (i = 0; i < HCT_NR_ARGS; i++) {
		u64 want = 0;

		for (before = 1, j = 0; j < i; j++)
			before += tags[j];
		if (tags[i])
			want = payload[before];
		if (tags[i] == 2)
			want += (u64)payload[before + 1] << 32;
		assert_int_equal(call->args[i], want);
	}
}

static void assert_tagged(const struct hct_record *rec, const u8 *tags, u32 op, const u32 *payload,
			  unsigned int nr)
{
	struct oracle o = consult(tags);
	unsigned int malformed = rec->call.flags & HCT_CALL_MALFORMED;

	if (!nr) {
		assert_int_equal(rec->type, HCT_REC_BAD);
		assert_int_equal(rec->bad, HCT_BAD_NO_OP);
		return;
	}
	assert_int_equal(rec->type, HCT_REC_CALL);
	assert_int_equal(rec->call.op_word, payload[0]);
	assert_int_equal(!!malformed, o.has_reserved || o.promised > nr - 1);
	if (malformed) {
		if (!o.has_reserved)
			assert_int_equal(rec->call.flags, HCT_CALL_TRUNCATED);
		if (o.promised <= nr - 1)
			assert_int_equal(rec->call.flags, HCT_CALL_BAD_TAG);
		return;
	}

	assert_int_equal(rec->call.op, op);
	assert_int_equal(rec->call.has_arg, o.present);
	if (o.promised < nr - 1)
		assert_int_equal(rec->call.flags, HCT_CALL_SURPLUS);
	else
		assert_int_equal(rec->call.flags,
				 lacks_args(op, o.present) ? HCT_CALL_ARGS_MISSING : 0);
	assert_args(&rec->call, tags, payload);
}

static void check_all_tags(u32 event, bool with_tsc, u32 op)
{
	u32 *words[XEN_TRC_MAX_WORDS];
	unsigned int skip = with_tsc ? 3 : 1;
	unsigned int combo, nr, i;
	struct hct_record rec;

	for (nr = 0; nr <= 7; nr++) {
		words[nr] = malloc(4 * (skip + nr));
		assert_non_null(words[nr]);
		for (i = 0; i < skip + nr; i++)
			words[nr][i] = 0x11111111u * (i + 1);
		words[nr][0] = event | nr << 28 | (u32)with_tsc << 31;
	}

	for (combo = 0; combo < 4096; combo++) {
		u8 tags[HCT_NR_ARGS];

		for (i = 0; i < HCT_NR_ARGS; i++)
			tags[i] = combo / (1u << 2 * i) % 4;
		for (nr = 0; nr <= 7; nr++) {
			u32 *payload = words[nr] + skip;

			if (nr)
				payload[0] = combo << 20 | op;
			assert_int_equal(hct_decode(words[nr], skip + nr, false, &rec), 0);
			assert_tagged(&rec, tags, op, payload, nr);
		}
	}

	for (nr = 0; nr <= 7; nr++)
		free(words[nr]);
}

static void test_all_tags(void **state)
{
	static const u32 ops[] = { 0, 1, 13, 17, 20, 24, 26, 29, 0xfffff };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		check_all_tags(XEN_TRC_PV_HYPERCALL_V2, true, ops[i]);
		check_all_tags(XEN_TRC_PV_SUBCALL, true, ops[i]);
	}
	check_all_tags(XEN_TRC_PV_HYPERCALL_V2, false, 29);
}

/* The size and the time are right whatever the event: skipping depends on them. */
static void test_any_header(void **state)
{
	u64 seed = 1;
	unsigned int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		u32 words[XEN_TRC_MAX_WORDS];
		struct hct_record rec;
		unsigned int j;
		u32 size;

		for (j = 0; j < ARRAY_SIZE(words); j++)
			words[j] = rig_random(&seed, ~0u);
		/* Half of them of a class we know. */
		if (i & 1)
			words[0] = (words[0] & 0xf000ffffu) | 0x10000u << rig_random(&seed, 6);
		size = 4 * (1 + (words[0] >> 31) * 2 + ((words[0] >> 28) & 7));

		assert_int_equal(hct_decode(words, ARRAY_SIZE(words), i & 2, &rec), 0);
		assert_int_equal(rec.size, size);
		assert_int_equal(rec.event, words[0] & 0xfffffff);
		assert_int_equal(rec.has_tsc, words[0] >> 31);
		if (rec.has_tsc)
			assert_int_equal(rec.tsc, (u64)words[2] << 32 | words[1]);
	}
}

/* Neighbours of the ids we match in full, and of the runstates. */
static void test_near_misses(void **state)
{
	static const u32 events[] = {
		0x0020200d,	/* V2's minor in the sub-class of members */
		0x0020100e,	/* what an old formatter took for a member */
		0x0020f00d,
		0x0020110d,	/* V2 with the 64-bit flag, which it never has */
		0x00203001,	/* v1's minor in a foreign sub-class */
		0x00081012,
		0x00082112,
		0x00021003,
		0x00021401,	/* an old state of 4 */
		0x00021041,	/* a new state of 4 */
		0x00022001,	/* the runstate's minor in a foreign sub-class */
		0x0002800e,	/* INFPREV */
		0x0002800f,	/* INFNEXT */
		0x00041003,
		0x0001f004,
		0x00400001,
		0x08000001,
	};
	struct hct_record rec;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		const u32 words[] = { events[i] | 4u << 28, 1, 2, 3, 4 };

		assert_int_equal(hct_decode(words, 5, true, &rec), 0);
		assert_int_equal(rec.type, HCT_REC_SKIP);
	}
}

/* Events we know, with every possible number of words. */
static void test_word_counts(void **state)
{
	static const struct {
		u32 event;
		u8 good;	/* bit n: n words are right */
		u8 type;
		u8 bad;
	} known[] = {
		{ 0x00021101, 0xfe, HCT_REC_RUNSTATE, HCT_BAD_SHORT },
		{ 0x00021002, 0xfe, HCT_REC_CONTINUE, HCT_BAD_SHORT },
		{ 0x0002800a, 0x10, HCT_REC_SWITCH, HCT_BAD_SHORT },
		{ 0x00028011, 0x10, HCT_REC_CONTINUE, HCT_BAD_SHORT },
		{ 0x0001f001, 0x10, HCT_REC_LOST, HCT_BAD_LOST },
		{ 0x0001f002, 0xff, HCT_REC_WRAP, HCT_BAD_NONE },
		{ 0x0001f003, 0x04, HCT_REC_CPU_CHANGE, HCT_BAD_SHORT },
		{ 0x00041001, 0x02, HCT_REC_DOM_ADD, HCT_BAD_SHORT },
		{ 0x00041002, 0x02, HCT_REC_DOM_REM, HCT_BAD_SHORT },
		{ 0x00082012, 0x02, HCT_REC_CALL, HCT_BAD_SHORT },
		{ 0x0020100d, 0xfe, HCT_REC_CALL, HCT_BAD_NO_OP },
		{ 0x0020200e, 0xfe, HCT_REC_CALL, HCT_BAD_NO_OP },
		{ 0x0020f00e, 0xfe, HCT_REC_CALL, HCT_BAD_NO_OP },
		{ 0x0020f001, 0xfc, HCT_REC_CALL, HCT_BAD_SHORT },
		{ 0x0020f101, 0xf8, HCT_REC_CALL, HCT_BAD_SHORT },
		{ 0x00201001, 0xfc, HCT_REC_CALL, HCT_BAD_SHORT },
		{ 0x00201101, 0xf8, HCT_REC_CALL, HCT_BAD_SHORT },
	};
	unsigned int i, nr;
	struct hct_record rec;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		for (nr = 0; nr <= 7; nr++) {
			u32 words[8] = { known[i].event | nr << 28 };
			u32 *copy = exact_copy(words, 1 + nr);
			bool good = known[i].good & (1 << nr);

			assert_int_equal(hct_decode(copy, 1 + nr, true, &rec), 0);
			assert_int_equal(rec.type, good ? known[i].type : HCT_REC_BAD);
			assert_int_equal(rec.bad, good ? HCT_BAD_NONE : known[i].bad);
			free(copy);
		}
	}
}

/* The scheduler's word for "goes on", since 4.9: unlike CONTINUE, vCPU and domain apart. */
static void test_infcont(void **state)
{
	const u32 words[] = { 0xc0028011, 1, 2, 5, 3, 1000, 2000 };
	const struct hct_vcpu_id who = { .domid = 5, .vcpu = 3 };
	struct hct_record rec;

	(void)state;
	assert_int_equal(hct_decode(words, ARRAY_SIZE(words), false, &rec), 0);
	assert_int_equal(rec.type, HCT_REC_CONTINUE);
	assert_vcpu(&rec.run.who, &who);
}

int main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_more_words_than_record),
		cmocka_unit_test(test_all_tags),
		cmocka_unit_test(test_any_header),
		cmocka_unit_test(test_near_misses),
		cmocka_unit_test(test_word_counts),
		cmocka_unit_test(test_infcont),
	};
	static struct CMUnitTest tests[NR_VECTORS + ARRAY_SIZE(others)];
	unsigned int i;

	for (i = 0; i < NR_VECTORS; i++) {
		tests[i].name = vectors[i].name;
		tests[i].test_func = test_vector;
		tests[i].initial_state = (void *)&vectors[i];
	}
	memcpy(tests + NR_VECTORS, others, sizeof(others));
	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
