/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoints xen_hctrace:*. */
#ifndef HCT_TRACE_H
#define HCT_TRACE_H

#include <hctrace/event.h>

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

/* Pass an event on to its tracepoint, if that is enabled; any context. */
void hct_trace_call(const struct xen_hctrace_call *call);
void hct_trace_batch(const struct hct_batch_event *batch);
void hct_trace_loss(const struct hct_loss_event *loss);
void hct_trace_domain(const struct hct_domain_event *domain);

#endif /* HCT_TRACE_H */
