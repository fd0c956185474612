// SPDX-License-Identifier: GPL-2.0
/* See perfdata_read.h. */
#include <stdlib.h>

#include "perfdata.h"
#include "perfdata_read.h"

#define BUF_BYTES	(256u << 10)	/* no record is longer than a quarter of it */

/* A payload of schema version 1. What fills it up does not make it as long as a newer one. */
#define V1_BYTES	offsetof(struct xen_hctrace_sample, call.pid)

/* Formats of other events and lists of symbols may stand before the one that matters. */
#define MAX_FORMAT_BYTES	(1024u << 10)

/* What may stand in a sample before RAW, in this order, each in eight bytes. */
#define BEFORE_RAW	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | \
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* What stands behind other records, likewise. */
#define BEHIND_OTHERS	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/**
 * struct reading - our place in the file
 * @base: offset of the recording, if it is not the first in this input
 * @at: offset of the next record
 * @end: offset behind the last one; all ones: wherever the input ends
 * @nr_features: of a file, parts of it that are listed behind the records
 * @another_at: offset of another recording that was found, else 0
 * @has_attr: the event is known
 * @tracepoint_id: of hct_hypercall
 * @raw_at: offset of the raw size in a sample
 * @id_bytes: behind a record that is no sample
 * @is_old: samples have the fields of schema version 1 alone, wherever others may be
 * @buf: bytes of the input from @buf_at on
 * @have: how many
 */
struct reading {
	struct input *in;
	const struct perfdata_reader *reader;
	struct damage *damage;
	u64 base;
	u64 at;
	u64 end;
	u32 nr_features;
	u64 another_at;
	bool has_attr;
	u32 tracepoint_id;
	u32 raw_at;
	u32 id_bytes;
	bool is_old;
	u8 *buf;
	u64 buf_at;
	size_t have;
};

static bool begins_at(struct input *in, u64 at)
{
	char magic[8];

	return input_read(in, at, magic, sizeof(magic)) == sizeof(magic) &&
	       !memcmp(magic, PERFDATA_MAGIC, sizeof(magic));
}

bool perfdata_is(struct input *in)
{
	return begins_at(in, 0);
}

static int refuse(const struct reading *r, const char *why)
{
	fprintf(stderr, "hctrace: %s: %s\n", r->in->name, why);
	return -1;
}

/* How many bytes to get if @bytes are needed: of a pipe, what has come already. */
static size_t how_many(const struct reading *r, size_t bytes)
{
	u64 loaded = r->in->loaded > r->at ? r->in->loaded - r->at : 0;

	if (!r->in->is_pipe || loaded > BUF_BYTES)
		return BUF_BYTES;
	return loaded > bytes ? loaded : bytes;
}

/* @bytes of the input at the present place, at most BUF_BYTES; NULL: not so many are there. */
static const u8 *peek(struct reading *r, size_t bytes)
{
	ssize_t got;

	if (r->end != ~0ull && (r->at > r->end || bytes > r->end - r->at))
		return NULL;
	if (r->at < r->buf_at || r->at + bytes > r->buf_at + r->have) {
		input_release(r->in, r->at);
		got = input_read(r->in, r->at, r->buf, how_many(r, bytes));
		r->buf_at = r->at;
		r->have = got > 0 ? got : 0;
		r->reader->at(r->reader->ctx, r->at);
	}
	return r->at + bytes <= r->buf_at + r->have ? r->buf + (r->at - r->buf_at) : NULL;
}

static int take_attr(struct reading *r, const struct perf_event_attr *attr)
{
	if (r->has_attr)
		return refuse(r, "more than one event was recorded, record hct_hypercall alone");
	if (attr->type != PERF_TYPE_TRACEPOINT || !(attr->sample_type & PERF_SAMPLE_RAW) ||
	    attr->sample_type & ~(u64)(BEFORE_RAW | PERF_SAMPLE_RAW))
		return refuse(r, "not a recording of xen_hctrace:hct_hypercall");
	r->has_attr = true;
	r->tracepoint_id = attr->config;
	r->raw_at = sizeof(struct perf_event_header) +
		    8 * __builtin_popcountll(attr->sample_type & BEFORE_RAW);
	r->id_bytes = attr->sample_id_all ?
		      8 * __builtin_popcountll(attr->sample_type & BEHIND_OTHERS) : 0;
	return 0;
}

/* --- the format -------------------------------------------------------------- */

/* Samples that are laid out in another way would read as nonsense. Return: 0 or -1 */
static int check_format(struct reading *r, u64 at, u64 bytes)
{
	enum perfdata_layout layout;
	char *text;
	ssize_t got;
	int rc = 0;

	if (bytes > MAX_FORMAT_BYTES)
		bytes = MAX_FORMAT_BYTES;
	text = malloc(bytes + 1);
	if (!text)
		return refuse(r, "out of memory");
	got = input_read(r->in, at, text, bytes);
	layout = got > 0 ? perfdata_layout(text, got) : PERFDATA_LAYOUT_UNKNOWN;
	r->is_old |= layout == PERFDATA_LAYOUT_OLD;
	if (layout == PERFDATA_LAYOUT_OTHER)
		rc = refuse(r, "its samples are laid out in a way that is not known here");
	free(text);
	return rc;
}

/* We put what describes the samples before them, perf behind, at the first section there. */
static int check_file_format(struct reading *r, const struct perfdata_header *header)
{
	struct perfdata_section tracing_data;

	if (header->data.offset > sizeof(*header) && header->data.offset < MAX_FORMAT_BYTES &&
	    check_format(r, sizeof(*header), header->data.offset - sizeof(*header)))
		return -1;
	if (r->in->is_pipe || !(header->features[0] & 1 << PERFDATA_TRACING_DATA) ||
	    input_read(r->in, r->end, &tracing_data, sizeof(tracing_data)) != sizeof(tracing_data))
		return 0;
	return check_format(r, tracing_data.offset, tracing_data.size);
}

/* --- the head --------------------------------------------------------------- */

static int read_file_head(struct reading *r)
{
	struct perfdata_header header;
	struct perf_event_attr attr;
	u32 i;

	if (input_read(r->in, r->base, &header, sizeof(header)) != sizeof(header))
		return refuse(r, "the header is cut off");
	if (header.attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) ||
	    header.attrs.size < header.attr_size)
		return refuse(r, "the header makes no sense");
	if (header.attrs.size / header.attr_size > 1)
		r->has_attr = true;
	memset(&attr, 0, sizeof(attr));
	if (input_read(r->in, r->base + header.attrs.offset, &attr, PERF_ATTR_SIZE_VER0) !=
	    PERF_ATTR_SIZE_VER0)
		return refuse(r, "the description of the event is cut off");
	if (take_attr(r, &attr))
		return -1;

	for (i = 0; i < ARRAY_SIZE(header.features); i++)
		r->nr_features += __builtin_popcountll(header.features[i]);
	r->at = r->base + header.data.offset;
	r->end = r->at + header.data.size;
	if (r->end < r->at || r->end > r->in->size || !header.data.size) {
		/* It was not finished, or a part of it is gone. */
		r->damage->places++;
		if (header.data.size && r->end > r->in->size)
			r->damage->missing += r->end - r->in->size;
		r->end = r->in->size;
	}
	return check_file_format(r, &header);
}

static int read_head(struct reading *r)
{
	u64 size;

	r->has_attr = false;
	r->nr_features = 0;
	r->another_at = 0;
	if (input_read(r->in, r->base + 8, &size, sizeof(size)) != sizeof(size))
		return refuse(r, "the header is cut off");
	if (size == PERFDATA_PIPE_HEADER_BYTES) {
		r->at = r->base + PERFDATA_PIPE_HEADER_BYTES;
		r->end = ~0ull;
		return 0;
	}
	return read_file_head(r);
}

/* --- records ---------------------------------------------------------------- */

/*
 * A payload, from  on at most . Return: whether it is one of ours; then it
 * is of this version, whichever it was recorded in.
 */
static bool get_payload(const struct reading *r, struct xen_hctrace_sample *sample,
			const u8 *from, size_t bytes)
{
	u32 raw_size;

	if (bytes < sizeof(raw_size) + V1_BYTES)
		return false;
	memcpy(&raw_size, from, sizeof(raw_size));
	bytes -= sizeof(raw_size);
	if (raw_size > bytes || raw_size < V1_BYTES)
		return false;
	if (raw_size >= sizeof(*sample) && !r->is_old) {
		memcpy(sample, from + sizeof(raw_size), sizeof(*sample));
	} else {
		*sample = (struct xen_hctrace_sample){ .call.target = XEN_HCTRACE_UNKNOWN };
		memcpy(sample, from + sizeof(raw_size), V1_BYTES);
	}
	return true;
}

/* A sample. Return: 1: go on; 0: no more is wanted; -1: that was none of ours. */
static int take_sample(struct reading *r, const u8 *record, size_t size)
{
	struct xen_hctrace_sample sample;

	if (r->raw_at > size || !get_payload(r, &sample, record + r->raw_at, size - r->raw_at) ||
	    sample.common_type != (u16)r->tracepoint_id)
		return -1;
	return r->reader->call(r->reader->ctx, &sample.call);
}

static void take_lost(struct reading *r, const u8 *record, size_t size)
{
	u64 words[2];

	if (size < sizeof(struct perf_event_header) + sizeof(words))
		return;
	memcpy(words, record + sizeof(struct perf_event_header), sizeof(words));
	r->reader->lost(r->reader->ctx, words[0], words[1]);
}

/* The string behind @s, and before @end; "": there is none. */
static const char *next_string(const char *s, const char *end)
{
	s += strlen(s) + 1;
	return s < end ? s : end;
}

static void take_comm(struct reading *r, const u8 *record, size_t size)
{
	const size_t begin = sizeof(struct perfdata_comm);
	struct domname what = domname_unknown;
	struct perfdata_comm comm;
	const char *name, *end;
	char *strings;

	if (size <= begin + r->id_bytes)
		return;
	memcpy(&comm, record, begin);
	size -= begin + r->id_bytes;
	strings = malloc(size + 1);
	if (!strings)
		return;
	memcpy(strings, record + begin, size);
	strings[size] = '\0';
	end = strings + size;
	name = next_string(strings, end);
	domname_set_uuid(&what, name);
	name = next_string(name, end);
	what.name = *name ? name : strings;
	r->reader->comm(r->reader->ctx, comm.pid, comm.tid, &what);
	free(strings);
}

/* Of a domain: any other process has another id. Return: as take_sample(). */
static int take_task(struct reading *r, const u8 *record, const struct perf_event_header *header)
{
	struct hct_domain_event domain = { .created = header->type == PERF_RECORD_FORK };
	struct perfdata_task task = { .pid = ~0u };

	memcpy(&task, record, header->size < sizeof(task) ? header->size : sizeof(task));
	if (task.pid >= XEN_DOMID_FIRST_RESERVED || task.tid != XEN_HCTRACE_TID_UNKNOWN(task.pid))
		return 1;
	domain.domid = task.pid;
	domain.at = (struct hct_moment){ .tsc = task.time, .ns = task.time, .pcpu = task.id.cpu };
	return r->reader->domain(r->reader->ctx, &domain);
}

static int take_pipe_attr(struct reading *r, const u8 *record, size_t size)
{
	struct perf_event_attr attr;

	if (size < sizeof(struct perf_event_header) + PERF_ATTR_SIZE_VER0)
		return refuse(r, "the description of the event is cut off");
	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, record + sizeof(struct perf_event_header), PERF_ATTR_SIZE_VER0);
	return take_attr(r, &attr);
}

/* Bytes that belong to a record besides what its header says. */
static u64 bytes_behind(const u8 *record, const struct perf_event_header *header)
{
	u32 bytes = 0;

	if (header->type == PERFDATA_HEADER_TRACING_DATA &&
	    header->size >= sizeof(*header) + sizeof(bytes))
		memcpy(&bytes, record + sizeof(*header), sizeof(bytes));
	return bytes;
}

/* Return: as take_sample(); -2: give up. */
static int take_record(struct reading *r, const u8 *record, const struct perf_event_header *header)
{
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		return r->has_attr ? take_sample(r, record, header->size) : -1;
	case PERF_RECORD_LOST:
		take_lost(r, record, header->size);
		return 1;
	case PERF_RECORD_COMM:
		take_comm(r, record, header->size);
		return 1;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return take_task(r, record, header);
	case PERFDATA_HEADER_TRACING_DATA:
		return check_format(r, r->at + header->size, bytes_behind(record, header)) ? -2 : 1;
	case PERFDATA_HEADER_ATTR:
		return take_pipe_attr(r, record, header->size) ? -2 : 1;
	default:
		return 1;
	}
}

/* The next place that looks like a sample of ours. Return: whether there is one. */
static bool resync(struct reading *r)
{
	struct perf_event_header header;
	u64 from = r->at;
	const u8 *record;

	r->damage->places++;
	for (r->at += 8; (record = peek(r, r->raw_at + sizeof(u32) + V1_BYTES)); r->at += 8) {
		u16 type;

		memcpy(&header, record, sizeof(header));
		memcpy(&type, record + r->raw_at + sizeof(u32), sizeof(type));
		if (header.type == PERF_RECORD_SAMPLE && type == (u16)r->tracepoint_id &&
		    header.size >= r->raw_at + sizeof(u32) + V1_BYTES)
			break;
	}
	if (!record)
		r->at = r->end != ~0ull ? r->end : r->buf_at + r->have;
	r->damage->bytes += r->at - from;
	return record;
}

/* Where no record is any more: fewer bytes than any has, or none where there should be. */
static void count_rest(struct reading *r)
{
	u64 there = r->buf_at + r->have;

	if (r->end != ~0ull && there > r->end)
		there = r->end;
	if (there <= r->at && (r->end == ~0ull || r->at >= r->end))
		return;
	r->damage->places++;
	if (there > r->at)
		r->damage->bytes += there - r->at;
	if (r->end != ~0ull && r->end > there)
		r->damage->missing += r->end - there;
}

/*
 * Behind all that belongs to a file: the list of its parts, and those that are there.
 * Return: 0: not known.
 */
static u64 end_of_file(const struct reading *r)
{
	struct perfdata_section section;
	u64 at = r->end;
	u64 end = at + r->nr_features * sizeof(section);
	u32 i;

	for (i = 0; i < r->nr_features; i++, at += sizeof(section)) {
		if (input_read(r->in, at, &section, sizeof(section)) != sizeof(section))
			return 0;
		if (r->base + section.offset + section.size > end)
			end = r->base + section.offset + section.size;
	}
	return end;
}

/* All records were read. Whether another recording begins behind them, as cat would put it. */
static void look_behind(struct reading *r)
{
	u64 end;

	if (r->end == ~0ull || r->at < r->end)
		return;
	end = end_of_file(r);
	if (end && begins_at(r->in, end))
		r->another_at = end;
}

static int read_records(struct reading *r)
{
	struct perf_event_header header;
	const u8 *record;
	int rc;

	while ((record = peek(r, sizeof(header)))) {
		if (!memcmp(record, PERFDATA_MAGIC, sizeof(header))) {
			r->another_at = r->at;
			return 0;
		}
		memcpy(&header, record, sizeof(header));
		record = header.size < sizeof(header) ? NULL : peek(r, header.size);
		if (!record) {
			if (!r->has_attr || !resync(r))
				return 0;
			continue;
		}
		rc = take_record(r, record, &header);
		if (rc == -1) {
			r->damage->places++;
			r->damage->bytes += header.size;
		} else if (rc <= 0) {
			return rc;
		}
		r->at += header.size + bytes_behind(record, &header);
	}
	count_rest(r);
	look_behind(r);
	return 0;
}

/* One recording of those that are in this input. Return: 0; -1 after saying why not. */
static int read_one(struct reading *r)
{
	if (r->base) {
		damage_break(r->damage, r->base);
		r->reader->another(r->reader->ctx);
	}
	return read_head(r) || read_records(r) ? -1 : 0;
}

int perfdata_read(struct input *in, const struct perfdata_reader *reader, struct damage *damage)
{
	struct reading r = { .in = in, .reader = reader, .damage = damage };
	int rc;

	r.buf = malloc(BUF_BYTES);
	if (!r.buf)
		return refuse(&r, "out of memory");
	rc = read_one(&r);
	while (!rc && r.another_at) {
		r.base = r.another_at;
		/* What was read before it is something, whatever this is. */
		if (read_one(&r)) {
			damage->places++;
			break;
		}
	}
	free(r.buf);
	return rc;
}
