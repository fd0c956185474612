/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/xen/hctrace: the hypercalls of a Xen host, in a ring laid out as perf's.
 * All that a reader needs is here and in <linux/perf_event.h>; docs/abi.md says
 * how it works together.
 */
#ifndef _XEN_HCTRACE_H
#define _XEN_HCTRACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Version of the calls and of this header; a newer one only adds. */
#define XEN_HCTRACE_API_VERSION		2

/* Version of the payloads; another one means another layout. */
#define XEN_HCTRACE_SCHEMA_VERSION	2

#define XEN_HCTRACE_DEVICE		"/dev/xen/hctrace"

/* In place of a domain or vCPU that is not known. */
#define XEN_HCTRACE_UNKNOWN		0xffff

/* In place of a sub-operation: this op has none, or Xen does not record it. */
#define XEN_HCTRACE_NO_SUBOP		0xffff

/**
 * enum xen_hctrace_kind - how a hypercall came to be recorded
 * @XEN_HCTRACE_KIND_CALL: a PV guest's own call
 * @XEN_HCTRACE_KIND_MEMBER: a call inside a multicall, of any type of guest
 * @XEN_HCTRACE_KIND_HVM: an HVM or PVH guest's own call
 * @XEN_HCTRACE_KIND_V1: a call in the format of Xen up to 4.2
 * @XEN_HCTRACE_KIND_DRAFT: a call in the format of the first public patch
 */
enum xen_hctrace_kind {
	XEN_HCTRACE_KIND_CALL,
	XEN_HCTRACE_KIND_MEMBER,
	XEN_HCTRACE_KIND_HVM,
	XEN_HCTRACE_KIND_V1,
	XEN_HCTRACE_KIND_DRAFT,
};

/* What is special about an event. */
#define XEN_HCTRACE_F_MALFORMED		0x0001	/* a forged op word: it is @op as a whole */
#define XEN_HCTRACE_F_SURPLUS		0x0002	/* recorded with more words than we know */
#define XEN_HCTRACE_F_ARGS_MISSING	0x0004	/* should have come with arguments */
#define XEN_HCTRACE_F_VIRIDIAN		0x0008	/* a call to Hyper-V's interface */
#define XEN_HCTRACE_F_CONTINUED		0x0010	/* goes on with a preempted call */
#define XEN_HCTRACE_F_NO_TSC		0x0020	/* no time recorded: that of the last record */
#define XEN_HCTRACE_F_LATE		0x0040	/* older than an event delivered before */
#define XEN_HCTRACE_F_UNRELIABLE	0x0080	/* records contradict each other on who runs */
#define XEN_HCTRACE_F_WIDE_ARGS		0x0100	/* an argument does not fit, see raw mode */
#define XEN_HCTRACE_F_NO_NS		0x0200	/* @ns is not known */

/**
 * struct xen_hctrace_call - a hypercall
 * @tsc: the host's time stamp counter when it was recorded
 * @ns: the same in CLOCK_MONOTONIC nanoseconds
 * @op: hypercall number; the whole op word of a malformed record
 * @a0: first argument, if bit 0 of @args is set, else 0
 * @a1: second argument
 * @a2: third argument
 * @batch: which multicall it belongs to, 0: none or not known
 * @domid: the domain that made it, or %XEN_HCTRACE_UNKNOWN
 * @vcpu: its vCPU, or %XEN_HCTRACE_UNKNOWN
 * @pcpu: the physical CPU, in Xen's numbers
 * @flags: XEN_HCTRACE_F_*
 * @kind: &enum xen_hctrace_kind
 * @args: bit i: argument i was recorded
 * @subop: sub-operation of grant_table_op, vcpu_op or sched_op, else %XEN_HCTRACE_NO_SUBOP
 * @pid: the task of dom0 that made it, 0: not known, as yet always
 * @target: the domain that it is about, or %XEN_HCTRACE_UNKNOWN, as yet always
 * @reserved: 0
 *
 * Schema version 1 had no field behind @subop, and 48 bytes.
 */
struct xen_hctrace_call {
	__aligned_u64 tsc;
	__aligned_u64 ns;
	__u32 op;
	__u32 a0;
	__u32 a1;
	__u32 a2;
	__u32 batch;
	__u16 domid;
	__u16 vcpu;
	__u16 pcpu;
	__u16 flags;
	__u8 kind;
	__u8 args;
	__u16 subop;
	__u32 pid;
	__u16 target;
	__u16 reserved;
};

/**
 * struct xen_hctrace_sample - the RAW payload of a sample
 * @common_type: id of the tracepoint xen_hctrace:hct_hypercall
 * @common_flags: 0
 * @common_preempt_count: 0
 * @common_pid: 0
 * @call: the hypercall
 *
 * The record of that tracepoint, so that its format file describes both.
 */
struct xen_hctrace_sample {
	__u16 common_type;
	__u8 common_flags;
	__u8 common_preempt_count;
	__s32 common_pid;
	struct xen_hctrace_call call;
};

/**
 * struct xen_hctrace_raw - the RAW payload of a sample in raw mode
 * @pcpu: the physical CPU
 * @bytes: length of @words
 * @words: whole trace records of Xen, as xen/trace.h describes them
 */
struct xen_hctrace_raw {
	__u32 pcpu;
	__u32 bytes;
	__u32 words[];
};

#define XEN_HCTRACE_RAW_MAX_BYTES	32768

/* Whose losses a PERF_RECORD_LOST counts: this ring's, or a pCPU's inside Xen. */
#define XEN_HCTRACE_LOST_RING		0
#define XEN_HCTRACE_LOST_XEN(pcpu)	(1 + (pcpu))

/*
 * Or it is a gap: what it should have counted is not known, and its count is 0. Events
 * on its two sides are not to be taken for neighbours.
 */
#define XEN_HCTRACE_LOST_GAP(reason)	(1ull << 32 | (reason))
#define XEN_HCTRACE_LOST_IS_GAP(id)	((id) >> 32 == 1)

/**
 * enum xen_hctrace_gap - why nobody can tell what there was
 * @XEN_HCTRACE_GAP_BREAKER: tracing was off, because a domain made Xen log warnings
 * @XEN_HCTRACE_GAP_TRACING_OFF: tracing was off: another program, or Xen, switched it off
 * @XEN_HCTRACE_GAP_MASK: another program had changed which events are traced
 * @XEN_HCTRACE_GAP_RING: a pCPU's buffer could not be read on where it was left
 * @XEN_HCTRACE_GAP_CLOCK: time stamp counters began anew: the host was suspended
 * @XEN_HCTRACE_GAP_SILENT: Xen does not record what a pCPU does, from some time before on
 */
enum xen_hctrace_gap {
	XEN_HCTRACE_GAP_BREAKER = 1,
	XEN_HCTRACE_GAP_TRACING_OFF,
	XEN_HCTRACE_GAP_MASK,
	XEN_HCTRACE_GAP_RING,
	XEN_HCTRACE_GAP_CLOCK,
	XEN_HCTRACE_GAP_SILENT,
};

#define XEN_HCTRACE_ATTR_DISABLED	0x0001	/* wait for PERF_EVENT_IOC_ENABLE */
#define XEN_HCTRACE_ATTR_KNOWN_ONLY	0x0002	/* leave out calls of unknown domains */
#define XEN_HCTRACE_ATTR_DOMAINS	0x0004	/* tell of domains that come and go */

/**
 * struct xen_hctrace_attr - what a reader wants
 * @size: sizeof(struct xen_hctrace_attr) of the caller
 * @kinds: bit &enum xen_hctrace_kind set: deliver these
 * @flags: XEN_HCTRACE_ATTR_*
 * @ops: bit n set: deliver op n; 0: all of them, numbers from 64 on too
 * @sample_type: PERF_SAMPLE_RAW, or with PERF_SAMPLE_TID, _TIME and _CPU
 * @wakeup_watermark: wake the reader at so many bytes; 0: a quarter of the ring
 * @max_latency_us: wake it for less after so long, a tenth of a millisecond at least; 0: 100 ms
 * @domains: address of @nr_domains domain ids of 16 bits, to deliver only those; else 0
 * @pcpus: address of @nr_pcpus pCPU numbers of 16 bits, to deliver only those; else 0
 * @nr_domains: 0: all domains; at most %XEN_HCTRACE_ATTR_MAX_LIST
 * @nr_pcpus: 0: all pCPUs; at most %XEN_HCTRACE_ATTR_MAX_LIST
 * @raw_mask: not 0: raw mode, all of Xen's records of this event mask. @kinds,
 *	@ops and @domains must be 0 then, and no flag but %XEN_HCTRACE_ATTR_DISABLED set
 * @reserved: 0
 */
struct xen_hctrace_attr {
	__u32 size;
	__u32 kinds;
	__aligned_u64 flags;
	__aligned_u64 ops;
	__aligned_u64 sample_type;
	__u32 wakeup_watermark;
	__u32 max_latency_us;
	__aligned_u64 domains;
	__aligned_u64 pcpus;
	__u32 nr_domains;
	__u32 nr_pcpus;
	__u32 raw_mask;
	__u32 reserved;
};

#define XEN_HCTRACE_ATTR_SIZE_VER0	72
#define XEN_HCTRACE_ATTR_MAX_LIST	4096

#define XEN_HCTRACE_INFO_TRACING	0x0001	/* Xen traces now */
#define XEN_HCTRACE_INFO_DOM0_PV	0x0002	/* dom0 is a PV domain, else PVH */
#define XEN_HCTRACE_INFO_UNRELIABLE	0x0004	/* who runs where cannot be told */
#define XEN_HCTRACE_INFO_WAITING	0x0008	/* somebody wants events that cannot be had yet */
#define XEN_HCTRACE_INFO_BREAKER	0x0010	/* tracing is off: a domain made Xen log warnings */
#define XEN_HCTRACE_INFO_COVERAGE_UNKNOWN 0x0020	/* records may be missing uncounted */

/**
 * struct xen_hctrace_info - what there is, and this reader's ledger
 * @size: in: sizeof(struct xen_hctrace_info) of the caller; out: bytes filled in
 * @api_version: %XEN_HCTRACE_API_VERSION of the module
 * @schema_version: %XEN_HCTRACE_SCHEMA_VERSION of the module
 * @flags: XEN_HCTRACE_INFO_*
 * @xen_major: Xen's version
 * @xen_minor: Xen's version
 * @tracepoint_id: of xen_hctrace:hct_hypercall
 * @nr_pcpus: physical CPUs that are traced
 * @tsc_khz: rate of the host's time stamp counter, 0: not known yet
 * @safe_pages: data pages of a ring that holds whatever Xen's rings can hold at once
 * @uncertainty_ns: how far @ns of a call may be off; all ones: @ns is not known
 * @matched: calls this reader asked for = @written + @lost + @paused
 * @written: of them, in its ring
 * @lost: of them, for want of room
 * @paused: of them, while there was no ring or output was paused
 * @xen_lost: records lost inside Xen meanwhile, of whatever kind
 * @late: delivered calls with XEN_HCTRACE_F_LATE
 * @wakeups: times this reader was woken
 */
struct xen_hctrace_info {
	__u32 size;
	__u32 api_version;
	__u32 schema_version;
	__u32 flags;
	__u32 xen_major;
	__u32 xen_minor;
	__u32 tracepoint_id;
	__u32 nr_pcpus;
	__u32 tsc_khz;
	__u32 safe_pages;
	__aligned_u64 uncertainty_ns;
	__aligned_u64 matched;
	__aligned_u64 written;
	__aligned_u64 lost;
	__aligned_u64 paused;
	__aligned_u64 xen_lost;
	__aligned_u64 late;
	__aligned_u64 wakeups;
};

#define XEN_HCTRACE_INFO_SIZE_VER0	104

/*
 * Besides these, perf's own calls: PERF_EVENT_IOC_ENABLE, _DISABLE, _PAUSE_OUTPUT and
 * _RESET. Both structures begin with their size, which is what these numbers carry.
 */
#define XEN_HCTRACE_IOC_SET_ATTR	_IOW('$', 0x80, __u32)
#define XEN_HCTRACE_IOC_INFO		_IOWR('$', 0x81, __u32)

/* In perf.data recordings a vCPU is a thread, whose id must be unique on the host. */
#define XEN_HCTRACE_TID(domid, vcpu)	(1u << 28 | (__u32)(domid) << 13 | ((vcpu) & 0x1fff))

/* If the vCPU is not known, or neither: an id that no vCPU and no process has. */
#define XEN_HCTRACE_TID_UNKNOWN(domid)	(1u << 29 | (__u32)(domid))

#if defined(__cplusplus) && __cplusplus >= 201103L
#define XEN_HCTRACE_ASSERT(what)	static_assert(what, #what)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define XEN_HCTRACE_ASSERT(what)	_Static_assert(what, #what)
#else
#define XEN_HCTRACE_ASSERT(what)	extern char xen_hctrace_assert[(what) ? 1 : -1]
#endif

XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_call) == 56);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_sample) == 64);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_attr) == XEN_HCTRACE_ATTR_SIZE_VER0);
XEN_HCTRACE_ASSERT(sizeof(struct xen_hctrace_info) == XEN_HCTRACE_INFO_SIZE_VER0);

#endif /* _XEN_HCTRACE_H */
