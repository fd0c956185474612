// SPDX-License-Identifier: GPL-2.0
/* hctrace list: the ops that there are, as tables print and --op takes them. */
#include <stdio.h>
#include <string.h>

#include <hctrace/account.h>
#include <hctrace/names.h>

#include "base/options.h"
#include "verbs.h"

static const char doc[] =
	"The hypercalls that tables show and --op takes, with their numbers; those\n"
	"whose name has WORD in it, if there is one.\n\n"
	"Examples:\n"
	"  hctrace list\n"
	"  hctrace list grant\n"
	"\vXen records the sub-operations of grant_table_op, vcpu_op and sched_op.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **word = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (*word)
		argp_error(state, "one word at a time");
	*word = arg;
	return 0;
}

static void print_name(const char *word, const char *name, const char *what)
{
	if (!word || strstr(name, word))
		printf("%-40s %s\n", name, what);
}

/* Sub-ops of one op, from cell @first on; the last cell is of those that have no name. */
static void print_subops(const char *word, unsigned int op, unsigned int first, unsigned int nr)
{
	char name[64], number[24];
	unsigned int i;

	for (i = 0; i <= nr; i++) {
		snprintf(number, sizeof(number), i < nr ? "%u/%u" : "%u/%u and on", op, i);
		print_name(word, hct_cell_name(first + i, name, sizeof(name)), number);
	}
}

int verb_list(int argc, char **argv)
{
	static const struct argp argp = { .parser = parse, .args_doc = "[WORD]", .doc = doc };
	const char *word = NULL;
	char number[24];
	unsigned int op;

	options_parse(&argp, "list", argc, argv, 0, &word);
	for (op = 0; op < HCT_CELL_OTHER; op++) {
		if (!hct_op_name(op))
			continue;
		snprintf(number, sizeof(number), "%u", op);
		print_name(word, hct_op_name(op), number);
		if (op == HCT_OP_grant_table_op)
			print_subops(word, op, HCT_CELL_GRANT, HCT_NR_GRANT_OPS);
		else if (op == HCT_OP_vcpu_op)
			print_subops(word, op, HCT_CELL_VCPU, HCT_NR_VCPU_OPS);
		else if (op == HCT_OP_sched_op)
			print_subops(word, op, HCT_CELL_SCHED, HCT_NR_SCHED_OPS);
	}
	print_name(word, "other", "numbers from 64 on");
	print_name(word, "malformed", "calls that claim arguments which are not there");
	print_name(word, "viridian", "Hyper-V's own, by Windows guests");
	return 0;
}
