// SPDX-License-Identifier: GPL-2.0
/*
 * perf.data: the ring's records are those of the file, so they are written as they
 * stand. Only the names of domains are ours to add, before the first sample of each
 * of their vCPUs, and again when an id is another domain's.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/options.h"
#include "formats/perfdata_names.h"
#include "live/host.h"
#include "recorder.h"

/**
 * struct perf_recorder - its state
 * @last_tid: whose sample came last, 0: nobody's
 * @names: that are in the file
 * @lives: by domain, how many domains of this id xenstore had when one was named
 * @dead: of them, so many are not the one that has the id now
 */
struct perf_recorder {
	struct perfdata_writer w;
	u32 last_tid;
	struct perfdata_names names;
	u32 lives[0x10000];
	u32 dead[0x10000];
};

/*
 * The tracepoint's format as the kernel tells it, if it is that of the samples too: some kernels
 * (PREEMPT_RT up to 6.1) begin a tracepoint's record with more.
 */
static char *read_format(u32 tracepoint_id)
{
	static const char *const places[] = {
		"/sys/kernel/tracing/events/xen_hctrace/hct_hypercall/format",
		"/sys/kernel/debug/tracing/events/xen_hctrace/hct_hypercall/format",
	};
	char *format = NULL;
	size_t size, i;
	FILE *to;

	for (i = 0; i < ARRAY_SIZE(places) && !format; i++)
		format = host_read(places[i], NULL);
	if (format && perfdata_layout(format, strlen(format)) == PERFDATA_LAYOUT_OURS)
		return format;
	free(format);
	format = NULL;
	/* Or tracing's file system is not mounted. The header says it in any case. */
	to = open_memstream(&format, &size);
	if (to) {
		perfdata_format(to, tracepoint_id);
		fclose(to);
	}
	return format;
}

/* The model of the processor, NULL: not known. */
static char *read_cpudesc(void)
{
	static const char key[] = "\nmodel name\t: ";
	char *text = host_read("/proc/cpuinfo", NULL);
	char *name = text ? strstr(text, key) : NULL;
	char *model = NULL;

	if (name) {
		name += strlen(key);
		model = strndup(name, strcspn(name, "\n"));
	}
	free(text);
	return model;
}

static int begin(struct recorder *rec)
{
	struct perf_recorder *perf = calloc(1, sizeof(*perf));
	struct xen_hctrace_info info = reader_info(&rec->reader);
	struct perfdata_intro intro = {
		.tracepoint_id = info.tracepoint_id, .argc = rec->argc, .argv = rec->argv,
		.origin = { .nr_cpus = info.nr_pcpus },
	};
	char *format = read_format(info.tracepoint_id);
	char *cpudesc = read_cpudesc();
	struct utsname uts;
	int rc = -ENOMEM;

	rec->private = perf;
	intro.format = format;
	intro.origin.cpudesc = cpudesc;
	if (!uname(&uts)) {
		intro.origin.hostname = uts.nodename;
		intro.origin.release = uts.release;
	}
	if (perf && format)
		rc = perfdata_begin(&perf->w, rec->fd, &intro) ? -perf->w.error : 0;
	free(cpudesc);
	free(format);
	return rc;
}

static void put_name(struct recorder *rec, u16 domid, u16 vcpu, u64 ns)
{
	struct perf_recorder *perf = rec->private;
	u32 lives = domnames_lives(rec->names, domid);
	const struct domname *what = NULL;

	if (perfdata_is_named(&perf->names, domid, vcpu))
		return;
	/* Xenstore may not know yet that the id is another domain's. */
	if (lives > perf->dead[domid]) {
		what = domnames_now(rec->names, domid);
		perf->lives[domid] = lives;
	}
	perfdata_name(&perf->names, &perf->w, domid, vcpu, what, ns);
}

/* A vCPU's name, if this sample is its first. */
static void name_caller(struct recorder *rec, u64 position)
{
	struct perf_recorder *perf = rec->private;
	const u32 *ids = reader_at(&rec->reader, position + 8);
	u64 ns = *(const u64 *)reader_at(&rec->reader, position + 16);
	u32 pid = ids[0], tid = ids[1];

	perfdata_saw_cpu(&perf->w, *(const u32 *)reader_at(&rec->reader, position + 24));

	/* Samples of a vCPU come in rows. */
	if (tid == perf->last_tid)
		return;
	perf->last_tid = tid;
	if (pid < XEN_DOMID_FIRST_RESERVED && tid == XEN_HCTRACE_TID(pid, tid))
		put_name(rec, pid, tid & 0x1fff, ns);
}

/* A domain came or went, at @position: its id has another name from there on. */
static void change_domain(struct recorder *rec, u64 position, bool created)
{
	struct perf_recorder *perf = rec->private;
	u16 domid = *(const u32 *)reader_at(&rec->reader, position + 8);

	perf->dead[domid] = created ? perf->lives[domid] : domnames_lives(rec->names, domid);
	perfdata_forget_names(&perf->names, domid);
	wanted_domain_changed(&rec->wanted, domid);
	perf->last_tid = 0;
}

/* Write what is in the ring up to @end. */
static void copy_until(struct recorder *rec, u64 end)
{
	struct perf_recorder *perf = rec->private;
	struct reader *reader = &rec->reader;
	struct iovec span[PERFDATA_MOST_PARTS];
	int nr;

	nr = reader_span(reader, reader->tail, end - reader->tail, span);
	perfdata_put_records(&perf->w, span, nr);
	reader_done(reader, end);
}

/* Whether a sample is wanted: the device does not tell sub-ops apart, say. */
static bool wants_sample(const struct recorder *rec, u64 position)
{
	struct perfdata_sample sample;
	struct iovec span[2];

	if (reader_span(&rec->reader, position, sizeof(sample), span) == 2)
		memcpy((u8 *)&sample + span[0].iov_len, span[1].iov_base, span[1].iov_len);
	memcpy(&sample, span[0].iov_base, span[0].iov_len);
	return wanted_call(&rec->wanted, &sample.raw.call);
}

static int take(struct recorder *rec)
{
	struct perf_recorder *perf = rec->private;
	const bool is_exact = rec->wanted.is_exact;
	struct reader *reader = &rec->reader;
	const struct perf_event_header *header;
	u32 type, size;
	u64 at;

	/* Names are written before the samples that need them, up to where a domain changes. */
	for (at = reader->tail; at < reader->head; at += size) {
		header = reader_at(reader, at);
		type = header->type;
		size = header->size;
		if (type == PERF_RECORD_SAMPLE && (is_exact || wants_sample(rec, at))) {
			rec->tally.records++;
			name_caller(rec, at);
		} else if (type == PERF_RECORD_SAMPLE) {
			copy_until(rec, at);
			reader_done(reader, at + size);
		} else if (type == PERF_RECORD_LOST) {
			record_count_lost(rec, at);
		} else {
			/* FORK or EXIT */
			change_domain(rec, at, type == PERF_RECORD_FORK);
			copy_until(rec, at + size);
		}
	}
	copy_until(rec, reader->head);
	rec->tally.bytes = perf->w.at;
	return -perf->w.error;
}

static int end(struct recorder *rec)
{
	struct perf_recorder *perf = rec->private;
	int rc = perfdata_end(&perf->w) ? -perf->w.error : 0;

	rec->tally.bytes = perf->w.at;
	perfdata_free_names(&perf->names);
	free(perf);
	return rc;
}

const struct record_format record_perf = {
	.name = "perf", .file = RECORDING_FILE, .sample_type = PERFDATA_SAMPLE_TYPE,
	.flags = XEN_HCTRACE_ATTR_DOMAINS,
	.begin = begin, .take = take, .end = end,
};
