// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --perfetto: the JSON of Chrome's trace viewer, which Perfetto reads.
 * A domain is a process, a vCPU a thread of it. A hypercall is an instant, for Xen does
 * not record its end; a multicall lasts from its record to the one that shows its end.
 */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/event_text.h"
#include "base/exit.h"
#include "base/json.h"
#include "format.h"

#define NR_OPEN		4096
#define NR_DOMIDS	0x10000
#define KNOWN_BYTES	(0x10000 / 8)

/**
 * struct perfetto - a trace being written
 * @line: the events that are still to be written
 * @has_events: a comma is due
 * @known: bits of vCPUs that have their names, by domain
 * @pid: the process that a domain is: its id, and more for each domain that had it before
 * @start_ns: when the multicall with this id began, by id modulo NR_OPEN
 * @start_pid: the process it is of
 * @id: which one that is
 */
struct perfetto {
	struct line line;
	bool has_events;
	u8 *known[NR_DOMIDS];
	u32 pid[NR_DOMIDS];
	u64 start_ns[NR_OPEN];
	u32 start_pid[NR_OPEN];
	u32 id[NR_OPEN];
};

static void put_figure(struct line *line, const char *name, u64 value)
{
	line_text(line, name);
	line_number(line, value);
}

/* In microseconds, and nanoseconds behind the point. */
static void put_us(struct line *line, const char *name, u64 ns)
{
	put_figure(line, name, ns / 1000);
	line_text(line, ".");
	line_padded(line, ns % 1000, 3, '0');
}

/* Behind the one before, or the head; the name of the event follows. */
static struct line *begin_event(struct export *e, const char *phase)
{
	struct perfetto *p = e->private;
	struct line *line = &p->line;

	if (p->has_events)
		line_text(line, ",");
	line_end(line, e->out);
	line_text(line, "{\"ph\":\"");
	line_text(line, phase);
	line_text(line, "\",\"name\":\"");
	p->has_events = true;
	return line;
}

/* What it is of, and when. */
static void put_place(struct line *line, u32 pid, u16 vcpu, u64 ns)
{
	put_figure(line, "\",\"pid\":", pid);
	put_figure(line, ",\"tid\":", vcpu);
	put_us(line, ",\"ts\":", ns);
}

static void print_name(struct export *e, const char *what, u32 pid, u16 vcpu, const char *name)
{
	cJSON *string = json_text(name);
	char *text = cJSON_PrintUnformatted(string);
	struct line *line = begin_event(e, "M");

	line_text(line, what);
	put_place(line, pid, vcpu, 0);
	line_write(line, e->out);
	fprintf(e->out, ",\"args\":{\"name\":%s}}", text ? text : "\"?\"");
	free(text);
	cJSON_Delete(string);
}

/* "d3 web1", "d3#2" or "d?" */
static void print_process(struct export *e, u16 domid, u16 vcpu)
{
	struct perfetto *p = e->private;
	const char *name = recording_what(&e->rec, domid)->name;
	u32 pid = p->pid[domid];
	char again[16] = "";
	char *text;

	if (domid == XEN_HCTRACE_UNKNOWN) {
		print_name(e, "process_name", pid, vcpu, "d?");
		return;
	}
	if (pid != domid)
		snprintf(again, sizeof(again), "#%u", 1 + pid / NR_DOMIDS);
	if (asprintf(&text, "d%u%s%s%s", domid, again, *name ? " " : "", name) < 0)
		return;
	print_name(e, "process_name", pid, vcpu, text);
	free(text);
}

static void introduce(struct export *e, u16 domid, u16 vcpu)
{
	struct perfetto *p = e->private;
	char text[24];

	if (!p->known[domid]) {
		p->known[domid] = calloc(1, KNOWN_BYTES);
		print_process(e, domid, vcpu);
	}
	if (!p->known[domid] || p->known[domid][vcpu / 8] & 1u << vcpu % 8)
		return;
	p->known[domid][vcpu / 8] |= 1u << vcpu % 8;
	snprintf(text, sizeof(text), domid == XEN_HCTRACE_UNKNOWN ? "d?" : "d%uv%u", domid, vcpu);
	print_name(e, "thread_name", p->pid[domid], vcpu, text);
}

static void put_call(void *ctx, const struct xen_hctrace_call *call)
{
	static const char *const names[] = { ",\"a0\":", ",\"a1\":", ",\"a2\":" };
	const u32 args[] = { call->a0, call->a1, call->a2 };
	struct export *e = ctx;
	struct perfetto *p = e->private;
	u64 ns = export_ns(e, call->tsc, call->ns);
	struct line *line;
	unsigned int i;

	if (!recording_wants(&e->rec, call))
		return;
	introduce(e, call->domid, call->vcpu);
	line = begin_event(e, "i");
	event_op(line, call);
	put_place(line, p->pid[call->domid], call->vcpu, ns);
	line_text(line, ",\"s\":\"t\",\"cat\":\"");
	event_kind(line, call->kind);
	put_figure(line, "\",\"args\":{\"pcpu\":", call->pcpu);
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (call->args & 1u << i)
			put_figure(line, names[i], args[i]);
	}
	if (call->batch)
		put_figure(line, ",\"batch\":", call->batch);
	if (call->flags & XEN_HCTRACE_F_CONTINUED)
		line_text(line, ",\"continued\":true");
	line_text(line, "}}");

	i = call->batch % NR_OPEN;
	if (call->kind == XEN_HCTRACE_KIND_CALL && call->batch && p->id[i] != call->batch) {
		p->id[i] = call->batch;
		p->start_ns[i] = ns;
		p->start_pid[i] = p->pid[call->domid];
	}
}

static void put_batch(void *ctx, const struct hct_batch_event *batch)
{
	struct export *e = ctx;
	struct perfetto *p = e->private;
	unsigned int i = batch->id % NR_OPEN;
	u64 ns = export_ns(e, batch->at.tsc, batch->at.ns);
	struct line *line;

	if (p->id[i] != batch->id || ns < p->start_ns[i])
		return;
	ns -= p->start_ns[i];
	line = begin_event(e, "X");
	line_text(line, "multicall");
	put_place(line, p->start_pid[i], batch->who.vcpu, p->start_ns[i]);
	put_us(line, ",\"dur\":", ns);
	put_figure(line, ",\"args\":{\"batch\":", batch->id);
	put_figure(line, ",\"declared\":", batch->declared);
	put_figure(line, ",\"seen\":", batch->seen);
	put_figure(line, ",\"splits\":", batch->splits);
	line_text(line, "}}");
}

/* The next domain of this id is another process, if this one was any. */
static void put_domain(void *ctx, const struct hct_domain_event *domain)
{
	struct export *e = ctx;
	struct perfetto *p = e->private;
	u16 domid = domain->domid;

	if (!p->known[domid])
		return;
	free(p->known[domid]);
	p->known[domid] = NULL;
	p->pid[domid] += NR_DOMIDS;
}

static int begin(void *ctx)
{
	struct export *e = ctx;
	struct perfetto *p = calloc(1, sizeof(*p));
	u32 domid;

	e->private = p;
	if (!p) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	for (domid = 0; domid < NR_DOMIDS; domid++)
		p->pid[domid] = domid;
	fprintf(e->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return 0;
}

static int end(struct export *e)
{
	struct perfetto *p = e->private;
	u32 i;

	line_text(&p->line, "\n]}\n");
	line_write(&p->line, e->out);
	for (i = 0; i < ARRAY_SIZE(p->known); i++)
		free(p->known[i]);
	free(p);
	return 0;
}

const struct export_format export_perfetto = {
	.name = "perfetto", .help = "JSON for ui.perfetto.dev and chrome://tracing",
	.needs_time = true, .sink = { .call = put_call, .batch = put_batch, .domain = put_domain },
	.begin = begin, .end = end,
};
