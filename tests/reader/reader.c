// SPDX-License-Identifier: GPL-2.0
/* A reader that believes nothing; see reader.h. */
#include <limits.h>
#include <string.h>

#include "reader.h"

enum {
	DATA_HEAD = 1024,
	DATA_TAIL = 1032,
	DATA_OFFSET = 1040,
	DATA_SIZE = 1048,
	LOST = 2,
	EXIT = 4,
	FORK = 7,
	SAMPLE = 9,
	HYPERVISOR = 3,
	HEADER = 8,
	IDS = 24,
	CALL = 56,
	COMMON = 8,
};

static bool holds(struct reader *r, bool what, const char *text)
{
	if (!what && !r->error)
		r->error = text;
	return what;
}

#define HOLDS(r, what)	holds(r, what, #what)

static uint16_t u16_at(const unsigned char *p)
{
	return p[0] | p[1] << 8;
}

static uint32_t u32_at(const unsigned char *p)
{
	return u16_at(p) | (uint32_t)u16_at(p + 2) << 16;
}

static uint64_t u64_at(const unsigned char *p)
{
	return u32_at(p) | (uint64_t)u32_at(p + 4) << 32;
}

static int read_ids(struct reader *r, const unsigned char *ids)
{
	uint64_t ns = u64_at(ids + 8);

	/* As perf puts them: pid, tid, time, cpu, res */
	if (!HOLDS(r, u32_at(ids + 4) >> 28 == 1 || u32_at(ids + 4) >> 16 == 1 << 13) ||
	    !HOLDS(r, ns >= r->last_ns) ||
	    !HOLDS(r, u32_at(ids + 20) == 0))
		return -1;
	r->last_ns = ns;
	return 0;
}

static int read_call(struct reader *r, const unsigned char *raw, unsigned int bytes)
{
	static const unsigned char zeroes[COMMON];

	if (!HOLDS(r, bytes == COMMON + CALL + 4) ||
	    !HOLDS(r, u16_at(raw)) ||
	    !HOLDS(r, !memcmp(raw + 2, zeroes, COMMON - 2)) ||
	    !HOLDS(r, u32_at(raw + COMMON + CALL) == 0))
		return -1;
	r->calls++;
	if (r->on_call)
		r->on_call(r->ctx, raw + COMMON);
	return 0;
}

static int read_raw(struct reader *r, unsigned char *raw, unsigned int bytes)
{
	uint32_t words[32768 / 4];
	unsigned int used;
	unsigned int at;

	if (!HOLDS(r, bytes >= 12))
		return -1;
	used = u32_at(raw + 4);
	if (!HOLDS(r, used >= 4 && used % 4 == 0 && used <= sizeof(words)) ||
	    !HOLDS(r, bytes == 8 + used || bytes == 12 + used) ||
	    !HOLDS(r, bytes == 8 + used || u32_at(raw + 8 + used) == 0))
		return -1;
	for (at = 0; at < used;) {
		uint32_t header = u32_at(raw + 8 + at);

		at += 4 * (1 + 2 * (header >> 31) + (header >> 28 & 7));
		if (!HOLDS(r, at <= used))
			return -1;
		r->raw_records++;
	}
	r->raw_samples++;
	memcpy(words, raw + 8, used);
	if (r->on_raw)
		r->on_raw(r->ctx, u32_at(raw), words, used / 4);
	return 0;
}

static int read_lost(struct reader *r, unsigned int size)
{
	uint64_t id = u64_at(r->record + HEADER);
	uint64_t count = u64_at(r->record + HEADER + 8);

	if (!HOLDS(r, u16_at(r->record + 4) == 0) ||
	    !HOLDS(r, size == HEADER + 16u + (r->with_ids ? IDS : 0)) ||
	    !HOLDS(r, id <= 4096 || id >> 32 == 1) ||
	    !HOLDS(r, id > 4096 ? !count : count))
		return -1;
	if (id > 4096)
		r->gaps++;
	else
		r->lost_records++;
	if (id)
		r->lost_xen += count;
	else
		r->lost_ring += count;
	if (r->with_ids && read_ids(r, r->record + HEADER + 16))
		return -1;
	if (r->on_lost)
		r->on_lost(r->ctx, id, count);
	return 0;
}

static int read_domain(struct reader *r, unsigned int size)
{
	const unsigned char *task = r->record + HEADER;
	uint32_t domid = u32_at(task);
	uint64_t ns = u64_at(task + 16);

	/* As perf puts them: pid, ppid, tid, ptid, time */
	if (!HOLDS(r, r->on_domain) ||
	    !HOLDS(r, u16_at(r->record + 4) == 0) ||
	    !HOLDS(r, size == HEADER + 24u + (r->with_ids ? IDS : 0)) ||
	    !HOLDS(r, domid < 0x7ff0) ||
	    !HOLDS(r, u32_at(task + 8) == (1u << 29 | domid)) ||
	    !HOLDS(r, u32_at(task + 4) == 0 && u32_at(task + 12) == 0))
		return -1;
	if (r->with_ids && (read_ids(r, task + 24) ||
			    !HOLDS(r, u32_at(task + 24) == domid && r->last_ns == ns)))
		return -1;
	r->on_domain(r->ctx, domid, u32_at(r->record) == FORK, ns);
	return 0;
}

static int read_sample(struct reader *r, unsigned int size)
{
	unsigned char *raw = r->record + HEADER + (r->with_ids ? IDS : 0);
	unsigned int before = raw + 4 - r->record;

	if (!HOLDS(r, u16_at(r->record + 4) == HYPERVISOR) ||
	    !HOLDS(r, size > before) ||
	    !HOLDS(r, size == before + u32_at(raw)))
		return -1;
	if (r->with_ids && read_ids(r, r->record + HEADER))
		return -1;
	return r->raw ? read_raw(r, raw + 4, size - before) : read_call(r, raw + 4, size - before);
}

static int read_one(struct reader *r, const unsigned char *data, uint64_t data_size)
{
	uint64_t at = r->tail % data_size;
	unsigned int size = u16_at(data + at + 6);	/* a header never wraps */
	unsigned int left;

	if (!HOLDS(r, size >= HEADER && size % 8 == 0) ||
	    !HOLDS(r, size <= r->head - r->tail) ||
	    !HOLDS(r, size <= sizeof(r->record)))
		return -1;
	left = data_size - at < size ? data_size - at : size;
	memcpy(r->record, data + at, left);
	memcpy(r->record + left, data, size - left);

	if (u32_at(r->record) == SAMPLE) {
		if (read_sample(r, size))
			return -1;
	} else if (u32_at(r->record) == FORK || u32_at(r->record) == EXIT) {
		if (read_domain(r, size))
			return -1;
	} else {
		if (!HOLDS(r, u32_at(r->record) == LOST))
			return -1;
		if (read_lost(r, size))
			return -1;
	}
	r->tail += size;
	return 0;
}

int reader_read(struct reader *r, int max)
{
	uint64_t *data_head = (uint64_t *)(r->page + DATA_HEAD);
	uint64_t *data_tail = (uint64_t *)(r->page + DATA_TAIL);
	uint64_t data_size = u64_at(r->page + DATA_SIZE);
	uint64_t head = __atomic_load_n(data_head, __ATOMIC_ACQUIRE);
	int nr;

	if (!HOLDS(r, !r->error) ||
	    !HOLDS(r, u64_at(r->page + DATA_OFFSET) == 4096) ||
	    !HOLDS(r, head >= r->head && head % 8 == 0) ||
	    !HOLDS(r, head - r->tail <= data_size))
		return -1;
	r->head = head;
	for (nr = 0; nr < max && r->tail != head; nr++) {
		if (read_one(r, r->page + 4096, data_size))
			return -1;
		__atomic_store_n(data_tail, r->tail, __ATOMIC_RELEASE);
	}
	return nr;
}
