// SPDX-License-Identifier: GPL-2.0
/* hctrace script: a recording event by event. */
#include <stdio.h>
#include <unistd.h>

#include "base/event_text.h"
#include "base/exit.h"
#include "base/options.h"
#include "recording/options.h"
#include "recording/sources.h"
#include "verbs.h"

static const char doc[] =
	"A recording event by event, one a line, in the order of time.\n\n"
	"Examples:\n"
	"  hctrace script --tsc-mhz 2400 trace.bin | less\n"
	"  hctrace script --domain 3 --op multicall --batches trace.bin\n"
	"  xentrace -e 0x263000 - | hctrace script -\n"
	"\vColumns: time since the first record, in seconds or in cycles; pCPU; who;\n"
	"how it was called, as in the tables of report; what; its recorded arguments;\n"
	"the multicall it belongs to; what is special about it.";

enum { KEY_BATCHES = 0x200 };

static const struct argp_option options[] = {
	{ "batches", KEY_BATCHES, NULL, 0, "Show multicalls that are over, too", 0 },
	{ 0 },
};

/**
 * struct script - the run
 * @opt: what is wanted
 * @rec: the recording
 * @batches: multicalls that are over, too
 * @any: a call was shown
 * @line: what is still to be written
 */
struct script {
	struct recording_options opt;
	struct recording rec;
	bool batches;
	bool any;
	struct line line;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct script *script = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &script->opt;
		return 0;
	case KEY_BATCHES:
		script->batches = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* When, where and who: the begin of each line. */
static void put_start(struct line *line, const struct script *script, const struct hct_moment *at)
{
	const struct recording *rec = &script->rec;
	u64 time = recording_time(rec, rec->ns_times ? at->ns : at->tsc);

	/* Nothing before it had a time; nothing of after the last step, if there was one. */
	if (!time)
		time = rec->untimed ? rec->last : rec->first;
	if (rec->hz)
		line_seconds(line, recording_seconds(rec, time));
	else
		line_signed(line, time - rec->first, 16);
	if (at->pcpu == XEN_HCTRACE_UNKNOWN) {
		line_text(line, " [all] ");
		return;
	}
	line_text(line, " [");
	line_padded(line, at->pcpu, 3, '0');
	line_text(line, "] ");
}

#define WHO_WIDTH	8
#define KIND_WIDTH	6

static void put_vcpu(struct line *line, u16 domid, u16 vcpu)
{
	size_t from = line->len;

	event_who(line, domid, vcpu);
	line_pad(line, from, WHO_WIDTH);
	line_text(line, " ");
}

static void put_figure(struct line *line, const char *name, u32 value)
{
	line_text(line, name);
	line_number(line, value);
}

static void print_call(void *ctx, const struct xen_hctrace_call *call)
{
	static const char *const names[] = { " a0=", " a1=", " a2=" };
	const struct hct_moment at = { .tsc = call->tsc, .ns = call->ns, .pcpu = call->pcpu };
	const u32 args[] = { call->a0, call->a1, call->a2 };
	struct script *script = ctx;
	struct line *line = &script->line;
	unsigned int i;
	size_t from;

	if (!recording_wants(&script->rec, call))
		return;
	script->any = true;
	put_start(line, script, &at);
	put_vcpu(line, call->domid, call->vcpu);
	from = line->len;
	event_kind(line, call->kind);
	line_pad(line, from, KIND_WIDTH);
	line_text(line, " ");
	event_op(line, call);
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (call->args & 1u << i)
			put_figure(line, names[i], args[i]);
	}
	if (call->batch)
		put_figure(line, " batch=", call->batch);
	event_flags(line, call);
	line_end(line, stdout);
}

static void print_batch(void *ctx, const struct hct_batch_event *batch)
{
	static const char *const ends[HCT_NR_ENDS] = {
		[HCT_END_COMPLETE] = " complete", [HCT_END_SHORT] = " short",
		[HCT_END_LOST] = " lost",
	};
	struct script *script = ctx;
	struct line *line = &script->line;

	if (!script->batches || !recording_wants_domain(&script->rec, batch->who.domid))
		return;
	put_start(line, script, &batch->at);
	put_vcpu(line, batch->who.domid, batch->who.vcpu);
	line_text(line, "batch ");
	line_text(line, ends[batch->end]);
	put_figure(line, " batch=", batch->id);
	put_figure(line, " declared=", batch->declared);
	put_figure(line, " seen=", batch->seen);
	put_figure(line, " splits=", batch->splits);
	line_end(line, stdout);
}

/* What happened to @who, in words. */
static void print_words(struct script *script, const struct hct_moment *at, const char *who,
			const char *kind, const char *words)
{
	struct line *line = &script->line;
	size_t from;

	put_start(line, script, at);
	from = line->len;
	line_text(line, who);
	line_pad(line, from, WHO_WIDTH);
	line_text(line, " ");
	from = line->len;
	line_text(line, kind);
	line_pad(line, from, KIND_WIDTH);
	line_text(line, " ");
	line_text(line, words);
	line_end(line, stdout);
}

static void print_loss(void *ctx, const struct hct_loss_event *loss)
{
	char words[32];

	if (!loss->before && !loss->count) {
		print_words(ctx, &loss->at, "-", "gap", hct_gap_name(loss->gap));
		return;
	}
	scnprintf(words, sizeof(words), "records=%u%s", loss->count, loss->before ? " before" : "");
	print_words(ctx, &loss->at, "-", "lost", words);
}

static void print_domain(void *ctx, const struct hct_domain_event *domain)
{
	struct script *script = ctx;
	char who[24];

	if (!recording_wants_domain(&script->rec, domain->domid))
		return;
	scnprintf(who, sizeof(who), "d%u", domain->domid);
	print_words(ctx, &domain->at, who, "domain", domain->created ? "created" : "destroyed");
}

int verb_script(int argc, char **argv)
{
	static const struct argp_child children[] = { { &recording_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "FILE", .doc = doc,
		.children = children,
	};
	static struct script script;
	const struct hct_sink sink = {
		.call = print_call, .batch = print_batch, .loss = print_loss,
		.domain = print_domain, .ctx = &script,
	};
	int status;

	recording_options_init(&script.opt);
	options_parse(&argp, "script", argc, argv, 0, &script);
	if (recording_init(&script.rec, &script.opt, &sink))
		return EXIT_TROUBLE;
	/* Nobody looks at the tables. */
	hct_pipeline_set(&script.rec.p, &script.rec.p.settings, false);
	script.line.at_once = isatty(STDOUT_FILENO);
	status = recording_read(&script.rec);
	line_write(&script.line, stdout);
	if (!status)
		status = recording_found(&script.rec, script.any);
	if (script.rec.lost_recorder)
		fprintf(stderr, "hctrace: %llu events were lost by the recorder\n",
			script.rec.lost_recorder);
	recording_free(&script.rec);
	return status;
}
