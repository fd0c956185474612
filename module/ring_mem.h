/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of a ring: shown to its reader, and charged to the reader's cgroup. */
#ifndef HCT_RING_MEM_H
#define HCT_RING_MEM_H

#include <linux/types.h>

struct vm_area_struct;

/**
 * hct_ring_mem_alloc() - pages of zeroes, virtually contiguous
 * @nr_pages: how many
 *
 * They are charged to the memory cgroup of the caller, except on Linux 5.10, which
 * cannot show charged pages to a process. Return: NULL if there is not so much.
 */
void *hct_ring_mem_alloc(u32 nr_pages);

/** hct_ring_mem_free() - give them back, once no mapping shows them; NULL: nothing */
void hct_ring_mem_free(void *mem);

/**
 * hct_ring_mem_map() - show them
 * @mem: the pages
 * @vma: as large as they are; mmap_lock is held for writing
 *
 * Return: 0 or an error; what has been mapped then goes with @vma.
 */
int hct_ring_mem_map(void *mem, struct vm_area_struct *vma);

#endif /* HCT_RING_MEM_H */
