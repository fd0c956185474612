// SPDX-License-Identifier: GPL-2.0
/* hctrace script: a recording event by event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/event_text.h"
#include "base/exit.h"
#include "base/json.h"
#include "base/options.h"
#include "base/text.h"
#include "recording/options.h"
#include "recording/sources.h"
#include "verbs.h"

static const char doc[] =
	"A recording event by event, one a line, in the order of time.\n\n"
	"Examples:\n"
	"  hctrace script | less                        of what hctrace record wrote\n"
	"  hctrace script --tsc-mhz 2400 trace.bin | less\n"
	"  hctrace script -F time,name,op --domain web1\n"
	"  hctrace script --domain 3 --op multicall --batches trace.bin\n"
	"  hctrace script --json | jq 'select(.op == \"mmu_update\")'\n"
	"  xentrace -e 0x263000 - | hctrace script -\n"
	"\vFields: time since the first record, in seconds or in cycles; pcpu; dom, who\n"
	"called; kind, how, as in the tables of report; op, what; args, its recorded\n"
	"arguments; batch, the multicall it belongs to; flags, what is special about\n"
	"it; name, the domain's, if it is known.";

enum { KEY_BATCHES = 0x200 };

#define WHO_WIDTH	8
#define KIND_WIDTH	6
#define FLAGS_BYTES	128

static const struct argp_option options[] = {
	{ "batches", KEY_BATCHES, NULL, 0, "Show multicalls that are over, too", 0 },
	{ "fields", 'F', "LIST", 0,
	  "Only these: time,pcpu,dom,kind,op,args,batch,flags,name", 0 },
	{ "json", 'j', NULL, 0, "JSON, an object on a line each event", 0 },
	{ 0 },
};

/** enum field - what is shown of an event, in this order */
enum field {
	FIELD_TIME,
	FIELD_PCPU,
	FIELD_DOM,
	FIELD_KIND,
	FIELD_OP,
	FIELD_ARGS,
	FIELD_BATCH,
	FIELD_FLAGS,
	FIELD_NAME,
	NR_FIELDS,
};

static const char *const field_names[NR_FIELDS] = {
	[FIELD_TIME] = "time", [FIELD_PCPU] = "pcpu", [FIELD_DOM] = "dom", [FIELD_KIND] = "kind",
	[FIELD_OP] = "op", [FIELD_ARGS] = "args", [FIELD_BATCH] = "batch",
	[FIELD_FLAGS] = "flags", [FIELD_NAME] = "name",
};

/**
 * struct script - the run
 * @opt: what is wanted
 * @rec: the recording
 * @batches: multicalls that are over, too
 * @any: a call was shown
 * @fields: bits of &enum field
 * @json: as JSON
 * @some: there is something of this event in @line
 * @line: what is still to be written
 */
struct script {
	struct recording_options opt;
	struct recording rec;
	bool batches;
	bool any;
	u32 fields;
	bool json;
	bool some;
	struct line line;
};

static u32 parse_fields(char *list, struct argp_state *state)
{
	u32 fields = 0;
	char *item;
	int i;

	for (item = strtok(list, ","); item; item = strtok(NULL, ",")) {
		for (i = 0; i < NR_FIELDS && strcmp(item, field_names[i]); i++)
			;
		if (i == NR_FIELDS)
			argp_error(state, "--fields: '%s' is none of %s", item,
				   "time,pcpu,dom,kind,op,args,batch,flags,name");
		fields |= 1u << i;
	}
	if (!fields)
		argp_error(state, "--fields: which?");
	return fields;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct script *script = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &script->opt;
		return 0;
	case KEY_BATCHES:
		script->batches = true;
		return 0;
	case 'F':
		script->fields = parse_fields(arg, state);
		return 0;
	case 'j':
		script->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Whether a field is wanted; then what stands between it and the one before is put. */
static bool wants(struct script *script, enum field field)
{
	if (!(script->fields & 1u << field))
		return false;
	if (script->json)
		line_text(&script->line, script->some ? "," : "{");
	else if (script->some)
		line_text(&script->line, " ");
	script->some = true;
	return true;
}

static void put_key(struct line *line, const char *key)
{
	line_text(line, "\"");
	line_text(line, key);
	line_text(line, "\":");
}

static void put_string(struct line *line, const char *text)
{
	line_text(line, "\"");
	line_text(line, text);
	line_text(line, "\"");
}

/* What begins at @from loses its first @nr characters. */
static void cut_front(struct line *line, size_t from, size_t nr)
{
	memmove(line->text + from, line->text + from + nr, line->len - from - nr);
	line->len -= nr;
}

static void put_time(struct script *script, const struct hct_moment *at)
{
	const struct recording *rec = &script->rec;
	u64 time = recording_time(rec, rec->ns_times ? at->ns : at->tsc);
	struct line *line = &script->line;
	size_t from, blanks = 0;

	/* Nothing before it had a time; nothing of after the last step, if there was one. */
	if (!time)
		time = rec->untimed ? rec->last : rec->first;
	if (script->json)
		put_key(line, rec->hz ? "time_s" : "time_cycles");
	from = line->len;
	if (rec->hz)
		line_seconds(line, recording_seconds(rec, time));
	else
		line_signed(line, time - rec->first, 16);
	if (!script->json)
		return;
	while (from + blanks < line->len && line->text[from + blanks] == ' ')
		blanks++;
	cut_front(line, from, blanks);
}

static void put_pcpu(struct script *script, u16 pcpu)
{
	struct line *line = &script->line;

	if (script->json) {
		put_key(line, "pcpu");
		line_number(line, pcpu);
	} else if (pcpu == XEN_HCTRACE_UNKNOWN) {
		line_text(line, "[all]");
	} else {
		line_text(line, "[");
		line_padded(line, pcpu, 3, '0');
		line_text(line, "]");
	}
}

/**
 * struct who - whose an event is
 * @domid: or %XEN_HCTRACE_UNKNOWN
 * @vcpu: or %XEN_HCTRACE_UNKNOWN: the domain's as a whole
 * @nobody: it is nobody's
 */
struct who {
	u16 domid;
	u16 vcpu;
	bool nobody;
};

static void put_dom_json(struct line *line, const struct who *who)
{
	put_key(line, "dom");
	if (who->domid == XEN_HCTRACE_UNKNOWN) {
		put_string(line, "d?");
		return;
	}
	line_text(line, "\"d");
	line_number(line, who->domid);
	line_text(line, "\",");
	put_key(line, "domid");
	line_number(line, who->domid);
	if (who->vcpu == XEN_HCTRACE_UNKNOWN)
		return;
	line_text(line, ",");
	put_key(line, "vcpu");
	line_number(line, who->vcpu);
}

static void put_dom(struct line *line, const struct who *who)
{
	size_t from = line->len;

	if (who->nobody) {
		line_text(line, "-");
	} else if (who->vcpu == XEN_HCTRACE_UNKNOWN && who->domid != XEN_HCTRACE_UNKNOWN) {
		line_text(line, "d");
		line_number(line, who->domid);
	} else {
		event_who(line, who->domid, who->vcpu);
	}
	line_pad(line, from, WHO_WIDTH);
}

static void put_start(struct script *script, const struct hct_moment *at, const struct who *who)
{
	script->some = false;
	if (wants(script, FIELD_TIME))
		put_time(script, at);
	if ((!script->json || at->pcpu != XEN_HCTRACE_UNKNOWN) && wants(script, FIELD_PCPU))
		put_pcpu(script, at->pcpu);
	if ((!script->json || !who->nobody) && wants(script, FIELD_DOM)) {
		if (script->json)
			put_dom_json(&script->line, who);
		else
			put_dom(&script->line, who);
	}
}

static void put_kind(struct script *script, const char *kind)
{
	struct line *line = &script->line;
	size_t from;

	if (!wants(script, FIELD_KIND))
		return;
	if (script->json) {
		put_key(line, "kind");
		put_string(line, kind);
		return;
	}
	from = line->len;
	line_text(line, kind);
	line_pad(line, from, KIND_WIDTH);
}

static void put_op(struct script *script, const char *op)
{
	if (!wants(script, FIELD_OP))
		return;
	if (script->json) {
		put_key(&script->line, "op");
		put_string(&script->line, op);
	} else {
		line_text(&script->line, op);
	}
}

static void put_number(struct script *script, enum field field, const char *key, u32 value)
{
	struct line *line = &script->line;

	if (!wants(script, field))
		return;
	if (script->json) {
		put_key(line, key);
	} else {
		line_text(line, key);
		line_text(line, "=");
	}
	line_number(line, value);
}

/* Flags were put behind @from, each with a blank before it. */
static void end_flags(struct script *script, size_t from)
{
	struct line *line = &script->line;
	char text[FLAGS_BYTES], *flag;
	const char *comma = "";

	scnprintf(text, sizeof(text), "%.*s", (int)(line->len - from), line->text + from);
	line->len = from;
	if (!*text || !wants(script, FIELD_FLAGS))
		return;
	if (!script->json) {
		line_text(line, text + 1);
		return;
	}
	put_key(line, "flags");
	line_text(line, "[");
	for (flag = strtok(text, " "); flag; flag = strtok(NULL, " ")) {
		line_text(line, comma);
		put_string(line, flag);
		comma = ",";
	}
	line_text(line, "]");
}

static void put_name(struct script *script, const char *name)
{
	struct line *line = &script->line;
	char *text;

	if (script->json) {
		cJSON *string = json_text(name);

		put_key(line, "name");
		text = cJSON_PrintUnformatted(string);
		line_text(line, text ? text : "null");
		cJSON_free(text);
		cJSON_Delete(string);
	} else {
		text = text_escaped(name, TEXT_TERMINAL, "");
		line_text(line, "name=");
		line_text(line, text ? text : "");
		free(text);
	}
}

/* The name may have blanks in it, and so it comes last. */
static void put_end(struct script *script, const struct who *who)
{
	if (!who->nobody && who->domid != XEN_HCTRACE_UNKNOWN) {
		const char *name = recording_what(&script->rec, who->domid)->name;

		if (*name && wants(script, FIELD_NAME))
			put_name(script, name);
	}
	/* Not every event has every field. */
	if (!script->some)
		return;
	if (script->json)
		line_text(&script->line, "}");
	line_end(&script->line, stdout);
}

static void print_call(void *ctx, const struct xen_hctrace_call *call)
{
	static const char *const keys[] = { "a0", "a1", "a2" };
	const struct hct_moment at = { .tsc = call->tsc, .ns = call->ns, .pcpu = call->pcpu };
	const struct who who = { .domid = call->domid, .vcpu = call->vcpu };
	const u32 args[] = { call->a0, call->a1, call->a2 };
	struct script *script = ctx;
	struct line *line = &script->line;
	unsigned int i;
	size_t from;

	if (!recording_wants(&script->rec, call))
		return;
	script->any = true;
	put_start(script, &at, &who);
	put_kind(script, hct_kind_name(call->kind));
	if (wants(script, FIELD_OP)) {
		line_text(line, script->json ? "\"op\":\"" : "");
		event_op(line, call);
		line_text(line, script->json ? "\"" : "");
	}
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (call->args & 1u << i)
			put_number(script, FIELD_ARGS, keys[i], args[i]);
	}
	if (call->batch)
		put_number(script, FIELD_BATCH, "batch", call->batch);
	from = line->len;
	event_flags(line, call);
	if (line->len > from)
		end_flags(script, from);
	put_end(script, &who);
}

static void print_batch(void *ctx, const struct hct_batch_event *batch)
{
	static const char *const ends[HCT_NR_ENDS] = {
		[HCT_END_COMPLETE] = "complete", [HCT_END_SHORT] = "short",
		[HCT_END_LOST] = "lost",
	};
	const struct who who = { .domid = batch->who.domid, .vcpu = batch->who.vcpu };
	struct script *script = ctx;

	if (!script->batches || !recording_wants_domain(&script->rec, batch->who.domid))
		return;
	put_start(script, &batch->at, &who);
	put_kind(script, "batch");
	put_op(script, ends[batch->end]);
	put_number(script, FIELD_BATCH, "batch", batch->id);
	put_number(script, FIELD_ARGS, "declared", batch->declared);
	put_number(script, FIELD_ARGS, "seen", batch->seen);
	put_number(script, FIELD_ARGS, "splits", batch->splits);
	put_end(script, &who);
}

static void print_loss(void *ctx, const struct hct_loss_event *loss)
{
	static const struct who nobody = { .nobody = true };
	struct script *script = ctx;
	size_t from;

	put_start(script, &loss->at, &nobody);
	if (!loss->before && !loss->count) {
		put_kind(script, "gap");
		put_op(script, hct_gap_name(loss->gap));
	} else {
		put_kind(script, "lost");
		put_number(script, FIELD_ARGS, "records", loss->count);
		from = script->line.len;
		line_text(&script->line, loss->before ? " before" : "");
		end_flags(script, from);
	}
	put_end(script, &nobody);
}

static void print_domain(void *ctx, const struct hct_domain_event *domain)
{
	const struct who who = { .domid = domain->domid, .vcpu = XEN_HCTRACE_UNKNOWN };
	struct script *script = ctx;

	if (!recording_wants_domain(&script->rec, domain->domid))
		return;
	put_start(script, &domain->at, &who);
	put_kind(script, "domain");
	put_op(script, domain->created ? "created" : "destroyed");
	put_end(script, &who);
}

int verb_script(int argc, char **argv)
{
	static const struct argp_child children[] = { { &recording_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "[FILE]", .doc = doc,
		.children = children,
	};
	static struct script script = { .fields = (1u << NR_FIELDS) - 1 };
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
