// SPDX-License-Identifier: GPL-2.0
/* hctrace report: what a recording adds up to. */
#include <stdlib.h>

#include "base/exit.h"
#include "base/options.h"
#include "raw.h"
#include "recording/options.h"
#include "recording/sources.h"
#include "report.h"

static const char doc[] =
	"Tables of a recording: who called what how often, multicalls, losses.\n\n"
	"Examples:\n"
	"  hctrace report trace.bin                          who called what\n"
	"  hctrace report --tsc-mhz 2400 --timeline trace.bin   and when\n"
	"  hctrace report --domain 3 --op multicall,mmu_update trace.bin\n"
	"  xentrace -e 0x263000 - | hctrace report -\n"
	"\vFILE is what xentrace wrote, or hctrace record. The exit status is 3 if a\n"
	"part of it could not be read, or if its times go back; all the rest is shown.";

/**
 * struct report - the run
 * @opt: what is wanted
 * @rec: the recording
 * @raw: in the form for scripts
 * @buckets: intervals of the timeline, 0: there is none
 * @line: the timeline, or NULL
 */
struct report {
	struct recording_options opt;
	struct recording rec;
	bool raw;
	u32 buckets;
	struct timeline *line;
};

enum { KEY_TIMELINE = 0x200, KEY_RAW };

static const struct argp_option options[] = {
	{ "timeline", KEY_TIMELINE, "BUCKETS", OPTION_ARG_OPTIONAL,
	  "Calls over time, in at most so many intervals (50)", 0 },
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
	case KEY_TIMELINE:
		report->buckets = arg ? strtoul(arg, &end, 10) : TIMELINE_BUCKETS_DEFAULT;
		if (arg && (*end || !report->buckets || report->buckets > TIMELINE_BUCKETS_MAX))
			argp_error(state, "--timeline wants 1 to %d buckets, not '%s'",
				   TIMELINE_BUCKETS_MAX, arg);
		return 0;
	case KEY_RAW:
		report->raw = true;
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
		timeline_count(report->line,
			       recording_time(rec, rec->ns_times ? call->ns : call->tsc), 1);
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

	timeline_count(report->line, recording_time(&report->rec, tsc), nr);
}

int verb_report(int argc, char **argv)
{
	static const struct argp_child children[] = { { &recording_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "FILE", .doc = doc,
		.children = children,
	};
	static struct report report;
	struct recording *rec = &report.rec;
	const struct hct_sink sink = {
		.call = count_in_time, .calm = calm, .calls = count_row, .ctx = &report,
	};
	int status, rc;

	recording_options_init(&report.opt);
	options_parse(&argp, "report", argc, argv, 0, &report);
	if (report.buckets)
		report.line = timeline_new(report.buckets);
	if (recording_init(rec, &report.opt, report.line ? &sink : NULL)) {
		timeline_free(report.line);
		return EXIT_TROUBLE;
	}
	status = recording_read(rec);
	if (status == 0 || status == EXIT_DAMAGED) {
		rc = raw_print(rec, report.line);
		status = rc ? rc : status;
	}
	timeline_free(report.line);
	recording_free(rec);
	return status;
}
