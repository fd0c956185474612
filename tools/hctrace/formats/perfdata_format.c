// SPDX-License-Identifier: GPL-2.0
/*
 * The format file of the tracepoint xen_hctrace:hct_hypercall for recordings that
 * were not made on this host's kernel: without it perf knows no field of a sample. And
 * what the format of a recording says of where its fields are.
 */
#define _GNU_SOURCE	/* memmem() */

#include <hctrace/account.h>
#include <hctrace/event.h>

#include "perfdata.h"

struct field {
	const char *type;
	const char *name;
	size_t offset;
	size_t size;
	bool is_signed;
};

#define COMMON(type, name, is_signed) \
	{ type, #name, offsetof(struct xen_hctrace_sample, name), \
	  sizeof(((struct xen_hctrace_sample *)0)->name), is_signed }
#define CALL(type, name) \
	{ #type, #name, offsetof(struct xen_hctrace_sample, call.name), \
	  sizeof(((struct xen_hctrace_call *)0)->name), false },

static const struct field common_fields[] = {
	COMMON("unsigned short", common_type, false),
	COMMON("unsigned char", common_flags, false),
	COMMON("unsigned char", common_preempt_count, false),
	COMMON("int", common_pid, true),
};

static const struct field fields[] = { HCT_CALL_FIELDS(CALL) };

static void print_fields(FILE *to, const struct field *field, size_t nr)
{
	for (; nr; nr--, field++)
		fprintf(to, "\tfield:%s %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n", field->type,
			field->name, field->offset, field->size, field->is_signed);
	fputc('\n', to);
}

static void print_kinds(FILE *to)
{
	unsigned int i;

	fprintf(to, "__print_symbolic(REC->kind");
	for (i = 0; i < HCT_NR_KINDS; i++)
		fprintf(to, ", { %u, \"%s\" }", i, hct_kind_name(i));
	fputc(')', to);
}

static void print_ops(FILE *to)
{
	unsigned int i;

	fprintf(to, "__print_symbolic(REC->op");
	for (i = 0; i < HCT_NR_OPS; i++) {
		if (hct_op_name(i))
			fprintf(to, ", { %u, \"%s\" }", i, hct_op_name(i));
	}
	fputc(')', to);
}

/*
 * As in module/tracepoints.h: a number digit by digit, for there is no other way to print
 * nothing in place of one that is not known, or of a 0 in front. perf takes a / b % c for
 * a / (b % c), hence all those brackets.
 */
static void print_digit(FILE *to, const char *field, unsigned int power)
{
	unsigned int i;

	fprintf(to, ", __print_flags(((REC->%s == 65535) || (REC->%s < %u)) ? 0 : ",
		field, field, power == 1 ? 0 : power);
	fprintf(to, "(1 << ((REC->%s / %u) %% 10)), \"\"", field, power);
	for (i = 0; i < 10; i++)
		fprintf(to, ", { %u, \"%u\" }", 1u << i, i);
	fprintf(to, ")");
}

/* What goes with a %s, and as many digits as @power has. */
static void print_number(FILE *to, const char *field, const char *unknown, const char *known,
			 unsigned int power)
{
	fprintf(to, ", REC->%s == 65535 ? \"%s\" : \"%s\"", field, unknown, known);
	for (; power; power /= 10)
		print_digit(to, field, power);
}

void perfdata_format(FILE *to, u32 tracepoint_id)
{
	fprintf(to, "name: hct_hypercall\nID: %u\nformat:\n", tracepoint_id);
	print_fields(to, common_fields, ARRAY_SIZE(common_fields));
	print_fields(to, fields, ARRAY_SIZE(fields));
	fprintf(to, "print fmt: \"%s %s %s\"", "%s%s%s%s%s%s%s%s%s%s%s",
		"%s %s subop=%s%s%s%s%s%s a0=%u a1=%u a2=%u",
		"batch=%u pcpu=%u flags=0x%x");
	print_number(to, "domid", "d?", "d", 10000);
	print_number(to, "vcpu", "", "v", 1000);
	fprintf(to, ", ");
	print_kinds(to);
	fprintf(to, ", ");
	print_ops(to);
	print_number(to, "subop", "-", "", 10000);
	fprintf(to, ", REC->a0, REC->a1, REC->a2, REC->batch, REC->pcpu, REC->flags\n");
}

/* Whether the fields of a call, as far as they lie before @end, stand where a sample has them. */
static bool has_fields(const char *format, size_t bytes, size_t end)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields) && fields[i].offset < end; i++) {
		char line[80];
		int len = snprintf(line, sizeof(line), " %s;\toffset:%zu;\tsize:%zu;",
				   fields[i].name, fields[i].offset, fields[i].size);

		if (!memmem(format, bytes, line, len))
			return false;
	}
	return true;
}

enum perfdata_layout perfdata_layout(const char *text, size_t bytes)
{
	static const char name[] = "name: hct_hypercall\n", print[] = "print fmt:";
	const char *format = memmem(text, bytes, name, strlen(name));
	const char *end;

	if (!format)
		return PERFDATA_LAYOUT_UNKNOWN;
	/* One that is cut off says nothing. */
	end = memmem(format, bytes - (format - text), print, strlen(print));
	if (!end)
		return PERFDATA_LAYOUT_UNKNOWN;
	bytes = end - format;
	if (has_fields(format, bytes, sizeof(struct xen_hctrace_sample)))
		return PERFDATA_LAYOUT_OURS;
	/* Schema version 1 */
	return has_fields(format, bytes, offsetof(struct xen_hctrace_sample, call.pid)) ?
		PERFDATA_LAYOUT_OLD : PERFDATA_LAYOUT_OTHER;
}
