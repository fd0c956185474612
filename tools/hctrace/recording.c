// SPDX-License-Identifier: GPL-2.0
/* See recording.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hctrace.h"
#include "progress.h"
#include "recording.h"
#include "xentrace_read.h"

/*
 * What the pipeline wants to be told "every second or so", if nobody knows how
 * long a second is: half a second to two on all machines there are.
 */
#define SECOND_OR_SO	0x80000000ull

/* A clock that is so many of these ahead was set back, or never was there. */
#define MAX_AHEAD	64

/* RUNSTATE_CHANGE has both states in its minor number. */
#define RUNSTATE_BITS	0x0ffff00fu
#define RUNSTATE_ID	0x00021001u

/* --- time ------------------------------------------------------------------- */

static u64 times_of(const struct recording *rec, u64 ns)
{
	return (double)ns * rec->hz / 1e9;
}

double recording_seconds(const struct recording *rec, u64 time)
{
	return (double)(s64)(time - rec->first) / rec->hz;
}

static void start(struct recording *rec)
{
	rec->started = true;
	rec->p.sink = rec->sink;
	/* What came before taught us who runs where; it is not counted. */
	hct_pipeline_reset(&rec->p);
}

static void tick(struct recording *rec, u64 time)
{
	u64 period = rec->hz ? rec->hz : SECOND_OR_SO;

	if (time < rec->next_tick && rec->next_tick - time < MAX_AHEAD * period)
		return;
	hct_pipeline_tick(&rec->p, 1000);
	rec->next_tick = time + period;
}

/* A record of this time comes. Return: whether it is still wanted. */
static bool move_on(struct recording *rec, u64 time)
{
	u64 elapsed;

	/* Some have no time, and nothing came before them. */
	if (!time)
		return true;
	if (!rec->has_first) {
		rec->has_first = true;
		rec->first = time;
	}
	elapsed = time > rec->first ? time - rec->first : 0;
	if (!rec->started && elapsed >= rec->since)
		start(rec);
	if (elapsed > rec->until)
		return false;
	if (time > rec->last)
		rec->last = time;
	tick(rec, time);
	return true;
}

/* --- records of xentrace ---------------------------------------------------- */

static bool add_pcpu(void *ctx, u32 stream, u32 pcpu)
{
	struct recording *rec = ctx;
	struct hct_ring *ring;

	if (stream == rec->room) {
		u32 room = rec->room ? 2 * rec->room : 16;
		struct hct_ring *rings = realloc(rec->p.rings, room * sizeof(*rings));

		if (!rings)
			return false;
		rec->p.rings = rings;
		rec->room = room;
	}
	ring = &rec->p.rings[stream];
	memset(ring, 0, sizeof(*ring));
	hct_attr_gap(&ring->attr);
	ring->attr.by_switch = rec->p.by_switch;
	ring->pcpu = pcpu;
	ring->fresh = true;
	rec->p.nr_rings = stream + 1;
	return true;
}

/*
 * Switches say who runs where no runstates were asked for, which nobody tells us.
 * So they are believed until the first runstate turns up.
 */
static void learn_kind(struct recording *rec, u32 header)
{
	u32 i;

	if (xen_trc_event(header) == XEN_TRC_PV_SUBCALL)
		rec->has_members = true;
	if (rec->has_runstates || (header & RUNSTATE_BITS) != RUNSTATE_ID)
		return;
	rec->has_runstates = true;
	rec->p.by_switch = false;
	for (i = 0; i < rec->p.nr_rings; i++)
		hct_ring_gap(&rec->p, &rec->p.rings[i]);
}

static bool feed(void *ctx, u32 stream, u64 tsc, const u32 *words, unsigned int nr_words)
{
	struct recording *rec = ctx;
	struct hct_ring *ring = &rec->p.rings[stream];
	u64 counted;

	if (!move_on(rec, tsc))
		return false;
	learn_kind(rec, words[0]);
	counted = ring->count.events - ring->count.filtered;
	hct_pipeline_feed(&rec->p, ring, words, nr_words);
	if (rec->on_counted && ring->count.events - ring->count.filtered > counted && rec->started)
		rec->on_counted(rec->on_counted_ctx, tsc);
	return true;
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

static int read_xentrace(struct recording *rec)
{
	const struct xentrace_reader reader = {
		.pcpu = add_pcpu, .record = feed, .gap = gap, .at = at, .ctx = rec,
	};

	rec->format = "xentrace";
	rec->hz = rec->opt.tsc_khz * 1000;
	if (!rec->hz && (rec->opt.since_ns || rec->opt.until_ns != ~0ull)) {
		fprintf(stderr,
			"hctrace: --since and --until need the rate of the TSC: --tsc-mhz\n");
		return EXIT_USAGE;
	}
	rec->since = times_of(rec, rec->opt.since_ns);
	rec->until = rec->opt.until_ns == ~0ull ? ~0ull : times_of(rec, rec->opt.until_ns);
	if (!rec->since)
		start(rec);
	if (xentrace_read(&rec->in, &reader, &rec->damage, &rec->disordered)) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	return 0;
}

/* --- all of it -------------------------------------------------------------- */

int recording_init(struct recording *rec, const struct recording_options *opt,
		   const struct hct_sink *sink)
{
	memset(rec, 0, sizeof(*rec));
	rec->opt = *opt;
	rec->p.settings = opt->settings;
	rec->sink = sink;
	rec->p.by_switch = true;
	rec->p.acct = calloc(1, sizeof(*rec->p.acct));
	rec->p.vcpus = calloc(1, sizeof(*rec->p.vcpus));
	if (!rec->p.acct || !rec->p.vcpus) {
		fprintf(stderr, "hctrace: out of memory\n");
		return -1;
	}
	hct_vcpu_init(rec->p.vcpus, rec->p.acct);
	hct_pipeline_start(&rec->p);
	if (input_open(&rec->in, opt->path))
		return -1;
	if (!opt->quiet)
		rec->progress = progress_new(rec->in.size);
	return 0;
}

void recording_free(struct recording *rec)
{
	free(rec->p.rings);
	free(rec->p.vcpus);
	free(rec->p.acct);
	input_close(&rec->in);
}

static bool is_damaged(const struct recording *rec)
{
	struct hct_counters total;

	hct_pipeline_total(&rec->p, &total);
	return rec->damage.places || total.undecodable;
}

int recording_read(struct recording *rec)
{
	int rc = read_xentrace(rec);

	progress_end(rec->progress);
	rec->progress = NULL;
	if (rc)
		return rc;
	/* The wanted part never came. */
	if (!rec->started)
		start(rec);
	if (!rec->hz)
		fprintf(stderr, "hctrace: times are in cycles: --tsc-mhz says how long one is\n");
	if (rec->in.error) {
		fprintf(stderr, "hctrace: %s: %s\n", rec->in.name, strerror(rec->in.error));
		return EXIT_TROUBLE;
	}
	if (!rec->has_first && !rec->damage.places) {
		fprintf(stderr, "hctrace: %s: there is no record in it\n", rec->in.name);
		return EXIT_DAMAGED;
	}
	if (rec->disordered)
		fprintf(stderr, "hctrace: too much at once for a pipe: pCPUs may be out of step\n");
	return is_damaged(rec) ? EXIT_DAMAGED : 0;
}
