// SPDX-License-Identifier: GPL-2.0
/* When a reader is woken, what it may switch, and what it may do to the memory. */
#include <limits.h>
#include <stdlib.h>

#include "out_rig.h"

#define NEVER	(~0ull)
#define NS(seq)	(1000 + (seq))	/* of a call, see struct out_rig */

static struct out_rig *rig_with(u32 watermark_bytes, u64 max_latency_ns, u32 pages)
{
	struct hct_out_config cfg = out_config();

	cfg.watermark_bytes = watermark_bytes;
	cfg.max_latency_ns = max_latency_ns;
	return out_rig_new(&cfg, pages);
}

/* Calls until a wake-up. Return: how many. */
static u32 calls_to_wake(struct out_rig *rig)
{
	u32 nr = 1;

	while (!out_rig_call(rig))
		nr++;
	return nr;
}

static void test_watermark(void **state)
{
	struct out_rig *rig = rig_with(3 * CALL_BYTES, 1000, 4);
	const struct perf_event_mmap_page *page = (void *)rig->mem;
	u32 i;

	(void)state;
	assert_false(hct_out_readable(rig->out));
	for (i = 1; i < 10; i++) {
		assert_false(out_rig_call(rig));
		assert_false(out_rig_call(rig));
		/* Nothing new to see, nothing new to wait for */
		assert_int_equal(page->data_head, 3 * (i - 1) * CALL_BYTES);
		assert_false(hct_out_readable(rig->out));
		assert_true(out_rig_call(rig));
		assert_int_equal(page->data_head, 3 * i * CALL_BYTES);
		assert_true(hct_out_readable(rig->out));
		assert_int_equal(out_rig_read(rig, 2), 2);
		assert_true(hct_out_readable(rig->out));
		assert_int_equal(out_rig_read(rig, 2), 1);
		assert_false(hct_out_readable(rig->out));
	}
	assert_int_equal(rig->out->count.wakeups, 9);
	out_rig_free(rig);
}

static void test_watermark_bounds(void **state)
{
	struct out_rig *rig = rig_with(0, 1000, 1);

	(void)state;
	assert_int_equal(calls_to_wake(rig), 13);	/* a quarter: 1024 bytes */
	out_rig_drain(rig);

	rig = rig_with(UINT_MAX, 1000, 1);
	assert_int_equal(calls_to_wake(rig), 26);	/* half: 2048 */
	out_rig_drain(rig);

	rig = rig_with(1, 1000, 1);
	assert_int_equal(calls_to_wake(rig), 1);
	out_rig_drain(rig);
	out_rig_free(rig);
}

/* The last calls of a burst are there in time, and then nobody is woken for nothing. */
static void test_latency(void **state)
{
	struct out_rig *rig = rig_with(0, 500, 4);
	const struct perf_event_mmap_page *page = (void *)rig->mem;
	u64 now;

	(void)state;
	assert_int_equal(hct_out_due_ns(rig->out), NEVER);
	rig->sent = 100;
	rig->next = 100;
	out_rig_call(rig);
	out_rig_call(rig);
	assert_int_equal(page->data_head, 0);
	assert_false(out_rig_flush(rig, NS(110)));
	/* Whoever looks sees it, but it is not worth a wake-up yet. */
	assert_int_equal(page->data_head, 2 * CALL_BYTES);
	assert_false(hct_out_readable(rig->out));
	assert_int_equal(hct_out_due_ns(rig->out), NS(600));
	out_rig_call(rig);
	assert_false(out_rig_flush(rig, NS(599)));
	assert_true(out_rig_flush(rig, NS(600)));
	assert_true(hct_out_readable(rig->out));
	assert_int_equal(hct_out_due_ns(rig->out), NEVER);
	assert_int_equal(out_rig_read(rig, INT_MAX), 3);
	for (now = 601; now < 5000; now += 100)
		assert_false(out_rig_flush(rig, NS(now)));
	assert_false(hct_out_readable(rig->out));
	out_rig_free(rig);
}

/* A reader that looks by itself is not woken for what it has. */
static void test_reader_ahead(void **state)
{
	struct out_rig *rig = rig_with(0, 500, 4);

	(void)state;
	out_rig_call(rig);
	assert_false(out_rig_flush(rig, NS(0)));
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	assert_false(hct_out_readable(rig->out));
	assert_false(out_rig_flush(rig, NS(10000)));
	assert_int_equal(hct_out_due_ns(rig->out), NEVER);
	/* Before the writer has noticed, the tail is ahead of what is ready. */
	out_rig_call(rig);
	out_rig_flush(rig, NS(1));
	out_rig_read(rig, INT_MAX);
	assert_true(rig->r.tail > rig->out->ready_head);
	assert_false(hct_out_readable(rig->out));
	/* One it has, one it has not: the age is that of the older, which is sooner. */
	out_rig_call(rig);
	assert_true(out_rig_flush(rig, NS(501)));
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	out_rig_free(rig);
}

/* No time, or one that is ahead of the clock: it counts from the flush. */
static void test_latency_without_time(void **state)
{
	struct out_rig *rig = rig_with(0, 500, 4);
	struct xen_hctrace_call call = { .flags = XEN_HCTRACE_F_NO_NS };

	(void)state;
	rig->r.on_call = NULL;
	hct_out_call(rig->out, &call);
	assert_int_equal(hct_out_due_ns(rig->out), NEVER);
	assert_false(out_rig_flush(rig, 7000));
	assert_int_equal(hct_out_due_ns(rig->out), 7500);
	assert_false(out_rig_flush(rig, 7499));
	assert_true(out_rig_flush(rig, 7500));
	out_rig_read(rig, INT_MAX);

	call.flags = 0;
	call.ns = 20000;
	hct_out_call(rig->out, &call);
	assert_false(out_rig_flush(rig, 8000));
	assert_true(out_rig_flush(rig, 8500));
	out_rig_read(rig, INT_MAX);

	/* So does a loss. */
	out_rig_loss(rig, 1, 1);
	assert_false(out_rig_flush(rig, 9000));
	assert_true(out_rig_flush(rig, 9500));
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	out_rig_free(rig);
}

/* A full ring is not kept from its reader, whatever the watermark and the latency. */
static void test_ready_at_loss(void **state)
{
	struct out_rig *rig = rig_with(UINT_MAX, UINT_MAX, 1);
	u32 wakes = 0;
	u32 i;

	(void)state;
	for (i = 0; i < 52; i++)
		wakes += out_rig_call(rig);
	assert_int_equal(wakes, 2);
	assert_int_equal(rig->out->ready_head, rig->out->head);
	for (i = 0; i < 1000; i++)
		assert_false(out_rig_call(rig));
	assert_false(out_rig_flush(rig, NEVER));
	assert_int_equal(out_rig_read(rig, INT_MAX), 51);
	/* The loss is told without another call, and does not wait for ever. */
	assert_false(out_rig_flush(rig, NS(1052)));
	assert_true(out_rig_flush(rig, NS(1052ull + UINT_MAX)));
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	assert_int_equal(rig->r.lost_ring, 1001);
	out_rig_free(rig);
}

/* A ring smaller than a round loses nothing if its reader takes what it is woken for. */
static void test_small_ring(void **state)
{
	struct out_rig *rig = rig_with(0, 1000, 1);
	u32 i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		if (out_rig_call(rig))
			out_rig_read(rig, INT_MAX);
	}
	out_rig_drain(rig);
	assert_int_equal(rig->out->count.lost, 0);
	assert_int_equal(rig->r.calls, 10000);
	out_rig_free(rig);
}

static void test_switches(void **state)
{
	struct out_rig *rig = rig_with(0, 0, 0);
	const struct hct_out_counters *count = &rig->out->count;

	(void)state;
	/* No ring yet */
	assert_false(hct_out_readable(rig->out));
	out_rig_call(rig);
	out_rig_loss(rig, 2, 5);
	assert_false(out_rig_flush(rig, NEVER));
	assert_int_equal(count->paused, 1);
	out_rig_map(rig, 2);
	rig->next = 1;
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_xen, 5);

	/* Paused: counted, losses are kept for later */
	out_rig_call(rig);
	hct_out_pause(rig->out, true);
	out_rig_call(rig);
	out_rig_call(rig);
	out_rig_loss(rig, 2, 6);
	assert_true(out_rig_flush(rig, NEVER));
	assert_int_equal(count->paused, 3);
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	hct_out_pause(rig->out, false);
	rig->next += 2;
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_xen, 11);

	/* Disabled: not even counted, but what is owed is told */
	out_rig_loss(rig, 2, 7);
	hct_out_enable(rig->out, false);
	out_rig_call(rig);
	assert_int_equal(count->matched, 4);
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_xen, 18);
	hct_out_enable(rig->out, true);
	rig->next++;
	out_rig_call(rig);
	out_rig_drain(rig);
	assert_int_equal(count->matched, 5);
	assert_int_equal(count->written, 2);
	out_rig_free(rig);
}

static void test_reset(void **state)
{
	static const struct hct_out_counters zeroes;
	struct out_rig *rig = rig_with(0, 0, 1);

	(void)state;
	while (!rig->out->count.lost)
		out_rig_call(rig);
	out_rig_loss(rig, 1, 3);
	hct_out_reset(rig->out);
	assert_memory_equal(&rig->out->count, &zeroes, sizeof(zeroes));
	rig->wakeups = 0;
	/* The ring goes on as it was. */
	out_rig_read(rig, INT_MAX);
	out_rig_flush(rig, NEVER);
	out_rig_call(rig);
	out_rig_flush(rig, NEVER);
	out_rig_read(rig, INT_MAX);
	assert_int_equal(rig->r.lost_ring, 1);
	assert_int_equal(rig->r.lost_xen, 3);
	assert_int_equal(rig->next, rig->sent);
	assert_int_equal(rig->out->count.matched, 1);
	assert_int_equal(rig->out->count.written, 1);
	out_rig_free(rig);
}

static void test_unmap(void **state)
{
	struct out_rig *rig = rig_with(0, 0, 1);

	(void)state;
	while (!rig->out->count.lost)
		out_rig_call(rig);
	hct_out_unmap(rig->out);
	assert_false(hct_out_readable(rig->out));
	assert_int_equal(hct_out_due_ns(rig->out), NEVER);
	out_rig_call(rig);
	assert_int_equal(rig->out->count.paused, 1);
	/* Another ring begins at its begin, with what is owed. */
	out_rig_map(rig, 4);
	rig->next = rig->sent - 2;
	assert_true(out_rig_flush(rig, NEVER));
	assert_int_equal(rig->out->head, LOST_BYTES);
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	assert_int_equal(rig->r.lost_ring, 1);
	rig->next = rig->sent;
	out_rig_call(rig);
	out_rig_flush(rig, NEVER);
	assert_int_equal(out_rig_read(rig, INT_MAX), 1);
	out_rig_free(rig);
}

/* Each impossible data_tail means no more than the last possible one. */
static void test_bad_tails(void **state)
{
	struct out_rig *rig = rig_with(0, 0, 1);
	u64 *tail = (u64 *)(rig->mem + 1032);
	u64 head, bad[6];
	u32 i;

	(void)state;
	out_rig_move(rig, 10 * PAGE);
	while (!rig->out->count.lost)
		out_rig_call(rig);
	head = rig->out->head;
	out_rig_flush(rig, NEVER);
	bad[0] = head + 8;
	bad[1] = 10 * PAGE - 8;		/* before where it was */
	bad[2] = 0;
	bad[3] = NEVER;
	bad[4] = head + (1ull << 63);
	bad[5] = head + PAGE;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		*tail = bad[i];
		out_rig_call(rig);
		out_rig_flush(rig, NEVER);
		assert_int_equal(rig->out->head, head);
		assert_int_equal(rig->out->tail, 10 * PAGE);
		assert_int_equal(rig->out->count.lost, i + 2);
	}
	/* Nobody waits for what is behind or far ahead of it. */
	*tail = head + 8;
	assert_false(hct_out_readable(rig->out));
	*tail = head - PAGE - 8;
	assert_false(hct_out_readable(rig->out));
	*tail = 10 * PAGE;
	assert_true(hct_out_readable(rig->out));
	out_rig_drain(rig);
	assert_int_equal(rig->r.lost_ring, 7);
	out_rig_free(rig);
}

/* Whatever is done to the memory, the writer goes its way: nobody else can tell. */
static void test_scribbler(void **state)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;
	struct hct_out *bad;
	u32 *mem;
	u64 seed = 4711;
	u32 i, n;

	(void)state;
	rig = out_rig_new(&cfg, 4);
	bad = out_new(&cfg);
	mem = aligned_alloc(PAGE, 3 * PAGE);
	assert_non_null(mem);
	memset(mem, 0, 3 * PAGE);
	hct_out_map(bad, (struct perf_event_mmap_page *)mem, 2);
	for (i = 0; i < 100000; i++) {
		const struct xen_hctrace_call call = { .tsc = i };
		const struct hct_loss_event loss = { .at.pcpu = i % 4096, .count = i % 3 };

		hct_out_call(bad, &call);
		if (i % 10 == 0)
			hct_out_loss(bad, &loss);
		if (i % 16 == 0)
			hct_out_flush(bad, i);
		if (out_rig_call(rig))
			out_rig_read(rig, INT_MAX);
		for (n = 0; n < 20; n++)
			mem[rig_random(&seed, 3 * PAGE / 4)] = rig_random(&seed, UINT_MAX);
		/* Sometimes a tail that can be, or nearly */
		if (i % 3 == 0)
			*(u64 *)(mem + 1032 / 4) = bad->head - rig_random(&seed, 3 * PAGE);
		hct_out_readable(bad);
		assert_int_equal(bad->count.matched, bad->count.written + bad->count.lost);
		assert_true(bad->head - bad->tail <= 2 * PAGE && bad->head % 8 == 0);
		assert_int_equal(bad->size, 2 * PAGE);
	}
	assert_true(bad->count.lost && bad->count.written);
	out_rig_drain(rig);
	assert_int_equal(rig->r.calls, 100000);
	/* Once it behaves, all is well again. */
	free(rig->mem);
	free(rig->out);
	rig->mem = (u8 *)mem;
	rig->out = bad;
	rig->r.page = rig->mem;
	rig->wakeups = bad->count.wakeups;
	bad->page->data_offset = PAGE;
	bad->page->data_size = 2 * PAGE;
	bad->page->data_head = bad->head;
	bad->page->data_tail = bad->head;
	bad->published = bad->head;
	rig->r.tail = bad->head;
	rig->r.head = bad->head;
	rig->r.calls = bad->count.written;
	out_rig_flush(rig, NEVER);
	out_rig_read(rig, INT_MAX);
	rig->next = rig->sent;
	for (i = 0; i < 1000; i++) {
		out_rig_call(rig);
		out_rig_flush(rig, NEVER);
		out_rig_read(rig, INT_MAX);
	}
	assert_int_equal(rig->next, rig->sent);
	out_rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watermark),
		cmocka_unit_test(test_watermark_bounds),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_reader_ahead),
		cmocka_unit_test(test_latency_without_time),
		cmocka_unit_test(test_ready_at_loss),
		cmocka_unit_test(test_small_ring),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_unmap),
		cmocka_unit_test(test_bad_tails),
		cmocka_unit_test(test_scribbler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
