// SPDX-License-Identifier: GPL-2.0
/* hctrace export: a recording, or what is counted now, in formats that other programs read. */
#include <stdlib.h>

#include "base/exit.h"
#include "base/options.h"
#include "base/outfile.h"
#include "export.h"
#include "format.h"
#include "http.h"
#include "recording/sources.h"

static const char doc[] =
	"A recording, or what is counted now, in formats that other programs read.\n\n"
	"Examples:\n"
	"  hctrace export --prometheus -o xen.prom       (for a textfile collector)\n"
	"  hctrace export --json --domain web1 | jq .\n"
	"  hctrace export --folded trace.bin | flamegraph.pl >calls.svg\n"
	"  hctrace export --perf -o perf.data --tsc-mhz 2400 trace.bin\n"
	"  perf report -s comm,op                        (of that)\n"
	"  hctrace export --perfetto -o calls.json --tsc-mhz 2400 trace.bin\n"
	"\vExactly one format is needed. Without FILE it is of what the module has\n"
	"counted until now, which --perf and --perfetto cannot show.";

static const struct export_format *const formats[] = {
	&export_openmetrics, &export_prometheus, &export_json, &export_folded, &export_perfetto,
	&export_perf,
};

#define KEY_HTTP	0x200
#define KEY_FORMAT	0x300	/* and up: index in formats */

/* Those of the formats are filled in; then the others and the end. */
static struct argp_option options[ARRAY_SIZE(formats) + 3];

struct command {
	struct export e;
	const struct export_format *format;
	const char *output;
	bool http;
};

static void fill_options(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		options[i] = (struct argp_option){
			.name = formats[i]->name, .key = KEY_FORMAT + i, .doc = formats[i]->help,
			.group = 1,
		};
	options[i++] = (struct argp_option){
		.name = "output", .key = 'o', .arg = "FILE", .group = 1,
		.doc = "Write it there, in one piece",
	};
	options[i] = (struct argp_option){
		.name = "http", .key = KEY_HTTP, .group = 1,
		.doc = "Answer an HTTP request on standard input, for a socket unit of systemd",
	};
}

/* What is asked for must go together. */
static void check(const struct command *command, struct argp_state *state)
{
	const struct recording_options *opt = &command->e.opt;

	if (!command->format)
		argp_error(state, "which format?");
	if (command->http && (opt->path || command->output))
		argp_error(state, "--http has no files");
	if (opt->path)
		return;
	if (!command->format->print)
		argp_error(state, "--%s: which file? (- is standard input)",
			   command->format->name);
	if (opt->since_ns || opt->until_ns != ~0ull || opt->tsc_khz || opt->draft)
		argp_error(state, "--since, --until, --tsc-mhz and --draft are for a FILE");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *command = state->input;

	if (key >= KEY_FORMAT && key < KEY_FORMAT + (int)ARRAY_SIZE(formats)) {
		if (command->format)
			argp_error(state, "one format at a time");
		command->format = formats[key - KEY_FORMAT];
		return 0;
	}
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->e.opt;
		return 0;
	case 'o':
		command->output = arg;
		return 0;
	case KEY_HTTP:
		command->http = true;
		return 0;
	case ARGP_KEY_END:
		check(command, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool is_good(int status)
{
	return !status || status == EXIT_DAMAGED || status == EXIT_NOTHING;
}

static int print_counts(struct export *e, const struct export_format *format)
{
	struct counts counts;

	if (!counts_of_recording(&counts, &e->rec)) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	format->print(e->out, &counts);
	counts_free(&counts);
	return 0;
}

/* The recording, into e->out, where nothing is written before it is known that it can be. */
static int convert(struct export *e, const struct export_format *format)
{
	int status, rc;

	e->rec.begin = format->begin;
	status = recording_read(&e->rec);
	if (!is_good(status))
		return status;
	rc = recording_begin(&e->rec);
	if (rc)
		return rc;
	rc = format->end ? format->end(e) : print_counts(e, format);
	return rc ? rc : status;
}

static int export_recording(struct command *command)
{
	const struct export_format *format = command->format;
	struct hct_sink sink = format->sink;
	struct export *e = &command->e;
	int status = EXIT_TROUBLE;

	sink.ctx = e;
	/* Without a sink the core takes the short way. */
	if (recording_init(&e->rec, &e->opt, format->print ? NULL : &sink))
		return EXIT_TROUBLE;
	e->rec.needs_time = format->needs_time;
	e->out = outfile_open(command->output, command->format->readable);
	if (e->out) {
		status = convert(e, format);
		if (outfile_close(e->out, is_good(status)))
			status = EXIT_TROUBLE;
	}
	recording_free(&e->rec);
	return status;
}

static int export_live(const struct command *command)
{
	struct counts counts;
	char err[200];
	FILE *out;
	int status = EXIT_TROUBLE;

	if (!counts_of_host(&counts, &command->e.opt, err, sizeof(err))) {
		fprintf(stderr, "hctrace: %s\n", err);
	} else {
		out = outfile_open(command->output, command->format->readable);
		if (out) {
			command->format->print(out, &counts);
			status = outfile_close(out, true) ? EXIT_TROUBLE :
				 counts_matched(&counts, &command->e.opt);
		}
	}
	counts_free(&counts);
	return status;
}

int verb_export(int argc, char **argv)
{
	static const struct argp_child children[] = { { &recording_argp, 0, NULL, 2 }, { 0 } };
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "[FILE]", .doc = doc,
		.children = children,
	};
	static struct command command;

	fill_options();
	command.e.argc = argc;
	command.e.argv = argv;
	recording_options_init(&command.e.opt);
	command.e.opt.file_is_optional = true;
	options_parse(&argp, "export", argc, argv, 0, &command);
	if (command.http)
		return export_http(&command.e.opt, command.format);
	return command.e.opt.path ? export_recording(&command) : export_live(&command);
}
