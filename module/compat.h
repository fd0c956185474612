/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the kernels that we build on, found out by Kbuild's probes. */
#ifndef HCT_COMPAT_H
#define HCT_COMPAT_H

#include <linux/mm.h>

#ifndef HCT_HAVE_VM_FLAGS_SET
/* Linux 6.3 made vm_flags read-only but for these. */
static inline void vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags |= flags;
}

static inline void vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags &= ~flags;
}
#endif

#endif /* HCT_COMPAT_H */
