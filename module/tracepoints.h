/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracepoints xen_hctrace:*. All fields are scalars, so that filters, hist
 * triggers and bpftrace work on each; ns and pcpu are the hypervisor's, while the
 * time and CPU that ftrace and perf add are those of the drain.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM xen_hctrace

#if !defined(HCT_TRACEPOINTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define HCT_TRACEPOINTS_H

#include <linux/tracepoint.h>

#include <hctrace/pipeline.h>

#include "trace.h"

/* The last entry takes the comma. */
#define HCT_TRACE_OP(nr, name)	{ nr, #name },
#define HCT_TRACE_OPS		HCT_OPS(HCT_TRACE_OP) { 0x80000000, "viridian" }

#define HCT_TRACE_GAP(id, name)	{ XEN_HCTRACE_GAP_##id, #name },
#define HCT_TRACE_ASSIGN(type, name)	__entry->name = call->name;

/* Numbers for the names in the format files, which user space could not know. */
TRACE_DEFINE_ENUM(XEN_HCTRACE_KIND_CALL);
TRACE_DEFINE_ENUM(XEN_HCTRACE_KIND_MEMBER);
TRACE_DEFINE_ENUM(XEN_HCTRACE_KIND_HVM);
TRACE_DEFINE_ENUM(XEN_HCTRACE_KIND_V1);
TRACE_DEFINE_ENUM(XEN_HCTRACE_KIND_DRAFT);
TRACE_DEFINE_ENUM(HCT_END_COMPLETE);
TRACE_DEFINE_ENUM(HCT_END_SHORT);
TRACE_DEFINE_ENUM(HCT_END_LOST);
TRACE_DEFINE_ENUM(XEN_HCTRACE_GAP_BREAKER);
TRACE_DEFINE_ENUM(XEN_HCTRACE_GAP_TRACING_OFF);
TRACE_DEFINE_ENUM(XEN_HCTRACE_GAP_MASK);
TRACE_DEFINE_ENUM(XEN_HCTRACE_GAP_RING);
TRACE_DEFINE_ENUM(XEN_HCTRACE_GAP_CLOCK);

/*
 * A number digit by digit: user space's parsers of formats have no other way to print
 * nothing in place of one that is not known, or of a 0 in front. A digit is a flag,
 * because no flag prints as nothing, where an empty symbol prints as a number. They take
 * a / b % c for a / (b % c), hence the brackets; and a power of 1 has no 0 in front.
 */
#define HCT_TRACE_DIGIT(field, power, least)					\
	__print_flags(((field == 65535) || (field < least)) ? 0 :		\
		      (1 << ((field / power) % 10)), "",			\
		      { 1, "0" }, { 2, "1" }, { 4, "2" }, { 8, "3" },		\
		      { 16, "4" }, { 32, "5" }, { 64, "6" }, { 128, "7" },	\
		      { 256, "8" }, { 512, "9" })

/* A %s, and one for each of five digits. */
#define HCT_TRACE_NUMBER(field, unknown, known)			\
	field == 65535 ? unknown : known,			\
	HCT_TRACE_DIGIT(field, 10000, 10000),			\
	HCT_TRACE_DIGIT(field, 1000, 1000),			\
	HCT_TRACE_DIGIT(field, 100, 100),			\
	HCT_TRACE_DIGIT(field, 10, 10),				\
	HCT_TRACE_DIGIT(field, 1, 0)
#define HCT_TRACE_NUMBER_FMT	"%s%s%s%s%s%s"

/* "d3v1", or "d?" for a caller that is not known */
#define HCT_TRACE_WHO_FMT	HCT_TRACE_NUMBER_FMT HCT_TRACE_NUMBER_FMT
#define HCT_TRACE_ARGS_FMT	" pcpu=%u ns=%llu %s %s a0=0x%x a1=0x%x a2=0x%x args=0x%x subop="
#define HCT_TRACE_WHO						\
	HCT_TRACE_NUMBER(__entry->domid, "d?", "d"),		\
	HCT_TRACE_NUMBER(__entry->vcpu, "", "v")

/*
 * As struct xen_hctrace_sample, field by field: the ring's samples are this record,
 * which trace.c asserts.
 * "d?" is a caller that is not known, "subop=-" no sub-operation.
 */
TRACE_EVENT_FN(hct_hypercall,
	TP_PROTO(const struct xen_hctrace_call *call),
	TP_ARGS(call),
	TP_STRUCT__entry(HCT_CALL_FIELDS(__field)),
	TP_fast_assign(HCT_CALL_FIELDS(HCT_TRACE_ASSIGN)),
	TP_printk(HCT_TRACE_WHO_FMT HCT_TRACE_ARGS_FMT HCT_TRACE_NUMBER_FMT " batch=%u flags=0x%x",
		  HCT_TRACE_WHO, __entry->pcpu, __entry->ns,
		  __print_symbolic(__entry->kind,
				   { XEN_HCTRACE_KIND_CALL, "call" },
				   { XEN_HCTRACE_KIND_MEMBER, "member" },
				   { XEN_HCTRACE_KIND_HVM, "hvm" },
				   { XEN_HCTRACE_KIND_V1, "v1" },
				   { XEN_HCTRACE_KIND_DRAFT, "draft" }),
		  __print_symbolic(__entry->op, HCT_TRACE_OPS),
		  __entry->a0, __entry->a1, __entry->a2, __entry->args,
		  HCT_TRACE_NUMBER(__entry->subop, "-", ""), __entry->batch, __entry->flags),
	hct_trace_reg, hct_trace_unreg
);

/* One for each multicall that is over. */
TRACE_EVENT_FN(hct_multicall,
	TP_PROTO(const struct hct_batch_event *event),
	TP_ARGS(event),
	TP_STRUCT__entry(
		__field(u64, tsc)
		__field(u64, ns)
		__field(u32, batch)
		__field(u32, declared)
		__field(u32, seen)
		__field(u32, splits)
		__field(u16, domid)
		__field(u16, vcpu)
		__field(u16, pcpu)
		__field(u8, end)
	),
	TP_fast_assign(
		__entry->tsc = event->at.tsc;
		__entry->ns = event->at.ns;
		__entry->batch = event->id;
		__entry->declared = event->declared;
		__entry->seen = event->seen;
		__entry->splits = event->splits;
		__entry->domid = event->who.domid;
		__entry->vcpu = event->who.vcpu;
		__entry->pcpu = event->at.pcpu;
		__entry->end = event->end;
	),
	TP_printk(HCT_TRACE_WHO_FMT " pcpu=%u ns=%llu batch=%u declared=%u seen=%u splits=%u %s",
		  HCT_TRACE_WHO, __entry->pcpu, __entry->ns, __entry->batch,
		  __entry->declared, __entry->seen, __entry->splits,
		  __print_symbolic(__entry->end,
				   { HCT_END_COMPLETE, "complete" },
				   { HCT_END_SHORT, "short" },
				   { HCT_END_LOST, "lost" })),
	hct_trace_reg, hct_trace_unreg
);

/* Xen lost records of a pCPU; or a gap, count=0, on pcpu=-1 all of them. */
TRACE_EVENT_FN(hct_lost,
	TP_PROTO(const struct hct_loss_event *event),
	TP_ARGS(event),
	TP_STRUCT__entry(
		__field(u64, tsc)
		__field(u64, ns)
		__field(u32, count)
		__field(u16, pcpu)
		__field(u8, before)
		__field(u8, gap)
	),
	TP_fast_assign(
		__entry->tsc = event->at.tsc;
		__entry->ns = event->at.ns;
		__entry->count = event->count;
		__entry->pcpu = event->at.pcpu;
		__entry->before = event->before;
		__entry->gap = event->gap;
	),
	TP_printk("pcpu=%d ns=%llu count=%u%s gap=%s", (s16)__entry->pcpu, __entry->ns,
		  __entry->count, __entry->before ? " before tracing began" : "",
		  __print_symbolic(__entry->gap,
				   HCT_GAPS(HCT_TRACE_GAP) { 0, "none" })),
	hct_trace_reg, hct_trace_unreg
);

/* A domain was created or destroyed. */
TRACE_EVENT_FN(hct_domain,
	TP_PROTO(const struct hct_domain_event *event),
	TP_ARGS(event),
	TP_STRUCT__entry(
		__field(u64, tsc)
		__field(u64, ns)
		__field(u16, domid)
		__field(u16, pcpu)
		__field(u8, created)
	),
	TP_fast_assign(
		__entry->tsc = event->at.tsc;
		__entry->ns = event->at.ns;
		__entry->domid = event->domid;
		__entry->pcpu = event->at.pcpu;
		__entry->created = event->created;
	),
	TP_printk("d%u ns=%llu %s", __entry->domid, __entry->ns,
		  __entry->created ? "created" : "destroyed"),
	hct_trace_reg, hct_trace_unreg
);

#endif /* HCT_TRACEPOINTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tracepoints
#include <trace/define_trace.h>
