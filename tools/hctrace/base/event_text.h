/* SPDX-License-Identifier: GPL-2.0 */
/* Events in words. */
#ifndef HCTRACE_EVENT_TEXT_H
#define HCTRACE_EVENT_TEXT_H

#include <hctrace/account.h>
#include <hctrace/event.h>

/** event_op() - "mmu_update", "vcpu_op/is_up", "70" into @buf of 64 bytes, which is returned */
const char *event_op(const struct xen_hctrace_call *call, char *buf, size_t size);

/** event_who() - "d3v1" or "d?" into @buf of 24 bytes, which is returned */
const char *event_who(u16 domid, u16 vcpu, char *buf, size_t size);

/** event_flags() - " continued late", each with a blank before it, into @buf of 128 bytes */
const char *event_flags(const struct xen_hctrace_call *call, char *buf, size_t size);

/** event_decoded() - the call as the decoder gave it, as far as the event still tells */
struct hct_call event_decoded(const struct xen_hctrace_call *call);

#endif /* HCTRACE_EVENT_TEXT_H */
