// SPDX-License-Identifier: GPL-2.0
/* A reader's ring: its records to the byte, at every place, and its losses. */
#include <limits.h>

#include "out_rig.h"

static const struct xen_hctrace_call some_call = {
	.tsc = 0x1122334455667788,
	.ns = 0x0102030405060708,
	.op = 1,
	.a0 = 0xa0a0a0a0,
	.a1 = 0xa1a1a1a1,
	.a2 = 0xa2a2a2a2,
	.batch = 0xb0b1b2b3,
	.domid = 3,
	.vcpu = 2,
	.pcpu = 5,
	.flags = XEN_HCTRACE_F_MALFORMED | XEN_HCTRACE_F_LATE,
	.kind = XEN_HCTRACE_KIND_MEMBER,
	.args = 7,
	.subop = XEN_HCTRACE_NO_SUBOP,
	.pid = 0xc0c1c2c3,
	.target = 0x0405,
};

#define SOME_CALL \
	"5604 00 00 00000000 8877665544332211 0807060504030201 01000000 a0a0a0a0 a1a1a1a1 " \
	"a2a2a2a2 b3b2b1b0 0300 0200 0500 4100 01 07 ffff c3c2c1c0 0504 0000 00000000"

#define SOME_IDS	"03000000 02600010 0807060504030201 05000000 00000000 "
#define NOBODY		"ffff0000 ffff0020 "

static struct out_rig *members_rig(bool with_ids)
{
	struct hct_out_config cfg = out_config();

	cfg.filter.kinds = 1u << XEN_HCTRACE_KIND_MEMBER;
	cfg.with_ids = with_ids;
	return out_rig_new(&cfg, 1);
}

static void test_page(void **state)
{
	const struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 8);
	const struct perf_event_mmap_page *page = (void *)rig->mem;

	(void)state;
	assert_int_equal(page->version, 0);
	assert_int_equal(page->compat_version, 0);
	assert_int_equal(page->capabilities, 2);	/* cap_bit0_is_deprecated */
	assert_int_equal(page->size, offsetof(struct perf_event_mmap_page, __reserved));
	assert_int_equal(page->data_head, 0);
	assert_int_equal(page->data_tail, 0);
	assert_int_equal(page->data_offset, 4096);
	assert_int_equal(page->data_size, 8 * 4096);
	assert_int_equal(offsetof(struct perf_event_mmap_page, data_head), 1024);
	out_rig_free(rig);
}

static void test_sample(void **state)
{
	struct out_rig *rig = members_rig(false);
	struct xen_hctrace_call call = some_call;

	(void)state;
	hct_out_call(rig->out, &call);
	assert_int_equal(rig->out->head, CALL_BYTES);
	out_bytes(rig, 0, "09000000 0300 5000 44000000 " SOME_CALL " ee");
	assert_int_equal(rig->out->count.written, 1);
	assert_int_equal(rig->out->count.late, 1);
	call.flags = 0;
	hct_out_call(rig->out, &call);
	assert_int_equal(rig->out->count.late, 1);
	out_rig_free(rig);
}

static void test_sample_with_ids(void **state)
{
	struct out_rig *rig = members_rig(true);

	(void)state;
	hct_out_call(rig->out, &some_call);
	assert_int_equal(rig->out->head, CALL_IDS_BYTES);
	out_bytes(rig, 0, "09000000 0300 6800 " SOME_IDS "44000000 " SOME_CALL " ee");
	out_rig_free(rig);
}

/* Who is not known has an id that no vCPU can have. */
static void test_unknown_tid(void **state)
{
	struct out_rig *rig = members_rig(true);
	struct xen_hctrace_call call = some_call;

	(void)state;
	call.vcpu = XEN_HCTRACE_UNKNOWN;
	hct_out_call(rig->out, &call);
	out_bytes(rig, 8, "03000000 03000020");
	call.domid = XEN_HCTRACE_UNKNOWN;
	hct_out_call(rig->out, &call);
	out_bytes(rig, CALL_IDS_BYTES + 8, "ffff0000 ffff0020");
	call.vcpu = 1;
	hct_out_call(rig->out, &call);
	out_bytes(rig, 2 * CALL_IDS_BYTES + 8, "ffff0000 ffff0020");
	/* The highest id of a vCPU */
	call.domid = 0x7fff;
	call.vcpu = 0x1fff;
	hct_out_call(rig->out, &call);
	out_bytes(rig, 3 * CALL_IDS_BYTES + 8, "ff7f0000 ffffff1f");
	out_rig_free(rig);
}

static void test_lost(void **state)
{
	const struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 1);

	(void)state;
	out_rig_loss(rig, 0x123, 0x11223344);
	out_rig_loss(rig, 0x123, 0xf0000000);
	out_rig_flush(rig, 0);
	out_bytes(rig, 0, "02000000 0000 1800 2401000000000000 4433220101000000 ee");
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_records, 1);
	out_rig_free(rig);
}

static void test_lost_with_ids(void **state)
{
	const struct hct_loss_event later = {
		.at = { .ns = 0x0102030405061708, .pcpu = 6 },
		.count = 1,
	};
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;

	(void)state;
	cfg.with_ids = true;
	rig = out_rig_new(&cfg, 1);
	rig->sent = 0x0102030405060708 - 1000;
	rig->next = rig->sent;
	out_rig_loss(rig, 4, 9);
	out_rig_flush(rig, 0);
	out_bytes(rig, 0, "02000000 0000 3000 0500000000000000 0900000000000000 " NOBODY
		  "0807060504030201 04000000 00000000 ee");
	out_rig_drain(rig);

	/* For the ring's own: when and where the last call was lost */
	out_rig_move(rig, 2 * PAGE + CALL_IDS_BYTES);
	while (rig->out->count.lost < 3)
		out_rig_call(rig);
	hct_out_loss(rig->out, &later);
	out_rig_loss(rig, 6, 1);	/* of before: time does not go back */
	out_rig_read(rig, 2);
	out_rig_flush(rig, 0);
	out_bytes(rig, 40 * CALL_IDS_BYTES - PAGE,
		  "02000000 0000 3000 0000000000000000 0300000000000000 " NOBODY
		  "0817060504030201 06000000 00000000");
	out_rig_free(rig);
}

/* A ring of one page holds 50 samples of 80 bytes and a LOST, and has 72 bytes left. */
static void test_full(void **state)
{
	const struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 1);
	u32 i;

	(void)state;
	out_rig_call(rig);
	out_rig_loss(rig, 1, 1);
	out_rig_flush(rig, 0);
	for (i = 0; i < 50; i++)
		out_rig_call(rig);
	assert_int_equal(rig->out->count.written, 50);
	assert_int_equal(rig->out->count.lost, 1);
	assert_int_equal(rig->out->head, 50 * CALL_BYTES + LOST_BYTES);
	/* There is room for a LOST, but not for a sample behind it. */
	for (i = 0; i < 100; i++)
		out_rig_call(rig);
	out_rig_flush(rig, 0);
	assert_int_equal(rig->out->head, 50 * CALL_BYTES + LOST_BYTES);
	assert_int_equal(rig->out->lost_due, 101);
	/* The reader takes one: all is told before the next sample. */
	assert_int_equal(out_rig_read(rig, 1), 1);
	out_rig_call(rig);
	assert_int_equal(rig->out->head, 51 * CALL_BYTES + 2 * LOST_BYTES);
	assert_int_equal(rig->out->count.written, 51);
	/* One more, and it is told though no call comes. */
	out_rig_call(rig);
	assert_int_equal(rig->out->count.lost, 102);
	assert_int_equal(out_rig_read(rig, 2), 2);
	out_rig_flush(rig, 0);
	assert_int_equal(rig->out->lost_due, 0);
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_records, 3);
	assert_int_equal(rig->next, rig->sent);
	out_rig_free(rig);
}

/* Room is made in the smallest steps there are: a LOST fits before a sample does. */
static void test_small_steps(void **state)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;
	u32 i;

	(void)state;
	cfg.with_ids = true;
	rig = out_rig_new(&cfg, 1);
	for (i = 0; i < 1000; i++) {
		if (i % 3)
			out_rig_loss(rig, i % 5, 1);
		out_rig_call(rig);
		if (i > 100)
			out_rig_read(rig, 1);
	}
	out_rig_drain(rig);
	assert_int_equal(rig->next, rig->sent);
	assert_true(rig->r.lost_ring > 100 && rig->r.calls > 100);
	out_rig_free(rig);
}

/* Every size, every place where a record can meet the end of the data. */
static void wrap_everywhere(bool with_ids, u32 record_bytes)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;
	u32 pages, back;

	cfg.with_ids = with_ids;
	for (pages = 1; pages <= HCT_OUT_MAX_PAGES; pages *= 2) {
		const u64 size = (u64)pages * PAGE;

		rig = out_rig_new(&cfg, pages);
		for (back = 0; back <= 2 * record_bytes; back += 8) {
			out_rig_move(rig, 3 * size - back);
			out_rig_loss(rig, pages, back + 1);
			out_rig_flush(rig, 0);
			out_rig_call(rig);
			out_rig_call(rig);
			out_rig_drain(rig);
		}
		assert_int_equal(rig->r.calls, rig->sent);
		out_rig_free(rig);
	}
}

static void test_wraps(void **state)
{
	(void)state;
	wrap_everywhere(false, CALL_BYTES);
	wrap_everywhere(true, CALL_IDS_BYTES);
}

/* All positions of a small ring, filled until it is full and read at all paces. */
static void test_positions(void **state)
{
	const struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 1);
	u32 pos, i;

	(void)state;
	for (pos = 0; pos < PAGE; pos += 8) {
		out_rig_move(rig, (rig->out->head | (PAGE - 1)) + 1 + pos);
		for (i = 0; i < 60; i++)
			out_rig_call(rig);
		out_rig_read(rig, 1 + pos / 8 % 20);
		for (i = 0; i < 5; i++)
			out_rig_call(rig);
		out_rig_drain(rig);
	}
	assert_int_equal(rig->next, rig->sent);
	assert_int_equal(rig->r.calls, rig->out->count.written);
	assert_true(rig->out->count.lost > 512);
	out_rig_free(rig);
}

/* Xen's losses are kept apart by pCPU, however many, and told as room comes. */
static void test_xen_losses(void **state)
{
	const struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 1);
	u64 sum = 0;
	u32 i;

	(void)state;
	for (i = 0; i < HCT_OUT_MAX_PCPUS + 2; i++) {
		out_rig_loss(rig, i, i + 1);
		sum += i + 1;
	}
	out_rig_loss(rig, 7, 0);	/* no loss at all */
	assert_int_equal(rig->out->nr_xen_due, HCT_OUT_MAX_PCPUS);
	out_rig_call(rig);
	assert_int_equal(rig->out->count.lost, 1);	/* all must be told before it */
	assert_int_equal(rig->out->head, 170 * LOST_BYTES);
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_xen, sum);
	assert_int_equal(rig->r.lost_records, HCT_OUT_MAX_PCPUS + 1);
	out_rig_free(rig);
}

/* Only as much memory as there are pCPUs; who is beyond counts for the last. */
static void test_few_pcpus(void **state)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;

	(void)state;
	assert_int_equal(hct_out_due_bytes(&cfg), HCT_OUT_MAX_PCPUS * 10);
	cfg.with_domains = true;
	assert_int_equal(hct_out_due_bytes(&cfg), HCT_OUT_MAX_PCPUS * 10 + 2 * 8192);
	cfg.raw_mask = XEN_TRC_MASK_PV;
	assert_int_equal(hct_out_due_bytes(&cfg), HCT_OUT_MAX_PCPUS * 10);
	cfg = out_config();
	cfg.nr_pcpus = 3;
	assert_int_equal(hct_out_due_bytes(&cfg), 3 * 10);
	rig = out_rig_new(&cfg, 1);
	out_rig_loss(rig, 1, 5);
	out_rig_loss(rig, 2, 6);
	out_rig_loss(rig, 3, 7);
	out_rig_loss(rig, 0xffff, 8);
	out_rig_flush(rig, 0);
	out_bytes(rig, 0, "02000000 0000 1800 0300000000000000 1500000000000000");
	out_bytes(rig, LOST_BYTES, "02000000 0000 1800 0200000000000000 0500000000000000 ee");
	out_rig_drain(rig);
	out_rig_free(rig);
}

static void test_losses_left_out(void **state)
{
	static u64 pcpus[HCT_SET_WORDS];
	struct hct_loss_event loss = { .at.pcpu = 3, .count = 5, .before = true };
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;

	(void)state;
	hct_set_add(pcpus, 3);
	cfg.filter.pcpus = pcpus;
	rig = out_rig_new(&cfg, 1);
	assert_false(hct_out_loss(rig->out, &loss));
	out_rig_loss(rig, 2, 7);
	hct_out_enable(rig->out, false);
	out_rig_loss(rig, 3, 7);
	hct_out_enable(rig->out, true);
	assert_int_equal(rig->out->count.xen_lost, 0);
	out_rig_loss(rig, 3, 7);
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_xen, 7);
	out_rig_free(rig);
}

/* A gap counts nothing: its id says why there is no count. */
static void test_gaps(void **state)
{
	const struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 1);

	(void)state;
	out_rig_gap(rig, XEN_HCTRACE_GAP_BREAKER, XEN_HCTRACE_UNKNOWN);
	out_rig_gap(rig, XEN_HCTRACE_GAP_CLOCK, XEN_HCTRACE_UNKNOWN);
	out_rig_gap(rig, XEN_HCTRACE_GAP_BREAKER, XEN_HCTRACE_UNKNOWN);
	out_rig_loss(rig, 3, 8);
	out_rig_call(rig);
	assert_int_equal(rig->out->count.lost, 0);
	out_rig_flush(rig, 0);
	out_bytes(rig, 0, "02000000 0000 1800 0400000000000000 0800000000000000 02000000");
	out_bytes(rig, LOST_BYTES, "02000000 0000 1800 0100000001000000 0000000000000000");
	out_bytes(rig, 2 * LOST_BYTES, "02000000 0000 1800 0500000001000000 0000000000000000");
	out_bytes(rig, 3 * LOST_BYTES, "09000000");
	out_rig_drain(rig);
	assert_int_equal(rig->r.gaps, 2);
	assert_int_equal(rig->r.lost_records, 1);
	assert_int_equal(rig->r.lost_xen, 8);
	assert_int_equal(rig->out->count.xen_lost, 8);
	/* They were told: nothing is left to be. */
	out_rig_call(rig);
	out_rig_drain(rig);
	assert_int_equal(rig->r.gaps, 2);
	out_rig_free(rig);
}

/* Where there is no room for all of them, they come in turn, and before any sample. */
static void test_gaps_wait_for_room(void **state)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;
	u32 reason;

	(void)state;
	cfg.with_ids = true;
	rig = out_rig_new(&cfg, 1);
	while (!rig->out->count.lost)
		out_rig_call(rig);
	for (reason = 1; reason < HCT_NR_GAPS; reason++)
		out_rig_gap(rig, reason, reason);
	out_rig_gap(rig, HCT_NR_GAPS, 1);	/* no such reason */
	while (rig->r.gaps < HCT_NR_GAPS - 1) {
		assert_int_equal(rig->out->count.written, 39);
		out_rig_read(rig, 1);
		out_rig_flush(rig, 0);
	}
	out_rig_drain(rig);
	assert_int_equal(rig->r.gaps, HCT_NR_GAPS - 1);
	assert_int_equal(rig->r.lost_ring, 1);
	out_rig_free(rig);
}

/* One of a pCPU that was not asked for, and one that came while disabled, are none. */
static void test_gaps_left_out(void **state)
{
	static u64 pcpus[HCT_SET_WORDS];
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;

	(void)state;
	hct_set_add(pcpus, 3);
	cfg.filter.pcpus = pcpus;
	rig = out_rig_new(&cfg, 1);
	out_rig_gap(rig, XEN_HCTRACE_GAP_RING, 2);
	hct_out_enable(rig->out, false);
	out_rig_gap(rig, XEN_HCTRACE_GAP_MASK, XEN_HCTRACE_UNKNOWN);
	hct_out_enable(rig->out, true);
	out_rig_drain(rig);
	assert_int_equal(rig->r.gaps, 0);
	out_rig_gap(rig, XEN_HCTRACE_GAP_RING, 3);
	out_rig_gap(rig, XEN_HCTRACE_GAP_BREAKER, XEN_HCTRACE_UNKNOWN);
	out_rig_drain(rig);
	assert_int_equal(rig->r.gaps, 2);
	out_rig_free(rig);
}

/* Whatever comes in whatever order: all is accounted for. */
static void random_run(bool with_ids, u32 pages)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;
	u64 seed = 11 * pages + with_ids;
	u32 i, n;

	cfg.with_ids = with_ids;
	rig = out_rig_new(&cfg, pages);
	for (i = 0; i < 300; i++) {
		switch (rig_random(&seed, 6)) {
		case 0:
			out_rig_read(rig, INT_MAX);
			break;
		case 1:
			out_rig_read(rig, rig_random(&seed, 40));
			break;
		case 2:
			out_rig_loss(rig, rig_random(&seed, 9), rig_random(&seed, 5));
			break;
		case 3:
			out_rig_flush(rig, 1000 + rig->sent);
			break;
		default:
			for (n = rig_random(&seed, 20 * pages); n; n--)
				out_rig_call(rig);
		}
	}
	out_rig_drain(rig);
	assert_int_equal(rig->next, rig->sent);
	assert_int_equal(rig->out->count.matched, rig->sent);
	assert_true(rig->out->count.lost);
	assert_true(rig->out->count.written > rig->out->count.lost);
	out_rig_free(rig);
}

static void test_random(void **state)
{
	u32 pages;

	(void)state;
	for (pages = 1; pages <= 64; pages *= 4) {
		random_run(false, pages);
		random_run(true, pages);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_sample_with_ids),
		cmocka_unit_test(test_unknown_tid),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_with_ids),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_small_steps),
		cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_positions),
		cmocka_unit_test(test_xen_losses),
		cmocka_unit_test(test_few_pcpus),
		cmocka_unit_test(test_losses_left_out),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_gaps_wait_for_room),
		cmocka_unit_test(test_gaps_left_out),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
