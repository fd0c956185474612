// SPDX-License-Identifier: GPL-2.0
/*
 * The public header alone, in each dialect and for both widths of a caller: what
 * crosses the border has one layout, and the calls have one number. Only compiled.
 */
#include <xen_hctrace.h>

#include <stddef.h>

#define AT(type, field, offset)	\
	XEN_HCTRACE_ASSERT(offsetof(struct xen_hctrace_##type, field) == (offset))

AT(call, tsc, 0);
AT(call, ns, 8);
AT(call, op, 16);
AT(call, a0, 20);
AT(call, a1, 24);
AT(call, a2, 28);
AT(call, batch, 32);
AT(call, domid, 36);
AT(call, vcpu, 38);
AT(call, pcpu, 40);
AT(call, flags, 42);
AT(call, kind, 44);
AT(call, args, 45);
AT(call, subop, 46);
AT(call, pid, 48);
AT(call, target, 52);
AT(call, reserved, 54);

AT(sample, common_type, 0);
AT(sample, common_flags, 2);
AT(sample, common_preempt_count, 3);
AT(sample, common_pid, 4);
AT(sample, call, 8);

AT(raw, pcpu, 0);
AT(raw, bytes, 4);
AT(raw, words, 8);

AT(attr, size, 0);
AT(attr, kinds, 4);
AT(attr, flags, 8);
AT(attr, ops, 16);
AT(attr, sample_type, 24);
AT(attr, wakeup_watermark, 32);
AT(attr, max_latency_us, 36);
AT(attr, domains, 40);
AT(attr, pcpus, 48);
AT(attr, nr_domains, 56);
AT(attr, nr_pcpus, 60);
AT(attr, raw_mask, 64);
AT(attr, reserved, 68);

AT(info, size, 0);
AT(info, api_version, 4);
AT(info, schema_version, 8);
AT(info, flags, 12);
AT(info, xen_major, 16);
AT(info, xen_minor, 20);
AT(info, tracepoint_id, 24);
AT(info, nr_pcpus, 28);
AT(info, tsc_khz, 32);
AT(info, safe_pages, 36);
AT(info, uncertainty_ns, 40);
AT(info, matched, 48);
AT(info, written, 56);
AT(info, lost, 64);
AT(info, paused, 72);
AT(info, xen_lost, 80);
AT(info, late, 88);
AT(info, wakeups, 96);

XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_call) == 56);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_sample) == 64);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_raw) == 8);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_attr) == 72);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_info) == 104);

XEN_HCTRACE_ASSERT(XEN_HCTRACE_IOC_SET_ATTR == 0x40042480);
XEN_HCTRACE_ASSERT(XEN_HCTRACE_IOC_INFO == 0xc0042481);

/* Ids of threads: of a vCPU, the highest there is, and those of the unknown. */
XEN_HCTRACE_ASSERT(XEN_HCTRACE_TID(3, 2) == 0x10006002);
XEN_HCTRACE_ASSERT(XEN_HCTRACE_TID(0x7fff, 0x1fff) == 0x1fffffff);
XEN_HCTRACE_ASSERT(XEN_HCTRACE_TID_UNKNOWN(0) == 0x20000000);
XEN_HCTRACE_ASSERT(XEN_HCTRACE_TID_UNKNOWN(XEN_HCTRACE_UNKNOWN) == 0x2000ffff);
