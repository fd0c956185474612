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

/*
 * Go on at @to, which is cons or prod or lies between. The one place that writes to memory
 * shared with Xen, and only where still stands what we know of. Return: whether it does.
 */
static bool give_back(struct hct_cursor *cur, u32 stands_there, u32 to)
{
	/* Our reads are done before Xen may reuse the space. */
	if (stands_there != to &&
	    hct_shared_cmpxchg(shared_cons(cur), stands_there, to) != stands_there)
		return false;
	cur->cons = to;
	cur->published = to;
	return true;
}

enum hct_ring_fault hct_cursor_attach(struct hct_cursor *cur, void *ring, u32 pages)
{
	u32 used;
	u32 prod;

	memset(cur, 0, sizeof(*cur));
	cur->ring = ring;
	cur->data_size = pages * HCT_XEN_PAGE_SIZE - 8;
	cur->full_at = ~0ull;

	prod = hct_shared_load(shared_prod(cur));
	if (!hct_ring_used(prod, prod, cur->data_size, &used))
		return HCT_RING_BAD_INDEX;
	if (!give_back(cur, hct_shared_load(shared_cons(cur)), prod))
		return HCT_RING_FOREIGN_CONS;
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

enum hct_ring_fault hct_cursor_publish(struct hct_cursor *cur)
{
	u32 before = cur->published;
	u32 used, left;
	u32 prod;

	if (before == cur->cons)
		return HCT_RING_OK;
	if (!give_back(cur, before, cur->cons))
		return HCT_RING_FOREIGN_CONS;

	/* Behind the store: whatever was lost for want of this room was lost up to here. */
	prod = hct_shared_load(shared_prod(cur));
	if (hct_ring_used(before, prod, cur->data_size, &used) &&
	    hct_ring_used(cur->cons, prod, cur->data_size, &left) &&
	    used + HCT_RING_MOST_BYTES > cur->data_size)
		cur->full_at = cur->pos + left;
	return HCT_RING_OK;
}

/* Whether a record begins @ahead bytes further on. */
static bool is_boundary(const struct hct_cursor *cur, u32 ahead)
{
	u32 words[XEN_TRC_MAX_WORDS];
	struct hct_cursor walk = *cur;
	u32 steps;

	walk.end = walk.pos + ahead;
	for (steps = 0; steps < HCT_RESYNC_RECORDS; steps++) {
		int nr_words = hct_cursor_peek(&walk, words);

		if (nr_words <= 0)
			return !nr_words;
		hct_cursor_skip(&walk, nr_words);
	}
	return false;
}

enum hct_ring_fault hct_cursor_resync(struct hct_cursor *cur, u32 *skipped)
{
	u32 cons = hct_shared_load(shared_cons(cur));
	u32 prod = hct_shared_load(shared_prod(cur));
	u32 to = prod;
	u32 ahead, all;

	*skipped = 0;
	hct_shared_rmb();
	if (!hct_ring_used(prod, prod, cur->data_size, &all))
		return HCT_RING_BAD_INDEX;
	if (cons != cur->published && hct_ring_used(cur->cons, prod, cur->data_size, &all) &&
	    hct_ring_used(cur->cons, cons, cur->data_size, &ahead) && ahead <= all &&
	    is_boundary(cur, ahead))
		to = cons;

	if (!hct_ring_used(cur->cons, to, cur->data_size, &ahead))
		ahead = 0;
	if (!give_back(cur, cons, to))
		return HCT_RING_FOREIGN_CONS;
	*skipped = ahead;
	cur->pos += ahead;
	hct_ring_used(to, prod, cur->data_size, &all);
	cur->end = cur->pos + all;
	return HCT_RING_OK;
}

u32 hct_cursor_prod(const struct hct_cursor *cur)
{
	return hct_shared_load(shared_prod(cur));
}

bool hct_cursor_is_full(const struct hct_cursor *cur)
{
	u32 used;

	return !hct_ring_used(hct_shared_load(shared_cons(cur)), hct_cursor_prod(cur),
			      cur->data_size, &used) ||
	       used + HCT_RING_MOST_BYTES > cur->data_size;
}

bool hct_cursor_may_have_lost(const struct hct_cursor *cur)
{
	u32 prod = hct_cursor_prod(cur);
	u32 used, left;

	if (!hct_ring_used(cur->published, prod, cur->data_size, &used) ||
	    !hct_ring_used(cur->cons, prod, cur->data_size, &left))
		return true;
	return used + HCT_RING_MOST_BYTES > cur->data_size || cur->pos + left == cur->full_at;
}
