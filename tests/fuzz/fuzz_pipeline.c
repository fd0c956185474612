// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as the content of rings, through rounds, merge, decoder and tables.
 *
 *   byte 0     bits 0-1 rings - 1, 2-3 profile, 4 draft, 5 filters, 6 broken prod,
 *              7 statistics off
 *   byte 1     budget of a run, less 1
 *   byte 2     rounds, less 1, in the low 3 bits; the rest is unused
 *   byte 3     where in the ring it begins
 *   from 4 on  the rings' content, in equal shares
 */
#include <hctrace/pipeline.h>

#include "fuzz.h"

#define MAX_RINGS	4
#define RING_BYTES	HCT_XEN_PAGE_SIZE
#define X		(RING_BYTES - 8)

struct input {
	u8 flags;
	u32 budget;
	u32 rounds;
	u32 start;
	const u8 *data;
	size_t share;	/* bytes of content for each ring */
};

static struct hct_account acct;
static struct hct_vcpu_table vcpus;
static struct hct_ring rings[MAX_RINGS];

static u32 advance(u32 index, u32 bytes)
{
	return (index + bytes) % (2 * X);
}

/* The content, laid around the end of the data if it begins close to it. */
static void fill(u32 *mem, const u8 *data, size_t len, u32 start)
{
	size_t i;

	memset(mem, 0, RING_BYTES);
	for (i = 0; i < len; i++)
		((u8 *)mem)[8 + (start + i) % X] = data[i];
}

static void check_ring(const struct hct_counters *c)
{
	must(c->consumed == c->skipped + c->undecodable + c->events);
	must(c->events == c->attributed + c->unattributed);
	must(c->malformed <= c->events && c->filtered <= c->events);
}

static u64 sum_rows(const struct hct_domain *rows, u32 nr)
{
	u64 sum = 0;
	unsigned int kind, i;

	for (; nr; nr--, rows++) {
		for (kind = 0; kind < HCT_NR_KINDS; kind++) {
			for (i = 0; i < HCT_NR_CELLS; i++)
				sum += rows->cells[kind][i].calls + rows->cells[kind][i].cont;
		}
	}
	return sum;
}

/* Whatever was not left out stands in exactly one cell. */
static void check_tables(const struct hct_pipeline *p)
{
	struct hct_counters total;

	hct_pipeline_total(p, &total);
	check_ring(&total);
	must(sum_rows(acct.special, HCT_NR_SPECIAL_ROWS) + sum_rows(acct.domains, acct.nr) ==
	     total.events - total.filtered);
}

/* What a sink is told must add up with the ledger. */
static u64 calls, losses;

static void on_call(void *ctx, const struct xen_hctrace_call *call)
{
	(void)ctx;
	must(call->kind < HCT_NR_KINDS);
	must(call->domid != XEN_HCTRACE_UNKNOWN || call->vcpu == XEN_HCTRACE_UNKNOWN);
	calls++;
}

static void on_batch(void *ctx, const struct hct_batch_event *batch)
{
	(void)ctx;
	must(batch->id && batch->seen <= batch->declared);
}

static void on_loss(void *ctx, const struct hct_loss_event *loss)
{
	(void)ctx;
	losses += loss->count;
}

static const struct hct_sink sink = { .call = on_call, .batch = on_batch, .loss = on_loss };

static void check_sink(const struct hct_pipeline *p)
{
	struct hct_counters total;

	hct_pipeline_total(p, &total);
	must(calls == total.events);
	must(losses == total.lost + total.lost_before);
}

static void set_up(struct hct_pipeline *p, const struct input *in)
{
	struct hct_settings settings;

	calls = 0;
	losses = 0;
	memset(rings, 0, sizeof(rings));
	hct_account_reset(&acct);
	memset(acct.generations, 0, sizeof(acct.generations));
	memset(&vcpus, 0, sizeof(vcpus));
	hct_pipeline_init(p, &acct, &vcpus, NULL);
	hct_pipeline_attach(p, rings, 1 + (in->flags & 3));
	hct_settings_init(&settings, ((in->flags >> 2) & 3) % HCT_NR_PROFILES);
	settings.kinds[HCT_KIND_DRAFT] = in->flags & 0x10;
	if (in->flags & 0x20) {
		settings.all_ops = false;
		settings.ops = 0x2004002;
		settings.all_domains = false;
		settings.domains[0] = 0x55;
	}
	hct_pipeline_set(p, &settings, !(in->flags & 0x80));
	hct_pipeline_learn_by_switch(p, settings.profile == HCT_PROFILE_HVM);
	hct_pipeline_serve(p, &sink);
}

/* One round: Xen has written a part more of each ring. */
static void round_once(struct hct_pipeline *p, u32 **mem, const struct input *in, u32 round)
{
	u32 share = in->share & ~3u;
	bool last = round + 1 == in->rounds;
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		u32 part = last ? share : share / in->rounds * (round + 1) & ~3u;

		mem[i][1] = advance(in->start, part);
		if (in->flags & 0x40 && last && !i)
			mem[i][1] ^= in->data[0] << 5;
	}
	/* Somebody else moves cons, while there is something to read. */
	if (in->flags & 0x40 && round == 1 && !last && in->share)
		mem[0][0] ^= in->data[in->share - 1] << 3;
	hct_round_begin(p, last);
	while (hct_round_run(p, in->budget))
		must(p->pending);
	if (round == 1)
		hct_pipeline_gap(p);
	if (round == 2)
		hct_account_tick(&acct, 1000);
	for (i = 0; i < p->nr_rings; i++)
		check_ring(&p->rings[i].count);
}

static void run(const struct input *in)
{
	struct hct_pipeline p = { .nr_rings = 0 };
	u32 *mem[MAX_RINGS], *before[MAX_RINGS];
	u32 round, i;

	set_up(&p, in);
	for (i = 0; i < p.nr_rings; i++) {
		mem[i] = malloc(RING_BYTES);
		before[i] = malloc(RING_BYTES);
		must(mem[i] && before[i]);
		fill(mem[i], in->data + i * in->share, in->share, in->start);
		mem[i][1] = in->start;
		must(hct_cursor_attach(&rings[i].cur, mem[i], 1) == HCT_RING_OK);
		memcpy(before[i], mem[i], RING_BYTES);
	}
	hct_pipeline_start(&p);

	for (round = 0; round < in->rounds; round++)
		round_once(&p, mem, in, round);
	check_tables(&p);
	check_sink(&p);
	for (i = 0; i < p.nr_rings; i++) {
		/* Read to the end, or given up for good; written to: only cons. */
		must(rings[i].fault || mem[i][0] == mem[i][1]);
		must(mem[i][0] < 2 * X && !(mem[i][0] & 3));
		must(!memcmp(mem[i] + 2, before[i] + 2, X));
		free(mem[i]);
		free(before[i]);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in;

	if (size < 5)
		return 0;
	in.flags = data[0];
	in.budget = 1 + data[1];
	in.rounds = 1 + (data[2] & 7);
	in.start = advance(0, data[3] * 32 & ~3u);
	in.data = data + 4;
	in.share = (size - 4) / (1 + (in.flags & 3));
	if (in.share > X)
		in.share = X;
	run(&in);
	return 0;
}
