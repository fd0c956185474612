// SPDX-License-Identifier: GPL-2.0
/*
 * See xentrace_read.h. A stream is one pCPU: at most one window that is due in
 * this round and one of the pass behind it. Those with records left stand in a
 * heap, the oldest record on top.
 */
#include <stdlib.h>
#include <string.h>

#include <hctrace/xen_trace.h>

#include "xentrace_read.h"

#define POOL_BYTES	(8u << 20)	/* shared out among the streams */
#define SHARE_MAX_BYTES	65536u
#define RECORD_BYTES	(4 * XEN_TRC_MAX_WORDS)
#define KEY_STALLED	(~0ull)
#define KEY_STEPPED	(KEY_STALLED - 1)

/*
 * Counters of two pCPUs that differ by more than this, some tens of milliseconds, are
 * not in step; windows that are not in the order in which they were written differ by more.
 */
#define MAX_SKEW	0x4000000ull

/**
 * struct stream - one pCPU's place in the file
 * @due: its window of the pass that ends with this round
 * @next: its window of the pass behind it
 * @pos: of the bytes in @buf, already passed on
 * @have: how many they are
 * @buf: the input at @due.at, or at @next.at if @due is read
 * @pcpu: Xen's CPU id
 * @tsc: of the last record that had one
 * @key: time of the record on top; KEY_STEPPED: it is older than the one before it;
 *	KEY_STALLED: a pipe cannot show it yet
 * @behind: offset of the last window that was found to be behind other streams, plus one
 */
struct stream {
	struct window due;
	struct window next;
	u32 pos;
	u32 have;
	u8 *buf;
	u32 pcpu;
	u64 tsc;
	u64 key;
	u64 behind;
};

/** struct place - a stream in the heap; @key is a copy of its own */
struct place {
	u64 key;
	u32 stream;
};

/**
 * struct merge - all of them
 * @share: bytes of @pool for each stream
 * @nr_shares: streams it was shared out to
 * @newest: time up to which records were passed on
 * @pending: a window that begins the next pass, if @has_pending
 * @heap: streams that have windows
 * @at_end: there are no more windows
 * @stream_of: by pCPU, one more than its number; 0: none yet
 */
struct merge {
	struct scan scan;
	const struct xentrace_reader *reader;
	bool *disordered;
	struct stream *streams;
	u32 nr_streams;
	u32 room;
	u32 share;
	u32 nr_shares;
	u32 nr_due;
	u64 newest;
	bool has_pending;
	bool at_end;
	struct window pending;
	struct place *heap;
	u32 heap_size;
	u8 *pool;
	size_t pool_bytes;
	u32 *stream_of;
};

static bool has_left(const struct window *window)
{
	return window->at < window->end;
}

/* --- the heap --------------------------------------------------------------- */

/* Streams of the same time go in the order of their numbers, whatever was before. */
static bool goes_first(const struct place *a, const struct place *b)
{
	return a->key != b->key ? a->key < b->key : a->stream < b->stream;
}

static void sift_down(struct merge *m, u32 at)
{
	struct place *heap = m->heap;
	const struct place moved = heap[at];
	u32 child;

	while ((child = 2 * at + 1) < m->heap_size) {
		if (child + 1 < m->heap_size && goes_first(&heap[child + 1], &heap[child]))
			child++;
		if (!goes_first(&heap[child], &moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static void heapify(struct merge *m)
{
	u32 i;

	for (i = m->heap_size / 2; i > 0; i--)
		sift_down(m, i - 1);
}

/* Up to which time the stream on top may go on. */
static u64 second_key(const struct merge *m)
{
	u64 key = m->heap_size > 1 ? m->heap[1].key : KEY_STALLED;

	if (m->heap_size > 2 && m->heap[2].key < key)
		key = m->heap[2].key;
	return key;
}

/* --- records ---------------------------------------------------------------- */

static struct window *window_of(struct stream *s)
{
	return has_left(&s->due) ? &s->due : &s->next;
}

/* Have the next bytes of the window. Return: false if a pipe is full. */
static bool refill(struct merge *m, struct stream *s)
{
	struct window *w = window_of(s);
	u64 want = w->end - w->at;
	ssize_t got;

	if (want > m->share)
		want = m->share;
	got = input_read(m->scan.in, w->at, s->buf, want);
	/* The last bytes that a pipe can keep, if it comes to that. */
	while (got == INPUT_FULL && want > RECORD_BYTES) {
		want = want / 2 > RECORD_BYTES ? want / 2 : RECORD_BYTES;
		got = input_read(m->scan.in, w->at, s->buf, want);
	}
	s->pos = 0;
	s->have = got == INPUT_FULL ? 0 : got;
	return got != INPUT_FULL;
}

/* The window cannot be read on: the rest of it is lost. */
static void give_up(struct merge *m, struct stream *s, struct window *w, u64 missing)
{
	m->scan.damage->places++;
	m->scan.damage->missing += missing;
	m->scan.damage->bytes += w->end - w->at - missing;
	w->at = w->end;
	s->have = 0;
	s->pos = 0;
	m->reader->gap(m->reader->ctx, s - m->streams);
}

/*
 * Whether records of so long after @time were passed on that it is not of their kind. A
 * pipe that could not show enough to sort it has said so.
 */
static bool is_behind(const struct merge *m, u64 time)
{
	return time < m->newest && m->newest - time > MAX_SKEW && !*m->disordered;
}

/* When the held record was made. One that turns up late belongs to what is to come. */
static void set_key(const struct merge *m, struct stream *s, u32 header)
{
	s->key = s->tsc;
	if (xen_trc_has_tsc(header)) {
		memcpy(&s->key, s->buf + s->pos + 4, sizeof(s->key));
		if (s->key < s->tsc || (!s->tsc && is_behind(m, s->key))) {
			s->key = KEY_STEPPED;
			return;
		}
	}
	/* No time that is possible, but then this key has another meaning. */
	if (s->key >= KEY_STEPPED)
		s->key = KEY_STEPPED - 1;
}

/* Hold the next record, in whichever window it is. Return: whether there is one. */
static bool load(struct merge *m, struct stream *s)
{
	struct window *w = window_of(s);
	u32 header = 0;
	u32 left;

	while (has_left(w)) {
		left = s->have - s->pos;
		if (left < RECORD_BYTES && left < w->end - w->at) {
			if (!refill(m, s)) {
				s->key = KEY_STALLED;
				return true;
			}
			left = s->have;
		}
		if (left >= sizeof(header))
			memcpy(&header, s->buf + s->pos, sizeof(header));
		if (left >= sizeof(header) && left >= 4 * xen_trc_words(header)) {
			set_key(m, s, header);
			return true;
		}
		/* A record that runs past its window, or an input that became shorter. */
		give_up(m, s, w, left < RECORD_BYTES && left < w->end - w->at ?
				 w->end - w->at - left : 0);
		w = window_of(s);
	}
	return false;
}

/* Pass a row of records on, the held one first. Return: whether there was one. */
static bool consume_row(struct merge *m, struct stream *s, u64 turn)
{
	struct window *w = window_of(s);
	u64 left = w->end - w->at;
	u32 words;

	if (!m->reader->row)
		return false;
	if (left > s->have - s->pos)
		left = s->have - s->pos;
	words = m->reader->row(m->reader->ctx, s - m->streams, (const u32 *)(s->buf + s->pos),
			       left / 4, turn, &s->tsc);
	w->at += 4 * words;
	s->pos += 4 * words;
	return words;
}

/* Pass the held record on. Return: whether to go on. */
static bool consume(struct merge *m, struct stream *s)
{
	const u32 *words = (const u32 *)(s->buf + s->pos);
	unsigned int nr_words = xen_trc_words(words[0]);
	struct window *w = window_of(s);

	s->tsc = s->key;
	w->at += 4 * nr_words;
	s->pos += 4 * nr_words;
	return m->reader->record(m->reader->ctx, s - m->streams, s->tsc, words, nr_words);
}

/* --- rounds ----------------------------------------------------------------- */

static struct stream *stream_of(struct merge *m, u32 pcpu)
{
	struct stream *s;
	void *streams, *heap;
	u32 room;

	if (m->stream_of[pcpu])
		return &m->streams[m->stream_of[pcpu] - 1];

	if (m->nr_streams == m->room) {
		room = m->room ? 2 * m->room : 16;
		streams = realloc(m->streams, room * sizeof(*m->streams));
		if (streams)
			m->streams = streams;
		heap = realloc(m->heap, room * sizeof(*m->heap));
		if (heap)
			m->heap = heap;
		if (!streams || !heap)
			return NULL;
		m->room = room;
	}
	if (!m->reader->pcpu(m->reader->ctx, m->nr_streams, pcpu))
		return NULL;
	s = &m->streams[m->nr_streams];
	memset(s, 0, sizeof(*s));
	s->pcpu = pcpu;
	m->stream_of[pcpu] = ++m->nr_streams;
	return s;
}

/* Find the windows of the next pass. Return: 0, or -1 to stop. */
static int scan_pass(struct merge *m)
{
	enum scan_result result = SCAN_WINDOW;
	s64 last = -1;
	struct stream *s;

	while (m->has_pending ||
	       (result = scan_next(&m->scan, &m->pending)) == SCAN_WINDOW) {
		m->has_pending = true;
		if ((s64)m->pending.pcpu <= last)
			break;
		last = m->pending.pcpu;
		s = stream_of(m, last);
		if (!s)
			return -1;
		m->has_pending = false;
		if (!has_left(&m->pending))
			continue;
		s->next = m->pending;
		if (!has_left(&s->due))
			m->heap[m->heap_size++].stream = s - m->streams;
	}
	m->at_end = result == SCAN_END;
	if (result == SCAN_FULL)
		*m->disordered = true;
	return 0;
}

/* What a pipe need not keep any more. */
static void release(struct merge *m)
{
	u64 base = m->has_pending ? m->pending.at : m->scan.at;
	u32 i;

	for (i = 0; i < m->heap_size; i++) {
		const struct window *w = window_of(&m->streams[m->heap[i].stream]);

		if (has_left(w) && w->at < base)
			base = w->at;
	}
	input_release(m->scan.in, base);
}

/*
 * A buffer for each stream, which keeps what it has from round to round. Return: 0,
 * or -1 for want of memory.
 */
static int share_out(struct merge *m)
{
	size_t need;
	u32 i;

	if (m->nr_streams == m->nr_shares)
		return 0;
	m->nr_shares = m->nr_streams;
	m->share = POOL_BYTES / m->nr_shares & ~7u;
	if (m->share > SHARE_MAX_BYTES)
		m->share = SHARE_MAX_BYTES;
	need = (size_t)m->share * m->nr_shares;
	if (need > m->pool_bytes) {
		free(m->pool);
		m->pool = malloc(need);
		m->pool_bytes = m->pool ? need : 0;
		if (!m->pool)
			return -1;
	}
	/* What the old buffers held is read again. */
	for (i = 0; i < m->nr_shares; i++) {
		m->streams[i].buf = m->pool + (size_t)i * m->share;
		m->streams[i].have = 0;
		m->streams[i].pos = 0;
	}
	return 0;
}

/* What was read ahead becomes due, and the next pass is looked for. */
static int begin_round(struct merge *m)
{
	u32 i;

	m->nr_due = m->heap_size;
	for (i = 0; i < m->heap_size; i++) {
		struct stream *s = &m->streams[m->heap[i].stream];

		s->due = s->next;
		s->next.at = s->next.end;
	}
	release(m);
	if (scan_pass(m))
		return -1;
	m->reader->at(m->reader->ctx, m->scan.at);

	return share_out(m);
}

/* Have the next record of each stream. */
static void load_all(struct merge *m)
{
	u32 nr = 0;
	u32 i;

	for (i = 0; i < m->heap_size; i++) {
		struct stream *s = &m->streams[m->heap[i].stream];
		bool was_due = has_left(&s->due);

		if (load(m, s))
			m->heap[nr++] = (struct place){ s->key, m->heap[i].stream };
		m->nr_due -= was_due && !has_left(&s->due);
	}
	m->heap_size = nr;
	heapify(m);
}

/* A pipe could not show the next record of any stream: make room. */
static void unstall(struct merge *m)
{
	*m->disordered = true;
	release(m);
	load_all(m);
}

/* Where the held record stands; the first of a window, where that begins. */
static u64 held_at(struct stream *s)
{
	const struct window *w = window_of(s);

	return w->at - w->from == XENTRACE_HEADER_BYTES ? w->from : w->at;
}

/* Time goes back in all streams that have records left. */
static void begin_anew(struct merge *m)
{
	u64 at = ~0ull;
	u32 i;

	for (i = 0; i < m->heap_size; i++) {
		struct stream *s = &m->streams[m->heap[i].stream];

		if (s->key == KEY_STEPPED && held_at(s) < at)
			at = held_at(s);
	}
	damage_break(m->scan.damage, at);
	for (i = 0; i < m->nr_streams; i++)
		m->streams[i].tsc = 0;
	m->newest = 0;
	load_all(m);
	m->reader->step(m->reader->ctx);
}

/* The oldest record of all should not be older than what was passed on before. */
static void check_order(struct merge *m, struct stream *s)
{
	const struct window *w = window_of(s);
	u32 header;

	if (!is_behind(m, s->key) || s->behind == w->from + 1)
		return;
	/* One without a time has that of the last one, which may be long ago. */
	memcpy(&header, s->buf + s->pos, sizeof(header));
	if (!xen_trc_has_tsc(header))
		return;
	s->behind = w->from + 1;
	damage_break(m->scan.damage, held_at(s));
}

/* Return: 0, or 1 to stop. */
static int run_round(struct merge *m)
{
	while (m->nr_due && m->heap_size) {
		struct stream *s = &m->streams[m->heap[0].stream];
		u64 until = second_key(m);
		bool was_due, more;

		if (s->key == KEY_STALLED) {
			unstall(m);
			continue;
		}
		if (s->key == KEY_STEPPED) {
			begin_anew(m);
			continue;
		}
		check_order(m, s);
		do {
			was_due = has_left(&s->due);
			if (!consume_row(m, s, until) && !consume(m, s))
				return 1;
			more = load(m, s);
			m->nr_due -= was_due && !has_left(&s->due);
		} while (more && m->nr_due && s->key <= until && s->key < KEY_STEPPED);
		/* A row may have run ahead of the others. */
		if (m->newest < s->tsc && m->newest < until)
			m->newest = s->tsc < until ? s->tsc : until;
		if (more)
			m->heap[0].key = s->key;
		else
			m->heap[0] = m->heap[--m->heap_size];
		sift_down(m, 0);
	}
	return 0;
}

static int run(struct merge *m)
{
	do {
		if (begin_round(m))
			return -1;
		load_all(m);
		if (run_round(m))
			return 0;
	} while (m->heap_size || m->has_pending || !m->at_end);
	return 0;
}

int xentrace_read(struct input *in, const struct xentrace_reader *reader, struct damage *damage,
		  bool *disordered)
{
	struct merge m = {
		.scan = { .in = in, .damage = damage }, .reader = reader, .disordered = disordered,
	};
	int rc = -1;

	/* Of what is zero only the pages that are written to take memory. */
	m.stream_of = calloc(XENTRACE_MAX_PCPUS, sizeof(*m.stream_of));
	if (m.stream_of)
		rc = run(&m);
	free(m.stream_of);
	free(m.pool);
	free(m.heap);
	free(m.streams);
	return rc;
}
