/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to memory that somebody else writes while we read: one load into a
 * local, one store, and the barriers between them.
 *
 * The hypervisor's side is another physical CPU whatever dom0 was built for, so
 * in the kernel its barriers are the virt_* forms, which stay real barriers on a
 * kernel built without SMP. A reader of our rings is a process of this dom0: for it
 * hct_shared_load_acquire() and hct_shared_store_release() are smp_*.
 */
#ifndef HCTRACE_SHARED_MEM_H
#define HCTRACE_SHARED_MEM_H

#include <hctrace/types.h>

#ifdef __KERNEL__

#include <asm/barrier.h>
#include <linux/atomic.h>
#include <linux/compiler.h>

#define hct_shared_load(p)		READ_ONCE(*(p))
#define hct_shared_store(p, v)		WRITE_ONCE(*(p), v)
/* Pairs with Xen's barrier between writing a record and publishing prod. */
#define hct_shared_rmb()		virt_rmb()
/*
 * Store @new if @old stands there, and tell what stood there. Everything before it is done
 * by then, everything behind it comes later, for the hypervisor too.
 */
#define hct_shared_cmpxchg(p, old, new)	sync_cmpxchg(p, old, new)
/* Pair with the loads and stores of whoever mapped a ring, drawn in ring.c. */
#define hct_shared_load_acquire(p)	smp_load_acquire(p)
/* The other half of it. */
#define hct_shared_store_release(p, v)	smp_store_release(p, v)

#else /* user space: tests play the hypervisor from another thread */

#define hct_shared_load(p)		__atomic_load_n(p, __ATOMIC_RELAXED)
#define hct_shared_store(p, v)		__atomic_store_n(p, v, __ATOMIC_RELAXED)
#define hct_shared_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)

static inline __u32 hct_shared_cmpxchg(__u32 *p, __u32 old, __u32 new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return old;
}

#define hct_shared_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define hct_shared_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)

#endif /* __KERNEL__ */

#endif /* HCTRACE_SHARED_MEM_H */
