// SPDX-License-Identifier: GPL-2.0
/* hctrace report: what a recording adds up to. */
#include <stdlib.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/options.h"
#include "base/outfile.h"
#include "html.h"
#include "people.h"
#include "raw.h"
#include "recording/options.h"
#include "recording/sources.h"
#include "report.h"
#include "show/timeline.h"

#define TOP_DEFAULT	10

static const char doc[] =
	"What a recording adds up to: who called what how often, multicalls, losses.\n\n"
	"Examples:\n"
	"  hctrace report                                    of what hctrace record wrote\n"
	"  hctrace report --top 0 trace.bin                  all of it\n"
	"  hctrace report --html -o calls.html               a page to send to somebody\n"
	"  hctrace report --tsc-mhz 2400 --timeline trace.bin   and when\n"
	"  hctrace report --domain 3 --op multicall,mmu_update trace.bin\n"
	"  xentrace -e 0x263000 - | hctrace report -\n"
	"\vFILE is what xentrace wrote, or hctrace record; hctrace.data if none is\n"
	"said. The exit status is 3 if a part of it could not be read, or if its times\n"
	"go back; all the rest is shown. man hctrace-tables explains every column.";

/**
 * struct report - the run
 * @opt: what is wanted
 * @rec: the recording
 * @raw: in the form for scripts
 * @uuid: with UUIDs
 * @html: as a page for browsers
 * @output: where to, NULL: standard output
 * @top: how many domains, and ops of each
 * @color: when in colour
 * @buckets: intervals of the timeline, 0: there is none
 * @line: the timeline, or NULL
 * @by: calls over time by domain, or NULL
 */
struct report {
	struct recording_options opt;
	struct recording rec;
	bool raw;
	bool uuid;
	bool html;
	const char *output;
	unsigned int top;
	enum color_when color;
	u32 buckets;
	struct timeline *line;
	struct by_domain *by;
};

enum { KEY_TIMELINE = 0x200, KEY_RAW, KEY_COLOR, KEY_UUID, KEY_HTML };

static const struct argp_option options[] = {
	{ "top", 'n', "N", 0, "Show so many domains, and ops of each; 0: all (10)", 0 },
	{ "timeline", KEY_TIMELINE, "BUCKETS", OPTION_ARG_OPTIONAL,
	  "Calls over time, in at most so many intervals (50)", 0 },
	{ "color", KEY_COLOR, "WHEN", OPTION_ARG_OPTIONAL,
	  "always, never or auto: on a terminal, unless NO_COLOR is set", 0 },
	{ "uuid", KEY_UUID, NULL, 0, "Show UUIDs of domains, as far as they were recorded", 0 },
	{ "html", KEY_HTML, NULL, 0, "As a page for browsers, to be sent to somebody", 0 },
	{ "output", 'o', "FILE", 0, "Write the page to FILE", 0 },
	{ "raw", KEY_RAW, NULL, 0, "In the form for scripts, which stays as it is", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report *report = state->input;
	char *end;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &report->opt;
		return 0;
	case 'n':
		report->top = option_number(arg, 0, state);
		return 0;
	case KEY_TIMELINE:
		report->buckets = arg ? strtoul(arg, &end, 10) : TIMELINE_BUCKETS_DEFAULT;
		if (arg && (*end || !report->buckets || report->buckets > TIMELINE_BUCKETS_MAX))
			argp_error(state, "--timeline wants 1 to %d buckets, not '%s'",
				   TIMELINE_BUCKETS_MAX, arg);
		return 0;
	case KEY_COLOR:
		if (!color_parse(arg ? arg : "always", &report->color))
			argp_error(state, "--color: always, never or auto, not '%s'", arg);
		return 0;
	case KEY_UUID:
		report->uuid = true;
		return 0;
	case KEY_RAW:
		report->raw = true;
		return 0;
	case KEY_HTML:
		report->html = true;
		return 0;
	case 'o':
		report->output = arg;
		return 0;
	case ARGP_KEY_END:
		if (report->html && (report->raw || report->buckets))
			argp_error(state, "--html goes neither with --raw nor with --timeline");
		if (report->output && !report->html)
			argp_error(state, "--output is for --html");
		if (report->html && !report->output && isatty(STDOUT_FILENO))
			argp_error(state, "--html: where to? -o FILE, or a pipe");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void count_in_time(void *ctx, const struct xen_hctrace_call *call)
{
	const struct report *report = ctx;
	const struct recording *rec = &report->rec;

	if (recording_wants(rec, call))
		timeline_count(report->line, 0,
			       recording_time(rec, rec->ns_times ? call->ns : call->tsc), 1);
}

static void count_by_domain(void *ctx, const struct xen_hctrace_call *call)
{
	const struct report *report = ctx;

	if (recording_wants(&report->rec, call))
		by_domain_count(report->by, &report->rec, call);
}

/* Calls are counted in rows, unless there are some among them that are not wanted. */
static u64 calm(void *ctx, u64 tsc)
{
	const struct report *report = ctx;

	if (!tsc || !report->rec.is_exact)
		return 0;
	return timeline_calm(report->line, recording_time(&report->rec, tsc));
}

static void count_row(void *ctx, u64 tsc, u64 nr)
{
	const struct report *report = ctx;

	timeline_count(report->line, 0, recording_time(&report->rec, tsc), nr);
}

static void print_people(const struct report *report, const struct summary *summary)
{
	const struct people people = {
		.summary = summary, .to = stdout, .uuid = report->uuid, .top = report->top,
		.palette = color_palette(stdout, report->color), .width = people_width(stdout),
	};

	people_print(&people);
	if (report->line) {
		putchar('\n');
		timeline_print(report->line, &report->rec, stdout);
	}
}

static int print_html(const struct report *report, const struct summary *summary)
{
	FILE *to = outfile_open(report->output, 0);

	if (!to)
		return EXIT_TROUBLE;
	html_print(to, summary, report->by);
	return outfile_close(to, true) ? EXIT_TROUBLE : 0;
}

static int print(const struct report *report)
{
	struct summary summary;
	int rc = 0;

	if (report->raw)
		return raw_print(&report->rec, report->line, report->uuid);
	if (!summary_make(&summary, &report->rec)) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	if (report->html)
		rc = print_html(report, &summary);
	else
		print_people(report, &summary);
	summary_free(&summary);
	return rc;
}

/* Read it, and print what came of it. */
static int run(struct report *report)
{
	const struct hct_sink in_time = {
		.call = count_in_time, .calm = calm, .calls = count_row, .ctx = report,
	};
	const struct hct_sink by_domain = { .call = count_by_domain, .ctx = report };
	struct recording *rec = &report->rec;
	int status, rc;

	if (recording_init(rec, &report->opt, report->by ? &by_domain :
			   report->line ? &in_time : NULL))
		return EXIT_TROUBLE;
	status = recording_read(rec);
	if (status == 0 || status == EXIT_DAMAGED || status == EXIT_NOTHING) {
		rc = print(report);
		status = rc ? rc : status;
	}
	recording_free(rec);
	return status;
}

int verb_report(int argc, char **argv)
{
	static const struct argp_child children[] = { { &recording_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "[FILE]", .doc = doc,
		.children = children,
	};
	static struct report report = { .top = TOP_DEFAULT };
	int status = EXIT_TROUBLE;

	recording_options_init(&report.opt);
	options_parse(&argp, "report", argc, argv, 0, &report);
	if (report.buckets)
		report.line = timeline_new(report.buckets, 1);
	if (report.html)
		report.by = by_domain_new();
	if ((report.buckets && !report.line) || (report.html && !report.by))
		fprintf(stderr, "hctrace: out of memory\n");
	else
		status = run(&report);
	timeline_free(report.line);
	by_domain_free(report.by);
	return status;
}
