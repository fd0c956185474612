// SPDX-License-Identifier: GPL-2.0
/* hctrace export --perf: for perf script and perf report. */
#include <errno.h>
#include <stdlib.h>

#include "base/event_text.h"
#include "base/exit.h"
#include "format.h"
#include "formats/perfdata_names.h"

#define ROUND_NS	1000000000ull
#define ROUND_CALLS	100000

/**
 * struct perf_export - a perf.data file being written
 * @names: that are in it
 * @round_ns: when the running round began
 * @calls: samples in it
 */
struct perf_export {
	struct perfdata_writer w;
	struct perfdata_names names;
	u64 round_ns;
	u32 calls;
};

static void put_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct export *e = ctx;
	struct perf_export *perf = e->private;
	struct xen_hctrace_call timed = *call;

	if (!recording_wants(&e->rec, call))
		return;
	timed.ns = export_ns(e, call->tsc, call->ns);
	timed.flags &= ~XEN_HCTRACE_F_NO_NS;
	if (!perfdata_is_named(&perf->names, call->domid, call->vcpu))
		perfdata_name(&perf->names, &perf->w, call->domid, call->vcpu,
			      recording_what(&e->rec, call->domid), timed.ns);
	perfdata_put_call(&perf->w, PERFDATA_TRACEPOINT_ID, &timed);
	if (++perf->calls < ROUND_CALLS && timed.ns - perf->round_ns < ROUND_NS)
		return;
	perfdata_put_round(&perf->w);
	perf->calls = 0;
	perf->round_ns = timed.ns;
}

static void put_loss(void *ctx, const struct hct_loss_event *loss)
{
	struct export *e = ctx;
	struct perf_export *perf = e->private;

	if (!loss->before && !loss->count)
		perfdata_put_lost(&perf->w, XEN_HCTRACE_LOST_GAP(loss->gap), 0,
				  export_ns(e, loss->at.tsc, loss->at.ns));
	else if (!loss->before)
		perfdata_put_lost(&perf->w, XEN_HCTRACE_LOST_XEN(loss->at.pcpu), loss->count,
				  export_ns(e, loss->at.tsc, loss->at.ns));
}

static void put_domain(void *ctx, const struct hct_domain_event *domain)
{
	struct export *e = ctx;
	struct perf_export *perf = e->private;
	u64 ns = export_ns(e, domain->at.tsc, domain->at.ns);

	if (!recording_wants_domain(&e->rec, domain->domid))
		return;
	perfdata_put_domain(&perf->w, domain->domid, domain->created, ns, domain->at.pcpu);
	perfdata_forget_names(&perf->names, domain->domid);
}

static int report(const struct perfdata_writer *w)
{
	fprintf(stderr, "hctrace: writing perf.data: %s\n", strerror(w->error));
	return EXIT_TROUBLE;
}

static int begin_file(struct perf_export *perf, const struct export *e)
{
	struct perfdata_intro intro = {
		.tracepoint_id = PERFDATA_TRACEPOINT_ID, .argc = e->argc, .argv = e->argv,
	};
	char *format = NULL;
	size_t size;
	FILE *to = open_memstream(&format, &size);
	int rc;

	if (!to) {
		perf->w.error = ENOMEM;
		return -1;
	}
	perfdata_format(to, PERFDATA_TRACEPOINT_ID);
	fclose(to);
	intro.format = format;
	rc = perfdata_begin(&perf->w, fileno(e->out), &intro);
	free(format);
	return rc;
}

static int begin(void *ctx)
{
	struct export *e = ctx;
	const char *why = perfdata_refuses(fileno(e->out));
	struct perf_export *perf;

	if (why) {
		fprintf(stderr, "hctrace: standard output: %s\n", why);
		return EXIT_USAGE;
	}
	perf = calloc(1, sizeof(*perf));
	e->private = perf;
	if (!perf) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	return begin_file(perf, e) ? report(&perf->w) : 0;
}

static int end(struct export *e)
{
	struct perf_export *perf = e->private;
	int status = perfdata_end(&perf->w) ? report(&perf->w) : 0;

	perfdata_free_names(&perf->names);
	free(perf);
	return status;
}

const struct export_format export_perf = {
	.name = "perf", .help = "perf.data, for perf script and perf report", .needs_time = true,
	.sink = { .call = put_call, .loss = put_loss, .domain = put_domain },
	.begin = begin, .end = end,
};
