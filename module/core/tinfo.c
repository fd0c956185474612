// SPDX-License-Identifier: GPL-2.0
/*
 * t_info: u16 pages per ring, then one u16 per CPU id, the index in 32-bit words
 * of that CPU's list of frame numbers (0: no ring). The length of the table is
 * not stored: CPU 0 always has a ring, and its list is the first one behind the
 * table.
 */
#include <hctrace/shared_mem.h>
#include <hctrace/tbuf.h>

static u32 load_u16(const struct hct_tinfo *ti, u32 index)
{
	return hct_shared_load((const u16 *)ti->base + index);
}

const char *hct_tinfo_check(const void *base, u32 size, struct hct_tinfo *ti)
{
	if (!size || size % HCT_XEN_PAGE_SIZE || size > HCT_TINFO_MAX_BYTES)
		return "size of t_info is impossible";

	ti->base = base;
	ti->size = size;
	ti->pages = load_u16(ti, 0);
	ti->first = load_u16(ti, 1);

	if (!ti->pages)
		return "rings of 0 pages";
	if (!ti->first)
		return "CPU 0 has no ring";
	if (4 * (ti->first + ti->pages) > size)
		return "CPU 0's list lies beyond the end of t_info";

	/* Entry cpu ends at byte 2 + 2 * cpu + 2 and must lie below the first list. */
	ti->nr_cpus = (4 * ti->first - 2) / 2;
	return NULL;
}

int hct_tinfo_mfns(const struct hct_tinfo *ti, u32 cpu, u32 *mfns)
{
	const u32 *list;
	u32 offset;
	u32 i;

	if (cpu >= ti->nr_cpus)
		return 0;
	offset = load_u16(ti, 1 + cpu);
	if (!offset)
		return 0;
	if (offset < ti->first || 4 * (offset + ti->pages) > ti->size)
		return -1;

	list = (const u32 *)ti->base + offset;
	for (i = 0; i < ti->pages; i++)
		mfns[i] = hct_shared_load(&list[i]);
	return 1;
}
