// SPDX-License-Identifier: GPL-2.0
/*
 * Xen's trace buffers: allocated on first use and never again, found through
 * t_info, which is checked before anything in it is used. What is learnt from
 * it is copied; it stays mapped no longer than that takes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>

#include "ctl.h"
#include "tbuf.h"
#include "xen/hypervisor.h"

/* Whether there are buffers, after asking for them if need be. */
static int get_buffers(struct hct_tbuf_info *info, u32 want_pages)
{
	int rc = hct_hyp_get_info(info);

	if (rc)
		return rc;
	if (!info->tinfo_mfn) {
		rc = hct_hyp_set_size(want_pages);
		if (rc) {
			pr_err_ratelimited("Xen could not allocate trace buffers of %u pages per pCPU: error %d\n",
					   want_pages, rc);
			return rc;
		}
		/* That has begun to trace whatever the mask says. */
		rc = hct_hyp_disable();
		if (rc)
			return rc;
		rc = hct_hyp_get_info(info);
		if (rc)
			return rc;
	}
	return info->tinfo_mfn ? 0 : -ENOMEM;
}

static int map_tinfo(struct hct_map *map, const struct hct_tbuf_info *info)
{
	u32 nr = info->tinfo_bytes / HCT_XEN_PAGE_SIZE;
	u32 *mfns;
	u32 i;
	int rc;

	if (!nr || info->tinfo_bytes > HCT_TINFO_MAX_BYTES ||
	    info->tinfo_mfn + nr > U32_MAX)
		return -EPROTO;

	mfns = kvcalloc(nr, sizeof(*mfns), GFP_KERNEL);
	if (!mfns)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		mfns[i] = info->tinfo_mfn + i;
	rc = hct_hyp_map(map, mfns, nr, false);
	kvfree(mfns);
	return rc;
}

static int map_ring(struct hct_tbuf *tbuf, u32 cpu, const u32 *mfns)
{
	struct hct_ring *ring = &tbuf->rings[tbuf->nr];
	struct hct_map *map = &tbuf->maps[tbuf->nr];
	int rc;

	rc = hct_hyp_map(map, mfns, tbuf->pages, true);
	if (rc)
		return rc;
	tbuf->nr++;
	ring->pcpu = cpu;
	ring->fault = hct_cursor_attach(&ring->cur, map->va, tbuf->pages);
	if (ring->fault)
		pr_warn("pCPU %u: its ring has impossible indices and waits to be read\n", cpu);
	return 0;
}

static int map_rings(struct hct_tbuf *tbuf, const struct hct_tinfo *ti)
{
	u32 *mfns;
	u32 cpu;
	int rc = 0;

	tbuf->pages = ti->pages;
	tbuf->rings = kvcalloc(ti->nr_cpus, sizeof(*tbuf->rings), GFP_KERNEL);
	tbuf->maps = kvcalloc(ti->nr_cpus, sizeof(*tbuf->maps), GFP_KERNEL);
	mfns = kvcalloc(ti->pages, sizeof(*mfns), GFP_KERNEL);
	if (!tbuf->rings || !tbuf->maps || !mfns)
		rc = -ENOMEM;

	for (cpu = 0; !rc && cpu < ti->nr_cpus; cpu++) {
		switch (hct_tinfo_mfns(ti, cpu, mfns)) {
		case 1:
			rc = map_ring(tbuf, cpu, mfns);
			break;
		case -1:
			pr_warn("pCPU %u: its list of frames lies outside of t_info and is ignored\n",
				cpu);
			break;
		}
	}
	kvfree(mfns);
	return rc;
}

int hct_tbuf_attach(struct hct_tbuf *tbuf, u32 want_pages)
{
	struct hct_tbuf_info info;
	struct hct_tinfo ti;
	struct hct_map map;
	const char *why;
	int rc;

	lockdep_assert_held(&hct_ctl);
	memset(tbuf, 0, sizeof(*tbuf));
	rc = get_buffers(&info, want_pages);
	if (rc)
		return rc;
	rc = map_tinfo(&map, &info);
	if (rc) {
		pr_err_ratelimited("t_info (%u bytes) cannot be mapped: error %d\n",
				   info.tinfo_bytes, rc);
		return rc;
	}

	why = hct_tinfo_check(map.va, info.tinfo_bytes, &ti);
	if (why) {
		pr_err_ratelimited("Xen's description of its trace buffers makes no sense: %s\n",
				   why);
		rc = -EPROTO;
	} else {
		rc = map_rings(tbuf, &ti);
		if (rc) {
			pr_err_ratelimited("the trace buffers cannot be mapped: error %d\n", rc);
			hct_tbuf_detach(tbuf);
		}
	}
	hct_hyp_unmap(&map);
	return rc;
}

void hct_tbuf_detach(struct hct_tbuf *tbuf)
{
	lockdep_assert_held(&hct_ctl);
	while (tbuf->nr)
		hct_hyp_unmap(&tbuf->maps[--tbuf->nr]);
	kvfree(tbuf->rings);
	kvfree(tbuf->maps);
	tbuf->rings = NULL;
	tbuf->maps = NULL;
}
