// SPDX-License-Identifier: GPL-2.0
/* hctrace: which guest makes which hypercall how often. */
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <hctrace/version.h>

#include "base/exit.h"
#include "base/outfile.h"
#include "doctor/doctor.h"
#include "export/export.h"
#include "record/record.h"
#include "report/report.h"
#include "top/top.h"
#include "verbs.h"

/**
 * struct verb - a sub-command
 * @name: as typed
 * @summary: one line for the help
 * @run: its entry; @argv[0] is the verb. Returns an exit status.
 */
struct verb {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

static const struct verb verbs[] = {
	{ "top", "live table of domains and their hypercalls (the default)", verb_top },
	{ "stat", "count hypercalls during a time or a command", verb_stat },
	{ "record", "keep every event in a file", verb_record },
	{ "report", "tables of a recording", verb_report },
	{ "script", "a recording event by event", verb_script },
	{ "export", "a recording, or what is counted now, for other programs", verb_export },
	{ "list", "the hypercalls that there are", verb_list },
	{ "doctor", "why it does not work here, and what to type next", verb_doctor },
	{ NULL, NULL, NULL },
};

static int print_usage(FILE *to)
{
	const struct verb *verb;

	fprintf(to, "Usage: hctrace [VERB] [OPTION...]\n\nVerbs:\n");
	for (verb = verbs; verb->name; verb++)
		fprintf(to, "  %-8s %s\n", verb->name, verb->summary);
	fprintf(to, "\nhctrace help VERB tells more of each, hctrace --version which this is.\n");
	return 0;
}

static int run(const char *name, int argc, char **argv)
{
	const struct verb *verb;

	for (verb = verbs; verb->name; verb++) {
		if (!strcmp(name, verb->name))
			return verb->run(argc, argv);
	}
	fprintf(stderr, "hctrace: no verb '%s'; hctrace --help lists them\n", name);
	return EXIT_USAGE;
}

static bool is(const char *arg, const char *name, const char *letter)
{
	return !strcmp(arg, name) || !strcmp(arg, letter);
}

int main(int argc, char **argv)
{
	/* Names of domains are UTF-8; figures have the same form everywhere. */
	setlocale(LC_CTYPE, "");
	outfile_at_exit();
	if (argc < 2)
		return verb_top(argc, argv);
	if (is(argv[1], "--version", "-V")) {
		printf("hctrace %s\n", HCT_VERSION);
		return 0;
	}
	if (is(argv[1], "--help", "-h") || (!strcmp(argv[1], "help") && argc == 2))
		return print_usage(stdout);
	/* Options without a verb are those of the first one. */
	if (argv[1][0] == '-')
		return verb_top(argc, argv);
	if (argc > 2 && !strcmp(argv[1], "help")) {
		argv[1] = argv[2];
		argv[2] = (char *)"--help";
		argc = 3;
	}
	/* No verb has an option -h, and what a command of theirs has stands behind it. */
	if (argc > 2 && !strcmp(argv[2], "-h"))
		argv[2] = (char *)"--help";
	return run(argv[1], argc - 1, argv + 1);
}
