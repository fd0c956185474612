// SPDX-License-Identifier: GPL-2.0
/* See perfdata.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata.h"

#define ATTR_BYTES	PERFDATA_ATTR_BYTES

/* Headers of 4.19 have no more than that. */
_Static_assert(sizeof(struct perf_event_attr) >= ATTR_BYTES, "there is room for VER5");

/* --- bytes ------------------------------------------------------------------ */

static int fail(struct perfdata_writer *w, int error)
{
	if (!w->error)
		w->error = error;
	return -1;
}

/* Take note of @done bytes of @parts. Return: those that are left. */
static struct iovec *advance(struct iovec *parts, const struct iovec *end, size_t done)
{
	for (; parts < end && done >= parts->iov_len; parts++)
		done -= parts->iov_len;
	if (parts < end) {
		parts->iov_base = (u8 *)parts->iov_base + done;
		parts->iov_len -= done;
	}
	return parts;
}

/* All @parts, which are used up. */
static int write_parts(struct perfdata_writer *w, struct iovec *parts, int nr, u64 at)
{
	const struct iovec *end = parts + nr;

	for (parts = advance(parts, end, 0); parts < end;) {
		ssize_t done = w->is_pipe ? writev(w->fd, parts, end - parts) :
					    pwritev(w->fd, parts, end - parts, at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return fail(w, done ? errno : ENOSPC);
		parts = advance(parts, end, done);
		at += done;
	}
	return 0;
}

static int write_all(struct perfdata_writer *w, const void *bytes, size_t size, u64 at)
{
	struct iovec part = { (void *)bytes, size };

	return write_parts(w, &part, 1, at);
}

static int flush(struct perfdata_writer *w)
{
	size_t len = w->len;

	w->len = 0;
	if (w->error || write_all(w, w->buf, len, w->at))
		return -1;
	w->at += len;
	return 0;
}

static int put(struct perfdata_writer *w, const void *records, size_t bytes)
{
	if (w->error)
		return -1;
	if (w->len + bytes > sizeof(w->buf) && flush(w))
		return -1;
	if (bytes > sizeof(w->buf)) {
		if (write_all(w, records, bytes, w->at))
			return -1;
		w->at += bytes;
		return 0;
	}
	memcpy(w->buf + w->len, records, bytes);
	w->len += bytes;
	return 0;
}

/* --- records ---------------------------------------------------------------- */

int perfdata_put_call(struct perfdata_writer *w, u32 tracepoint_id,
		      const struct xen_hctrace_call *call)
{
	const struct perfdata_sample sample = {
		.header = {
			.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_HYPERVISOR,
			.size = sizeof(sample),
		},
		.id = {
			.pid = call->domid, .tid = XEN_HCTRACE_TID(call->domid, call->vcpu),
			.time = call->ns, .cpu = call->pcpu,
		},
		.raw_size = sizeof(sample.raw) + sizeof(sample.fill),
		.raw = { .common_type = tracepoint_id, .call = *call },
	};

	perfdata_saw_cpu(w, call->pcpu);
	return put(w, &sample, sizeof(sample));
}

/* The strings of a COMM, to be freed. Those at the end may be missing. */
static char *make_strings(const char *shown, const struct domname *what, size_t *bytes)
{
	char *strings = NULL;
	FILE *to = open_memstream(&strings, bytes);

	if (!to)
		return NULL;
	fprintf(to, "%s%c", shown, 0);
	if (*what->uuid || strcmp(what->name, shown))
		fprintf(to, "%s%c", what->uuid, 0);
	if (strcmp(what->name, shown))
		fprintf(to, "%s%c", what->name, 0);
	while (ftell(to) % 8)
		fputc(0, to);
	if (fclose(to)) {
		free(strings);
		return NULL;
	}
	return strings;
}

int perfdata_put_comm(struct perfdata_writer *w, u16 domid, u16 vcpu, const char *shown,
		      const struct domname *what, u64 ns)
{
	const struct perfdata_sample_id id = {
		.pid = domid, .tid = XEN_HCTRACE_TID(domid, vcpu), .time = ns,
	};
	struct perfdata_comm comm = {
		.header = { .type = PERF_RECORD_COMM }, .pid = id.pid, .tid = id.tid,
	};
	size_t bytes;
	char *strings = make_strings(shown, what, &bytes);
	int rc;

	if (!strings)
		return fail(w, ENOMEM);
	/* No name is so long: xenstore's have 4096 bytes at most. */
	if (sizeof(comm) + bytes + sizeof(id) > 0xffff) {
		free(strings);
		return 0;
	}
	comm.header.size = sizeof(comm) + bytes + sizeof(id);
	rc = put(w, &comm, sizeof(comm)) || put(w, strings, bytes) || put(w, &id, sizeof(id));
	free(strings);
	return rc ? -1 : 0;
}

int perfdata_put_domain(struct perfdata_writer *w, u16 domid, bool created, u64 ns, u16 pcpu)
{
	const struct perfdata_task task = {
		.header = {
			.type = created ? PERF_RECORD_FORK : PERF_RECORD_EXIT,
			.size = sizeof(task),
		},
		.pid = domid, .tid = XEN_HCTRACE_TID_UNKNOWN(domid), .time = ns,
		.id = {
			.pid = domid, .tid = XEN_HCTRACE_TID_UNKNOWN(domid), .time = ns,
			.cpu = pcpu,
		},
	};

	perfdata_saw_cpu(w, pcpu);
	return put(w, &task, sizeof(task));
}

int perfdata_put_lost(struct perfdata_writer *w, u64 which, u64 lost, u64 ns)
{
	const struct perfdata_lost record = {
		.header = { .type = PERF_RECORD_LOST, .size = sizeof(record) },
		.which = which, .lost = lost, .id = { .time = ns },
	};

	return put(w, &record, sizeof(record));
}

/* --- features --------------------------------------------------------------- */

/* In a pipe: a record with the feature in it, or behind it if it may be long. */
static void put_as_record(struct perfdata_writer *w, unsigned int feature, const char *bytes,
			  size_t size)
{
	static const u8 zeros[8];
	size_t fill = -size & 7;
	struct {
		struct perf_event_header header;
		u64 more;
	} record = { .more = feature };

	if (feature == PERFDATA_TRACING_DATA) {
		record.header.type = PERFDATA_HEADER_TRACING_DATA;
		record.header.size = sizeof(record.header) + sizeof(u32);
		record.more = size + fill;
		put(w, &record, record.header.size);
	} else if (sizeof(record) + size + fill <= 0xffff) {
		record.header.type = PERFDATA_HEADER_FEATURE;
		record.header.size = sizeof(record) + size + fill;
		put(w, &record, sizeof(record));
	} else {
		return;
	}
	put(w, bytes, size);
	put(w, zeros, fill);
}

static int put_features(struct perfdata_writer *w, const struct perfdata_intro *intro)
{
	unsigned int feature;

	for (feature = 0; feature < PERFDATA_NR_FEATURES; feature++) {
		char *bytes = NULL;
		size_t size = 0;
		FILE *to = open_memstream(&bytes, &size);

		if (!to)
			return fail(w, errno);
		perfdata_feature(to, feature, intro);
		if (fclose(to)) {
			free(bytes);
			return fail(w, ENOMEM);
		}
		w->has_feature[feature] = size;
		w->sections[feature] = (struct perfdata_section){ w->at + w->len, size };
		if (size && w->is_pipe)
			put_as_record(w, feature, bytes, size);
		else
			put(w, bytes, size);
		free(bytes);
	}
	return w->error ? -1 : 0;
}

/* --- the frame -------------------------------------------------------------- */

static int begin_pipe(struct perfdata_writer *w, const struct perf_event_attr *attr)
{
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC, .size = PERFDATA_PIPE_HEADER_BYTES,
	};
	const struct perf_event_header record = {
		.type = PERFDATA_HEADER_ATTR, .size = sizeof(record) + ATTR_BYTES,
	};

	put(w, &header, PERFDATA_PIPE_HEADER_BYTES);
	put(w, &record, sizeof(record));
	return put(w, attr, ATTR_BYTES);
}

/* pCPUs may have turned up of which the head does not know. */
static int tell_cpus(struct perfdata_writer *w)
{
	const u32 both[] = { w->nr_cpus, w->nr_cpus };

	if (w->nr_cpus == w->told_cpus)
		return 0;
	w->told_cpus = w->nr_cpus;
	return write_all(w, both, sizeof(both), w->sections[PERFDATA_NRCPUS].offset);
}

/* Where everything is, as far as we have come. */
static int write_header(struct perfdata_writer *w, u64 data_end)
{
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC, .size = sizeof(header),
		.attr_size = ATTR_BYTES + sizeof(struct perfdata_section),
		.attrs = { sizeof(header), ATTR_BYTES + sizeof(struct perfdata_section) },
		.data = { w->data_at, data_end - w->data_at },
	};
	unsigned int i;

	for (i = 0; i < PERFDATA_NR_FEATURES; i++)
		header.features[0] |= (u64)w->has_feature[i] << i;
	return tell_cpus(w) ? -1 : write_all(w, &header, sizeof(header), 0);
}

/* The table of the features, behind the records. Return: its length in bytes. */
static size_t make_table(const struct perfdata_writer *w,
			 struct perfdata_section table[PERFDATA_NR_FEATURES])
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < PERFDATA_NR_FEATURES; i++) {
		if (w->has_feature[i])
			table[nr++] = w->sections[i];
	}
	return nr * sizeof(*table);
}

const char *perfdata_refuses(int fd)
{
	struct stat stat;

	if (isatty(fd))
		return "this is a terminal: write to a pipe, or to a file with -o";
	/* What is written in another order would not come where it belongs. */
	if (!fstat(fd, &stat) && S_ISREG(stat.st_mode) &&
	    (fcntl(fd, F_GETFL) & O_APPEND || lseek(fd, 0, SEEK_CUR) > 0))
		return "perf.data cannot be added to a file: write it to one of its own, with -o";
	return NULL;
}

int perfdata_begin(struct perfdata_writer *w, int fd, const struct perfdata_intro *intro)
{
	struct perfdata_section no_ids = { 0, 0 };
	struct perfdata_header header = { .size = 0 };
	struct perf_event_attr attr;
	struct stat stat;

	memset(w, 0, sizeof(*w));
	w->fd = fd;
	w->is_pipe = fstat(fd, &stat) || !S_ISREG(stat.st_mode);
	w->nr_cpus = intro->origin.nr_cpus;
	w->told_cpus = w->nr_cpus;
	perfdata_attr(&attr, intro->tracepoint_id);
	if (w->is_pipe) {
		struct perfdata_intro told = *intro;

		if (!told.origin.nr_cpus)
			told.origin.nr_cpus = PERFDATA_MAX_CPUS;
		begin_pipe(w, &attr);
		put_features(w, &told);
		return flush(w);
	}

	put(w, &header, sizeof(header));
	put(w, &attr, ATTR_BYTES);
	put(w, &no_ids, sizeof(no_ids));
	put_features(w, intro);
	/* Records stand on multiples of eight, as in perf's own files. */
	put(w, &no_ids, -(w->at + w->len) & 7);
	if (flush(w))
		return -1;
	w->data_at = w->at;
	w->round_end = w->at;
	return write_header(w, w->at);
}

int perfdata_put_records(struct perfdata_writer *w, const struct iovec *records, int nr)
{
	struct perf_event_header round = {
		.type = PERFDATA_FINISHED_ROUND, .size = sizeof(round),
	};
	struct perfdata_section table[PERFDATA_NR_FEATURES];
	struct iovec parts[3 + PERFDATA_MOST_PARTS] = { { w->buf, w->len } };
	u64 end = w->at + w->len + sizeof(round);
	int i;

	for (i = 0; i < nr; i++) {
		parts[1 + i] = records[i];
		end += records[i].iov_len;
	}
	parts[1 + nr] = (struct iovec){ &round, sizeof(round) };
	parts[2 + nr] = (struct iovec){ table, w->is_pipe ? 0 : make_table(w, table) };
	w->len = 0;
	if (w->error || write_parts(w, parts, 3 + nr, w->at))
		return -1;
	w->at = end;
	/* Killed from here on, the file has all records up to @end, and their table. */
	if (!w->is_pipe && write_header(w, end))
		return -1;
	w->round_end = end;
	return 0;
}

int perfdata_put_round(struct perfdata_writer *w)
{
	return perfdata_put_records(w, NULL, 0);
}

int perfdata_end(struct perfdata_writer *w)
{
	struct perfdata_section table[PERFDATA_NR_FEATURES];
	int error;

	if (!perfdata_put_round(w) || w->is_pipe)
		return w->error ? -1 : 0;

	/* Give up what came after the last round: there the file was valid. */
	error = w->error;
	w->error = 0;
	if (!ftruncate(w->fd, w->round_end) &&
	    !write_all(w, table, make_table(w, table), w->round_end))
		write_header(w, w->round_end);
	w->error = error;
	return -1;
}
