// SPDX-License-Identifier: GPL-2.0
/*
 * See ring_mem.h. vmalloc_user() charges nobody, and what it sets besides, which
 * remap_vmalloc_range() asks for, no module can. So this maps page by page, as that
 * one does.
 *
 * Up to 5.10 the mark of a charged page (PG_kmemcg) stands where the number of its
 * mappings is counted, and Linux refuses to map it.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "ring_mem.h"

/* Who asks for too much is told so: no need for a stack in the log. */
#ifdef HCT_CHARGED_PAGES_STAY_IN_THE_KERNEL
#define GFP_RING	(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN)
#else
#define GFP_RING	(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN)
#endif

void *hct_ring_mem_alloc(u32 nr_pages)
{
	return __vmalloc((unsigned long)nr_pages << PAGE_SHIFT, GFP_RING);
}

void hct_ring_mem_free(void *mem)
{
	vfree(mem);
}

int hct_ring_mem_map(void *mem, struct vm_area_struct *vma)
{
	unsigned long offset, size = vma->vm_end - vma->vm_start;
	int rc = 0;

	for (offset = 0; !rc && offset < size; offset += PAGE_SIZE)
		rc = vm_insert_page(vma, vma->vm_start + offset, vmalloc_to_page(mem + offset));
	return rc;
}
