// SPDX-License-Identifier: GPL-2.0
/* Look-ups in the name tables of names.h and subops.h. */
#include <hctrace/event.h>
#include <hctrace/names.h>

#define X(nr, name) [nr] = #name,
static const char *const op_names[HCT_NR_OPS] = { HCT_OPS(X) };
#undef X

/* Pairs, not an array by number: commands are sparse, and guests choose them. */
struct subop {
	u32 cmd;
	const char *name;	/* NULL: end of the family */
};

#define X(nr, name) { nr, #name },
#define F(op, OPS) { HCT_OP_##op, (const struct subop[]){ OPS(X) { 0, NULL } } },
static const struct {
	u32 op;
	const struct subop *subops;
} families[] = { HCT_SUBOP_FAMILIES(F) };
#undef F
#undef X

const char *hct_op_name(u32 op)
{
	return op < HCT_NR_OPS ? op_names[op] : NULL;
}

const char *hct_subop_name(u32 op, u32 cmd)
{
	const struct subop *subop;
	unsigned int i = 0;

	while (families[i].op != op) {
		if (++i == ARRAY_SIZE(families))
			return NULL;
	}

	cmd = hct_subop_cmd(op, cmd);
	for (subop = families[i].subops; subop->name; subop++) {
		if (subop->cmd == cmd)
			return subop->name;
	}
	return NULL;
}

#define X(id, name) [XEN_HCTRACE_GAP_##id] = #name,
static const char *const gap_names[HCT_NR_GAPS] = { "unknown", HCT_GAPS(X) };
#undef X

const char *hct_gap_name(u32 reason)
{
	return gap_names[reason < HCT_NR_GAPS ? reason : 0];
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
