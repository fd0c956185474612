// SPDX-License-Identifier: GPL-2.0
/* t_info and the cursor, on rings that the fake Xen fills. */
#include <stdlib.h>

#include "rig.h"

#define T	0x0000123456789abcull
#define CALL	XEN_TRC_PV_HYPERCALL_V2
#define X1	4088u	/* data bytes of a ring of one page */

/* A ring of which only the two indices may be touched: any look at data is an error. */
static u32 *header_only(u32 cons, u32 prod)
{
	u32 *ring = malloc(8);

	assert_non_null(ring);
	ring[0] = cons;
	ring[1] = prod;
	return ring;
}

static void assert_bytes(const struct fx_ring *xen, u32 offset, const char *hex)
{
	const u8 *data = fx_ring_data(xen) + offset;

	for (; *hex; hex += 2, data++) {
		char digits[3] = { 0 };

		if (*hex == ' ')
			hex++;
		memcpy(digits, hex, 2);
		assert_int_equal(*data, strtoul(digits, NULL, 16));
	}
}

static bool put_call(struct fx_ring *xen, u64 tsc, u32 word, u32 arg)
{
	const u32 extra[] = { word, arg };

	return fx_trace(xen, CALL, true, tsc, extra, word >> 20 ? 2 : 1);
}

/* The next record must be this long and of this event; consume it. */
static void take(struct hct_cursor *cur, u32 *words, u32 event, int nr)
{
	assert_int_equal(hct_cursor_peek(cur, words), nr);
	assert_int_equal(xen_trc_event(words[0]), event);
	hct_cursor_skip(cur, nr);
}

static void start_at(struct hct_cursor *cur, struct fx_ring *xen, u32 pages, u32 at)
{
	fx_ring_init(xen, pages, at);
	assert_int_equal(hct_cursor_attach(cur, xen->mem, pages), HCT_RING_OK);
	assert_int_equal(cur->data_size, xen->data_size);
	assert_int_equal(fx_ring_cons(xen), at);
}

/* Nothing left; give the space back, and see that only cons has changed. */
static void finish(struct hct_cursor *cur, struct fx_ring *xen, u32 want_cons)
{
	u32 words[XEN_TRC_MAX_WORDS];

	assert_int_equal(hct_cursor_peek(cur, words), 0);
	hct_cursor_publish(cur);
	assert_int_equal(fx_ring_cons(xen), want_cons);
	assert_int_equal(fx_ring_prod(xen), want_cons);
	assert_true(fx_ring_untouched(xen));
	fx_ring_free(xen);
}

static void test_s1_wrap(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 4072);
	assert_true(put_call(&xen, T, WORD_MMU_UPDATE, 9));
	assert_bytes(&xen, 4072, "02f00130 cccccccc cccccccc cccccccc");
	assert_bytes(&xen, 0, "0d1020a0 bc9a7856 34120000 01004000 09000000");
	assert_int_equal(fx_ring_prod(&xen), 4108);

	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	take(&cur, words, XEN_TRC_WRAP, 4);
	take(&cur, words, CALL, 5);
	assert_int_equal(words[4], 9);
	assert_int_equal(fx_ring_cons(&xen), 4072);
	finish(&cur, &xen, 4108);
}

static void test_s2_exact_fit(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 4072);
	assert_true(put_call(&xen, T, HCT_OP_iret, 0));
	assert_int_equal(fx_ring_prod(&xen), X1);

	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	take(&cur, words, CALL, 4);
	finish(&cur, &xen, X1);
}

static void test_s3_second_lap_end(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 8160);
	assert_true(put_call(&xen, T, HCT_OP_iret, 0));
	assert_int_equal(fx_ring_prod(&xen), 0);
	assert_int_equal(fx_ring_used(&xen), 16);

	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	take(&cur, words, CALL, 4);
	finish(&cur, &xen, 0);
}

static void test_s4_page_split(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 2, 4084);
	assert_int_equal(xen.data_size, 8184);
	assert_true(put_call(&xen, T, WORD_MULTICALL, 3));
	/* The header ends page 0, the rest begins page 1. */
	assert_bytes(&xen, 4084, "0d1020a0");
	assert_bytes(&xen, 4088, "bc9a7856 34120000 0d004000 03000000");

	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	take(&cur, words, CALL, 5);
	assert_int_equal(words[3], WORD_MULTICALL);
	assert_int_equal(words[4], 3);
	finish(&cur, &xen, 4104);
}

static void test_s5_overflow(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;
	u32 i;

	(void)state;
	start_at(&cur, &xen, 1, 0);
	for (i = 0; i < 255; i++)
		assert_true(put_call(&xen, T + i, HCT_OP_iret, 0));
	assert_int_equal(fx_ring_used(&xen), 4080);
	for (; i < 260; i++)
		assert_false(put_call(&xen, T + i, HCT_OP_iret, 0));
	assert_int_equal(xen.virqs, 1);
	assert_int_equal(xen.lost, 5);

	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	for (i = 0; i < 255; i++)
		take(&cur, words, CALL, 4);
	hct_cursor_publish(&cur);
	assert_int_equal(fx_ring_cons(&xen), 4080);

	xen.current_vcpu = (struct hct_vcpu_id){ .domid = 3, .vcpu = 2 };
	assert_true(put_call(&xen, T + 999, HCT_OP_update_va_mapping, 0));
	assert_int_equal(fx_ring_prod(&xen), 4132);
	assert_bytes(&xen, 4080, "02f00110 cccccccc");
	assert_bytes(&xen, 0, "01f001c0 a39e7856 34120000 05000000 03000200 bb9b7856 34120000");
	assert_bytes(&xen, 28, "0d102090 a39e7856 34120000 0e000000");

	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	take(&cur, words, XEN_TRC_WRAP, 2);
	take(&cur, words, XEN_TRC_LOST_RECORDS, 7);
	take(&cur, words, CALL, 4);
	finish(&cur, &xen, 4132);
}

/* Every gap that padding can fill: up to 32 bytes without a TSC, 36 with one. */
static void test_wrap_sizes(void **state)
{
	static const u32 extra[7] = { WORD_MMU_UPDATE, 9 };
	u32 gap;

	(void)state;
	for (gap = 4; gap <= 40; gap += 4) {
		u32 words[XEN_TRC_MAX_WORDS];
		struct hct_cursor cur;
		struct fx_ring xen;
		u32 header = XEN_TRC_WRAP | (gap / 4 - 1) << 28;

		if (gap == 36)
			header = 0xe001f002;

		/* On both laps: the second ends at 2X. */
		start_at(&cur, &xen, 1, (gap & 4 ? X1 : 2 * X1) - gap);
		assert_true(fx_trace(&xen, CALL, true, T, extra, 7));
		assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
		if (gap < 40) {
			take(&cur, words, XEN_TRC_WRAP, gap / 4);
			assert_int_equal(words[0], header);
		}
		take(&cur, words, CALL, 10);
		assert_int_equal(words[3], WORD_MMU_UPDATE);
		finish(&cur, &xen, ((gap & 4 ? X1 : 0) + (gap < 40 ? 40 : 0)) % (2 * X1));
	}
}

/* Where the report of a loss comes to stand when it meets the end of the data. */
static void test_lost_at_end(void **state)
{
	static const struct {
		u32 left;		/* bytes to the end when space is given back */
		u32 events[4];
		u8 words[4];
	} cases[] = {
		{ 24, { XEN_TRC_WRAP, XEN_TRC_LOST_RECORDS, CALL }, { 6, 7, 5 } },
		{ 28, { XEN_TRC_LOST_RECORDS, CALL }, { 7, 5 } },
		{ 40, { XEN_TRC_LOST_RECORDS, XEN_TRC_WRAP, CALL }, { 7, 3, 5 } },
		{ 48, { XEN_TRC_LOST_RECORDS, CALL }, { 7, 5 } },
	};
	u32 words[XEN_TRC_MAX_WORDS];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct hct_cursor cur;
		struct fx_ring xen;

		start_at(&cur, &xen, 1, X1 - cases[i].left);
		xen.lost = 3;
		assert_true(put_call(&xen, T, WORD_MULTICALL, 3));
		assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
		for (j = 0; cases[i].words[j]; j++) {
			take(&cur, words, cases[i].events[j], cases[i].words[j]);
			if (cases[i].events[j] == XEN_TRC_LOST_RECORDS)
				assert_int_equal(words[3], 3);
		}
		finish(&cur, &xen, fx_ring_prod(&xen));
	}
}

/* A report is only written together with the record behind it. */
static void test_lost_needs_room_for_both(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 0);
	while (put_call(&xen, T, HCT_OP_iret, 0))
		;
	/* 8 bytes are free; 32 more hold the report, or the record, not both. */
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	take(&cur, words, CALL, 4);
	take(&cur, words, CALL, 4);
	hct_cursor_publish(&cur);
	assert_false(put_call(&xen, T, HCT_OP_iret, 0));
	assert_int_equal(xen.lost, 2);
	fx_ring_free(&xen);
}

static void test_s7_bogus_indices(void **state)
{
	static const struct {
		u32 cons, prod;
	} bogus[] = {
		{ 2, 0 }, { 0, 8176 }, { 0, 4092 }, { 100, 50 }, { 8176, 0 }, { 0, 2 },
		{ 4, 0 }, { 0xfffffffc, 0 }, { 0, 0xfffffffc },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bogus); i++) {
		u32 *ring = header_only(bogus[i].cons, bogus[i].prod);
		struct hct_cursor cur = {
			.ring = ring,
			.data_size = X1,
			.cons = bogus[i].cons,
			.published = bogus[i].cons,
			.pos = 4000,
			.end = 4000,
		};
		struct hct_cursor before = cur;

		assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_BAD_INDEX);
		assert_memory_equal(&cur, &before, sizeof(cur));
		assert_int_equal(ring[0], bogus[i].cons);
		assert_int_equal(ring[1], bogus[i].prod);
		free(ring);
	}
}

static void test_s9_index_arithmetic(void **state)
{
	static const struct {
		u32 cons, prod;
		s64 used;	/* -1: impossible */
	} cases[] = {
		{ 4080, 8, -1 },
		{ 8168, 16, 24 },
		{ 0, X1, X1 },
		{ X1, 0, X1 },
		{ 8172, 0, 4 },
		{ 0, 0, 0 },
		{ X1, X1, 0 },
		{ 8172, 8172, 0 },
		{ 0, 4, 4 },
		{ 4, 0, -1 },
		{ 0, X1 + 4, -1 },
		{ 4, X1 + 4, X1 },
		{ 4, X1 + 8, -1 },
		{ X1 + 4, 0, X1 - 4 },
		{ X1 - 4, 0, -1 },
		{ 0, 8172, -1 },
		{ 0, 8176, -1 },
		{ 8176, 8176, -1 },
		{ 1, 1, -1 },
		{ 0, 3, -1 },
	};
	unsigned int i;
	u32 used;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bool good = hct_ring_used(cases[i].cons, cases[i].prod, X1, &used);

		assert_int_equal(good, cases[i].used >= 0);
		if (good)
			assert_int_equal(used, cases[i].used);
	}
}

/* Somebody else's records are not ours, and their indices may be broken. */
static void test_attach(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;
	u32 *ring;

	(void)state;
	fx_ring_init(&xen, 1, 0);
	put_call(&xen, T, HCT_OP_iret, 0);
	assert_int_equal(hct_cursor_attach(&cur, xen.mem, 1), HCT_RING_OK);
	assert_int_equal(fx_ring_cons(&xen), 16);
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	assert_int_equal(hct_cursor_peek(&cur, words), 0);
	assert_true(fx_ring_untouched(&xen));
	fx_ring_free(&xen);

	/* A foreign cons does not matter, it is replaced. */
	ring = header_only(3, 16);
	assert_int_equal(hct_cursor_attach(&cur, ring, 1), HCT_RING_OK);
	assert_int_equal(ring[0], 16);
	assert_int_equal(ring[1], 16);

	ring[0] = 4;
	ring[1] = 2 * X1;
	assert_int_equal(hct_cursor_attach(&cur, ring, 1), HCT_RING_BAD_INDEX);
	assert_int_equal(ring[0], 4);
	ring[1] = 17;
	assert_int_equal(hct_cursor_attach(&cur, ring, 1), HCT_RING_BAD_INDEX);
	assert_int_equal(ring[0], 4);
	free(ring);
}

static void test_foreign_cons(void **state)
{
	struct hct_cursor cur, before;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 0);
	put_call(&xen, T, HCT_OP_iret, 0);
	xen.mem[0] = 16;
	before = cur;
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_FOREIGN_CONS);
	assert_memory_equal(&cur, &before, sizeof(cur));
	assert_int_equal(fx_ring_cons(&xen), 16);
	fx_ring_free(&xen);
}

/* What one snapshot has shown, the next must show too. */
static void test_prod_goes_back(void **state)
{
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 8160);
	put_call(&xen, T, HCT_OP_iret, 0);
	put_call(&xen, T, HCT_OP_iret, 0);
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	fx_ring_poke(&xen, 1, 0);
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_BAD_INDEX);
	fx_ring_poke(&xen, 1, 16);
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	fx_ring_free(&xen);
}

/* A header that promises more than there is: up to prod, or up to the end of data. */
static void test_record_too_long(void **state)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 0);
	put_call(&xen, T, HCT_OP_iret, 0);
	fx_ring_poke(&xen, 2, 0xa020100d);
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	assert_int_equal(hct_cursor_peek(&cur, words), -1);
	fx_ring_poke(&xen, 2, 0x9020100d);
	assert_int_equal(hct_cursor_peek(&cur, words), 4);
	fx_ring_free(&xen);

	start_at(&cur, &xen, 1, X1 - 16);
	put_call(&xen, T, HCT_OP_iret, 0);
	put_call(&xen, T, HCT_OP_iret, 0);
	fx_ring_poke(&xen, 2 + (X1 - 16) / 4, 0xa020100d);
	assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
	assert_int_equal(hct_cursor_peek(&cur, words), -1);
	fx_ring_free(&xen);
}

/* A full ring: prod - cons is X, at any place. */
static void test_full(void **state)
{
	static const u32 at[] = { 0, 4, 2000, X1 - 4, X1, X1 + 4, 2 * X1 - 4 };
	u32 words[XEN_TRC_MAX_WORDS];
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		struct hct_cursor cur;
		struct fx_ring xen;
		u32 bytes = 0;

		start_at(&cur, &xen, 1, at[i]);
		while (fx_trace(&xen, 0x00400001, false, T, words, 0))
			bytes += 4;
		assert_int_equal(bytes, X1);
		assert_int_equal(xen.virqs, 1);
		assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
		for (; bytes; bytes -= 4)
			take(&cur, words, 0x00400001, 1);
		finish(&cur, &xen, (at[i] + X1) % (2 * X1));
	}
}

static void read_all(struct hct_cursor *cur)
{
	u32 words[XEN_TRC_MAX_WORDS];
	int nr;

	assert_int_equal(hct_cursor_snapshot(cur), HCT_RING_OK);
	while ((nr = hct_cursor_peek(cur, words)) > 0)
		hct_cursor_skip(cur, nr);
	assert_int_equal(nr, 0);
	assert_int_equal(hct_cursor_publish(cur), HCT_RING_OK);
}

/* Losses that no record has told of yet would be forgotten if tracing went off now. */
static void test_may_have_lost(void **state)
{
	struct hct_cursor cur;
	struct fx_ring xen;

	(void)state;
	start_at(&cur, &xen, 1, 8000);
	assert_false(hct_cursor_may_have_lost(&cur));
	put_call(&xen, T, HCT_OP_iret, 0);
	assert_false(hct_cursor_may_have_lost(&cur));
	read_all(&cur);
	assert_false(hct_cursor_may_have_lost(&cur));

	while (put_call(&xen, T, HCT_OP_iret, 0))
		;
	assert_int_equal(xen.lost, 1);
	assert_true(hct_cursor_may_have_lost(&cur));
	/* There is room again, and still nobody has told. */
	read_all(&cur);
	assert_true(hct_cursor_may_have_lost(&cur));
	put_call(&xen, T, HCT_OP_iret, 0);
	assert_int_equal(xen.lost, 0);
	assert_false(hct_cursor_may_have_lost(&cur));
	read_all(&cur);
	assert_false(hct_cursor_may_have_lost(&cur));

	/* An index that makes no sense tells nothing. */
	fx_ring_poke(&xen, 1, 2);
	assert_true(hct_cursor_may_have_lost(&cur));
	fx_ring_free(&xen);
}

/* However records and looks fall: what Xen forgets is never taken for nothing. */
static void test_may_have_lost_random(void **state)
{
	u32 missed = 0, alarms = 0, pending = 0;
	u64 seed = 3;
	u32 i, j;

	(void)state;
	for (i = 0; i < 3000; i++) {
		u32 extra[7] = { 0 };
		struct hct_cursor cur;
		struct fx_ring xen;

		start_at(&cur, &xen, 1, 4 * rig_random(&seed, 2044));
		for (j = rig_random(&seed, 1200); j; j--) {
			fx_trace(&xen, 0x00400001, rig_random(&seed, 2), T, extra,
				 rig_random(&seed, 8));
			if (!rig_random(&seed, 150))
				read_all(&cur);
		}
		pending += !!xen.lost;
		missed += xen.lost && !hct_cursor_may_have_lost(&cur);
		alarms += !xen.lost && hct_cursor_may_have_lost(&cur);
		fx_ring_free(&xen);
	}
	assert_int_equal(missed, 0);
	assert_true(pending > 300);
	assert_true(alarms < pending / 3);
}

/* Random records, read back in order whatever the size of ring and record. */
static void test_random(void **state)
{
	u64 seed = 42;
	u32 pages;

	(void)state;
	for (pages = 1; pages <= 5; pages++) {
		u32 words[XEN_TRC_MAX_WORDS];
		struct hct_cursor cur;
		struct fx_ring xen;
		u32 sent = 0, seen = 0, lost = 0;
		u32 i;

		start_at(&cur, &xen, pages, 4 * rig_random(&seed, pages * 1024 - 2));
		for (i = 0; i < 400000; i++) {
			u32 extra[7] = { sent, ~sent };
			u32 nr = 1 + rig_random(&seed, 7);
			int len;

			if (fx_trace(&xen, 0x00400001, rig_random(&seed, 10), i, extra, nr))
				sent++;
			if (rig_random(&seed, 100 * pages))
				continue;

			assert_int_equal(hct_cursor_snapshot(&cur), HCT_RING_OK);
			while ((len = hct_cursor_peek(&cur, words)) > 0) {
				u32 skip = xen_trc_has_tsc(words[0]) ? 3 : 1;

				if (xen_trc_event(words[0]) == 0x00400001)
					assert_int_equal(words[skip], seen++);
				if (xen_trc_event(words[0]) == XEN_TRC_LOST_RECORDS)
					lost += words[3];
				hct_cursor_skip(&cur, len);
			}
			assert_int_equal(len, 0);
			hct_cursor_publish(&cur);
			assert_true(fx_ring_untouched(&xen));
			assert_int_equal(seen, sent);
			assert_int_equal(cur.pos, xen.written_bytes);
			assert_int_equal(lost + xen.lost, xen.refused);
		}
		assert_true(xen.refused);
		fx_ring_free(&xen);
	}
}

/* Xen's own reaction to an index that we must never write. */
static void test_fake_xen_goes_off(void **state)
{
	struct fx_ring xen;

	(void)state;
	fx_ring_init(&xen, 1, 0);
	xen.mem[0] = 2 * X1;
	assert_false(put_call(&xen, T, HCT_OP_iret, 0));
	assert_true(xen.off);
	xen.mem[0] = 0;
	assert_false(put_call(&xen, T, HCT_OP_iret, 0));
	assert_int_equal(fx_ring_prod(&xen), 0);
	fx_ring_free(&xen);
}

static void test_s8_tinfo_example(void **state)
{
	struct hct_tinfo ti;
	struct fx_tinfo xen;
	u32 mfns[32];
	const u32 *area;
	u32 i;

	(void)state;
	fx_tinfo_init(&xen, 256, 3, 0x5, 32);
	area = xen.area;
	assert_int_equal(area[0], 0x00810020);
	assert_int_equal(area[1], 0x00c10000);
	assert_int_equal(area[2], 0);
	assert_int_equal(area[516 / 4], fx_tinfo_mfn(0, 0));
	assert_int_equal(area[772 / 4], fx_tinfo_mfn(2, 0));

	assert_null(hct_tinfo_check(xen.area, xen.bytes, &ti));
	assert_int_equal(ti.pages, 32);
	assert_int_equal(ti.first, 129);
	/* The bound that the area itself gives: at most one entry of padding. */
	assert_in_range(ti.nr_cpus, 256, 257);

	for (i = 0; i < 300; i++)
		assert_int_equal(hct_tinfo_mfns(&ti, i, mfns), i == 0 || i == 2);
	assert_int_equal(hct_tinfo_mfns(&ti, 2, mfns), 1);
	for (i = 0; i < 32; i++)
		assert_int_equal(mfns[i], fx_tinfo_mfn(2, i));
	fx_tinfo_free(&xen);
}

/* The greatest areas that Xen lays out. */
static void test_tinfo_limits(void **state)
{
	static const struct {
		u32 nr_cpus_max, nr_cpus, pages;
	} limits[] = {
		{ 256, 8, 9343 }, { 256, 64, 1038 }, { 256, 128, 515 }, { 256, 256, 256 },
		{ 1024, 1024, 63 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		u32 nr_cpus = limits[i].nr_cpus;
		struct hct_tinfo ti;
		struct fx_tinfo xen;
		u32 *mfns;
		u32 cpu;

		fx_tinfo_init(&xen, limits[i].nr_cpus_max, nr_cpus, ~0ull, 0xffff);
		assert_int_equal(xen.pages, limits[i].pages);
		assert_null(hct_tinfo_check(xen.area, xen.bytes, &ti));
		assert_int_equal(ti.pages, xen.pages);
		mfns = malloc(4 * ti.pages);
		assert_non_null(mfns);
		for (cpu = 0; cpu < nr_cpus; cpu++) {
			assert_int_equal(hct_tinfo_mfns(&ti, cpu, mfns), 1);
			assert_int_equal(mfns[0], fx_tinfo_mfn(cpu, 0));
			assert_int_equal(mfns[ti.pages - 1], fx_tinfo_mfn(cpu, ti.pages - 1));
		}
		for (; cpu < ti.nr_cpus + 5; cpu++)
			assert_int_equal(hct_tinfo_mfns(&ti, cpu, mfns), 0);
		free(mfns);
		fx_tinfo_free(&xen);
	}
}

/* An area of exactly @bytes whose first words are given. */
static const char *check_tinfo(u16 pages, u16 offset0, u32 bytes, u32 claimed)
{
	u16 *area = calloc(1, bytes);
	struct hct_tinfo ti;
	const char *err;

	assert_non_null(area);
	area[0] = pages;
	area[1] = offset0;
	err = hct_tinfo_check(area, claimed, &ti);
	free(area);
	return err;
}

static void test_s8_tinfo_malformed(void **state)
{
	(void)state;
	assert_null(check_tinfo(32, 0x81, 4096, 4096));
	assert_non_null(check_tinfo(0, 0x81, 4096, 4096));
	assert_non_null(check_tinfo(32, 0, 4096, 4096));
	assert_non_null(check_tinfo(32, 0x81, 512, 512));
	assert_non_null(check_tinfo(32, 0x81, 4096, 0));
	assert_non_null(check_tinfo(32, 0x81, 8192, 4100));
	assert_non_null(check_tinfo(32, 0x81, 4096, HCT_TINFO_MAX_BYTES + 4096));
	assert_null(check_tinfo(32, 0x81, HCT_TINFO_MAX_BYTES, HCT_TINFO_MAX_BYTES));
	/* CPU 0's list ends with the area, or 4 bytes behind it. */
	assert_null(check_tinfo(1024 - 129, 0x81, 4096, 4096));
	assert_non_null(check_tinfo(1024 - 128, 0x81, 4096, 4096));
	assert_non_null(check_tinfo(0xffff, 0xffff, 4096, 4096));
	/* The largest values that 16 bits hold just fit. */
	assert_null(check_tinfo(0xffff, 0xffff, HCT_TINFO_MAX_BYTES, HCT_TINFO_MAX_BYTES));
}

/* The same for other CPUs: their entries are looked at when they are asked for. */
static void test_s8_tinfo_malformed_cpu(void **state)
{
	static const struct {
		u16 offset;
		int ret;
	} cases[] = {
		{ 0, 0 },
		{ 1, -1 },
		{ 128, -1 },
		{ 129, 1 },
		{ 1024 - 32, 1 },
		{ 1024 - 31, -1 },
		{ 0xffff, -1 },
	};
	u16 *area = calloc(1, 4096);
	struct hct_tinfo ti;
	unsigned int i;
	u32 mfns[32];

	(void)state;
	assert_non_null(area);
	area[0] = 32;
	area[1] = 0x81;
	assert_null(hct_tinfo_check(area, 4096, &ti));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		area[1 + 2] = cases[i].offset;
		assert_int_equal(hct_tinfo_mfns(&ti, 2, mfns), cases[i].ret);
	}
	/* Behind the table are frame numbers, not entries. */
	area[1 + 257] = 129;
	assert_int_equal(hct_tinfo_mfns(&ti, 257, mfns), 0);
	assert_int_equal(hct_tinfo_mfns(&ti, ~0u, mfns), 0);
	free(area);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s1_wrap),
		cmocka_unit_test(test_s2_exact_fit),
		cmocka_unit_test(test_s3_second_lap_end),
		cmocka_unit_test(test_s4_page_split),
		cmocka_unit_test(test_s5_overflow),
		cmocka_unit_test(test_wrap_sizes),
		cmocka_unit_test(test_lost_at_end),
		cmocka_unit_test(test_lost_needs_room_for_both),
		cmocka_unit_test(test_s7_bogus_indices),
		cmocka_unit_test(test_s9_index_arithmetic),
		cmocka_unit_test(test_attach),
		cmocka_unit_test(test_foreign_cons),
		cmocka_unit_test(test_prod_goes_back),
		cmocka_unit_test(test_record_too_long),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_may_have_lost),
		cmocka_unit_test(test_may_have_lost_random),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_fake_xen_goes_off),
		cmocka_unit_test(test_s8_tinfo_example),
		cmocka_unit_test(test_tinfo_limits),
		cmocka_unit_test(test_s8_tinfo_malformed),
		cmocka_unit_test(test_s8_tinfo_malformed_cpu),
	};

	return cmocka_run_group_tests_name("tbuf", tests, NULL, NULL);
}
