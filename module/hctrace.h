/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the module know of each other.
 *
 *   main.c      load and unload, parameters
 *   session.c   control: settings, start and stop, who wants events    (ctl)
 *   tracing.c   what Xen is told                                       (under ctl)
 *   pause.c     pauses of tracing, if a domain makes Xen log warnings  (under ctl)
 *   selftest.c  a call of our own, that must come back                 (under ctl)
 *   watch.c     what the host may have changed behind our back         (under ctl)
 *   tbuf.c      Xen's buffers, found, checked and mapped               (under ctl)
 *   drain.c     the thread that empties them                           (pipe)
 *   readers.c   where events go besides the tables                     (pipe)
 *   trace.c     the tracepoints
 *   pipe.c      the pipeline and its lock                              (pipe)
 *   ctl.c       the lock ctl, and the queue for work under it
 *   device.c    /dev/xen/hctrace: one reader for each open file  (call, reader)
 *               with attr.c, ring_mem.c, and shares.c, which has a lock of its own
 *   files/      the files in debugfs: debugfs.c; stats.c, multicalls.c and
 *               status.c are how they read, from the copy that snapshot.c takes
 *   xen/        all that is asked of the hypervisor, behind hypervisor.h
 *
 * Locks: call, ctl, pipe, and mmap_lock, reader, pipe, in these orders. ctl is never
 * taken under mmap_lock or reader, because with ctl held we begin to trace, which
 * takes the kernel's locks for interrupts, threads and memory. The drain never takes
 * ctl. User memory is touched under none but mmap_lock. Nothing is allocated and no
 * hypercall made under pipe. The lock of shares.c is innermost, as pipe is.
 */
#ifndef HCT_HCTRACE_H
#define HCT_HCTRACE_H

#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mm.h>		/* kvmalloc() and its family, up to 5.10 */
#include <linux/mutex.h>
#include <linux/types.h>

#include "ctl.h"
#include "pipe.h"
#include "xen/hypervisor.h"

#define HCT_DEFAULT_TBUF_PAGES	32	/* as stock xentrace */
#define HCT_CONTROL_TEXT_MAX	4096	/* bytes in one write */
#define HCT_CONTROL_FORMAT_MAX	(32 << 10)
#define HCT_ERROR_MAX		160

struct seq_file;

/**
 * struct hct_config - module parameters
 * @tbuf_pages: pages per ring; 0: what exists, else the default
 * @sysctl_version: version of Xen's sysctl interface; 0: probe
 * @poll_ms: longest time between two rounds; 0: the default
 * @settings: control text to begin with, or NULL
 * @autostart: begin to trace; hct_session_init() sets it if @settings says start or stop
 */
struct hct_config {
	u32 tbuf_pages;
	u32 sysctl_version;
	u32 poll_ms;
	const char *settings;
	bool autostart;
};

/* tbuf.c: Xen's trace buffers. Called under ctl. */

/**
 * struct hct_tbuf - the mapped buffers
 * @rings: one entry per pCPU that has one
 * @maps: where they are mapped, in the same order
 * @nr: number of rings
 * @pages: pages per ring
 */
struct hct_tbuf {
	struct hct_ring *rings;
	struct hct_map *maps;
	u32 nr;
	u32 pages;
};

/**
 * hct_tbuf_attach() - find, check and map the buffers, and empty them
 * @tbuf: filled in
 * @want_pages: size to ask for if there are none yet
 *
 * Tracing must be off. Return: 0 or an error that has been logged.
 */
int hct_tbuf_attach(struct hct_tbuf *tbuf, u32 want_pages);

/** hct_tbuf_detach() - unmap everything; for a tbuf that was never attached, nothing */
void hct_tbuf_detach(struct hct_tbuf *tbuf);

/* drain.c: the thread. */

/** struct hct_wakeups - why the drain woke up, in times */
struct hct_wakeups {
	u64 virq;
	u64 timer;
	u64 sync;
	u64 busy;	/* a ring was too full to wait for any of the others */
	u64 rounds;
};

/**
 * hct_drain_start() - begin to empty freshly attached rings
 * @tbuf: attached; its rings belong to the pipeline until they are attached anew
 * @tripped: called, more than once perhaps, when the breaker is tripped: tracing must pause.
 *	It must not wait
 *
 * Return: 0 or -ENOMEM.
 */
int hct_drain_start(struct hct_tbuf *tbuf, void (*tripped)(void));

/** hct_drain_stop() - take what is left, after Xen was told to stop, and end the thread */
void hct_drain_stop(void);

/** hct_drain_wake() - a ring is half full; any context */
void hct_drain_wake(void);

/**
 * hct_drain_sync() - wait until all that was recorded before now is counted
 *
 * Waits for two rounds that begin after the call, for two seconds at most: a late
 * answer is better than none. No lock but ctl may be held. Return: 0, at once if nothing is
 * traced; -ERESTARTSYS.
 */
int hct_drain_sync(void);

void hct_drain_wakeups(struct hct_wakeups *wakeups);

/* readers.c: the sink of the pipeline; see also readers.h. */

/** hct_readers_traced() - a tracepoint is on, or none is any more */
void hct_readers_traced(bool on);

/** hct_readers_flush() - show the readers what was written; under pipe, before it is given up */
void hct_readers_flush(void);

/** hct_readers_patience_ns() - for how long no reader misses a round, all ones: any; under pipe */
u64 hct_readers_patience_ns(void);

/* trace.c: the tracepoints. */

/* What enabling and disabling one of them calls: at any time, even when we are not there. */
int hct_trace_reg(void);
void hct_trace_unreg(void);

/**
 * hct_trace_tell() - whom to tell that a tracepoint was enabled or disabled
 * @changed: called from now on: @more of them are than before, or fewer. It takes no lock
 *	but a spinlock, and calls nothing of trace.c; NULL: nobody, and when this returns
 *	nobody is being told any more
 */
void hct_trace_tell(void (*changed)(bool more));

/** hct_trace_is_on() - whether one of them is enabled */
bool hct_trace_is_on(void);

/** hct_trace_id() - the id of xen_hctrace:hct_hypercall */
u16 hct_trace_id(void);

void hct_trace_call(const struct xen_hctrace_call *call);
void hct_trace_batch(const struct hct_batch_event *batch);
void hct_trace_loss(const struct hct_loss_event *loss);
void hct_trace_domain(const struct hct_domain_event *domain);

/* device.c: /dev/xen/hctrace. */

int hct_device_init(void);
void hct_device_exit(void);

/* session.c: control. */

/**
 * struct hct_demand - events that somebody besides the statistics wants
 * @node: in the session's list, while @mask is not 0
 * @mask: of Xen's events; 0: none
 */
struct hct_demand {
	struct list_head node;
	u32 mask;
};

#define HCT_DEMAND_INIT(demand)	{ .node = LIST_HEAD_INIT((demand).node) }

/**
 * hct_session_want() - want other events than before
 * @demand: whose; initialised by HCT_DEMAND_INIT or zeroed with its node a list head
 * @mask: of Xen's events; 0: none any more
 *
 * Wanting anything begins to trace, even after a stop: a moment later, or when no other
 * program has the buffers any more. Takes no lock but a spinlock.
 */
void hct_session_want(struct hct_demand *demand, u32 mask);

/**
 * hct_session_want_now() - want other events than before, if they can be had at once
 * @demand: as above
 * @mask: of Xen's events, not 0
 *
 * Takes ctl. Return: 0, Xen traces them; or why it cannot begin (it has been logged), and
 * what is wanted is as before; -EBUSY if another program has the buffers.
 */
int hct_session_want_now(struct hct_demand *demand, u32 mask);

/** hct_session_settle() - wait until what was wanted so far is traced, or waited for */
void hct_session_settle(void);

/** hct_session_kinds_mask() - Xen's events for some kinds on this dom0, see hct_kinds_mask() */
u32 hct_session_kinds_mask(u32 kinds);

/** hct_session_pcpu_ids() - numbers of pCPUs are below this, 0: not known */
u32 hct_session_pcpu_ids(void);

/** hct_session_default_kinds() - what a reader that says nothing gets: this dom0's own calls */
u32 hct_session_default_kinds(void);

/**
 * struct hct_status - a moment of the session
 * @hyp: what we run on
 * @tracing: whether Xen traces for us
 * @counting: whether the statistics count, else it traces for readers alone
 * @demands: readers and the like that want events
 * @wait_error: why what is wanted cannot be had yet, and is waited for; 0: it can
 * @traced_ms: for how long the statistics have counted, all starts together
 * @requested_pages: pages per ring asked for, 0: no wish
 * @actual_pages: pages per ring, 0: no rings yet
 * @nr_rings: pCPUs that have one
 * @asked_mask: Xen's event mask while we trace
 * @found_mask: Xen's event mask before, restored by stop
 * @mask_changes: times a mask was found changed by somebody else
 * @found_off: times tracing was found switched off by somebody else
 * @watch_error: why Xen does not say which pCPUs are there, or 0
 * @silent: pCPUs whose calls it does not record any more
 * @ringless: pCPUs for which it never made a buffer
 * @paused: the breaker has switched tracing off, though @tracing
 * @paused_ms: for how long it was off since the last reset, all pauses together
 * @pause_age_ms: how long ago the last pause began, if @breaker_trips
 * @breaker_domid: because of whom, %HCT_BREAKER_NOBODY: not known, or it is armed
 * @breaker_left_ms: see hct_breaker_left_ms()
 * @breaker_trips: pauses since the load
 * @last_error: why the last control text was refused, empty if none was
 */
struct hct_status {
	struct hct_hyp hyp;
	bool tracing;
	bool counting;
	u32 demands;
	int wait_error;
	u64 traced_ms;
	u32 requested_pages;
	u32 actual_pages;
	u32 nr_rings;
	u32 asked_mask;
	u32 found_mask;
	u64 mask_changes;
	u64 found_off;
	int watch_error;
	char silent[64];
	char ringless[64];
	bool paused;
	u64 paused_ms;
	u64 pause_age_ms;
	u16 breaker_domid;
	u64 breaker_left_ms;
	u64 breaker_trips;
	char last_error[HCT_ERROR_MAX];
};

int hct_session_init(struct hct_config *config);
void hct_session_exit(void);

/** hct_session_start() - claim the buffers and trace; an error has been logged */
int hct_session_start(void);

/**
 * hct_session_control() - do what a control text says
 * @text: the text
 * @len: its length
 *
 * Return: 0; -EINVAL if the text is refused (nothing has changed then, and the
 * status says why); what starting returned if it failed.
 */
int hct_session_control(const char *text, size_t len);

/** hct_session_format() - the settings as a control text, @size of HCT_CONTROL_FORMAT_MAX */
size_t hct_session_format(char *buf, size_t size);

void hct_session_status(struct hct_status *status);

/* tracing.c: what Xen is told. */

/**
 * hct_tracing_init() - find the hypervisor; without ctl, before anything else
 * @sysctl_version: version of its sysctl interface; 0: probe
 * @tbuf_pages: pages per ring to ask for, 0: no wish
 *
 * Return: 0 or an error that has been logged.
 */
int hct_tracing_init(u32 sysctl_version, u32 tbuf_pages);

/** hct_tracing_exit() - without ctl, after hct_tracing_stop() */
void hct_tracing_exit(void);

/** hct_tracing_mask() - what Xen was last asked for */
u32 hct_tracing_mask(void);

/** hct_tracing_ask() - ask for @mask instead, from the next start or change on */
void hct_tracing_ask(u32 mask);

/** hct_tracing_by_switch() - whether who runs is told by switches alone */
bool hct_tracing_by_switch(void);

/** hct_tracing_start() - begin to trace what is asked for; @profile is what the log says of it */
int hct_tracing_start(u8 profile);

/** hct_tracing_change() - while tracing, go over from what was asked for @before */
int hct_tracing_change(u32 before);

/** hct_tracing_stop() - while tracing, end it and leave Xen as it was found */
void hct_tracing_stop(void);

bool hct_tracing_is_on(void);

/** hct_tracing_dom0_is_pv() - whether dom0 is a PV domain, else PVH; without ctl too */
bool hct_tracing_dom0_is_pv(void);

/** hct_tracing_pcpu_ids() - numbers of pCPUs are below this, 0: not known; without ctl too */
u32 hct_tracing_pcpu_ids(void);

/** hct_tracing_status() - fill in what of a status is known here */
void hct_tracing_status(struct hct_status *status);

/* pause.c: pauses of tracing. Called under ctl, if nothing else is said. */

/** hct_pause_ask() - the breaker is tripped: tracing must pause; without ctl, any context */
void hct_pause_ask(void);

/** hct_pause_or_enable() - the last step of a start: tracing on, unless the breaker is open */
int hct_pause_or_enable(void);

/** hct_pause_stop() - tracing has stopped, for whatever reason */
void hct_pause_stop(void);

/** hct_pause_tick() - while tracing, twice a second: end the pause if there is one, and in time */
void hct_pause_tick(void);

/** hct_pause_follow() - the setting `breaker`: if it is off, so is the pause */
void hct_pause_follow(bool breaker);

/** hct_pause_forgive() - a start was asked for: nothing of before is held against anybody */
void hct_pause_forgive(void);

/** hct_pause_reset() - the statistics were reset */
void hct_pause_reset(void);

/** hct_pause_is_on() - whether Xen was told not to trace, though we do; it must stay so */
bool hct_pause_is_on(void);

/** hct_pause_ms() - for how long tracing was off, all pauses since the last reset together */
u64 hct_pause_ms(void);

/** hct_pause_status() - fill in what of a status is known here */
void hct_pause_status(struct hct_status *status);

/** hct_pause_exit() - without ctl, after hct_tracing_stop() */
void hct_pause_exit(void);

/* watch.c: called under ctl, but for init and exit. */

/** hct_watch_init() - @nr: numbers of pCPUs are below it */
int hct_watch_init(u32 nr);
void hct_watch_exit(void);

/** hct_watch_forget() - nothing can be said of the time up to the next look at pCPUs */
void hct_watch_forget(void);

/**
 * hct_watch_call() - make a call of our own, and see whether it is recorded
 * @info: filled in: what was asked
 * @recorded: filled in: whether any ring moved, or has no room to
 *
 * Return: 0 or Xen's error.
 */
int hct_watch_call(struct hct_tbuf_info *info, bool *recorded);

/**
 * hct_watch_pcpus() - look at all pCPUs, while Xen traces
 * @nr_online: set to how many are online, if Xen says
 * @judge: whether a switch must have left a record since the last look
 */
void hct_watch_pcpus(u32 *nr_online, bool judge);

/** hct_watch_has_silent() - whether there are pCPUs whose calls are not recorded */
bool hct_watch_has_silent(void);

/** hct_watch_status() - fill in what of a status is known here */
void hct_watch_status(struct hct_status *status);

/* selftest.c */

/**
 * hct_selftest_run() - make a call of our own, if it would tell something
 * @mask: what Xen traces
 * @pv: dom0 is a PV domain
 *
 * Called under ctl while tracing is on.
 */
void hct_selftest_run(u32 mask, bool pv);

/* stats.c: the file `stats`. */

struct hct_stats;

/** hct_stats_take() - a consistent copy of all statistics; an ERR_PTR on failure */
struct hct_stats *hct_stats_take(void);
void hct_stats_free(struct hct_stats *stats);
u32 hct_stats_nr_rows(const struct hct_stats *stats);
void hct_stats_show_header(const struct hct_stats *stats, struct seq_file *m);
void hct_stats_show_row(const struct hct_stats *stats, struct seq_file *m, u32 row);

/* multicalls.c: the file `multicalls`; the snapshot is the seq_file's private. */

struct hct_snapshot;

struct hct_snapshot *hct_multicalls_take(void);
void hct_multicalls_free(struct hct_snapshot *snap);
int hct_multicalls_show(struct seq_file *m, void *unused);

/* status.c: the file `status`. */
int hct_status_show(struct seq_file *m, void *unused);

/* debugfs.c */
void hct_debugfs_init(void);
void hct_debugfs_exit(void);

#endif /* HCT_HCTRACE_H */
