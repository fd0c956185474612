// SPDX-License-Identifier: GPL-2.0
/* Chooses the way to map: a PV dom0 writes page tables, any other its p2m. */
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <xen/xen.h>

#include "map.h"

int hct_hyp_map(struct hct_map *map, const u32 *mfns, u32 nr, bool writable)
{
	pgprot_t prot = writable ? PAGE_KERNEL : PAGE_KERNEL_RO;
	int rc;

	map->va = NULL;
	map->nr = nr;
	map->pages = kvcalloc(nr, sizeof(*map->pages), GFP_KERNEL);
	if (!map->pages)
		return -ENOMEM;

	rc = xen_pv_domain() ? hct_map_pv(map, mfns, prot) : hct_map_xlate(map, mfns, prot);
	if (rc) {
		kvfree(map->pages);
		map->pages = NULL;
	}
	return rc;
}

void hct_hyp_unmap(struct hct_map *map)
{
	if (!map->pages)
		return;
	if (xen_pv_domain())
		hct_unmap_pv(map);
	else
		hct_unmap_xlate(map);
	kvfree(map->pages);
	map->pages = NULL;
	map->va = NULL;
}
