// SPDX-License-Identifier: GPL-2.0
/* See options.h. Domains and ops are named as in the module's control file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum { KEY_DOMAIN = 0x100, KEY_OP, KEY_SINCE, KEY_UNTIL, KEY_TSC_MHZ, KEY_DRAFT };

static const struct argp_option options[] = {
	{ "domain", KEY_DOMAIN, "LIST", 0, "Count these domains only: web1 or 0,3,5-7", 0 },
	{ "op", KEY_OP, "LIST", 0, "Count these hypercalls only: iret,mmu_update,40", 0 },
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
	hct_settings_init(&opt->settings, HCT_PROFILE_ALL);
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

/* A setting, in the grammar of the module. */
static void parse_setting(const char *key, const char *arg, struct recording_options *opt,
			  struct argp_state *state)
{
	static struct hct_settings scratch;
	char text[4096], err[128];
	u32 verbs;
	int len;

	len = snprintf(text, sizeof(text), "%s %s", key, arg);
	if (len >= (int)sizeof(text))
		argp_error(state, "too long a list of %s", key);
	if (strpbrk(arg, ";\n"))
		argp_error(state, "'%s' is no list of %s", arg, key);
	if (hct_control_parse(text, len, &opt->settings, &verbs, err, sizeof(err), &scratch))
		argp_error(state, "%s", err);
}

/* "3", "d3" or "5-7"; whatever has other characters is a name. */
static bool is_number(const char *item)
{
	const char *digits = *item == 'd' ? item + 1 : item;

	return *digits >= '0' && *digits <= '9' && !item[strspn(item, "0123456789d-")];
}

/* Ids and names. What has names only is a list of no ids, which the grammar does not know. */
static void parse_domains(char *list, struct recording_options *opt, struct argp_state *state)
{
	char ids[4096] = "";
	size_t len = 0;
	char *item;

	if (strpbrk(list, ";\n"))
		argp_error(state, "'%s' is no list of domains", list);
	opt->nr_names = 0;
	while ((item = strsep(&list, ","))) {
		if (!*item)
			argp_error(state, "an empty name in a list of domains");
		if (is_number(item) || !strcmp(item, "all"))
			len += scnprintf(ids + len, sizeof(ids) - len, "%s%s", len ? "," : "",
					 item);
		else if (opt->nr_names < RECORDING_MAX_NAMES)
			opt->names[opt->nr_names++] = item;
		else
			argp_error(state, "more than %d names in a list", RECORDING_MAX_NAMES);
	}
	if (len == sizeof(ids) - 1)
		argp_error(state, "too long a list of domains");
	parse_setting("domains", len ? ids : "0", opt, state);
	if (!len)
		memset(opt->settings.domains, 0, sizeof(opt->settings.domains));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct recording_options *opt = state->input;

	switch (key) {
	case KEY_DOMAIN:
		parse_domains(arg, opt, state);
		return 0;
	case KEY_OP:
		parse_setting("ops", arg, opt, state);
		return 0;
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
		opt->settings.kinds[HCT_KIND_DRAFT] = true;
		return 0;
	case ARGP_KEY_ARG:
		if (opt->path)
			argp_error(state, "one file at a time");
		opt->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!opt->path && !opt->file_is_optional)
			argp_error(state, "which file? (- is standard input)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp recording_argp = { .options = options, .parser = parse };
