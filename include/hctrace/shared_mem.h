/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to memory that the hypervisor writes while we read: one load into a
 * local, one store, and the barriers between them. In the kernel these are the
 * virt_* forms, which stay real barriers on a kernel built without SMP: the
 * other side is another physical CPU whatever dom0 was built for.
 */
#ifndef HCTRACE_SHARED_MEM_H
#define HCTRACE_SHARED_MEM_H

#include <hctrace/types.h>

#ifdef __KERNEL__

#include <asm/barrier.h>
#include <linux/compiler.h>

#define hct_shared_load(p)		READ_ONCE(*(p))
#define hct_shared_store(p, v)		WRITE_ONCE(*(p), v)
/* Pairs with Xen's barrier between writing a record and publishing prod. */
#define hct_shared_rmb()		virt_rmb()
/* Orders our reads of records before the store of cons that frees them. */
#define hct_shared_mb()			virt_mb()

#else /* user space: tests play the hypervisor from another thread */

#define hct_shared_load(p)		__atomic_load_n(p, __ATOMIC_RELAXED)
#define hct_shared_store(p, v)		__atomic_store_n(p, v, __ATOMIC_RELAXED)
#define hct_shared_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define hct_shared_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST)

#endif /* __KERNEL__ */

#endif /* HCTRACE_SHARED_MEM_H */
