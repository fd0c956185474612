// SPDX-License-Identifier: GPL-2.0
/* hctrace export: a recording in formats that other programs read. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <hctrace/table.h>

#include "export.h"
#include "hctrace.h"
#include "options.h"

static const char doc[] =
	"A recording in formats that other programs read.\n\n"
	"Examples:\n"
	"  hctrace export --folded trace.bin | flamegraph.pl >calls.svg\n"
	"  hctrace export --perf -o perf.data --tsc-mhz 2400 trace.bin; perf report\n"
	"  hctrace export --perfetto --tsc-mhz 2400 trace.bin >trace.json   (ui.perfetto.dev)\n"
	"  hctrace export --prometheus trace.bin >/var/lib/node_exporter/xen.prom\n"
	"\vExactly one format is needed.";

static const struct export_format *const formats[] = {
	&export_openmetrics, &export_prometheus, &export_json, &export_folded, &export_perfetto,
	&export_perf,
};

#define KEY_FORMAT	0x300	/* and up: index in formats */

/* Those of the formats are filled in; then -o and the end. */
static struct argp_option options[ARRAY_SIZE(formats) + 2];

struct command {
	struct export e;
	const struct export_format *format;
	const char *output;
};

/* --- for the formats -------------------------------------------------------- */

const char *export_name(const struct export *e, const struct hct_domain *dom, char *buf,
			size_t size)
{
	const char *name = NULL;

	/* Recordings with names do not tell generations apart. */
	if (hct_row_special(e->rec.p.acct, dom) < 0)
		name = recording_get_name(&e->rec, dom->domid);
	if (name)
		snprintf(buf, size, "%s", name);
	else
		hct_domain_name(e->rec.p.acct, dom, buf, size);
	return buf;
}

void export_domains(struct export *e,
		    void (*emit)(struct export *e, const struct hct_domain *dom))
{
	const struct hct_account *acct = e->rec.p.acct;
	u32 i;

	for (i = 0; i < acct->nr; i++)
		emit(e, &acct->domains[i]);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		emit(e, &acct->special[i]);
}

static void emit_cells(struct export *e, const struct hct_domain *dom,
		       void (*emit)(struct export *e, const struct hct_domain *dom, u8 kind,
				    u8 cell))
{
	unsigned int kind, i;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++) {
			if (dom->cells[kind][i].calls || dom->cells[kind][i].cont)
				emit(e, dom, kind, i);
		}
	}
}

void export_rows(struct export *e,
		 void (*emit)(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell))
{
	const struct hct_account *acct = e->rec.p.acct;
	u32 i;

	for (i = 0; i < acct->nr; i++)
		emit_cells(e, &acct->domains[i], emit);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		emit_cells(e, &acct->special[i], emit);
}

u64 export_ns(const struct export *e, u64 tsc, u64 ns)
{
	u64 khz = e->opt.tsc_khz;

	if (e->rec.ns_times || !khz)
		return ns;
	/* In two parts, so that no product is too large for any counter there is. */
	return tsc / khz * 1000000 + tsc % khz * 1000000 / khz;
}

/* --- the verb --------------------------------------------------------------- */

static void fill_options(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		options[i] = (struct argp_option){
			.name = formats[i]->name, .key = KEY_FORMAT + i, .doc = formats[i]->help,
			.group = 1,
		};
	options[i] = (struct argp_option){
		.name = "output", .key = 'o', .arg = "FILE", .doc = "Write it there", .group = 1,
	};
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
	case ARGP_KEY_END:
		if (!command->format)
			argp_error(state, "which format?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int open_output(struct command *command)
{
	bool is_stdout = !command->output || !strcmp(command->output, "-");

	command->e.out = is_stdout ? stdout : fopen(command->output, "we");
	if (!command->e.out) {
		fprintf(stderr, "hctrace: %s: %s\n", command->output, strerror(errno));
		return EXIT_TROUBLE;
	}
	return 0;
}

static int close_output(struct command *command)
{
	bool failed = ferror(command->e.out);

	if (fclose(command->e.out) || failed) {
		fprintf(stderr, "hctrace: %s: %s\n",
			command->output ? command->output : "standard output", strerror(errno));
		return EXIT_TROUBLE;
	}
	return 0;
}

static int run(struct command *command)
{
	const struct export_format *format = command->format;
	struct hct_sink sink = format->sink;
	struct export *e = &command->e;
	int status, rc;

	sink.ctx = e;
	if (recording_init(&e->rec, &e->opt, &sink))
		return EXIT_TROUBLE;
	e->rec.needs_time = format->needs_time;
	status = open_output(command);
	if (status)
		goto err_recording;
	if (format->begin)
		status = format->begin(e);
	if (!status)
		status = recording_read(&e->rec);
	if (!status || status == EXIT_DAMAGED) {
		rc = format->end(e);
		status = rc ? rc : status;
	}
	rc = close_output(command);
	status = rc ? rc : status;
err_recording:
	recording_free(&e->rec);
	return status;
}

int verb_export(int argc, char **argv)
{
	static const struct argp_child children[] = { { &recording_argp, 0, NULL, 2 }, { 0 } };
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "FILE", .doc = doc,
		.children = children,
	};
	static struct command command;

	fill_options();
	command.e.argc = argc;
	command.e.argv = argv;
	recording_options_init(&command.e.opt);
	options_parse(&argp, "export", argc, argv, 0, &command);
	return run(&command);
}
