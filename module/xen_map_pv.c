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
#include <linux/vmalloc.h>
#include <asm/xen/hypercall.h>
#include <asm/xen/page.h>
#include <xen/interface/xen.h>

#include "xen_map.h"

#ifdef CONFIG_XEN_PV

/* As many as the kernel's own remapping sends at once. */
#define BATCH	16

static unsigned long address(const struct hct_map *map, u32 i)
{
	return (unsigned long)map->va + (unsigned long)i * PAGE_SIZE;
}

static int write_entries(const struct hct_map *map, u32 first, u32 nr, const u32 *mfns,
			 pgprot_t prot)
{
	struct mmu_update update[BATCH];
	unsigned int level;
	int done = 0;
	pte_t *pte;
	int rc;
	u32 i;

	for (i = 0; i < nr; i++) {
		pte = lookup_address(address(map, first + i), &level);
		if (!pte || level != PG_LEVEL_4K)
			return -EINVAL;
		update[i].ptr = arbitrary_virt_to_machine(pte).maddr | MMU_NORMAL_PT_UPDATE;
		update[i].val = pte_val_ma(mfn_pte(mfns[first + i], prot));
	}
	rc = HYPERVISOR_mmu_update(update, nr, &done, DOMID_XEN);
	if (!rc && done != nr)
		rc = -EINVAL;
	return rc;
}

/* Xen drops its references at once. Return: whether the range may be reused. */
static bool clear_entries(const struct hct_map *map)
{
	bool clean = true;
	u32 i;

	for (i = 0; i < map->nr; i++) {
		if (HYPERVISOR_update_va_mapping(address(map, i), __pte(0),
						 UVMF_INVLPG | UVMF_ALL))
			clean = false;
	}
	return clean;
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
		rc = write_entries(map, i, min_t(u32, BATCH, map->nr - i), mfns, prot);
	if (rc)
		hct_unmap_pv(map);
	return rc;
}

void hct_unmap_pv(struct hct_map *map)
{
	struct page *dummy = map->pages[0];

	if (!clear_entries(map)) {
		/* Addresses that may still reach Xen's frames must not be given out again. */
		pr_err("Xen refused to unmap %u trace pages; their addresses stay in use\n",
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
