// SPDX-License-Identifier: GPL-2.0
/*
 * The cursor: reads cons and prod once a snapshot, copies each record out before
 * anyone looks at it, and writes nothing but cons.
 */
#include <hctrace/shared_mem.h>
#include <hctrace/tbuf.h>

static u32 *shared_cons(const struct hct_cursor *cur)
{
	return (u32 *)cur->ring;
}

static const u32 *shared_prod(const struct hct_cursor *cur)
{
	return (const u32 *)cur->ring + 1;
}

bool hct_ring_used(u32 cons, u32 prod, u32 data_size, u32 *used)
{
	u32 lap = 2 * data_size;

	if ((cons | prod) & 3 || cons >= lap || prod >= lap)
		return false;
	*used = prod >= cons ? prod - cons : prod + lap - cons;
	return *used <= data_size;
}

enum hct_ring_fault hct_cursor_attach(struct hct_cursor *cur, void *ring, u32 pages)
{
	u32 used;
	u32 prod;

	memset(cur, 0, sizeof(*cur));
	cur->ring = ring;
	cur->data_size = pages * HCT_XEN_PAGE_SIZE - 8;

	prod = hct_shared_load(shared_prod(cur));
	if (!hct_ring_used(prod, prod, cur->data_size, &used))
		return HCT_RING_BAD_INDEX;
	cur->cons = prod;
	hct_cursor_publish(cur);
	return HCT_RING_OK;
}

enum hct_ring_fault hct_cursor_snapshot(struct hct_cursor *cur)
{
	u32 cons = hct_shared_load(shared_cons(cur));
	u32 prod = hct_shared_load(shared_prod(cur));
	u32 used;

	/* Records are read after the prod that covers them. */
	hct_shared_rmb();

	if (cons != cur->published)
		return HCT_RING_FOREIGN_CONS;
	if (!hct_ring_used(cur->cons, prod, cur->data_size, &used))
		return HCT_RING_BAD_INDEX;
	/* prod never goes back over what an earlier snapshot has shown. */
	if (cur->pos + used < cur->end)
		return HCT_RING_BAD_INDEX;
	cur->end = cur->pos + used;
	return HCT_RING_OK;
}

int hct_cursor_peek(const struct hct_cursor *cur, u32 *words)
{
	u32 offset = cur->cons < cur->data_size ? cur->cons : cur->cons - cur->data_size;
	const u32 *data = (const u32 *)cur->ring + 2 + offset / 4;
	u64 left = cur->end - cur->pos;
	unsigned int nr_words;
	unsigned int i;

	if (!left)
		return 0;
	if (left > cur->data_size - offset)
		left = cur->data_size - offset;

	words[0] = hct_shared_load(data);
	nr_words = xen_trc_words(words[0]);
	if (4 * nr_words > left)
		return -1;
	for (i = 1; i < nr_words; i++)
		words[i] = hct_shared_load(data + i);
	return nr_words;
}

void hct_cursor_skip(struct hct_cursor *cur, unsigned int nr_words)
{
	cur->cons += 4 * nr_words;
	if (cur->cons >= 2 * cur->data_size)
		cur->cons -= 2 * cur->data_size;
	cur->pos += 4 * nr_words;
}

void hct_cursor_publish(struct hct_cursor *cur)
{
	if (cur->published == cur->cons && cur->pos)
		return;
	/* Our reads are done before Xen may reuse the space. */
	hct_shared_mb();
	hct_shared_store(shared_cons(cur), cur->cons);
	cur->published = cur->cons;
}
