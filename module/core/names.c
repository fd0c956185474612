// SPDX-License-Identifier: GPL-2.0
/* Look-ups in the name tables of names.h. */
#include <hctrace/names.h>

#define X(nr, name) [nr] = #name,
static const char *const op_names[HCT_NR_OPS] = { HCT_OPS(X) };
static const char *const grant_names[HCT_NR_GRANT_OPS] = { HCT_GRANT_OPS(X) };
static const char *const vcpu_names[HCT_NR_VCPU_OPS] = { HCT_VCPU_OPS(X) };
static const char *const sched_names[HCT_NR_SCHED_OPS] = { HCT_SCHED_OPS(X) };
#undef X

const char *hct_op_name(u32 op)
{
	return op < HCT_NR_OPS ? op_names[op] : NULL;
}

const char *hct_subop_name(u32 op, u32 cmd)
{
	switch (op) {
	case HCT_OP_grant_table_op:
		return cmd < HCT_NR_GRANT_OPS ? grant_names[cmd] : NULL;
	case HCT_OP_vcpu_op:
		return cmd < HCT_NR_VCPU_OPS ? vcpu_names[cmd] : NULL;
	case HCT_OP_sched_op:
		return cmd < HCT_NR_SCHED_OPS ? sched_names[cmd] : NULL;
	default:
		return NULL;
	}
}

int hct_op_by_name(const char *name, size_t len)
{
	unsigned int op;

	for (op = 0; op < HCT_NR_OPS; op++) {
		if (!op_names[op])
			continue;
		if (strlen(op_names[op]) == len && !memcmp(op_names[op], name, len))
			return op;
	}
	return -1;
}
