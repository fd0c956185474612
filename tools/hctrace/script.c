// SPDX-License-Identifier: GPL-2.0
/* hctrace script: a recording event by event. */
#include <stdio.h>

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
 */
struct script {
	struct recording_options opt;
	struct recording rec;
	bool batches;
	bool any;
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

static void print_start(const struct script *script, const struct hct_moment *at, const char *who,
			const char *kind)
{
	const struct recording *rec = &script->rec;
	u64 time = recording_time(rec, rec->ns_times ? at->ns : at->tsc);

	/* Nothing before it had a time; nothing of after the last step, if there was one. */
	if (!time)
		time = rec->untimed ? rec->last : rec->first;
	if (rec->hz)
		printf("%16.9f", recording_seconds(rec, time));
	else
		printf("%16lld", (s64)(time - rec->first));
	if (at->pcpu == XEN_HCTRACE_UNKNOWN)
		printf(" [all]");
	else
		printf(" [%03u]", at->pcpu);
	printf(" %-8s %-6s", who, kind);
}

static void print_call(void *ctx, const struct xen_hctrace_call *call)
{
	const struct hct_moment at = { .tsc = call->tsc, .ns = call->ns, .pcpu = call->pcpu };
	const u32 args[] = { call->a0, call->a1, call->a2 };
	struct script *script = ctx;
	char who[24], text[128];
	unsigned int i;

	if (!recording_wants(&script->rec, call))
		return;
	script->any = true;
	print_start(script, &at, event_who(call->domid, call->vcpu, who, sizeof(who)),
		    hct_kind_name(call->kind));
	printf(" %s", event_op(call, text, sizeof(text)));
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (call->args & 1u << i)
			printf(" a%u=%u", i, args[i]);
	}
	if (call->batch)
		printf(" batch=%u", call->batch);
	puts(event_flags(call, text, sizeof(text)));
}

static void print_batch(void *ctx, const struct hct_batch_event *batch)
{
	static const char *const ends[HCT_NR_ENDS] = {
		[HCT_END_COMPLETE] = "complete", [HCT_END_SHORT] = "short",
		[HCT_END_LOST] = "lost",
	};
	const struct script *script = ctx;
	char who[24];

	if (!script->batches || !recording_wants_domain(&script->rec, batch->who.domid))
		return;
	print_start(script, &batch->at, event_who(batch->who.domid, batch->who.vcpu, who,
						  sizeof(who)), "batch");
	printf(" %s batch=%u declared=%u seen=%u splits=%u\n", ends[batch->end], batch->id,
	       batch->declared, batch->seen, batch->splits);
}

static void print_loss(void *ctx, const struct hct_loss_event *loss)
{
	if (!loss->before && !loss->count) {
		print_start(ctx, &loss->at, "-", "gap");
		printf(" %s\n", hct_gap_name(loss->gap));
		return;
	}
	print_start(ctx, &loss->at, "-", "lost");
	printf(" records=%u%s\n", loss->count, loss->before ? " before" : "");
}

static void print_domain(void *ctx, const struct hct_domain_event *domain)
{
	const struct script *script = ctx;
	char who[24];

	if (!recording_wants_domain(&script->rec, domain->domid))
		return;
	snprintf(who, sizeof(who), "d%u", domain->domid);
	print_start(ctx, &domain->at, who, "domain");
	puts(domain->created ? " created" : " destroyed");
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
	script.rec.p.stats_off = true;
	status = recording_read(&script.rec);
	if (!status)
		status = recording_found(&script.rec, script.any);
	if (script.rec.lost_recorder)
		fprintf(stderr, "hctrace: %llu events were lost by the recorder\n",
			script.rec.lost_recorder);
	recording_free(&script.rec);
	return status;
}
