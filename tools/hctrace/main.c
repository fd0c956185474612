// SPDX-License-Identifier: GPL-2.0
/* hctrace: which guest makes which hypercall how often. */
#include <stdio.h>
#include <string.h>

#include <hctrace/version.h>

#include "base/exit.h"
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
	{ "doctor", "why it does not work here, and what to type next", verb_doctor },
	{ NULL, NULL, NULL },
};

static void usage(FILE *to)
{
	const struct verb *verb;

	fprintf(to, "Usage: hctrace [VERB] [OPTION...]\n\nVerbs:\n");
	for (verb = verbs; verb->name; verb++)
		fprintf(to, "  %-8s %s\n", verb->name, verb->summary);
	fprintf(to, "\nhctrace VERB --help tells more of each, hctrace --version which this is.\n");
}

int main(int argc, char **argv)
{
	const struct verb *verb;

	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("hctrace %s\n", HCT_VERSION);
		return 0;
	}
	/* Options without a verb are those of the first one. */
	if (argc < 2 || (argv[1][0] == '-' && strcmp(argv[1], "--help")))
		return verb_top(argc, argv);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	for (verb = verbs; verb->name; verb++) {
		if (!strcmp(argv[1], verb->name))
			return verb->run(argc - 1, argv + 1);
	}
	fprintf(stderr, "hctrace: no verb '%s'; hctrace --help lists them\n", argv[1]);
	return EXIT_USAGE;
}
