/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Xen's trace format, as far as we read it: event ids, the record header and
 * the event mask. The facts come from Xen's public/trace.h and common/trace.c
 * (4.2 to 4.22: nothing here changed in that time unless a comment says so).
 *
 *   bit 31      30..28          27..16   15..12     11..0
 *   TSC follows extra words n   class    sub-class  minor
 *
 * Header, TSC low, TSC high (with bit 31), then n words; 4 to 40 bytes, little
 * endian. The 28 low bits are the event id.
 */
#ifndef HCTRACE_XEN_TRACE_H
#define HCTRACE_XEN_TRACE_H

#include <hctrace/types.h>

#define XEN_TRC_MAX_WORDS	10	/* header + TSC + 7 extra words */
#define XEN_TRC_EVENT_MASK	0x0fffffffu

/* Of an event and of an event mask alike. */
#define XEN_TRC_CLASSES		0x0fff0000u
#define XEN_TRC_SUBCLASSES	0x0000f000u

/* Classes, as bits of the event mask. */
#define XEN_TRC_GEN		0x0001f000u
#define XEN_TRC_CLS_SCHED	0x00020000u
#define XEN_TRC_CLS_DOM0OP	0x00040000u
#define XEN_TRC_CLS_HVM		0x00080000u
#define XEN_TRC_CLS_PV		0x00200000u
#define XEN_TRC_CLS_GUEST	0x08000000u	/* HVM guests' own: never asked for */

/* Events. */
#define XEN_TRC_LOST_RECORDS	0x0001f001u
#define XEN_TRC_WRAP		0x0001f002u
#define XEN_TRC_CPU_CHANGE	0x0001f003u	/* in xentrace's files only */

#define XEN_TRC_CONTINUE_RUNNING 0x00021002u
#define XEN_TRC_SCHED_SWITCH	0x0002800au
#define XEN_TRC_SCHED_INFCONT	0x00028011u	/* since Xen 4.9 */

#define XEN_TRC_DOM_ADD		0x00041001u	/* since Xen 4.7 */
#define XEN_TRC_DOM_REM		0x00041002u

#define XEN_TRC_HVM_VMMCALL	0x00082012u

#define XEN_TRC_PV_HYPERCALL_V2	0x0020100du	/* since Xen 4.3 */
#define XEN_TRC_PV_SUBCALL	0x0020200eu
#define XEN_TRC_PV_DRAFT	0x0020f00eu	/* the first public patch, no release */

/*
 * RUNSTATE_CHANGE carries old and new state in the minor: 0x00021001 | old << 8
 * | new << 4. Bit 8 of it is therefore not the usual 64-bit flag.
 */
#define XEN_RUNSTATE_RUNNING	0
#define XEN_RUNSTATE_RUNNABLE	1
#define XEN_RUNSTATE_BLOCKED	2
#define XEN_RUNSTATE_OFFLINE	3

/*
 * Event masks. Xen writes an event if its class bit and its sub-class bit are
 * both in the mask, so sub-classes are shared between the classes asked for.
 */
#define XEN_TRC_MASK_PV		0x00261000u	/* V2, runstates, domain add and remove */
#define XEN_TRC_MASK_PV_MEMBERS	0x00263000u	/* the same with the calls inside multicalls */
#define XEN_TRC_MASK_HVM	0x002aa000u	/* VMMCALL, members, SCHED_SWITCH for runstates */
#define XEN_TRC_MASK_ALL	0x002eb000u	/* both; brings every VM entry and exit along */

/* Domain ids from here on are Xen's own (DOMID_FIRST_RESERVED). */
#define XEN_DOMID_FIRST_RESERVED 0x7ff0u
#define XEN_DOMID_IDLE		0x7fffu

/* Xen's MMU_UPDATE_PREEMPTED: bit 31 of the count of a preempted mmu_update or mmuext_op. */
#define XEN_MMU_PREEMPTED	0x80000000u

static inline u32 xen_trc_event(u32 header)
{
	return header & XEN_TRC_EVENT_MASK;
}

/* Whether Xen writes an event with this mask: __trace_var() in common/trace.c. */
static inline bool xen_trc_mask_has(u32 mask, u32 event)
{
	return mask & event & XEN_TRC_CLASSES && mask & event & XEN_TRC_SUBCLASSES;
}

static inline unsigned int xen_trc_extra(u32 header)
{
	return (header >> 28) & 7;
}

static inline bool xen_trc_has_tsc(u32 header)
{
	return header >> 31;
}

/* Length of the whole record in 32-bit words, 1 to 10. */
static inline unsigned int xen_trc_words(u32 header)
{
	return 1 + (xen_trc_has_tsc(header) ? 2 : 0) + xen_trc_extra(header);
}

#endif /* HCTRACE_XEN_TRACE_H */
