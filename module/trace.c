// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoints. Enabling one asks for events, disabling the last of them gives
 * that up. Both can happen before the module is up and after it is down.
 */
#include <linux/spinlock.h>

#include "trace.h"

#define CREATE_TRACE_POINTS
#include "tracepoints.h"

/*
 * A sample is the tracepoint's own record, so that the format file describes both. The
 * fields of a call follow each other alike everywhere; what stands before them is longer
 * where PREEMPT_RT was a patch (up to 6.1).
 */
#define TRACED		struct trace_event_raw_hct_hypercall
#define SAMPLE		struct xen_hctrace_sample
#define SAME_COMMON(name)						\
	static_assert(offsetof(TRACED, ent.name) == offsetof(SAMPLE, common_##name) &&	\
		      sizeof_field(TRACED, ent.name) == sizeof_field(SAMPLE, common_##name))
#define SAME_FIELD(type, name)						\
	static_assert(offsetof(TRACED, name) - offsetof(TRACED, tsc) ==	\
		      offsetof(struct xen_hctrace_call, name) &&	\
		      sizeof_field(TRACED, name) ==			\
		      sizeof_field(struct xen_hctrace_call, name));

static_assert(sizeof(TRACED) - offsetof(TRACED, tsc) == sizeof(struct xen_hctrace_call));
#ifndef HCT_TRACE_ENTRY_IS_LONGER
static_assert(offsetof(TRACED, tsc) == offsetof(SAMPLE, call));
static_assert(sizeof(TRACED) == sizeof(SAMPLE));
#endif
SAME_COMMON(type);
SAME_COMMON(flags);
SAME_COMMON(preempt_count);
SAME_COMMON(pid);
HCT_CALL_FIELDS(SAME_FIELD)

static DEFINE_SPINLOCK(tracers_lock);
static unsigned int nr_tracers;
static void (*tracers_changed)(bool more);

/* Called under the tracing core's locks, of which ctl must know nothing. */
static void count_tracer(bool more)
{
	spin_lock(&tracers_lock);
	nr_tracers += more ? 1 : -1;
	if (tracers_changed)
		tracers_changed(more);
	spin_unlock(&tracers_lock);
}

int hct_trace_reg(void)
{
	count_tracer(true);
	return 0;
}

void hct_trace_unreg(void)
{
	count_tracer(false);
}

void hct_trace_tell(void (*changed)(bool more))
{
	spin_lock(&tracers_lock);
	tracers_changed = changed;
	spin_unlock(&tracers_lock);
}

bool hct_trace_is_on(void)
{
	bool on;

	spin_lock(&tracers_lock);
	on = nr_tracers;
	spin_unlock(&tracers_lock);
	return on;
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
