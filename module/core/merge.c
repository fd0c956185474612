// SPDX-License-Identifier: GPL-2.0
/* Rounds over the rings, merged by TSC; the rules stand in pipeline.h. */
#include <hctrace/pipeline.h>

/*
 * Look once for a place to go on. If there is none now, the ring is out of the merge and
 * the next round looks again.
 */
static void resync_ring(struct hct_ring *ring)
{
	u32 skipped;

	ring->fault = hct_cursor_resync(&ring->cur, &skipped);
	ring->due = ring->cur.pos;
	ring->count.suspected += skipped;
	if (!ring->fault)
		ring->count.resyncs++;
}

/* A ring cannot be read on from where we are. Nothing of it is due in this round any more. */
static void fail_ring(struct hct_pipeline *p, struct hct_ring *ring, enum hct_ring_fault fault)
{
	if (ring->cur.pos < ring->due)
		p->pending--;
	ring->last_fault = fault;
	ring->is_news = true;
	ring->held = 0;
	hct_emit_gap(p, XEN_HCTRACE_GAP_RING, ring->pcpu);
	hct_ring_gap(p, ring);
	resync_ring(ring);
}

void hct_round_begin(struct hct_pipeline *p, bool last)
{
	u32 i;

	p->pending = 0;
	p->fill_percent = 0;
	for (i = 0; i < p->nr_rings; i++) {
		struct hct_ring *ring = &p->rings[i];
		enum hct_ring_fault fault;
		u64 seen_before;
		u32 used;

		if (ring->fault)
			resync_ring(ring);
		if (ring->fault)
			continue;
		seen_before = ring->cur.end;
		ring->due = ring->cur.pos;
		fault = hct_cursor_snapshot(&ring->cur);
		if (fault) {
			fail_ring(p, ring, fault);
			seen_before = ring->cur.pos;
		}
		if (ring->fault)
			continue;

		ring->due = last ? ring->cur.end : seen_before;
		if (ring->cur.pos < ring->due)
			p->pending++;

		used = ring->cur.end - ring->cur.pos;
		if (used > ring->peak_used)
			ring->peak_used = used;
		if (100ull * used / ring->cur.data_size > p->fill_percent)
			p->fill_percent = 100ull * used / ring->cur.data_size;
	}
}

/* When a held record was made, and whether before or after a suspend. */
static void date_record(const struct hct_pipeline *p, struct hct_ring *ring)
{
	u64 tsc = ring->words[1] | (u64)ring->words[2] << 32;

	ring->held_tsc = ring->tsc;
	ring->stepped = false;
	if (!xen_trc_has_tsc(ring->words[0]) || (p->tsc_latest && tsc > p->tsc_latest))
		return;
	ring->held_tsc = tsc;
	ring->stepped = tsc < p->tsc_divide || hct_tsc_fell(ring->tsc, tsc);
}

/* Hold the next record of a ring. Return: whether there is one. */
static bool load_record(struct hct_pipeline *p, struct hct_ring *ring)
{
	int nr_words;

	if (ring->held)
		return true;
	if (ring->fault)
		return false;

	nr_words = hct_cursor_peek(&ring->cur, ring->words);
	if (nr_words < 0) {
		fail_ring(p, ring, HCT_RING_BAD_RECORD);
		return false;
	}
	ring->held = nr_words;
	if (nr_words)
		date_record(p, ring);
	return nr_words;
}

static bool goes_first(const struct hct_ring *a, const struct hct_ring *b)
{
	return a->stepped != b->stepped ? b->stepped : a->held_tsc < b->held_tsc;
}

/*
 * The ring whose next record is the oldest, and how far it may go before it is
 * another one's turn.
 */
static struct hct_ring *oldest_ring(struct hct_pipeline *p, u64 *until)
{
	struct hct_ring *first = NULL;
	u32 i;

	*until = ~0ull;
	for (i = 0; i < p->nr_rings; i++) {
		struct hct_ring *ring = &p->rings[i];

		if (!load_record(p, ring))
			continue;
		if (!first) {
			first = ring;
		} else if (goes_first(ring, first)) {
			if (!first->stepped)
				*until = first->held_tsc;
			first = ring;
		} else if (!ring->stepped && ring->held_tsc < *until) {
			*until = ring->held_tsc;
		}
	}
	return first;
}

static void tell_gaps(struct hct_pipeline *p)
{
	u32 reason;

	for (reason = 0; reason < HCT_NR_GAPS; reason++) {
		if (p->gaps_due & 1u << reason)
			hct_emit_gap(p, reason, XEN_HCTRACE_UNKNOWN);
	}
	p->gaps_due = 0;
}

/* Whether every ring has come to its mark: then no record will tell. */
static bool are_at_gap(const struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		const struct hct_ring *ring = &p->rings[i];

		if (!ring->fault && ring->has_gap && ring->cur.pos < ring->gap_to)
			return false;
	}
	return true;
}

/* What the clock knows of the times that records may have. */
static void look_at_clock(struct hct_pipeline *p)
{
	p->tsc_divide = 0;
	p->tsc_latest = 0;
	if (!p->clock)
		return;
	if (p->clock->epoch == p->clock_epoch)
		p->tsc_latest = hct_clock_latest(p->clock);
	else
		p->tsc_divide = hct_clock_divide(p->clock);
}

/* The same, when all rings may have come to their steps. */
static struct hct_ring *pick_ring(struct hct_pipeline *p, u64 *until)
{
	struct hct_ring *ring = oldest_ring(p, until);
	u32 i;

	if (!ring || !ring->stepped)
		return ring;

	hct_pipeline_step(p);
	look_at_clock(p);
	for (i = 0; i < p->nr_rings; i++) {
		if (p->rings[i].held)
			date_record(p, &p->rings[i]);
	}
	return oldest_ring(p, until);
}

static void consume_record(struct hct_pipeline *p, struct hct_ring *ring)
{
	bool was_due = ring->cur.pos < ring->due;

	if (ring->has_gap && ring->cur.pos >= ring->gap_at) {
		ring->has_gap = ring->cur.pos < ring->gap_to;
		tell_gaps(p);
		hct_ring_gap(p, ring);
	}
	hct_pipeline_feed(p, ring, ring->words, ring->held);
	hct_cursor_skip(&ring->cur, ring->held);
	ring->held = 0;
	if (was_due && ring->cur.pos >= ring->due)
		p->pending--;
}

bool hct_round_run(struct hct_pipeline *p, u32 budget)
{
	struct hct_ring *ring;
	u64 until;
	u32 i;

	look_at_clock(p);
	while (budget && p->pending) {
		ring = pick_ring(p, &until);
		/* Loading the next record may have found the last due ring faulty. */
		if (!ring)
			break;
		do {
			consume_record(p, ring);
			budget--;
		} while (budget && p->pending && load_record(p, ring) && !ring->stepped &&
			 ring->held_tsc <= until);
	}

	if (p->gaps_due && are_at_gap(p))
		tell_gaps(p);
	for (i = 0; i < p->nr_rings; i++) {
		enum hct_ring_fault fault = HCT_RING_OK;

		if (!p->rings[i].fault)
			fault = hct_cursor_publish(&p->rings[i].cur);
		if (fault)
			fail_ring(p, &p->rings[i], fault);
	}
	return p->pending;
}

void hct_pipeline_gap(struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		struct hct_ring *ring = &p->rings[i];
		struct hct_cursor now = ring->cur;

		if (ring->fault || hct_cursor_snapshot(&now))
			continue;
		if (!ring->has_gap)
			ring->gap_at = now.end;
		ring->gap_to = now.end;
		ring->has_gap = true;
	}
}

void hct_pipeline_tell_gap(struct hct_pipeline *p, enum xen_hctrace_gap reason)
{
	hct_pipeline_gap(p);
	p->gaps_due |= 1u << reason;
}

void hct_pipeline_forgive(struct hct_pipeline *p)
{
	u32 i;

	hct_breaker_forgive(&p->breaker);
	for (i = 0; i < p->nr_rings; i++) {
		struct hct_ring *ring = &p->rings[i];
		struct hct_cursor now = ring->cur;

		if (!ring->fault && !hct_cursor_snapshot(&now))
			ring->forgiven_to = now.end;
	}
}

void hct_rings_look(struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++)
		p->rings[i].seen_prod = hct_cursor_prod(&p->rings[i].cur);
}

bool hct_rings_moved(const struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		const struct hct_ring *ring = &p->rings[i];

		/* What finds no room is recorded by no movement. */
		if (hct_cursor_prod(&ring->cur) != ring->seen_prod ||
		    hct_cursor_is_full(&ring->cur))
			return true;
	}
	return false;
}

void hct_pipeline_forgotten(struct hct_pipeline *p)
{
	u32 i;

	for (i = 0; i < p->nr_rings; i++) {
		if (p->rings[i].fault || !hct_cursor_may_have_lost(&p->rings[i].cur))
			continue;
		p->rings[i].count.forgotten++;
		p->uncounted++;
	}
}
