// SPDX-License-Identifier: GPL-2.0
/* See options.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "options.h"

enum { KEY_SINCE = 0x110, KEY_UNTIL, KEY_TSC_MHZ, KEY_DRAFT };

static const struct argp_option options[] = {
	FILTER_OPTIONS,
	{ "since", KEY_SINCE, "SECONDS", 0, "Leave out what is older, since the first record", 0 },
	{ "until", KEY_UNTIL, "SECONDS", 0, "Leave out what is younger", 0 },
	{ "tsc-mhz", KEY_TSC_MHZ, "MHZ", 0,
	  "Rate of the host's time stamp counter, as in xl dmesg; else times are in cycles", 0 },
	{ "draft", KEY_DRAFT, NULL, 0, "Count the events of the first public patch too", 0 },
	{ "quiet", 'q', NULL, 0, "Show no progress", 0 },
	{ 0 },
};

void recording_options_init(struct recording_options *opt)
{
	memset(opt, 0, sizeof(*opt));
	opt->until_ns = ~0ull;
}

/* A number from 0 to 10^9, times @scale. */
static u64 parse_scaled(const char *arg, const char *what, double scale,
			struct argp_state *state)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(arg, &end);
	if (end == arg || *end || errno || !(value >= 0 && value <= 1e9))
		argp_error(state, "%s wants a number, not '%s'", what, arg);
	return value * scale + 0.5;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct recording_options *opt = state->input;

	if (option_filter(&opt->filter, key, arg, state))
		return 0;
	switch (key) {
	case 'q':
		opt->quiet = true;
		return 0;
	case KEY_SINCE:
		opt->since_ns = parse_scaled(arg, "--since", 1e9, state);
		return 0;
	case KEY_UNTIL:
		opt->until_ns = parse_scaled(arg, "--until", 1e9, state);
		return 0;
	case KEY_TSC_MHZ:
		opt->tsc_khz = parse_scaled(arg, "--tsc-mhz", 1e3, state);
		if (!opt->tsc_khz)
			argp_error(state, "--tsc-mhz cannot be 0");
		return 0;
	case KEY_DRAFT:
		opt->draft = true;
		return 0;
	case ARGP_KEY_ARG:
		if (opt->path)
			argp_error(state, "one file at a time");
		opt->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (opt->path || opt->file_is_optional)
			return 0;
		if (access(RECORDING_FILE, F_OK))
			argp_error(state, "which file? There is no %s here (- is standard input)",
				   RECORDING_FILE);
		opt->path = RECORDING_FILE;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp recording_argp = { .options = options, .parser = parse };
