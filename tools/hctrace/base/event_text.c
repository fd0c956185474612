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

/* The name of a cell, put together but once. */
static const struct word *cell_name(unsigned int cell)
{
	static struct word names[HCT_NR_CELLS];
	struct word *name = &names[cell];

	if (!name->len)
		name->len = strlen(hct_cell_name(cell, name->text, sizeof(name->text)));
	return name;
}

void event_kind(struct line *line, unsigned int kind)
{
	static struct word names[HCT_NR_KINDS];
	struct word *name = &names[kind];

	if (!name->len)
		name->len = scnprintf(name->text, sizeof(name->text), "%s", hct_kind_name(kind));
	line_word(line, name);
}

static void put_strange_op(struct line *line, const char *what, u32 op)
{
	char text[32];

	scnprintf(text, sizeof(text), "%s/0x%x", what, op);
	line_text(line, text);
}

void event_op(struct line *line, const struct xen_hctrace_call *call)
{
	struct hct_call decoded = event_decoded(call);
	unsigned int cell = hct_account_cell(&decoded);

	switch (cell) {
	case HCT_CELL_MALFORMED:
		put_strange_op(line, "malformed", call->op);
		break;
	case HCT_CELL_VIRIDIAN:
		put_strange_op(line, "viridian", call->op);
		break;
	case HCT_CELL_OTHER:
		line_number(line, call->op);
		break;
	default:
		line_word(line, cell_name(cell));
	}
}

void event_who(struct line *line, u16 domid, u16 vcpu)
{
	if (domid == XEN_HCTRACE_UNKNOWN) {
		line_text(line, "d?");
		return;
	}
	line_text(line, "d");
	line_number(line, domid);
	line_text(line, "v");
	line_number(line, vcpu);
}

void event_flags(struct line *line, const struct xen_hctrace_call *call)
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
	unsigned int i;

	/* Of a recording of xentrace all have just this one. */
	if (!(call->flags & ~XEN_HCTRACE_F_NO_NS))
		return;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(call->flags & names[i].flag))
			continue;
		line_text(line, " ");
		line_text(line, names[i].name);
	}
}
