// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoints. Enabling one asks for events, disabling the last of them gives
 * that up. Both can happen before the module is up and after it is down, so they
 * only count, and the asking is done by a work item while we are live.
 */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "hctrace.h"

#define CREATE_TRACE_POINTS
#include "tracepoints.h"

/* The format file of hct_hypercall describes the samples of the rings too. */
#define TRACED		struct trace_event_raw_hct_hypercall
#define SAMPLE		struct xen_hctrace_sample
#define SAME_COMMON(name)						\
	static_assert(offsetof(TRACED, ent.name) == offsetof(SAMPLE, common_##name) &&	\
		      sizeof_field(TRACED, ent.name) == sizeof_field(SAMPLE, common_##name))
#define SAME_FIELD(type, name)						\
	static_assert(offsetof(TRACED, name) == offsetof(SAMPLE, call.name) &&	\
		      sizeof_field(TRACED, name) == sizeof_field(SAMPLE, call.name));

static_assert(sizeof(TRACED) == sizeof(SAMPLE));
SAME_COMMON(type);
SAME_COMMON(flags);
SAME_COMMON(preempt_count);
SAME_COMMON(pid);
HCT_CALL_FIELDS(SAME_FIELD)

static atomic_t users = ATOMIC_INIT(0);
static DEFINE_MUTEX(live_mutex);
static bool live;	/* under live_mutex */

static void tell_session(struct work_struct *work)
{
	hct_session_want_tracepoints(atomic_read(&users) > 0);
}

static DECLARE_WORK(users_work, tell_session);

/* Called under the tracing core's locks, of which the session must know nothing. */
static void users_changed(void)
{
	mutex_lock(&live_mutex);
	if (live)
		queue_work(hct_wq, &users_work);
	mutex_unlock(&live_mutex);
}

int hct_trace_reg(void)
{
	atomic_inc(&users);
	users_changed();
	return 0;
}

void hct_trace_unreg(void)
{
	atomic_dec(&users);
	users_changed();
}

void hct_trace_init(void)
{
	mutex_lock(&live_mutex);
	live = true;
	if (atomic_read(&users))
		queue_work(hct_wq, &users_work);
	mutex_unlock(&live_mutex);
}

void hct_trace_exit(void)
{
	mutex_lock(&live_mutex);
	live = false;
	mutex_unlock(&live_mutex);
	cancel_work_sync(&users_work);
}

u16 hct_trace_id(void)
{
	return event_hct_hypercall.event.type;
}

void hct_trace_call(const struct xen_hctrace_call *call)
{
	trace_hct_hypercall(call);
}

void hct_trace_batch(const struct hct_batch_event *batch)
{
	trace_hct_multicall(batch);
}

void hct_trace_loss(const struct hct_loss_event *loss)
{
	trace_hct_lost(loss);
}

void hct_trace_domain(const struct hct_domain_event *domain)
{
	trace_hct_domain(domain);
}
