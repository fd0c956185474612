/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that we build on, found out by Kbuild's probes. What one
 * of these needs besides is included for that one alone. (static_assert() is in hctrace/types.h,
 * because the core has it too.)
 */
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

/* All below is for Linux 4.19, the dom0 of XCP-ng 8.3 and XenServer 8. */

#ifndef HCT_HAVE_UNPOPULATED_PAGES
/* Linux 5.9 finds frame numbers without memory; before, memory was given back to Xen for them. */
#include <xen/balloon.h>

static inline int xen_alloc_unpopulated_pages(unsigned int nr, struct page **pages)
{
	return alloc_xenballooned_pages(nr, pages);
}

static inline void xen_free_unpopulated_pages(unsigned int nr, struct page **pages)
{
	free_xenballooned_pages(nr, pages);
}
#endif

#ifndef HCT_HAVE_PERFMON_CAPABLE
/* CAP_PERFMON is of Linux 5.8. */
#include <linux/capability.h>

static inline bool perfmon_capable(void)
{
	return capable(CAP_SYS_ADMIN);
}
#endif

#ifndef HCT_HAVE_LOCKDOWN
/* Linux 5.4 knows lockdown; where there is none nothing is locked down. */
#define LOCKDOWN_PERF	0

static inline int security_locked_down(int what)
{
	return 0;
}
#endif

#ifdef HCT_VMALLOC_TAKES_PROT
/* Linux 5.8 left the protection out. */
#define __vmalloc(size, gfp)	__vmalloc(size, gfp, PAGE_KERNEL)
#endif

#ifndef HCT_HAVE_COMPAT_PTR_IOCTL
/* Linux 5.5: all that a call for 32 bits needs is its pointer made wide. */
#ifdef CONFIG_COMPAT
#include <linux/compat.h>
#include <linux/fs.h>

static inline long compat_ptr_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return file->f_op->unlocked_ioctl(file, cmd, (unsigned long)compat_ptr(arg));
}
#else
#define compat_ptr_ioctl	NULL
#endif
#endif

#ifndef HCT_HAVE_COPY_STRUCT
/* Linux 5.4: what is short is filled up with 0, and what is long has to end with 0. */
#include <linux/string.h>
#include <linux/uaccess.h>

static inline int copy_struct_from_user(void *to, size_t size, const void __user *from,
					size_t user_size)
{
	size_t at;
	u8 byte;

	for (at = size; at < user_size; at++) {
		if (get_user(byte, (const u8 __user *)from + at))
			return -EFAULT;
		if (byte)
			return -E2BIG;
	}
	memset(to, 0, size);
	return copy_from_user(to, from, min(size, user_size)) ? -EFAULT : 0;
}
#endif

#endif /* HCT_COMPAT_H */
