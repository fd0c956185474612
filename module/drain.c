// SPDX-License-Identifier: GPL-2.0
/*
 * The drain: one thread that takes the rings through the pipeline, in the
 * rounds of pipeline.h.
 *
 * Between rounds it sleeps until VIRQ_TBUF, until the poll time is over or until
 * someone waits for it. The VIRQ alone would not do: Xen raises it only when a
 * ring crosses half full upwards. While a ring stays above a quarter the next
 * round begins at once, or at least 100 us later. It adapts to fullness and not
 * to emptiness: our own hypercalls always leave something in the rings.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "ctl.h"
#include "drain.h"
#include "pipe.h"
#include "readers.h"
#include "xen/hypervisor.h"

#define CHUNK_RECORDS		256
#define BUSY_FILL_PERCENT	25
#define BUSY_SLEEP_NS		(100 * NSEC_PER_USEC)
#define RATE_WINDOW_MS		1000
#define SYNC_TIMEOUT		(2 * HZ)

static struct task_struct *drain_task;	/* under ctl */
static void (*drain_tripped)(void);	/* the thread's, while there is one */

/* Woken by the VIRQ handler, which must not hold a pointer to a task. */
static DECLARE_WAIT_QUEUE_HEAD(drain_wait);
static atomic_t virq_pending = ATOMIC_INIT(0);

/* Rounds, counted since the load; sync_target is the highest that is waited for. */
static DECLARE_WAIT_QUEUE_HEAD(sync_wait);
static DEFINE_SPINLOCK(sync_lock);
static bool drain_running;
static u64 rounds_begun;
static u64 rounds_done;
static u64 sync_target;

static struct hct_wakeups drain_wakeups;	/* under sync_lock */
static ktime_t window_start;		/* the thread's own */

void hct_drain_wakeups(struct hct_wakeups *copy)
{
	spin_lock(&sync_lock);
	*copy = drain_wakeups;
	copy->rounds = rounds_done;
	spin_unlock(&sync_lock);
}

void hct_drain_wake(void)
{
	atomic_set(&virq_pending, 1);
	wake_up(&drain_wait);
}

static bool round_wanted(void)
{
	bool wanted;

	spin_lock(&sync_lock);
	wanted = rounds_done < sync_target;
	spin_unlock(&sync_lock);
	return wanted;
}

static void count_wakeup(u64 *counter)
{
	spin_lock(&sync_lock);
	(*counter)++;
	spin_unlock(&sync_lock);
}

/*
 * Read both clocks, and again if something came between. After the snapshot of the
 * rings, so that all that the round takes lies before it.
 */
static void read_clocks(void)
{
	u64 before, ns, after, best_before = 0, best_ns = 0, best_after = ~0ull;
	int i;

	for (i = 0; i < 3; i++) {
		preempt_disable();
		before = hct_hyp_tsc();
		ns = ktime_get_ns();
		after = hct_hyp_tsc();
		preempt_enable();
		if (after - before < best_after - best_before) {
			best_before = before;
			best_ns = ns;
			best_after = after;
		}
	}
	hct_clock_anchor(hct_pipe_clock(), best_before, best_ns, best_after);
}

/* Our own call has come back: that tells the offset of the counters. */
static void drain_calibrate(struct hct_marker *marker)
{
	if (hct_marker_take_times(marker))
		hct_clock_calibrate(hct_pipe_clock(), marker->before, marker->tsc, marker->after);
}

static void run_round(bool last)
{
	struct hct_pipeline *p;
	bool unfinished;

	spin_lock(&sync_lock);
	rounds_begun++;
	spin_unlock(&sync_lock);

	p = hct_pipe_lock();
	hct_breaker_now(&p->breaker, ktime_to_ms(ktime_get()));
	hct_round_begin(p, last);
	read_clocks();
	hct_pipe_unlock();
	do {
		p = hct_pipe_lock();
		unfinished = hct_round_run(p, CHUNK_RECORDS);
		if (!unfinished)
			drain_calibrate(&p->marker);
		hct_readers_flush();
		hct_pipe_unlock();
		cond_resched();
	} while (unfinished);

	spin_lock(&sync_lock);
	rounds_done++;
	spin_unlock(&sync_lock);
	wake_up_all(&sync_wait);
}

/* Of what the counter does over a suspend nothing can be seen but in its own records. */
static void tell_of_steps(u64 steps)
{
	static u64 told;	/* the thread's own */

	if (steps != told)
		pr_notice("the time stamp counter began anew (suspend to memory?): one gap, and times go on\n");
	told = steps;
}

static void hct_tell_fault(const struct hct_ring *ring)
{
	static const char *const why[] = {
		[HCT_RING_BAD_INDEX] = "its ring has impossible indices",
		[HCT_RING_FOREIGN_CONS] = "another program moved cons of its ring",
		[HCT_RING_BAD_RECORD] = "what stands in its ring cannot be a record",
	};

	pr_warn_ratelimited("pCPU %u: %s; %s, after %llu bytes so far that were passed over\n",
			    ring->pcpu, why[ring->last_fault],
			    ring->fault ? "it waits to be read on" : "it is read on",
			    ring->count.suspected);
}

/* End the rate window if it is over, and pass on what the pipeline found. */
static void drain_housekeep(void)
{
	s64 elapsed_ms = ktime_ms_delta(ktime_get(), window_start);
	bool is_paused, tripped, faulty;
	struct hct_ring at_fault;
	struct hct_pipeline *p;
	u64 steps;

	p = hct_pipe_lock();
	is_paused = p->breaker.state == HCT_BREAKER_OPEN;
	if (elapsed_ms >= RATE_WINDOW_MS) {
		/* In a pause there is no rate, and not one of 0. */
		hct_pipeline_tick(p, is_paused ? 0 : elapsed_ms);
		hct_readers_flush();
		window_start = ktime_get();
	}
	tripped = p->breaker.state == HCT_BREAKER_TRIPPED;
	steps = p->clock_steps;
	faulty = hct_pipeline_take_fault(p, &at_fault);
	hct_pipe_unlock();
	tell_of_steps(steps);
	if (faulty)
		hct_tell_fault(&at_fault);
	if (tripped)
		drain_tripped();
}

static void sleep_between_rounds(void)
{
	struct hct_pipeline *p;
	DEFINE_WAIT(wait);
	u32 fill_percent;
	u64 sleep_ns;
	ktime_t timeout;
	int expired = -1;
	bool hurry;

	p = hct_pipe_lock();
	hurry = hct_pipeline_take_hurry(p);
	fill_percent = p->fill_percent;
	sleep_ns = p->settings.poll_ms * NSEC_PER_MSEC;
	sleep_ns = min(sleep_ns, hct_readers_patience_ns());
	hct_pipe_unlock();
	sleep_ns = max_t(u64, sleep_ns, BUSY_SLEEP_NS);

	if (hurry) {
		count_wakeup(&drain_wakeups.busy);
		return;
	}
	if (fill_percent > BUSY_FILL_PERCENT) {
		timeout = ns_to_ktime(BUSY_SLEEP_NS);
		set_current_state(TASK_INTERRUPTIBLE);
		schedule_hrtimeout_range(&timeout, BUSY_SLEEP_NS, HRTIMER_MODE_REL);
		count_wakeup(&drain_wakeups.busy);
		return;
	}

	timeout = ns_to_ktime(sleep_ns);
	prepare_to_wait(&drain_wait, &wait, TASK_INTERRUPTIBLE);
	if (!atomic_read(&virq_pending) && !round_wanted() && !kthread_should_stop() &&
	    !freezing(current))
		expired = schedule_hrtimeout_range(&timeout, sleep_ns / 16, HRTIMER_MODE_REL);
	finish_wait(&drain_wait, &wait);

	if (atomic_xchg(&virq_pending, 0))
		count_wakeup(&drain_wakeups.virq);
	else if (!expired)
		count_wakeup(&drain_wakeups.timer);
	else
		count_wakeup(&drain_wakeups.sync);
}

static int drain_thread(void *unused)
{
	set_freezable();
	while (!kthread_should_stop()) {
		try_to_freeze();
		run_round(false);
		drain_housekeep();
		sleep_between_rounds();
	}
	return 0;
}

int hct_drain_start(struct hct_tbuf *tbuf, void (*tripped)(void))
{
	struct hct_pipeline *p;
	struct hct_ring *old;
	struct task_struct *task;

	lockdep_assert_held(&hct_ctl);
	p = hct_pipe_lock();
	old = hct_pipeline_attach(p, tbuf->rings, tbuf->nr);
	tbuf->rings = NULL;
	read_clocks();
	hct_pipeline_start(p);
	hct_pipe_unlock();
	kvfree(old);

	window_start = ktime_get();
	drain_tripped = tripped;
	task = kthread_create(drain_thread, NULL, "xen-hctrace");
	if (IS_ERR(task))
		return PTR_ERR(task);
	drain_task = task;

	spin_lock(&sync_lock);
	drain_running = true;
	spin_unlock(&sync_lock);
	wake_up_process(task);
	return 0;
}

void hct_drain_stop(void)
{
	struct hct_pipeline *p;

	lockdep_assert_held(&hct_ctl);
	kthread_stop(drain_task);
	drain_task = NULL;
	/* Here and not in the thread, which a stop at once may have kept from ever running. */
	run_round(true);
	p = hct_pipe_lock();
	hct_pipeline_tick(p, 0);
	hct_readers_flush();
	hct_pipe_unlock();

	spin_lock(&sync_lock);
	drain_running = false;
	spin_unlock(&sync_lock);
	wake_up_all(&sync_wait);
}

static bool sync_is_over(u64 target)
{
	bool over;

	spin_lock(&sync_lock);
	over = rounds_done >= target || !drain_running;
	spin_unlock(&sync_lock);
	return over;
}

int hct_drain_sync(void)
{
	bool idle;
	u64 target;
	long rc;

	spin_lock(&sync_lock);
	idle = !drain_running;
	target = rounds_begun + 2;
	if (!idle && sync_target < target)
		sync_target = target;
	spin_unlock(&sync_lock);
	if (idle)
		return 0;

	wake_up(&drain_wait);
	rc = wait_event_interruptible_timeout(sync_wait, sync_is_over(target), SYNC_TIMEOUT);
	return rc < 0 ? rc : 0;
}
