// SPDX-License-Identifier: GPL-2.0
/* The writing half of Xen's common/trace.c, as seen from the shared memory. */
#include <stdlib.h>

#include "producer.h"

#define LOST_BYTES	28	/* header, TSC, count, vCPU, TSC of the first */
#define MAX_EXTRA	7

static u32 load(const u32 *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static void store(struct fx_ring *ring, u32 index, u32 value)
{
	__atomic_store_n(&ring->mem[index], value, __ATOMIC_RELAXED);
	ring->mirror[index] = value;
}

void fx_ring_init(struct fx_ring *ring, u32 pages, u32 at)
{
	size_t bytes = (size_t)pages * HCT_XEN_PAGE_SIZE;

	memset(ring, 0, sizeof(*ring));
	ring->pages = pages;
	ring->data_size = bytes - 8;
	ring->mem = malloc(bytes);
	ring->mirror = malloc(bytes);
	if (!ring->mem || !ring->mirror)
		abort();
	memset(ring->mem, FX_STALE, bytes);
	memset(ring->mirror, FX_STALE, bytes);
	store(ring, 0, at);
	store(ring, 1, at);
}

void fx_ring_free(struct fx_ring *ring)
{
	free(ring->mem);
	free(ring->mirror);
	memset(ring, 0, sizeof(*ring));
}

u32 fx_ring_cons(const struct fx_ring *ring)
{
	return load(&ring->mem[0]);
}

u32 fx_ring_prod(const struct fx_ring *ring)
{
	return load(&ring->mem[1]);
}

const u8 *fx_ring_data(const struct fx_ring *ring)
{
	return (const u8 *)&ring->mem[2];
}

bool fx_ring_untouched(const struct fx_ring *ring)
{
	return !memcmp(&ring->mem[1], &ring->mirror[1], ring->data_size + 4);
}

void fx_ring_poke(struct fx_ring *ring, u32 index, u32 value)
{
	store(ring, index, value);
}

static u32 distance(const struct fx_ring *ring, u32 cons, u32 prod)
{
	s64 used = (s64)prod - cons;

	return used < 0 ? used + 2 * ring->data_size : used;
}

u32 fx_ring_used(const struct fx_ring *ring)
{
	u32 used = distance(ring, fx_ring_cons(ring), fx_ring_prod(ring));

	/* Space that the reader gave back is written only after that was seen. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return used;
}

/* Bytes from prod to the end of the data; a whole lap if it stands on the end. */
static u32 to_end(const struct fx_ring *ring)
{
	u32 prod = fx_ring_prod(ring);

	return prod < ring->data_size ? ring->data_size - prod : 2 * ring->data_size - prod;
}

static bool is_impossible(const struct fx_ring *ring, u32 index)
{
	return index & 3 || index >= 2 * ring->data_size;
}

/* One record, then prod: a reader that sees the new prod sees the record too. */
static void insert(struct fx_ring *ring, const u32 *words, unsigned int filled, unsigned int nr)
{
	u32 prod = fx_ring_prod(ring);
	u32 at = 2 + (prod < ring->data_size ? prod : prod - ring->data_size) / 4;
	unsigned int i;

	for (i = 0; i < filled; i++)
		store(ring, at + i, words[i]);

	prod += 4 * nr;
	if (prod >= 2 * ring->data_size)
		prod -= 2 * ring->data_size;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	store(ring, 1, prod);
	ring->written_records++;
	ring->written_bytes += 4 * nr;
}

static unsigned int put_header(u32 *words, u32 event, bool with_tsc, u64 tsc, unsigned int extra)
{
	words[0] = event | extra << 28;
	if (!with_tsc)
		return 1;
	words[0] |= 1u << 31;
	words[1] = (u32)tsc;
	words[2] = tsc >> 32;
	return 3;
}

/* Padding up to the end. Its payload is whatever was there before. */
static void insert_wrap(struct fx_ring *ring, u64 tsc)
{
	unsigned int extra = to_end(ring) / 4 - 1;
	bool with_tsc = extra > MAX_EXTRA;
	unsigned int filled;
	u32 words[3];

	if (with_tsc)
		extra -= 2;
	filled = put_header(words, XEN_TRC_WRAP, with_tsc, tsc, extra);
	insert(ring, words, filled, filled + extra);
}

static void insert_lost(struct fx_ring *ring, u64 tsc)
{
	u32 words[LOST_BYTES / 4];

	put_header(words, XEN_TRC_LOST_RECORDS, true, tsc, 4);
	words[3] = ring->lost;
	words[4] = ring->current_vcpu.domid | (u32)ring->current_vcpu.vcpu << 16;
	words[5] = (u32)ring->first_lost_tsc;
	words[6] = ring->first_lost_tsc >> 32;
	ring->lost = 0;
	insert(ring, words, ARRAY_SIZE(words), ARRAY_SIZE(words));
}

/* Bytes that a record of @bytes needs at @left before the end; @left moves on. */
static u32 room_for(const struct fx_ring *ring, u32 bytes, u32 *left)
{
	u32 padding = bytes > *left ? *left : 0;

	if (padding)
		*left = ring->data_size;
	*left -= bytes;
	if (!*left)
		*left = ring->data_size;
	return padding + bytes;
}

static bool fits(const struct fx_ring *ring, u32 bytes)
{
	u32 left = to_end(ring);
	u32 need = 0;

	if (ring->lost)
		need += room_for(ring, LOST_BYTES, &left);
	need += room_for(ring, bytes, &left);
	return need <= ring->data_size - fx_ring_used(ring);
}

bool fx_trace(struct fx_ring *ring, u32 event, bool with_tsc, u64 tsc, const u32 *extra,
	      unsigned int nr_extra)
{
	u32 words[XEN_TRC_MAX_WORDS];
	bool was_below;
	unsigned int nr;

	if (ring->off || is_impossible(ring, fx_ring_cons(ring)) ||
	    is_impossible(ring, fx_ring_prod(ring))) {
		ring->off = true;
		return false;
	}

	was_below = fx_ring_used(ring) < ring->data_size / 2;

	nr = put_header(words, event, with_tsc, tsc, nr_extra);
	if (!fits(ring, 4 * (nr + nr_extra))) {
		if (!ring->lost++)
			ring->first_lost_tsc = tsc;
		ring->refused++;
		return false;
	}

	if (ring->lost) {
		if (to_end(ring) < LOST_BYTES)
			insert_wrap(ring, tsc);
		insert_lost(ring, tsc);
	}
	if (to_end(ring) < 4 * (nr + nr_extra))
		insert_wrap(ring, tsc);
	if (nr_extra)
		memcpy(words + nr, extra, 4 * nr_extra);
	insert(ring, words, nr + nr_extra, nr + nr_extra);

	if (was_below && fx_ring_used(ring) >= ring->data_size / 2)
		ring->virqs++;
	return true;
}

static bool is_online(u64 online, u32 cpu)
{
	return online & (cpu < 64 ? 1ull << cpu : 1);
}

u32 fx_tinfo_mfn(u32 cpu, u32 page)
{
	return 0x80000000u + cpu * 0x20000u - 3 * page;
}

void fx_tinfo_init(struct fx_tinfo *ti, u32 nr_cpus_max, u32 nr_cpu_ids, u64 online, u32 pages)
{
	u32 first = (2 + 2 * nr_cpus_max + 3) / 4;
	u32 limit = nr_cpu_ids > 1 ? (0xffff - first) / (nr_cpu_ids - 1) : 0xffff;
	u32 words;
	u32 cpu;
	u32 i;

	/* Offsets are 16 bits wide, so more is cut down without a word. */
	ti->pages = pages < limit ? pages : limit;
	words = first + nr_cpu_ids * ti->pages;
	ti->bytes = (4 * words + HCT_XEN_PAGE_SIZE - 1) / HCT_XEN_PAGE_SIZE * HCT_XEN_PAGE_SIZE;
	ti->area = calloc(1, ti->bytes);
	if (!ti->area)
		abort();

	((u16 *)ti->area)[0] = ti->pages;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		u32 offset = first + cpu * ti->pages;

		if (!is_online(online, cpu))
			continue;
		((u16 *)ti->area)[1 + cpu] = offset;
		for (i = 0; i < ti->pages; i++)
			((u32 *)ti->area)[offset + i] = fx_tinfo_mfn(cpu, i);
	}
}

void fx_tinfo_free(struct fx_tinfo *ti)
{
	free(ti->area);
	ti->area = NULL;
}
