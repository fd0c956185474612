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
 * @has_events: a comma is due
 * @known: bits of vCPUs that have their names, by domain
 * @pid: the process that a domain is: its id, and more for each domain that had it before
 * @start_ns: when the multicall with this id began, by id modulo NR_OPEN
 * @start_pid: the process it is of
 * @id: which one that is
 */
struct perfetto {
	bool has_events;
	u8 *known[NR_DOMIDS];
	u32 pid[NR_DOMIDS];
	u64 start_ns[NR_OPEN];
	u32 start_pid[NR_OPEN];
	u32 id[NR_OPEN];
};

/* Times are in microseconds, and nanoseconds behind the point. */
static void begin_event(struct export *e, const char *phase, const char *name, u32 pid, u16 vcpu,
			u64 ns)
{
	struct perfetto *p = e->private;

	fprintf(e->out, "%s\n{\"ph\":\"%s\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u",
		p->has_events ? "," : "", phase, name, pid, vcpu);
	fprintf(e->out, ",\"ts\":%llu.%03llu", ns / 1000, ns % 1000);
	p->has_events = true;
}

static void print_name(struct export *e, const char *what, u32 pid, u16 vcpu, const char *name)
{
	cJSON *string = json_text(name);
	char *text = cJSON_PrintUnformatted(string);

	begin_event(e, "M", what, pid, vcpu, 0);
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
	print_name(e, "thread_name", p->pid[domid], vcpu,
		   event_who(domid, vcpu, text, sizeof(text)));
}

static void put_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct export *e = ctx;
	struct perfetto *p = e->private;
	const u32 args[] = { call->a0, call->a1, call->a2 };
	u64 ns = export_ns(e, call->tsc, call->ns);
	char text[128];
	unsigned int i;

	if (!recording_wants(&e->rec, call))
		return;
	introduce(e, call->domid, call->vcpu);
	begin_event(e, "i", event_op(call, text, sizeof(text)), p->pid[call->domid], call->vcpu,
		    ns);
	fprintf(e->out, ",\"s\":\"t\",\"cat\":\"%s\",\"args\":{\"pcpu\":%u",
		hct_kind_name(call->kind), call->pcpu);
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (call->args & 1u << i)
			fprintf(e->out, ",\"a%u\":%u", i, args[i]);
	}
	if (call->batch)
		fprintf(e->out, ",\"batch\":%u", call->batch);
	if (call->flags & XEN_HCTRACE_F_CONTINUED)
		fprintf(e->out, ",\"continued\":true");
	fprintf(e->out, "}}");

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

	if (p->id[i] != batch->id || ns < p->start_ns[i])
		return;
	ns -= p->start_ns[i];
	begin_event(e, "X", "multicall", p->start_pid[i], batch->who.vcpu, p->start_ns[i]);
	fprintf(e->out, ",\"dur\":%llu.%03llu,\"args\":{\"batch\":%u,\"declared\":%u", ns / 1000,
		ns % 1000, batch->id, batch->declared);
	fprintf(e->out, ",\"seen\":%u,\"splits\":%u}}", batch->seen, batch->splits);
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

	fprintf(e->out, "\n]}\n");
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
