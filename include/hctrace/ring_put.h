/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ground of a reader's ring: bytes behind head, and who is told of them. For ring.c
 * and ring_tell.c alone; the letters are those of the drawing in ring.c.
 */
#ifndef HCTRACE_RING_PUT_H
#define HCTRACE_RING_PUT_H

#include <hctrace/ring.h>

#define HCT_OUT_NOT_KNOWN_NS	(~0ull)

/** struct hct_out_ids - what TID|TIME|CPU adds to a record, in perf's order */
struct hct_out_ids {
	u32 pid;
	u32 tid;
	u64 time;
	u32 cpu;
	u32 res;
};

/** hct_out_write_around() - hct_out_write() where @offset and @bytes reach over the end */
void hct_out_write_around(struct hct_out *out, u64 offset, const void *from, u32 bytes);

/** hct_out_write() - copy to a position of the ring. Return: the position behind */
static inline u64 hct_out_write(struct hct_out *out, u64 at, const void *from, u32 bytes)
{
	u64 offset = at & (out->size - 1);

	/* Inline: sizes are known. */
	if (offset + bytes <= out->size)
		memcpy(out->data + offset, from, bytes);
	else
		hct_out_write_around(out, offset, from, bytes);
	return at + bytes;
}

/** hct_out_publish() - let the reader see all up to head */
void hct_out_publish(struct hct_out *out);

/** hct_out_set_ready() - and let it see that it may read on, if it looks */
void hct_out_set_ready(struct hct_out *out);

/** hct_out_make_ready() - and wake it, if there is anything new */
void hct_out_make_ready(struct hct_out *out);

/** hct_out_load_tail() - look how far it has read; what it cannot have says nothing new */
void hct_out_load_tail(struct hct_out *out);

static inline bool hct_out_fits(const struct hct_out *out, u64 bytes)
{
	return out->head - out->tail + bytes <= out->size;
}

/** hct_out_has_room() - whether so many bytes can be written behind head */
static inline bool hct_out_has_room(struct hct_out *out, u64 bytes)
{
	if (hct_out_fits(out, bytes))
		return true;
	hct_out_load_tail(out);
	return hct_out_fits(out, bytes);
}

/** hct_out_advance() - a record of @ns was written whole: it counts from here on */
static inline void hct_out_advance(struct hct_out *out, u64 bytes, u64 ns)
{
	if (out->ready_head == out->head)
		out->oldest_ns = ns;
	out->head += bytes;
	if (out->head - out->ready_head >= out->watermark)
		hct_out_make_ready(out);
}

/**
 * hct_out_put() - write a record, if there is room
 * @out: the reader
 * @record: begins with perf's header
 * @size: its whole size, that of @ids included if the reader wants them
 * @ids: stand behind it then
 *
 * Return: whether there was.
 */
bool hct_out_put(struct hct_out *out, const void *record, u32 size, const struct hct_out_ids *ids);

#endif /* HCTRACE_RING_PUT_H */
