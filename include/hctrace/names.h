/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of hypercalls and of the sub-operations that Xen records. This is the
 * one table: numbers and names are Xen's (public/xen.h, grant_table.h, vcpu.h,
 * sched.h), everything else here is derived from it. No number was ever reused,
 * so one table serves every release.
 */
#ifndef HCTRACE_NAMES_H
#define HCTRACE_NAMES_H

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

#define HCT_GRANT_OPS(X) \
	X(0, map_grant_ref)		\
	X(1, unmap_grant_ref)		\
	X(2, setup_table)		\
	X(3, dump_table)		\
	X(4, transfer)			\
	X(5, copy)			\
	X(6, query_size)		\
	X(7, unmap_and_replace)		\
	X(8, set_version)		\
	X(9, get_status_frames)		\
	X(10, get_version)		\
	X(11, swap_grant_ref)		\
	X(12, cache_flush)

#define HCT_VCPU_OPS(X) \
	X(0, initialise)		\
	X(1, up)			\
	X(2, down)			\
	X(3, is_up)			\
	X(4, get_runstate_info)		\
	X(5, register_runstate_memory_area) \
	X(6, set_periodic_timer)	\
	X(7, stop_periodic_timer)	\
	X(8, set_singleshot_timer)	\
	X(9, stop_singleshot_timer)	\
	X(10, register_vcpu_info)	\
	X(11, send_nmi)			\
	X(12, get_physid)		\
	X(13, register_vcpu_time_memory_area) \
	X(14, register_runstate_phys_area) \
	X(15, register_vcpu_time_phys_area)

#define HCT_SCHED_OPS(X) \
	X(0, yield)			\
	X(1, block)			\
	X(2, shutdown)			\
	X(3, poll)			\
	X(4, remote_shutdown)		\
	X(5, shutdown_code)		\
	X(6, watchdog)			\
	X(7, pin_override)

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

/**
 * hct_op_name() - name of a hypercall
 * @op: its number, any value
 *
 * Return: the name, or NULL if the number has none.
 */
const char *hct_op_name(u32 op);

/**
 * hct_subop_name() - name of a sub-operation
 * @op: hypercall number
 * @cmd: sub-operation, any value
 *
 * Return: the name; NULL if unknown or if Xen records no sub-operation of @op.
 */
const char *hct_subop_name(u32 op, u32 cmd);

/**
 * hct_op_by_name() - number of a hypercall
 * @name: its name, not necessarily terminated
 * @len: length of @name
 *
 * Return: 0 to 63, or -1.
 */
int hct_op_by_name(const char *name, size_t len);

#endif /* HCTRACE_NAMES_H */
