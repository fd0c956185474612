// SPDX-License-Identifier: GPL-2.0
/* Recordings in perf's format: their events were made by the core when recorded. */
#include <stdio.h>
#include <stdlib.h>

#include "base/exit.h"
#include "base/progress.h"
#include "formats/perfdata_read.h"
#include "recording.h"
#include "replay.h"
#include "source.h"

/**
 * struct source - the state of reading
 * @status: an exit status, once reading had to stop
 * @has_clock: the first event has told what times are
 * @ring_of: index of the ring of a pCPU, plus one
 */
struct source {
	struct recording *rec;
	struct replay *replay;
	int status;
	bool has_clock;
	u32 ring_of[XENTRACE_MAX_PCPUS];
};

static struct hct_ring *ring_of(struct source *src, u16 pcpu)
{
	struct recording *rec = src->rec;

	if (!src->ring_of[pcpu]) {
		if (!recording_add_pcpu(rec, rec->p.nr_rings, pcpu))
			return NULL;
		src->ring_of[pcpu] = rec->p.nr_rings;
	}
	return &rec->p.rings[src->ring_of[pcpu] - 1];
}

/* The first of all tells what times are. Return: whether to go on. */
static bool set_clock(struct source *src, bool ns)
{
	if (src->has_clock)
		return true;
	src->has_clock = true;
	src->status = recording_clock(src->rec, ns);
	return !src->status;
}

static bool take_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct source *src = ctx;
	struct recording *rec = src->rec;
	struct hct_ring *ring;
	u64 time;

	if (!set_clock(src, !(call->flags & XEN_HCTRACE_F_NO_NS)))
		return false;
	ring = ring_of(src, call->pcpu);
	if (!ring) {
		src->status = EXIT_TROUBLE;
		fprintf(stderr, "hctrace: out of memory\n");
		return false;
	}
	if (!replay_is_sane(call)) {
		ring->count.consumed++;
		ring->count.undecodable++;
		return true;
	}

	time = rec->ns_times ? call->ns : call->tsc;
	if (!recording_move_on(rec, time))
		return false;
	rec->has_members |= call->kind == HCT_KIND_MEMBER;
	replay_call(src->replay, ring, call);
	if (rec->p.sink && rec->p.sink->call)
		rec->p.sink->call(rec->p.sink->ctx, call);
	return true;
}

static void take_gap(struct source *src, u32 reason)
{
	struct recording *rec = src->rec;
	u64 last = rec->last - rec->shift;
	const struct hct_loss_event event = {
		.at = { .tsc = last, .ns = last, .pcpu = XEN_HCTRACE_UNKNOWN },
		.gap = reason < HCT_NR_GAPS ? reason : 0,
	};

	/* A newer module may have other reasons. */
	rec->gaps[event.gap]++;
	rec->p.uncounted += hct_gap_hides(event.gap);
	if (rec->p.sink && rec->p.sink->loss)
		rec->p.sink->loss(rec->p.sink->ctx, &event);
	if (event.gap == XEN_HCTRACE_GAP_CLOCK)
		recording_step(rec);
}

/* Multicalls have numbers of their own in each recording. */
static void take_another(void *ctx)
{
	struct source *src = ctx;

	replay_cut(src->replay);
	recording_step(src->rec);
}

static void take_lost(void *ctx, u64 which, u64 lost)
{
	struct source *src = ctx;
	struct recording *rec = src->rec;
	struct hct_loss_event event = {
		.at = { .tsc = rec->last - rec->shift, .ns = rec->last - rec->shift },
		.count = lost,
	};
	struct hct_ring *ring;

	if (which == XEN_HCTRACE_LOST_RING) {
		rec->lost_recorder += lost;
		return;
	}
	if (XEN_HCTRACE_LOST_IS_GAP(which)) {
		take_gap(src, which - XEN_HCTRACE_LOST_GAP(0));
		return;
	}
	if (which > XENTRACE_MAX_PCPUS)
		return;
	event.at.pcpu = which - XEN_HCTRACE_LOST_XEN(0);
	ring = ring_of(src, event.at.pcpu);
	if (!ring)
		return;
	ring->count.lost += lost;
	if (rec->p.sink && rec->p.sink->loss)
		rec->p.sink->loss(rec->p.sink->ctx, &event);
}

static void take_comm(void *ctx, u32 pid, u32 tid, const struct domname *what)
{
	struct source *src = ctx;

	if (pid < XEN_DOMID_FIRST_RESERVED && tid >= XEN_HCTRACE_TID(0, 0))
		recording_set_name(src->rec, pid, what);
}

static bool take_domain(void *ctx, const struct hct_domain_event *domain)
{
	struct source *src = ctx;
	struct recording *rec = src->rec;

	if (!set_clock(src, domain->at.ns) || !recording_move_on(rec, domain->at.ns))
		return false;
	if (rec->p.sink && rec->p.sink->domain)
		rec->p.sink->domain(rec->p.sink->ctx, domain);
	replay_domain(src->replay, domain->domid);
	recording_new_domain(rec, domain->domid);
	return true;
}

static void at(void *ctx, u64 offset)
{
	progress_at(((struct source *)ctx)->rec->progress, offset);
}

static int read_all(struct recording *rec)
{
	struct source *src = calloc(1, sizeof(*src));
	const struct perfdata_reader reader = {
		.call = take_call, .lost = take_lost, .comm = take_comm,
		.domain = take_domain, .another = take_another, .at = at, .ctx = src,
	};
	int status = EXIT_TROUBLE;

	if (src)
		src->replay = replay_new(rec);
	if (!src || !src->replay) {
		fprintf(stderr, "hctrace: out of memory\n");
	} else {
		src->rec = rec;
		if (!perfdata_read(&rec->in, &reader, &rec->damage))
			status = src->status;
	}
	if (src)
		replay_free(src->replay);
	free(src);
	return status;
}

const struct recording_source recording_from_perfdata = {
	.name = "perf.data", .is = perfdata_is, .read = read_all,
};
