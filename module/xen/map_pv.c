// SPDX-License-Identifier: GPL-2.0
/*
 * Mapping Xen's frames in a PV dom0: a range of kernel addresses is made with
 * vmap() of one page many times, for its page tables; then each entry is
 * rewritten by mmu_update on behalf of DOMID_XEN. It is what privcmd does to
 * user page tables for xentrace.
 *
 * No struct page stands behind such an entry. VM_IOREMAP keeps readers of
 * /proc/kcore from looking for one.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/vmalloc.h>
#include <asm/xen/hypercall.h>
#include <asm/xen/page.h>
#include <xen/interface/xen.h>

#include "map.h"

#ifdef CONFIG_XEN_PV

/* As many as the kernel's own remapping sends at once. */
#define BATCH	16

static unsigned long hct_pv_address(const struct hct_map *map, u32 i)
{
	return (unsigned long)map->va + (unsigned long)i * PAGE_SIZE;
}

/*
 * Have Xen write page table entries, at most BATCH: for @mfns, or none if that is NULL.
 * One hypercall each time, which the kernel's function tracer is to see.
 */
static noinline int hct_pv_write_entries(const struct hct_map *map, u32 first, u32 nr,
					 const u32 *mfns, pgprot_t prot)
{
	struct mmu_update update[BATCH];
	unsigned int level;
	int done = 0;
	pte_t *pte;
	int rc;
	u32 i;

	for (i = 0; i < nr; i++) {
		pte = lookup_address(hct_pv_address(map, first + i), &level);
		if (!pte || level != PG_LEVEL_4K)
			return -EINVAL;
		update[i].ptr = arbitrary_virt_to_machine(pte).maddr | MMU_NORMAL_PT_UPDATE;
		update[i].val = mfns ? pte_val_ma(mfn_pte(mfns[first + i], prot)) : 0;
	}
	rc = HYPERVISOR_mmu_update(update, nr, &done, mfns ? DOMID_XEN : DOMID_SELF);
	if (!rc && done != nr)
		rc = -EINVAL;
	return rc;
}

/* No CPU of ours, and none of Xen's that we ran on, knows what was in the entries. */
static noinline int hct_pv_flush(void)
{
	struct mmuext_op op = { .cmd = MMUEXT_TLB_FLUSH_ALL };

	return HYPERVISOR_mmuext_op(&op, 1, NULL, DOMID_SELF);
}

/*
 * Xen drops its references with the entries, and the frames are its own for good, so
 * that one flush at the end will do: the addresses are ours until then. Return: whether
 * they may be used for anything else.
 */
static bool hct_pv_clear_entries(const struct hct_map *map)
{
	bool clean = true;
	u32 i;

	for (i = 0; i < map->nr; i += BATCH) {
		if (hct_pv_write_entries(map, i, min_t(u32, BATCH, map->nr - i), NULL, __pgprot(0)))
			clean = false;
	}
	return !hct_pv_flush() && clean;
}

int hct_map_pv(struct hct_map *map, const u32 *mfns, pgprot_t prot)
{
	struct page *dummy = alloc_page(GFP_KERNEL | __GFP_ZERO);
	int rc = 0;
	u32 i;

	if (!dummy)
		return -ENOMEM;
	for (i = 0; i < map->nr; i++)
		map->pages[i] = dummy;

	map->va = vmap(map->pages, map->nr, VM_MAP | VM_IOREMAP, prot);
	if (!map->va) {
		__free_page(dummy);
		return -ENOMEM;
	}

	for (i = 0; i < map->nr && !rc; i += BATCH)
		rc = hct_pv_write_entries(map, i, min_t(u32, BATCH, map->nr - i), mfns, prot);
	if (rc)
		hct_unmap_pv(map);
	return rc;
}

void hct_unmap_pv(struct hct_map *map)
{
	struct page *dummy = map->pages[0];

	if (!hct_pv_clear_entries(map)) {
		/* Addresses that may still reach Xen's frames must not be given out again. */
		pr_err_ratelimited("Xen refused to unmap %u trace pages; their addresses stay in use\n",
				   map->nr);
		return;
	}
	vunmap(map->va);
	__free_page(dummy);
}

#else /* !CONFIG_XEN_PV */

int hct_map_pv(struct hct_map *map, const u32 *mfns, pgprot_t prot)
{
	return -EOPNOTSUPP;
}

void hct_unmap_pv(struct hct_map *map)
{
}

#endif
