// SPDX-License-Identifier: GPL-2.0
/* The table of shape.h. Source: Xen's __trace_hypercall() and what calls it. */
#include <hctrace/account.h>
#include <hctrace/opened.h>
#include <hctrace/shape.h>
#include <hctrace/xen_trace.h>

#define ARG(i)		(1u << (i))
#define HAS(args, i)	((args) >> (i) & 1)

/* One word for each argument: a tag of 1. */
#define TAG(args, i)	((u32)HAS(args, i) << (20 + 2 * (i)))

#define RECORDED(list)							\
	.args = (list), .first = HAS(list, 0) ? 0 : 1,			\
	.tags = TAG(list, 0) | TAG(list, 1) | TAG(list, 2),		\
	.beside = (HAS(list, 0) + HAS(list, 1) + HAS(list, 2)) << 29

#define COUNT(list, arg, mask)						\
	.units_arg = (arg), .units_mask = (mask),			\
	.units_at = 1 + ((arg) > 0 && HAS(list, 0)) + ((arg) > 1 && HAS(list, 1))

/* Commands of a family; those from @marked on may go on with a mark. */
#define COMMANDS(family, op, mask, marked)				\
	.cmd_mask = (mask), .nr_cmds = HCT_NR_##family##_OPS,		\
	.last_cmd = (marked) - 1, .cell = HCT_CELL_##family - (op)

/* The count of an mmu_update or mmuext_op has the mark above it. */
#define MMU_CALL(which)							\
	RECORDED(ARG(1)), COUNT(ARG(1), 1, ~(u64)XEN_MMU_PREEMPTED),	\
	.mark = (which), .mark_all = ~0u, .odd = XEN_MMU_PREEMPTED

const struct hct_shape hct_shapes[HCT_NR_OPS + 1] = {
	[HCT_OP_mmu_update] = { MMU_CALL(HCT_MARKED_MMU_UPDATE) },
	[HCT_OP_mmuext_op] = { MMU_CALL(HCT_MARKED_MMUEXT_OP) },
	[HCT_OP_multicall] = { RECORDED(ARG(1)), COUNT(ARG(1), 1, ~0ull) },
	[HCT_OP_grant_table_op] = {
		RECORDED(ARG(0) | ARG(2)), COUNT(ARG(0) | ARG(2), 2, ~0ull),
		COMMANDS(GRANT, HCT_OP_grant_table_op, HCT_GRANT_CMD_MASK, HCT_GRANT_cache_flush),
		/* cache_flush is the last of them, and keeps its progress above the command. */
		.mark = HCT_MARKED_CACHE_FLUSH, .odd = ~(u64)HCT_GRANT_CMD_MASK,
	},
	[HCT_OP_vcpu_op] = {
		RECORDED(ARG(0) | ARG(1)),
		COMMANDS(VCPU, HCT_OP_vcpu_op, ~0ull, HCT_NR_VCPU_OPS),
	},
	[HCT_OP_sched_op] = {
		RECORDED(ARG(0)),
		COMMANDS(SCHED, HCT_OP_sched_op, ~0ull, HCT_NR_SCHED_OPS),
	},
};

static_assert(HCT_GRANT_cache_flush == HCT_NR_GRANT_OPS - 1);
