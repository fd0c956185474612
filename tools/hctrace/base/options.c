// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "exit.h"
#include "options.h"

#define MAX_SECONDS	1000000

bool option_filter(struct filter *filter, int key, const char *arg, struct argp_state *state)
{
	const char *why;

	switch (key) {
	case KEY_DOMAIN:
		why = filter_domains(filter, arg);
		break;
	case KEY_OP:
		why = filter_ops(filter, arg);
		break;
	default:
		return false;
	}
	if (why)
		argp_error(state, "--%s: %s", key == KEY_OP ? "op" : "domain", why);
	return true;
}

unsigned int option_seconds(const char *arg, unsigned int least_ms, struct argp_state *state)
{
	char *end;
	double seconds = strtod(arg, &end);

	/* Written so that "nan" is refused. */
	if (end == arg || *end || !(seconds * 1000 >= least_ms && seconds <= MAX_SECONDS))
		argp_error(state, "'%s' is not a time in seconds, %g at least", arg,
			   least_ms / 1000.0);
	return seconds * 1000 + 0.5;
}

unsigned int option_number(const char *arg, unsigned int least, struct argp_state *state)
{
	char *end;
	long number = strtol(arg, &end, 10);

	if (end == arg || *end || number < (long)least || number > 1000000000)
		argp_error(state, "'%s' is not a number from %u on", arg, least);
	return number;
}

void options_parse(const struct argp *argp, const char *name, int argc, char **argv,
		   unsigned int flags, void *input)
{
	/* The words outlive this function: a recording keeps its command line. */
	static char full[32];

	scnprintf(full, sizeof(full), "hctrace %s", name);
	argv[0] = full;
	argp_err_exit_status = EXIT_USAGE;
	/* An error leaves from in there. */
	argp_parse(argp, argc, argv, flags, NULL, input);
}
