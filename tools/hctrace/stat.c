// SPDX-License-Identifier: GPL-2.0
/* hctrace stat: what was called during a time or a command's life. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/exit.h"
#include "base/options.h"
#include "live/command.h"
#include "live/host.h"
#include "live/matched.h"
#include "show/table.h"
#include "verbs.h"

/**
 * struct stat_run - one run
 * @filter: what is shown
 * @interval_ms: a table each so often; 0: one at the end
 * @duration_ms: end after so long; 0: with the command or on Ctrl-C
 * @print: in which form
 * @tables: so many were printed
 * @path: of the output; NULL: standard output, or error if there is a command
 * @command: what to run, if anything
 * @to: the output
 * @names: of domains
 * @start_ns: when it began
 * @before: the reading at the last table
 * @what: what the table is of
 */
struct stat_run {
	struct filter filter;
	unsigned int interval_ms;
	unsigned int duration_ms;
	stat_print_fn print;
	unsigned int tables;
	const char *path;
	struct command command;
	FILE *to;
	struct domnames *names;
	u64 start_ns;
	struct reading before;
	char what[80];
};

static const char doc[] =
	"Counts the hypercalls of all domains during a time, or while COMMAND runs.\n\n"
	"  hctrace stat -d 10                  for ten seconds\n"
	"  hctrace stat -- xl create web1.cfg  while a guest is made\n"
	"  hctrace stat -I 1000 --domain web1  rows each second, until Ctrl-C\n"
	"  hctrace stat -d 5 --json | jq .     for other programs\n"
	"\vWith a COMMAND the table goes to standard error, because standard output\n"
	"is the command's; so is the exit status.";

static const struct argp_option options[] = {
	{ "interval", 'I', "MS", 0, "Rows with their time each MS milliseconds, 10 at least", 0 },
	{ "duration", 'd', "SECONDS", 0, "End after that time", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE", 0 },
	{ "csv", 'c', NULL, 0, "Comma-separated values, a row each op", 0 },
	{ "json", 'j', NULL, 0, "JSON, an object on a line each table", 0 },
	FILTER_OPTIONS,
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct stat_run *run = state->input;

	if (option_filter(&run->filter, key, arg, state))
		return 0;
	switch (key) {
	case 'I':
		run->interval_ms = option_number(arg, 10, state);
		return 0;
	case 'd':
		run->duration_ms = option_seconds(arg, 1, state);
		return 0;
	case 'o':
		run->path = arg;
		return 0;
	case 'c':
	case 'j':
		if (run->print)
			argp_error(state, "one format at a time");
		run->print = key == 'c' ? stat_print_csv : stat_print_json;
		return 0;
	case ARGP_KEY_ARGS:
		run->command.argv = state->argv + state->next;
		return 0;
	case ARGP_KEY_END:
		if (!run->print)
			run->print = run->interval_ms ? stat_print_rows : stat_print_text;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = { options, parse, "[-- COMMAND...]", doc, NULL, NULL, NULL };

/* Print what happened since the last table. */
static bool table(struct stat_run *run)
{
	struct stat_report report = { .at_s = -1, .what = run->what };
	struct reading after;
	struct stats_diff diff;
	struct tally tally;
	char err[200];
	bool done = false;

	if (!reading_take(&after, err, sizeof(err))) {
		fprintf(stderr, "hctrace stat: %s\n", err);
		reading_free(&after);
		return false;
	}
	domnames_dom0(run->names, after.stats.dom0);
	domnames_poll(run->names);
	if (stats_diff(&run->before, &after, &diff) &&
	    tally_make(&tally, &diff, &run->filter, run->names, SORT_RECORDS)) {
		report.after = &after.stats;
		report.diff = &diff;
		report.tally = &tally;
		report.is_first = !run->tables++;
		if (run->interval_ms)
			report.at_s = (after.stats.taken_ns - run->start_ns) / 1e9;
		run->print(run->to, &report);
		tally_free(&tally);
		done = true;
	}
	stats_diff_free(&diff);
	reading_free(&run->before);
	run->before = after;
	return done;
}

/* Wait until @until_ns. Return: whether it is over before that. */
static bool wait_until(struct stat_run *run, u64 until_ns, const sigset_t *set)
{
	for (;;) {
		u64 now_ns = host_now_ns();
		u64 left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
		struct timespec left = { left_ns / 1000000000, left_ns % 1000000000 };
		int sig = sigtimedwait(set, NULL, &left);

		if (sig > 0) {
			if (command_ends_by(&run->command, sig))
				return true;
		} else if (errno == EAGAIN) {
			return false;
		}
	}
}

/* Tables until it is over, the last one then. Return: whether all could be made. */
static bool tables(struct stat_run *run, const sigset_t *set)
{
	const u64 never = ~0ull >> 1;
	u64 end_ns = run->duration_ms ? run->start_ns + run->duration_ms * 1000000ull : never;
	u64 next_ns = run->start_ns;
	bool over = false;

	while (!over) {
		next_ns = run->interval_ms ? next_ns + run->interval_ms * 1000000ull : never;
		over = wait_until(run, next_ns < end_ns ? next_ns : end_ns, set) ||
		       next_ns >= end_ns;
		if (!table(run))
			return false;
	}
	return true;
}

static int measure(struct stat_run *run)
{
	sigset_t set, mask;
	char err[200];
	int rc;

	command_block_signals(&set, &mask);
	if (!reading_take(&run->before, err, sizeof(err))) {
		fprintf(stderr, "hctrace stat: %s\n", err);
		return EXIT_TROUBLE;
	}
	run->start_ns = run->before.stats.taken_ns;
	if (run->print == stat_print_csv)
		stat_print_csv_header(run->to);
	if (run->command.argv) {
		rc = command_start(&run->command, "stat", &mask);
		if (rc)
			return rc;
	}
	rc = tables(run, &set) ? 0 : EXIT_TROUBLE;
	/* The time was up before the command was: it is not ours to end. */
	command_wait(&run->command, &mask);
	return rc ? rc : command_exit_status(&run->command);
}

static void describe(struct stat_run *run)
{
	size_t len = 0;
	char **arg;

	if (!run->command.argv) {
		scnprintf(run->what, sizeof(run->what), "this time");
		return;
	}
	for (arg = run->command.argv; *arg; arg++)
		len += scnprintf(run->what + len, sizeof(run->what) - len, "%s%s",
				 len ? " " : "'", *arg);
	scnprintf(run->what + len, sizeof(run->what) - len, "'");
}

int verb_stat(int argc, char **argv)
{
	struct stat_run run = { .print = NULL };
	int rc;

	options_parse(&argp, "stat", argc, argv, ARGP_IN_ORDER, &run);
	run.to = run.command.argv ? stderr : stdout;
	if (run.path) {
		run.to = fopen(run.path, "we");
		if (!run.to) {
			fprintf(stderr, "hctrace stat: %s: %s\n", run.path, strerror(errno));
			return EXIT_TROUBLE;
		}
	}
	describe(&run);
	run.names = domnames_start();
	domnames_wait_for(run.names, filter_has(&run.filter, FILTER_NAME));
	rc = measure(&run);
	if (!rc || run.command.argv) {
		int nothing = matched_status("stat", &run.filter, &run.before.stats, run.names);

		/* A command's own status is more than ours. */
		rc = run.command.argv ? rc : nothing;
	}
	domnames_stop(run.names);
	reading_free(&run.before);
	if (run.path && (fflush(run.to) || ferror(run.to))) {
		fprintf(stderr, "hctrace stat: the output could not be written: %s\n",
			strerror(errno));
		rc = EXIT_TROUBLE;
	}
	return rc;
}
