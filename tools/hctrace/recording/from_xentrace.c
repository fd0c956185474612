// SPDX-License-Identifier: GPL-2.0
/* Recordings of xentrace: their records go through the core as in the module. */
#include <stdio.h>

#include <hctrace/skim.h>

#include "base/exit.h"
#include "base/progress.h"
#include "formats/xentrace_read.h"
#include "recording.h"
#include "source.h"

/* RUNSTATE_CHANGE has both states in its minor number. */
#define RUNSTATE_BITS	0x0ffff00fu
#define RUNSTATE_ID	0x00021001u

static bool add_pcpu(void *ctx, u32 stream, u32 pcpu)
{
	return recording_add_pcpu(ctx, stream, pcpu);
}

/*
 * Switches say who runs where no runstates were asked for, which nobody tells us.
 * So they are believed until the first runstate turns up.
 */
static void learn_authority(struct recording *rec, u32 header)
{
	u32 i;

	if (rec->has_runstates || (header & RUNSTATE_BITS) != RUNSTATE_ID)
		return;
	rec->has_runstates = true;
	hct_pipeline_learn_by_switch(&rec->p, false);
	for (i = 0; i < rec->p.nr_rings; i++)
		hct_ring_gap(&rec->p, &rec->p.rings[i]);
}

static bool feed(void *ctx, u32 stream, u64 tsc, const u32 *words, unsigned int nr_words)
{
	struct recording *rec = ctx;

	if (!recording_move_on(rec, tsc))
		return false;
	learn_authority(rec, words[0]);
	hct_pipeline_feed(&rec->p, &rec->p.rings[stream], words, nr_words);
	return true;
}

/* Feed a record, if it is whole and neither is it another ring's turn nor time for anything. */
static u32 feed_in_turn(struct recording *rec, struct hct_ring *ring, const u32 *words,
			u32 nr_words, u64 from, u64 until)
{
	u64 time;
	u32 size;

	if (!nr_words || !xen_trc_has_tsc(words[0]))
		return 0;
	size = xen_trc_words(words[0]);
	if (size > nr_words)
		return 0;
	time = words[1] | (u64)words[2] << 32;
	if (time < from || time < ring->tsc || time > until)
		return 0;
	learn_authority(rec, words[0]);
	hct_pipeline_feed(&rec->p, ring, words, size);
	return size;
}

/* While time brings nothing new. */
static u32 feed_row(void *ctx, u32 stream, const u32 *words, u32 nr_words, u64 turn, u64 *tsc)
{
	struct recording *rec = ctx;
	struct hct_ring *ring = &rec->p.rings[stream];
	u64 calm_from = rec->calm_from - rec->shift;
	u64 calm_to = calm_from + rec->calm - 1;
	u32 taken = 0;
	u32 part;

	if (!rec->calm)
		return 0;
	do {
		taken += hct_skim(&rec->p, ring, words + taken, nr_words - taken, calm_to, turn);
		part = feed_in_turn(rec, ring, words + taken, nr_words - taken,
				    calm_from, turn < calm_to ? turn : calm_to);
		taken += part;
	} while (part);
	if (taken) {
		recording_move_on(rec, ring->tsc);
		*tsc = ring->tsc;
	}
	return taken;
}

static void step(void *ctx)
{
	struct recording *rec = ctx;

	hct_pipeline_step(&rec->p);
	rec->gaps[XEN_HCTRACE_GAP_CLOCK]++;
	recording_step(rec);
}

static void gap(void *ctx, u32 stream)
{
	struct recording *rec = ctx;

	hct_ring_gap(&rec->p, &rec->p.rings[stream]);
}

static void at(void *ctx, u64 offset)
{
	progress_at(((struct recording *)ctx)->progress, offset);
}

/* The first name of a domain that is wanted, or NULL. */
static const char *name_of(const struct filter *filter)
{
	unsigned int i;

	for (i = 0; i < filter->nr_domains && !filter->all_domains; i++) {
		if (filter->domains[i].kind == FILTER_NAME)
			return filter->domains[i].text;
	}
	return NULL;
}

static int read_all(struct recording *rec)
{
	const struct xentrace_reader reader = {
		.pcpu = add_pcpu, .row = feed_row, .record = feed, .step = step,
		.gap = gap, .at = at, .ctx = rec,
	};
	int rc;

	if (name_of(&rec->opt.filter)) {
		fprintf(stderr, "hctrace: %s: recordings of xentrace have no names: %s, not '%s'\n",
			rec->in.name, "say --domain 3", name_of(&rec->opt.filter));
		return EXIT_USAGE;
	}
	rc = recording_clock(rec, false);
	if (rc)
		return rc;
	if (xentrace_read(&rec->in, &reader, &rec->damage, &rec->disordered)) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	rec->has_members = rec->p.kinds_seen & 1u << HCT_KIND_MEMBER;
	return 0;
}

const struct recording_source recording_from_xentrace = {
	.name = "xentrace", .is = xentrace_is, .read = read_all,
};
