// SPDX-License-Identifier: GPL-2.0
/*
 * The other shapes of a sample: with TID, TIME and CPU before the call, and raw
 * mode, whole records as Xen wrote them.
 */
#include "device.h"

/* Xen's public/trace.h */
#define PV_HYPERCALL_V2	0x0020100du
#define HVM_VMMCALL	0x00082012u
#define WRAP		0x0001f002u
#define CLS_GUEST	0x08000000u
#define OP_BITS		0xfffff		/* of the op word of V2 */

struct ids {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t res;
};

struct full_sample {
	struct perf_event_header header;
	struct ids ids;
	uint32_t raw_bytes;
	unsigned char raw[sizeof(struct xen_hctrace_sample) + 4];
};

struct full_lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
	struct ids ids;
};

struct raw_sample {
	struct perf_event_header header;
	uint32_t raw_bytes;
	uint32_t pcpu;
	uint32_t bytes;
	uint32_t words[XEN_HCTRACE_RAW_MAX_BYTES / 4];
};

union record {
	struct perf_event_header header;
	struct full_sample sample;
	struct full_lost lost;
	struct raw_sample raw;
};

/* What was found in a ring */
struct found {
	unsigned long samples;
	unsigned long records;	/* in raw mode */
	unsigned long calls;	/* ours among them */
	unsigned long lost;
	unsigned long wrong;
	uint64_t time;
	uint32_t tracepoint;
	uint32_t pcpu;		/* expected, all ones: any */
};

typedef void (*record_fn)(const union record *record, struct found *found);

static void walk(struct ring *ring, record_fn fn, struct found *found)
{
	static union record record;
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;

	for (; tail != head; tail += record.header.size) {
		ring_copy(ring, tail, &record, sizeof(record.header));
		if (record.header.size < 8 || record.header.size % 8 ||
		    record.header.size > head - tail || record.header.size > sizeof(record))
			errx(1, "a record of %u bytes", record.header.size);
		ring_copy(ring, tail, &record, record.header.size);
		fn(&record, found);
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

/* With what can only be told now that there is room */
static void walk_all(struct ring *ring, record_fn fn, struct found *found)
{
	ring_info(ring);
	walk(ring, fn, found);
	ring_info(ring);
	walk(ring, fn, found);
}

static int is_sample_right(const struct full_sample *sample, const struct found *found)
{
	struct xen_hctrace_sample raw;

	memcpy(&raw, sample->raw, sizeof(raw));
	return sample->header.size == sizeof(*sample) &&
	       sample->header.misc == PERF_RECORD_MISC_HYPERVISOR &&
	       sample->raw_bytes == sizeof(sample->raw) &&
	       sample->ids.pid == raw.call.domid &&
	       sample->ids.tid == XEN_HCTRACE_TID(raw.call.domid, raw.call.vcpu) &&
	       sample->ids.time == raw.call.ns && sample->ids.time >= found->time &&
	       sample->ids.cpu == raw.call.pcpu && !sample->ids.res &&
	       raw.common_type == found->tracepoint && !raw.common_flags &&
	       !raw.common_preempt_count && !raw.common_pid &&
	       raw.call.op == OP_VM_ASSIST && raw.call.kind == direct_kind() &&
	       !raw.call.domid && raw.call.subop == XEN_HCTRACE_NO_SUBOP && !raw.call.batch &&
	       !raw.call.pid && raw.call.target == XEN_HCTRACE_UNKNOWN && !raw.call.reserved;
}

static int is_lost_right(const struct full_lost *lost, const struct found *found)
{
	return lost->header.size == sizeof(*lost) && lost->id == XEN_HCTRACE_LOST_RING &&
	       lost->ids.pid == XEN_HCTRACE_UNKNOWN &&
	       lost->ids.tid == XEN_HCTRACE_TID_UNKNOWN(XEN_HCTRACE_UNKNOWN) &&
	       lost->ids.time >= found->time && !lost->ids.res;
}

static void full_record(const union record *record, struct found *found)
{
	if (record->header.type == PERF_RECORD_SAMPLE) {
		found->samples++;
		found->wrong += !is_sample_right(&record->sample, found);
		found->time = record->sample.ids.time;
	} else if (record->header.type == PERF_RECORD_LOST) {
		found->lost += record->lost.lost;
		found->wrong += !is_lost_right(&record->lost, found);
		found->time = record->lost.ids.time;
	} else {
		found->wrong++;
	}
}

/* As tracefs has it, which is where other programs look for it */
static unsigned int tracepoint_id(void)
{
	FILE *file = fopen("/sys/kernel/tracing/events/xen_hctrace/hct_hypercall/id", "r");
	unsigned int id;

	if (!file || fscanf(file, "%u", &id) != 1)
		errx(1, "no id of the tracepoint");
	fclose(file);
	return id;
}

static void with_ids(int privcmd)
{
	const unsigned int calls = 1000, room = PAGE_BYTES / sizeof(struct full_sample);
	struct xen_hctrace_attr attr = direct_attr();
	struct found large = { 0 }, small = { 0 };
	struct ring ring, stalled;

	attr.sample_type |= PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	reader_open(&ring, 64, &attr);
	reader_open(&stalled, 1, &attr);
	large.tracepoint = tracepoint_id();
	small.tracepoint = large.tracepoint;
	is(ring_info(&ring).tracepoint_id, large.tracepoint, "INFO: id of the tracepoint");
	make_calls(privcmd, calls);
	walk_all(&ring, full_record, &large);
	walk_all(&stalled, full_record, &small);
	is(large.samples, calls, "with ids: samples");
	is(large.wrong + large.lost, 0, "with ids: records with a wrong size or field, or LOST");
	is(small.samples, room, "with ids, stalled in a page: samples");
	is(small.samples + small.lost, calls, "with ids, stalled: with the losses");
	is(small.wrong, 0, "with ids, stalled: records with a wrong size or field");
	ring_close(&ring);
	ring_close(&stalled);
}

/* One record of Xen. Return: its length in words, 0 if it is none. */
static uint32_t xen_record(const uint32_t *words, uint32_t left, struct found *found)
{
	uint32_t event = words[0] & 0x0fffffff;
	uint32_t tsc_words = words[0] >> 31 ? 2 : 0;
	uint32_t length = 1 + tsc_words + (words[0] >> 28 & 7);
	uint32_t op;

	if (length > left || event == WRAP || event & CLS_GUEST)
		return 0;
	found->records++;
	op = length > 1 + tsc_words ? words[1 + tsc_words] : 0;
	if (event == PV_HYPERCALL_V2 && (op & OP_BITS) == OP_VM_ASSIST)
		found->calls++;
	if (event == HVM_VMMCALL && op == OP_VM_ASSIST)
		found->calls++;
	return length;
}

static void raw_record(const union record *record, struct found *found)
{
	const struct raw_sample *raw = &record->raw;
	uint32_t at = 0, length;

	if (record->header.type == PERF_RECORD_LOST) {
		found->lost += record->lost.lost;
		found->wrong += record->lost.id != XEN_HCTRACE_LOST_RING;
		return;
	}
	found->samples++;
	if (record->header.type != PERF_RECORD_SAMPLE || raw->bytes % 4 || !raw->bytes ||
	    raw->bytes > XEN_HCTRACE_RAW_MAX_BYTES ||
	    sizeof(raw->header) + 4 + raw->raw_bytes != raw->header.size ||
	    raw->bytes + 8 > raw->raw_bytes || raw->raw_bytes - raw->bytes - 8 >= 8 ||
	    (found->pcpu != ~0u && raw->pcpu != found->pcpu)) {
		found->wrong++;
		return;
	}
	for (; at < raw->bytes / 4; at += length) {
		length = xen_record(&raw->words[at], raw->bytes / 4 - at, found);
		if (!length) {
			found->wrong++;
			return;
		}
	}
}

static struct xen_hctrace_attr raw_attr(uint32_t mask)
{
	return (struct xen_hctrace_attr){
		.size = sizeof(struct xen_hctrace_attr),
		.sample_type = PERF_SAMPLE_RAW,
		.raw_mask = mask,
	};
}

static uint32_t direct_mask(void)
{
	return is_pv() ? 0x00201000 : 0x00082000;
}

/* All records of a reader are found, and our calls among them. */
static void raw_is_whole(struct ring *ring, struct found *found, const char *what)
{
	struct xen_hctrace_info info;

	/* Others make calls as well, so the ring and the ledger have to be of one moment. */
	disable(ring->fd);
	walk_all(ring, raw_record, found);
	info = ring_info(ring);
	is(found->wrong, 0, "%s: samples that are not whole records", what);
	is(found->records, info.written, "%s: records found", what);
	is(info.written + info.lost + info.paused, info.matched, "%s: the ledger", what);
	is(found->lost, info.lost + info.xen_lost, "%s: told of losses", what);
}

static void raw_mode(int privcmd)
{
	const unsigned int calls = 2000;
	struct xen_hctrace_attr attr = raw_attr(direct_mask());
	struct found large = { .pcpu = ~0u }, wide = { .pcpu = ~0u }, small = { .pcpu = ~0u };
	struct ring ring, everything, stalled;

	reader_open(&ring, 256, &attr);
	reader_open(&stalled, 1, &attr);
	/* The scheduler's and memory's too, with all sub-classes */
	attr = raw_attr(direct_mask() | 0x0013f000);
	reader_open(&everything, 512, &attr);
	make_calls(privcmd, calls);
	raw_is_whole(&ring, &large, "raw");
	raw_is_whole(&everything, &wide, "raw, with other classes");
	raw_is_whole(&stalled, &small, "raw, stalled in a page");
	is(large.calls, calls, "raw: our calls");
	is(wide.calls, calls, "raw, with other classes: our calls");
	ok(wide.records > large.records, "raw, with other classes: %lu records, else %lu",
	   wide.records, large.records);
	ok(small.lost > 0, "raw, stalled in a page: %lu records lost", small.lost);
	ring_close(&ring);
	ring_close(&everything);
	ring_close(&stalled);
}

static void raw_pcpus(int privcmd)
{
	const unsigned int calls = 500;
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct xen_hctrace_attr attr = raw_attr(direct_mask());
	struct ring rings[64];
	unsigned long sum = 0;
	__u16 pcpu;

	if (cpus > 64)
		errx(1, "%u CPUs, 64 at most", cpus);
	attr.nr_pcpus = 1;
	attr.pcpus = (uintptr_t)&pcpu;
	for (pcpu = 0; pcpu < cpus; pcpu++)
		reader_open(&rings[pcpu], 64, &attr);
	for (pcpu = 0; pcpu < cpus; pcpu++) {
		move_to(pcpu);
		make_calls(privcmd, calls);
	}
	for (pcpu = 0; pcpu < cpus; pcpu++) {
		struct found found = { .pcpu = pcpu };

		raw_is_whole(&rings[pcpu], &found, "raw, one pCPU");
		sum += found.calls;
		ring_close(&rings[pcpu]);
	}
	is(sum, calls * cpus, "raw, pCPUs one by one: our calls together");
}

int main(void)
{
	int privcmd = privcmd_open();

	tap_begin();
	with_ids(privcmd);
	raw_mode(privcmd);
	raw_pcpus(privcmd);
	return 0;
}
