// SPDX-License-Identifier: GPL-2.0
/* See event_text.h. */
#include "event_text.h"

struct hct_call event_decoded(const struct xen_hctrace_call *call)
{
	struct hct_call decoded = {
		.kind = call->kind, .has_arg = call->args, .op_word = call->op, .op = call->op,
		.args = { call->a0, call->a1, call->a2 },
	};

	if (call->flags & XEN_HCTRACE_F_MALFORMED)
		decoded.flags |= HCT_CALL_TRUNCATED;
	if (call->flags & XEN_HCTRACE_F_VIRIDIAN)
		decoded.flags |= HCT_CALL_VIRIDIAN;
	return decoded;
}

const char *event_op(const struct xen_hctrace_call *call, char *buf, size_t size)
{
	struct hct_call decoded = event_decoded(call);
	unsigned int cell = hct_account_cell(&decoded);

	switch (cell) {
	case HCT_CELL_MALFORMED:
	case HCT_CELL_VIRIDIAN:
		snprintf(buf, size, "%s/0x%x",
			 cell == HCT_CELL_MALFORMED ? "malformed" : "viridian", call->op);
		return buf;
	case HCT_CELL_OTHER:
		snprintf(buf, size, "%u", call->op);
		return buf;
	default:
		return hct_cell_name(cell, buf, size);
	}
}

const char *event_who(u16 domid, u16 vcpu, char *buf, size_t size)
{
	if (domid == XEN_HCTRACE_UNKNOWN)
		snprintf(buf, size, "d?");
	else
		snprintf(buf, size, "d%uv%u", domid, vcpu);
	return buf;
}

const char *event_flags(const struct xen_hctrace_call *call, char *buf, size_t size)
{
	static const struct {
		u16 flag;
		const char *name;
	} names[] = {
		{ XEN_HCTRACE_F_CONTINUED, "continued" },
		{ XEN_HCTRACE_F_SURPLUS, "surplus" },
		{ XEN_HCTRACE_F_ARGS_MISSING, "args_missing" },
		{ XEN_HCTRACE_F_NO_TSC, "no_tsc" },
		{ XEN_HCTRACE_F_LATE, "late" },
		{ XEN_HCTRACE_F_UNRELIABLE, "unreliable" },
		{ XEN_HCTRACE_F_WIDE_ARGS, "wide_args" },
	};
	size_t len = 0;
	unsigned int i;

	*buf = 0;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (call->flags & names[i].flag)
			len += scnprintf(buf + len, size - len, " %s", names[i].name);
	}
	return buf;
}
