/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The house. Each part has a header of its own, and calls only what stands below it:
 *
 *   main.c        load and unload, parameters
 *   device.c      /dev/xen/hctrace: one reader for each open file   (call, reader)
 *     attr.c      what such a reader asks for
 *     shares.c    what there is for all of them; with a lock of its own
 *     ring_mem.c  the memory of their rings
 *   files/        the files in debugfs: debugfs.c; stats.c, multicalls.c and
 *                 status.c are how they read, from the copy of snapshot.c
 *   session.c     control: settings, start and stop, who wants what (ctl)
 *   tracing.c     what Xen is told                                  (under ctl)
 *     pause.c     pauses, while a domain makes Xen log warnings     (under ctl)
 *     watch.c     what the host may have changed behind our back    (under ctl)
 *     selftest.c  a call of our own, that must come back            (under ctl)
 *   drain.c       the thread that empties Xen's buffers, in rounds  (pipe)
 *     tbuf.c      these buffers: found, checked and mapped          (under ctl)
 *   readers.c     where events go besides the tables                (pipe)
 *   trace.c       the tracepoints
 *   pipe.c        the pipeline, and the lock pipe
 *   ctl.c         the lock ctl, and the queue for the work under it
 *   xen/          the seam: all that is asked of the hypervisor
 *   core/         one record's way, from a ring to the tables and to a reader's
 *                 ring, without a call of the kernel; its headers are hctrace/
 *
 * Locks: call, ctl, pipe, and mmap_lock, reader, pipe, in these orders. ctl is never
 * taken under mmap_lock or reader, because with ctl held we begin to trace, which
 * takes the kernel's locks for interrupts, threads and memory. The drain never takes
 * ctl. User memory is touched under none but mmap_lock. Nothing is allocated and no
 * hypercall made under pipe. The lock of shares.c is innermost, as pipe is. So are the
 * spinlocks: that of trace.c, and under it that of session.c.
 */
