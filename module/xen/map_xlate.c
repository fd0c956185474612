// SPDX-License-Identifier: GPL-2.0
/*
 * Mapping Xen's frames in an auto-translated (PVH) dom0: frame numbers of ours
 * that have no memory behind them are pointed at Xen's frames
 * (XENMAPSPACE_gmfn_foreign from DOMID_XEN), then mapped as usual.
 *
 * Xen makes such an entry writable even for t_info, which it shares read-only:
 * our own page tables must say read-only.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/xen/hypercall.h>
#include <xen/interface/memory.h>
#include <xen/interface/xen.h>
#include <xen/page.h>
#include <xen/xen.h>

#include "../compat.h"
#include "map.h"

/* As the hypercall takes them. */
struct gfn_range {
	xen_ulong_t *idxs;
	xen_pfn_t *gpfns;
	int *errs;
};

static int range_alloc(struct gfn_range *range, u32 nr)
{
	range->idxs = kvcalloc(nr, sizeof(*range->idxs), GFP_KERNEL);
	range->gpfns = kvcalloc(nr, sizeof(*range->gpfns), GFP_KERNEL);
	range->errs = kvcalloc(nr, sizeof(*range->errs), GFP_KERNEL);
	return range->idxs && range->gpfns && range->errs ? 0 : -ENOMEM;
}

static void range_free(struct gfn_range *range)
{
	kvfree(range->idxs);
	kvfree(range->gpfns);
	kvfree(range->errs);
}

static int add_to_physmap(struct gfn_range *range, u32 nr)
{
	struct xen_add_to_physmap_range xatp = {
		.domid = DOMID_SELF,
		.foreign_domid = DOMID_XEN,
		.space = XENMAPSPACE_gmfn_foreign,
		.size = nr,
	};
	int rc;
	u32 i;

	if (nr > U16_MAX)
		return -E2BIG;
	set_xen_guest_handle(xatp.idxs, range->idxs);
	set_xen_guest_handle(xatp.gpfns, range->gpfns);
	set_xen_guest_handle(xatp.errs, range->errs);

	rc = HYPERVISOR_memory_op(XENMEM_add_to_physmap_range, &xatp);
	/* It succeeds as a whole though single frames failed. */
	for (i = 0; !rc && i < nr; i++)
		rc = range->errs[i];
	return rc;
}

/*
 * Give the frame numbers back. One that Xen does not let go of still leads to
 * its memory and must never be used for anything else: it is left alone.
 */
static void remove_from_physmap(struct hct_map *map)
{
	u32 kept = 0;
	u32 i;

	for (i = 0; i < map->nr; i++) {
		struct xen_remove_from_physmap xrp = {
			.domid = DOMID_SELF,
			.gpfn = page_to_xen_pfn(map->pages[i]),
		};

		int rc = HYPERVISOR_memory_op(XENMEM_remove_from_physmap, &xrp);

		/* ENOENT: nothing was there, as after a half-done map. */
		if (rc && rc != -ENOENT)
			kept++;
		else
			map->pages[i - kept] = map->pages[i];
	}
	if (kept)
		pr_err_ratelimited("Xen refused to unmap %u of %u trace pages; they stay in use\n",
				   kept, map->nr);
	map->nr -= kept;
}

int hct_map_xlate(struct hct_map *map, const u32 *mfns, pgprot_t prot)
{
	struct gfn_range range;
	int rc;
	u32 i;

	rc = range_alloc(&range, map->nr);
	if (rc)
		goto out_range;
	rc = xen_alloc_unpopulated_pages(map->nr, map->pages);
	if (rc)
		goto out_range;

	for (i = 0; i < map->nr; i++) {
		range.idxs[i] = mfns[i];
		range.gpfns[i] = page_to_xen_pfn(map->pages[i]);
	}
	rc = add_to_physmap(&range, map->nr);
	if (rc)
		goto err_alloc_pages;

	map->va = vmap(map->pages, map->nr, VM_MAP, prot);
	if (!map->va) {
		rc = -ENOMEM;
		goto err_alloc_pages;
	}
	goto out_range;

err_alloc_pages:
	remove_from_physmap(map);
	xen_free_unpopulated_pages(map->nr, map->pages);
out_range:
	range_free(&range);
	return rc;
}

void hct_unmap_xlate(struct hct_map *map)
{
	vunmap(map->va);
	remove_from_physmap(map);
	xen_free_unpopulated_pages(map->nr, map->pages);
}
