/* SPDX-License-Identifier: GPL-2.0 */
/* Events in words. */
#ifndef HCTRACE_EVENT_TEXT_H
#define HCTRACE_EVENT_TEXT_H

#include <hctrace/account.h>
#include <hctrace/event.h>

#include "line.h"

/** event_kind() - put how it was called, &enum hct_kind: "call", "member" */
void event_kind(struct line *line, unsigned int kind);

/** event_op() - put what was called: "mmu_update", "vcpu_op/is_up", "70" */
void event_op(struct line *line, const struct xen_hctrace_call *call);

/** event_who() - put "d3v1" or "d?" */
void event_who(struct line *line, u16 domid, u16 vcpu);

/** event_flags() - put " continued late", each with a blank before it */
void event_flags(struct line *line, const struct xen_hctrace_call *call);

/** event_decoded() - the call as the decoder gave it, as far as the event still tells */
struct hct_call event_decoded(const struct xen_hctrace_call *call);

#endif /* HCTRACE_EVENT_TEXT_H */
