// SPDX-License-Identifier: GPL-2.0
/* Test support; see out_rig.h. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "out_rig.h"

#define BASE_NS	1000

/* The one in use: a test that fails leaves it behind for the next to give back. */
static struct out_rig *in_use;

static void give_back(void)
{
	if (!in_use)
		return;
	free(in_use->mem);
	free(in_use->out);
	free(in_use);
	in_use = NULL;
}

static void see_call(void *ctx, const unsigned char *bytes)
{
	struct out_rig *rig = ctx;
	struct xen_hctrace_call call;

	memcpy(&call, bytes, sizeof(call));
	assert_int_equal(call.tsc, rig->next);
	assert_int_equal(call.ns, BASE_NS + call.tsc);
	assert_int_equal(call.a0, (u32)call.tsc * 3);
	assert_int_equal(call.pcpu, call.tsc % 7);
	rig->next++;
}

static void see_lost(void *ctx, uint64_t id, uint64_t count)
{
	struct out_rig *rig = ctx;

	if (!id)
		rig->next += count;
}

struct hct_out_config out_config(void)
{
	return (struct hct_out_config){ .filter.kinds = 1, .common_type = 0x456 };
}

struct hct_out *out_new(const struct hct_out_config *cfg)
{
	size_t bytes = sizeof(struct hct_out) + hct_out_due_bytes(cfg);
	struct hct_out *out = malloc(bytes);

	assert_non_null(out);
	memset(out, 0xa5, bytes);
	hct_out_init(out, cfg, true, out + 1);
	return out;
}

struct out_rig *out_rig_new(const struct hct_out_config *cfg, u32 pages)
{
	struct out_rig *rig;

	alarm(120);
	give_back();
	rig = calloc(1, sizeof(*rig));
	assert_non_null(rig);
	in_use = rig;
	rig->out = out_new(cfg);
	rig->r.with_ids = cfg->with_ids && !cfg->raw_mask;
	rig->r.raw = cfg->raw_mask;
	rig->r.on_call = see_call;
	rig->r.on_lost = see_lost;
	rig->r.ctx = rig;
	if (pages)
		out_rig_map(rig, pages);
	return rig;
}

void out_rig_map(struct out_rig *rig, u32 pages)
{
	size_t bytes = (1 + pages) * (size_t)PAGE;

	free(rig->mem);
	rig->mem = aligned_alloc(PAGE, bytes);
	assert_non_null(rig->mem);
	memset(rig->mem, 0, PAGE);
	/* What is not written must not be taken for a record. */
	memset(rig->mem + PAGE, 0xee, bytes - PAGE);
	rig->pages = pages;
	rig->r.page = rig->mem;
	rig->r.head = 0;
	rig->r.tail = 0;
	hct_out_map(rig->out, (struct perf_event_mmap_page *)rig->mem, pages);
}

void out_rig_move(struct out_rig *rig, u64 pos)
{
	struct hct_out *out = rig->out;

	assert_int_equal(out->head, rig->r.tail);
	assert_int_equal(out->raw_bytes, 0);
	out->head = pos;
	out->tail = pos;
	out->published = pos;
	out->ready_head = pos;
	out->page->data_head = pos;
	out->page->data_tail = pos;
	rig->r.head = pos;
	rig->r.tail = pos;
}

static bool note(struct out_rig *rig, bool wake)
{
	rig->wakeups += wake;
	out_rig_check(rig);
	return wake;
}

bool out_rig_call(struct out_rig *rig)
{
	const struct xen_hctrace_call call = {
		.tsc = rig->sent,
		.ns = BASE_NS + rig->sent,
		.op = HCT_OP_iret,
		.a0 = (u32)rig->sent * 3,
		.domid = 1,
		.pcpu = rig->sent % 7,
	};

	rig->sent++;
	return note(rig, hct_out_call(rig->out, &call));
}

bool out_rig_loss(struct out_rig *rig, u16 pcpu, u32 count)
{
	const struct hct_loss_event loss = {
		.at = { .ns = BASE_NS + rig->sent, .pcpu = pcpu },
		.count = count,
	};

	return note(rig, hct_out_loss(rig->out, &loss));
}

bool out_rig_gap(struct out_rig *rig, u8 reason, u16 pcpu)
{
	const struct hct_loss_event gap = {
		.at = { .ns = BASE_NS + rig->sent, .pcpu = pcpu },
		.gap = reason,
	};

	return note(rig, hct_out_loss(rig->out, &gap));
}

bool out_rig_flush(struct out_rig *rig, u64 now_ns)
{
	return note(rig, hct_out_flush(rig->out, now_ns));
}

int out_rig_read(struct out_rig *rig, int max)
{
	int nr = reader_read(&rig->r, max);

	if (rig->r.error)
		fail_msg("the reader at %ju: %s", (uintmax_t)rig->r.tail, rig->r.error);
	return nr;
}

void out_rig_drain(struct out_rig *rig)
{
	const struct hct_out_counters *count = &rig->out->count;

	do {
		out_rig_flush(rig, BASE_NS + rig->sent);
	} while (out_rig_read(rig, INT_MAX));
	assert_int_equal(rig->r.lost_ring, count->lost);
	assert_int_equal(rig->r.lost_xen, count->xen_lost);
	assert_int_equal(rig->r.calls + rig->r.raw_records, count->written);
	assert_int_equal(rig->out->lost_due, 0);
	assert_int_equal(rig->out->nr_xen_due, 0);
	assert_false(hct_out_readable(rig->out));
}

void out_rig_check(const struct out_rig *rig)
{
	const struct hct_out *out = rig->out;

	assert_int_equal(out->count.matched,
			 out->count.written + out->count.lost + out->count.paused);
	assert_int_equal(out->count.wakeups, rig->wakeups);
	if (!out->page)
		return;
	assert_true(out->head - out->tail <= out->size);
	assert_true(out->published <= out->head);
	assert_true(out->ready_head <= out->published);
}

void out_rig_free(struct out_rig *rig)
{
	out_rig_check(rig);
	give_back();
}

void check_bytes(const u8 *at, const char *hex)
{
	unsigned int i;

	for (i = 0; *hex; hex += 2, i++) {
		char digits[3] = { 0 };

		while (*hex == ' ')
			hex++;
		memcpy(digits, hex, 2);
		if (at[i] != strtoul(digits, NULL, 16))
			fail_msg("byte %u is %02x, not %s", i, at[i], digits);
	}
}
