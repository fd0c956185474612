/* SPDX-License-Identifier: GPL-2.0 */
/* The two ways to map frames that belong to Xen itself (DOMID_XEN). */
#ifndef HCT_XEN_MAP_H
#define HCT_XEN_MAP_H

#include <linux/mm.h>		/* kvmalloc() and its family, up to 5.10 */
#include <asm/pgtable.h>

#include "hypervisor.h"

int hct_map_pv(struct hct_map *map, const u32 *mfns, pgprot_t prot);
void hct_unmap_pv(struct hct_map *map);

int hct_map_xlate(struct hct_map *map, const u32 *mfns, pgprot_t prot);
void hct_unmap_xlate(struct hct_map *map);

#endif /* HCT_XEN_MAP_H */
