// SPDX-License-Identifier: GPL-2.0
/* Raw mode: Xen's records as they came, in samples of one pCPU. */
#include <limits.h>
#include <stdlib.h>

#include "out_rig.h"

#define PREFIX		20u	/* perf's header, the size, pCPU and bytes */
#define EVENT		XEN_TRC_PV_HYPERCALL_V2
#define SAMPLE_32	"09000000 0300 2000 14000000 "
#define HEADER(nr)	(EVENT | ((nr) - 1u) << 28)	/* of a record of so many words, no TSC */

/* What went in and what must come out: pCPU and words of each record. */
struct log {
	u32 *words;
	u32 sent;
	u32 seen;
	u32 nr_samples;
	u32 first_pcpu;
};

static struct log records;

static void see_raw(void *ctx, uint32_t pcpu, const uint32_t *words, unsigned int nr_words)
{
	(void)ctx;
	records.nr_samples++;
	while (nr_words) {
		unsigned int nr = xen_trc_words(words[0]);

		assert_true(nr <= nr_words);
		assert_true(records.seen < records.sent);
		assert_int_equal(records.words[records.seen], pcpu);
		assert_memory_equal(records.words + records.seen + 1, words, 4 * nr);
		records.seen += 1 + nr;
		words += nr;
		nr_words -= nr;
	}
}

static struct out_rig *raw_rig(u32 pages, const u64 *pcpus)
{
	struct hct_out_config cfg = {
		.raw_mask = XEN_TRC_MASK_PV_MEMBERS,
		.filter.pcpus = pcpus,
		.with_ids = true,	/* not in raw mode */
	};
	struct out_rig *rig = out_rig_new(&cfg, pages);

	free(records.words);
	memset(&records, 0, sizeof(records));
	records.words = calloc(1 << 20, 4);
	assert_non_null(records.words);
	rig->r.on_raw = see_raw;
	return rig;
}

/* One record of @nr words. Return: whether it was not lost. */
static bool put_record(struct out_rig *rig, u16 pcpu, u32 nr)
{
	u32 words[XEN_TRC_MAX_WORDS] = { nr > 8 ? HEADER(nr - 2) | 1u << 31 : HEADER(nr) };
	u64 written = rig->out->count.written;
	u32 i;

	assert_int_equal(xen_trc_words(words[0]), nr);
	for (i = 1; i < nr; i++)
		words[i] = rig->sent << 8 | i;
	rig->sent++;
	rig->wakeups += hct_out_record(rig->out, pcpu, words, nr);
	out_rig_check(rig);
	if (rig->out->count.written == written)
		return false;
	records.words[records.sent] = pcpu;
	memcpy(records.words + records.sent + 1, words, 4 * nr);
	records.sent += 1 + nr;
	return true;
}

static void finish(struct out_rig *rig)
{
	out_rig_drain(rig);
	assert_int_equal(records.seen, records.sent);
	out_rig_free(rig);
	free(records.words);
	records.words = NULL;
}

static void test_bytes(void **state)
{
	static const u32 one[] = { HEADER(2), 0x11223344 };
	static const u32 two[] = { HEADER(1) };
	struct out_rig *rig = raw_rig(1, NULL);

	(void)state;
	rig->r.on_raw = NULL;
	hct_out_record(rig->out, 0x102, one, 2);
	assert_int_equal(rig->out->head, 0);
	hct_out_record(rig->out, 0x102, two, 1);
	hct_out_record(rig->out, 3, one, 2);
	out_rig_flush(rig, 0);
	out_bytes(rig, 0, SAMPLE_32 "02010000 0c000000 0d102010 44332211 0d102000");
	out_bytes(rig, 32, SAMPLE_32 "03000000 08000000 0d102010 44332211 00000000 ee");
	assert_int_equal(rig->out->count.written, 3);
	finish(rig);
}

/* A sample ends where the pCPU changes, at a flush, at a loss. */
static void test_samples_end(void **state)
{
	struct out_rig *rig = raw_rig(4, NULL);

	(void)state;
	put_record(rig, 1, 3);
	put_record(rig, 1, 4);
	put_record(rig, 2, 4);
	put_record(rig, 1, 4);
	out_rig_flush(rig, 0);
	out_rig_read(rig, INT_MAX);
	assert_int_equal(records.nr_samples, 3);
	put_record(rig, 1, 4);
	out_rig_flush(rig, 0);
	put_record(rig, 1, 4);
	out_rig_loss(rig, 1, 8);
	put_record(rig, 1, 4);
	hct_out_pause(rig->out, true);
	put_record(rig, 1, 4);
	hct_out_pause(rig->out, false);
	put_record(rig, 1, 4);
	out_rig_flush(rig, 0);
	out_rig_read(rig, INT_MAX);
	assert_int_equal(records.nr_samples, 7);
	assert_int_equal(rig->out->count.paused, 1);
	assert_int_equal(rig->r.lost_xen, 8);
	/* LOST without ids, though they were asked for */
	assert_false(rig->out->cfg.with_ids);
	put_record(rig, 1, 4);
	hct_out_unmap(rig->out);
	assert_int_equal(rig->out->count.written, 9);
	out_rig_free(rig);
}

static void test_left_out(void **state)
{
	static const u32 lost[] = { XEN_TRC_LOST_RECORDS | 4 << 28, 1, 0, 0, 0 };
	static const u32 wrap[] = { XEN_TRC_WRAP };
	static const u32 guest[] = { 0x08001001 };
	static const u32 other[] = { XEN_TRC_HVM_VMMCALL };
	static const u32 call[] = { EVENT };
	static u64 pcpus[HCT_SET_WORDS];
	struct hct_out_config cfg = out_config();
	struct xen_hctrace_call a_call = { 0 };
	struct out_rig *rig;

	(void)state;
	hct_set_add(pcpus, 5);
	rig = raw_rig(1, pcpus);
	rig->r.on_raw = NULL;
	hct_out_record(rig->out, 5, wrap, 1);
	hct_out_record(rig->out, 5, guest, 1);
	hct_out_record(rig->out, 5, other, 1);
	hct_out_record(rig->out, 4, call, 1);
	hct_out_call(rig->out, &a_call);
	hct_out_enable(rig->out, false);
	hct_out_record(rig->out, 5, call, 1);
	hct_out_enable(rig->out, true);
	assert_int_equal(rig->out->count.matched, 0);
	hct_out_record(rig->out, 5, lost, 5);
	assert_int_equal(rig->out->count.matched, 1);
	out_rig_free(rig);

	/* Records are nothing to a reader of calls. */
	rig = out_rig_new(&cfg, 1);
	hct_out_record(rig->out, 5, lost, 5);
	hct_out_record(rig->out, 5, call, 1);
	assert_int_equal(rig->out->count.matched, 0);
	out_rig_free(rig);
}

/* 32 KiB of words at most, and in a small ring a quarter of it. */
static void test_largest(void **state)
{
	struct out_rig *rig = raw_rig(1024, NULL);
	u32 i;

	(void)state;
	for (i = 0; i < 8193; i++)
		put_record(rig, 0, 1);
	assert_int_equal(rig->out->raw_bytes, 4);
	assert_int_equal(rig->out->head, (PREFIX + 32768 + 7) & ~7u);
	out_rig_flush(rig, 0);
	out_rig_read(rig, 1);
	assert_int_equal(records.seen, 2 * 8192);
	finish(rig);

	rig = raw_rig(1, NULL);
	for (i = 0; i < 76; i++)	/* 3 samples of 25 records of 40 bytes, and one more */
		put_record(rig, 0, 10);
	assert_int_equal(rig->out->head, 3 * ((PREFIX + 1000 + 7) & ~7u));
	assert_int_equal(rig->out->raw_bytes, 40);
	finish(rig);
}

/* A ring that is full to the last byte, and the first record that is not in it. */
static void test_full(void **state)
{
	struct out_rig *rig = raw_rig(1, NULL);
	u32 i;

	(void)state;
	for (i = 0; i < PAGE / 32; i++)		/* 20 + 12 */
		assert_true(put_record(rig, i, 3));
	assert_false(put_record(rig, i, 1));
	assert_int_equal(rig->out->head, PAGE);
	assert_false(put_record(rig, i, 1));
	out_rig_read(rig, INT_MAX);
	assert_true(put_record(rig, i, 1));
	assert_int_equal(rig->out->count.lost, 2);
	finish(rig);

	/* It does not fit behind those that do: they are there, it is lost. */
	rig = raw_rig(1, NULL);
	for (i = 0; i < PAGE / 32 - 1; i++)
		put_record(rig, i, 3);
	assert_true(put_record(rig, i, 2));
	assert_true(put_record(rig, i, 1));
	assert_false(put_record(rig, i, 1));
	assert_int_equal(rig->out->head, PAGE);
	assert_int_equal(rig->out->raw_bytes, 0);
	finish(rig);
}

/* Every size of ring, every length, every place of the end of the data. */
static void test_wraps(void **state)
{
	u32 pages, back, nr;

	(void)state;
	for (pages = 1; pages <= HCT_OUT_MAX_PAGES; pages *= 2) {
		struct out_rig *rig = raw_rig(pages, NULL);

		for (back = 0; back <= 160; back += 8) {
			out_rig_move(rig, 5ull * pages * PAGE - back);
			for (nr = 1; nr <= 10; nr++)
				put_record(rig, back % 3, nr);
			for (nr = 1; nr <= 10; nr++)
				put_record(rig, nr, nr);
			out_rig_drain(rig);
		}
		assert_int_equal(rig->out->count.lost, 0);
		finish(rig);
	}
}

/* Any order of things, any pace of the reader: all words come back, losses are exact. */
static void random_run(u32 pages)
{
	struct out_rig *rig = raw_rig(pages, NULL);
	u64 seed = pages;
	u32 i, n;

	for (i = 0; i < 500; i++) {
		u16 pcpu = rig_random(&seed, 3);

		switch (rig_random(&seed, 8)) {
		case 0:
			out_rig_read(rig, INT_MAX);
			break;
		case 1:
			out_rig_read(rig, rig_random(&seed, 4));
			break;
		case 2:
			out_rig_loss(rig, pcpu, rig_random(&seed, 3));
			break;
		case 3:
			out_rig_flush(rig, i);
			break;
		default:
			for (n = rig_random(&seed, 40 * pages); n; n--)
				put_record(rig, pcpu, 1 + rig_random(&seed, 10));
		}
	}
	assert_true(rig->out->count.lost);
	assert_true(rig->out->count.written);
	finish(rig);
}

static void test_random(void **state)
{
	(void)state;
	random_run(1);
	random_run(2);
	random_run(8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_samples_end),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
