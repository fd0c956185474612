// SPDX-License-Identifier: GPL-2.0
/*
 * perf.data: the ring's records are those of the file, so they are written as they
 * stand. Only the names of domains are ours to add, before the first sample of each
 * of their vCPUs.
 */
#include <errno.h>
#include <stdlib.h>

#include "host.h"
#include "perfdata.h"
#include "record.h"

#define NAMED_BYTES	(0x2000 / 8)	/* vCPUs have 13 bits in a thread id */

/**
 * struct perf_recorder - its state
 * @last_tid: whose sample came last
 * @named: by domain, bit vCPU: its name is in the file
 */
struct perf_recorder {
	struct perfdata_writer w;
	u32 last_tid;
	u8 *named[0x10000];
};

/* The tracepoint's format as the kernel tells it, which for this format only has the newest. */
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
	if (format)
		return format;
	/* Tracing's file system is not mounted; the header says the same. */
	to = open_memstream(&format, &size);
	if (to) {
		perfdata_format(to, tracepoint_id);
		fclose(to);
	}
	return format;
}

static int begin(struct recorder *rec)
{
	struct perf_recorder *perf = calloc(1, sizeof(*perf));
	u32 id = reader_info(&rec->reader).tracepoint_id;
	char *format = read_format(id);
	int rc = -ENOMEM;

	rec->private = perf;
	if (perf && format)
		rc = perfdata_begin(&perf->w, rec->fd, id, format, rec->argc, rec->argv) ?
			-perf->w.error : 0;
	free(format);
	return rc;
}

static void put_name(struct recorder *rec, u16 domid, u16 vcpu)
{
	struct perf_recorder *perf = rec->private;
	const struct domname *name;
	char buf[16];

	if (!perf->named[domid])
		perf->named[domid] = calloc(1, NAMED_BYTES);
	if (!perf->named[domid] || perf->named[domid][vcpu / 8] & 1u << vcpu % 8)
		return;
	perf->named[domid][vcpu / 8] |= 1u << vcpu % 8;
	name = domnames_now(rec->names, domid);
	scnprintf(buf, sizeof(buf), "d%u", domid);
	perfdata_put_comm(&perf->w, domid, vcpu, name->name[0] ? name->name : buf);
}

/* A vCPU's name, if this sample is its first. */
static void name_caller(struct recorder *rec, u64 position)
{
	struct perf_recorder *perf = rec->private;
	const u32 *ids = reader_at(&rec->reader, position + 8);
	u32 pid = ids[0], tid = ids[1];

	/* Samples of a vCPU come in rows. */
	if (tid == perf->last_tid)
		return;
	perf->last_tid = tid;
	if (pid < XEN_DOMID_FIRST_RESERVED && tid == XEN_HCTRACE_TID(pid, tid))
		put_name(rec, pid, tid & 0x1fff);
}

static int take(struct recorder *rec)
{
	struct perf_recorder *perf = rec->private;
	struct reader *reader = &rec->reader;
	const struct perf_event_header *header;
	struct iovec span[2];
	int nr;
	u64 at;

	/* Names have no time, so they may stand before all that is taken now. */
	for (at = reader->tail; at < reader->head; at += header->size) {
		header = reader_at(reader, at);
		if (header->type == PERF_RECORD_LOST) {
			record_count_lost(rec, at);
		} else {
			rec->tally.records++;
			name_caller(rec, at);
		}
	}
	nr = reader_span(reader, reader->tail, reader->head - reader->tail, span);
	perfdata_put_records(&perf->w, span, nr);
	reader_done(reader, reader->head);
	rec->tally.bytes = perf->w.at;
	return -perf->w.error;
}

static int end(struct recorder *rec)
{
	struct perf_recorder *perf = rec->private;
	int rc = perfdata_end(&perf->w) ? -perf->w.error : 0;
	size_t i;

	rec->tally.bytes = perf->w.at;
	for (i = 0; i < ARRAY_SIZE(perf->named); i++)
		free(perf->named[i]);
	free(perf);
	return rc;
}

const struct record_format record_perf = {
	.name = "perf", .file = "hctrace.data", .sample_type = PERFDATA_SAMPLE_TYPE,
	.begin = begin, .take = take, .end = end,
};
