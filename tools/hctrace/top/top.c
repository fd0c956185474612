// SPDX-License-Identifier: GPL-2.0
/* hctrace top: who calls what now, table after table. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/options.h"
#include "base/text.h"
#include "live/host.h"
#include "live/matched.h"
#include "rounds.h"
#include "screen.h"
#include "show/table.h"
#include "term.h"
#include "top.h"

#define DELAY_MS	2000

static const char doc[] =
	"Shows live which domain makes which hypercalls.\n\n"
	"  hctrace                        the table, in a terminal; h lists the keys\n"
	"  hctrace top -s members -d 5    each five seconds, sorted by members\n"
	"  hctrace top --domain web1,d3   of two domains\n"
	"  hctrace top -n 3 | less        three tables as text\n"
	"\vSort keys: records, calls, members, batches, size (of multicalls), cont,\n"
	"cpu (time), percpu (calls per second of it), name.\n"
	"Without a terminal that can move its cursor tables are written as text.";

#define KEY_UUID	0x200

static const struct argp_option options[] = {
	{ "delay", 'd', "SECONDS", 0, "Time between two tables (default 2)", 0 },
	{ "rounds", 'n', "ROUNDS", 0, "End after so many tables", 0 },
	{ "sort", 's', "KEY", 0, "The most of KEY first (default records)", 0 },
	{ "uuid", KEY_UUID, NULL, 0, "Domains by their UUIDs; as text, beside their names", 0 },
	{ "batch", 'b', NULL, 0, "Write tables as text, in a terminal too", 0 },
	FILTER_OPTIONS,
	{ 0 }
};

struct top_options {
	struct top *top;
	bool batch;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct top_options *opts = state->input;
	int sort;

	if (option_filter(&opts->top->filter, key, arg, state))
		return 0;
	switch (key) {
	case 'd':
		opts->top->delay_ms = option_seconds(arg, 100, state);
		return 0;
	case 'n':
		opts->top->rounds = option_number(arg, 1, state);
		return 0;
	case 'b':
		opts->batch = true;
		return 0;
	case KEY_UUID:
		opts->top->frame.uuid = true;
		return 0;
	case 's':
		sort = sort_key_by_name(arg);
		if (sort < 0)
			argp_error(state, "no sort key '%s'", arg);
		opts->top->key = sort;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = { options, parse, NULL, doc, NULL, NULL, NULL };

static void batch_domains(const struct top *top)
{
	const struct top_frame *frame = &top->frame;
	size_t i;

	printf("%-9s %-4s %12s %12s %12s %7s %10s %8s %5s %10s %8s %12s%s  %s\n", "DOM", "TYPE",
	       "RECORDS/s", "CALLS/s", "MEMBERS/s", "SHARE%", "MULTI/s", "SIZE", "CUT", "CONT/s",
	       "CPU%", "CALLS/CPU", frame->uuid ? "  UUID                                " : "",
	       "NAME");
	for (i = 0; i < frame->tally.nr_doms; i++) {
		const struct dom_tally *dom = &frame->tally.doms[i];
		char size[24] = "-", cpu[24] = "-", per_cpu[32] = "-";
		double value;

		if (dom->batches)
			scnprintf(size, sizeof(size), "%.1f", (double)dom->declared / dom->batches);
		if (dom->has_cpu && frame->diff.elapsed_ns)
			scnprintf(cpu, sizeof(cpu), "%.1f",
				  dom->cpu_us * 1e5 / frame->diff.elapsed_ns);
		if (dom_tally_per_cpu(dom, &value))
			scnprintf(per_cpu, sizeof(per_cpu), "%.1f", value);
		printf("%-9s %-4s %12.1f %12.1f %12.1f %7.2f %10.1f %8s %5llu %10.1f %8s %12s  ",
		       dom->dom.label, dom->what.type, per_second(&frame->diff, dom->records),
		       per_second(&frame->diff, dom->calls),
		       per_second(&frame->diff, dom->members),
		       share_percent(&frame->diff, dom->records),
		       per_second(&frame->diff, dom->batches), size, dom->cut,
		       per_second(&frame->diff, dom->cont), cpu, per_cpu);
		if (frame->uuid)
			printf("%-36s  ", *dom->what.uuid ? dom->what.uuid : "-");
		text_put(stdout, *dom->what.name ? dom->what.name : "-", TEXT_TERMINAL, "");
		putchar('\n');
	}
}

static void batch_ops(const struct top *top)
{
	const struct top_frame *frame = &top->frame;
	size_t i;
	size_t j;

	print_heading(stdout);
	for (i = 0; i < frame->tally.nr_doms; i++) {
		for (j = 0; j < frame->tally.doms[i].nr_ops; j++)
			print_row(stdout, &frame->diff, &frame->tally.doms[i].ops[j]);
	}
}

static void batch_table(const struct top *top, unsigned int round)
{
	char line[200];

	printf("\n# round %u   %.3f s\n", round, top->frame.diff.elapsed_ns / 1e9);
	printf("# %s\n", top_summary(&top->frame, line, sizeof(line)));
	batch_domains(top);
	batch_ops(top);
	print_losses(stdout, &top->frame.after.stats, &top->frame.diff);
}

/* Wait for @until_ns or a signal to end. Return: whether to end. */
static bool is_over(u64 until_ns, const sigset_t *set)
{
	for (;;) {
		u64 now_ns = host_now_ns();
		u64 left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
		struct timespec left = { left_ns / 1000000000, left_ns % 1000000000 };

		if (sigtimedwait(set, NULL, &left) > 0)
			return true;
		if (errno == EAGAIN)
			return false;
	}
}

/* A signal ends it like the last round does: with a table of the time so far. */
static int batch(struct top *top)
{
	unsigned int round = 0;
	bool over = false;
	sigset_t set;
	char err[200];
	char line[200];
	u64 next_ns;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);

	next_ns = host_now_ns();
	top->frame.after = top->before;
	printf("# hctrace top   %s\n", top_state(&top->frame, line, sizeof(line)));
	memset(&top->frame.after, 0, sizeof(top->frame.after));
	while (!over && !fflush(stdout)) {
		next_ns += top->delay_ms * 1000000ull;
		over = is_over(next_ns, &set);
		if (!top_next(top, err, sizeof(err))) {
			fprintf(stderr, "hctrace top: %s\n", err);
			return EXIT_TROUBLE;
		}
		batch_table(top, ++round);
		over |= round == top->rounds;
	}
	return 0;
}

int verb_top(int argc, char **argv)
{
	struct top top = { .delay_ms = DELAY_MS, .key = SORT_RECORDS };
	struct top_options opts = { .top = &top };
	char err[200];
	int rc;

	options_parse(&argp, "top", argc, argv, 0, &opts);
	/* Before the first reading, that no name is missing in the first table. */
	top.names = domnames_start();
	domnames_wait_for(top.names, filter_has(&top.filter, FILTER_NAME));
	if (top_begin(&top, err, sizeof(err))) {
		rc = !opts.batch && top_screen_possible() ? top_screen(&top) : batch(&top);
		if (!rc)
			rc = matched_status("top", &top.filter, top_stats(&top), top.names);
	} else {
		fprintf(stderr, "hctrace top: %s\n", err);
		rc = EXIT_TROUBLE;
	}
	domnames_stop(top.names);
	top_end(&top);
	return rc;
}
