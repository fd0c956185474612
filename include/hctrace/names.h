/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of hypercalls and of their sub-operations. This is the one table of the
 * former, subops.h that of the latter: numbers and names are Xen's (public/xen.h
 * and its neighbours), everything else here is derived from them. No number was
 * ever reused, so one table serves every release.
 */
#ifndef HCTRACE_NAMES_H
#define HCTRACE_NAMES_H

#include <hctrace/subops.h>
#include <hctrace/types.h>

#define HCT_NR_OPS		64	/* hypercall numbers are 0 to 63 */

#define HCT_OPS(X) \
	X(0, set_trap_table)		\
	X(1, mmu_update)		\
	X(2, set_gdt)			\
	X(3, stack_switch)		\
	X(4, set_callbacks)		\
	X(5, fpu_taskswitch)		\
	X(6, sched_op_compat)		\
	X(7, platform_op)		\
	X(8, set_debugreg)		\
	X(9, get_debugreg)		\
	X(10, update_descriptor)	\
	X(12, memory_op)		\
	X(13, multicall)		\
	X(14, update_va_mapping)	\
	X(15, set_timer_op)		\
	X(16, event_channel_op_compat)	\
	X(17, xen_version)		\
	X(18, console_io)		\
	X(19, physdev_op_compat)	\
	X(20, grant_table_op)		\
	X(21, vm_assist)		\
	X(22, update_va_mapping_otherdomain) \
	X(23, iret)			\
	X(24, vcpu_op)			\
	X(25, set_segment_base)		\
	X(26, mmuext_op)		\
	X(27, xsm_op)			\
	X(28, nmi_op)			\
	X(29, sched_op)			\
	X(30, callback_op)		\
	X(31, xenoprof_op)		\
	X(32, event_channel_op)		\
	X(33, physdev_op)		\
	X(34, hvm_op)			\
	X(35, sysctl)			\
	X(36, domctl)			\
	X(37, kexec_op)			\
	X(38, tmem_op)			\
	X(39, argo_op)			\
	X(40, xenpmu_op)		\
	X(41, dm_op)			\
	X(42, hypfs_op)			\
	X(48, mca)			\
	X(49, paging_domctl_cont)

enum hct_op {
#define X(nr, name) HCT_OP_##name = (nr),
	HCT_OPS(X)
#undef X
};

/*
 * The families that Xen records: numbers of each sub-operation, and how many there
 * are. These have no gaps, so a number below HCT_NR_* may be taken for an index.
 */
#define X(nr, name) HCT_GRANT_##name = (nr),
enum hct_grant_op {
	HCT_GRANT_OPS(X)
};

#undef X
#define X(nr, name) HCT_VCPU_##name = (nr),
enum hct_vcpu_op {
	HCT_VCPU_OPS(X)
};

#undef X
#define X(nr, name) + 1
enum {
	HCT_NR_GRANT_OPS = 0 HCT_GRANT_OPS(X),
	HCT_NR_VCPU_OPS = 0 HCT_VCPU_OPS(X),
	HCT_NR_SCHED_OPS = 0 HCT_SCHED_OPS(X),
};

#undef X

/* A cache_flush carries its progress in the upper bits of the command. */
#define HCT_GRANT_CMD_MASK	0xfffu
/* So does any memory_op (MEMOP_CMD_MASK in Xen). */
#define HCT_MEMORY_CMD_MASK	0x3fu

/**
 * hct_subop_cmd() - a command without the progress of a preempted call
 * @op: hypercall number, any value
 * @cmd: the command as the caller gave it, or as Xen rewrote it to go on
 *
 * The place that knows which families keep something in the bits above the
 * sub-operation. Return: the sub-operation.
 */
static inline u32 hct_subop_cmd(u32 op, u32 cmd)
{
	switch (op) {
	case HCT_OP_grant_table_op:
		return cmd & HCT_GRANT_CMD_MASK;
	case HCT_OP_memory_op:
		return cmd & HCT_MEMORY_CMD_MASK;
	default:
		return cmd;
	}
}

/**
 * hct_op_name() - name of a hypercall
 * @op: its number, any value
 *
 * Return: the name, or NULL if the number has none.
 */
const char *hct_op_name(u32 op);

/**
 * hct_subop_name() - name of a sub-operation
 * @op: hypercall number, any value
 * @cmd: sub-operation, any value; hct_subop_cmd() is applied to it
 *
 * A linear search, for faces and not for each record. Return: the name; NULL if
 * it is unknown or if @op has no sub-operations.
 */
const char *hct_subop_name(u32 op, u32 cmd);

/* Gaps: what follows XEN_HCTRACE_GAP_ in &enum xen_hctrace_gap, and its name. */
#define HCT_GAPS(X) \
	X(BREAKER, breaker)		\
	X(TRACING_OFF, tracing_off)	\
	X(MASK, mask)			\
	X(RING, ring)			\
	X(CLOCK, clock)			\
	X(SILENT, silent)

/** hct_gap_name() - name of a reason for a gap; "unknown" if there is no such reason */
const char *hct_gap_name(u32 reason);

/**
 * hct_op_by_name() - number of a hypercall
 * @name: its name, not necessarily terminated
 * @len: length of @name
 *
 * Return: 0 to 63, or -1.
 */
int hct_op_by_name(const char *name, size_t len);

#endif /* HCTRACE_NAMES_H */
