// SPDX-License-Identifier: GPL-2.0
/* See ring_put.h; the letters are those of the drawing in ring.c. */
#include <hctrace/ring_put.h>
#include <hctrace/shared_mem.h>

/* The rare case: at the end of the data it goes on at their begin. */
void hct_out_write_around(struct hct_out *out, u64 offset, const void *from, u32 bytes)
{
	u64 left = out->size - offset;

	memcpy(out->data + offset, from, left);
	memcpy(out->data, (const u8 *)from + left, bytes - left);
}

void hct_out_publish(struct hct_out *out)
{
	if (out->published == out->head)
		return;
	hct_shared_store_release(&out->page->data_head, out->head);	/* B */
	out->published = out->head;
}

void hct_out_set_ready(struct hct_out *out)
{
	hct_out_publish(out);
	hct_shared_store_release(&out->ready_head, out->head);		/* C */
}

void hct_out_make_ready(struct hct_out *out)
{
	if (out->ready_head == out->head)
		return;
	hct_out_set_ready(out);
	out->wake = true;
}

void hct_out_load_tail(struct hct_out *out)
{
	u64 tail = hct_shared_load_acquire(&out->page->data_tail);	/* A */

	if (tail - out->tail <= out->head - out->tail)
		out->tail = tail;
}

bool hct_out_put(struct hct_out *out, const void *record, u32 size, const struct hct_out_ids *ids)
{
	u64 at;

	if (!hct_out_has_room(out, size))
		return false;
	at = hct_out_write(out, out->head, record,
			   size - (out->cfg.with_ids ? sizeof(*ids) : 0));
	if (out->cfg.with_ids)
		hct_out_write(out, at, ids, sizeof(*ids));
	hct_out_advance(out, size, HCT_OUT_NOT_KNOWN_NS);
	return true;
}
