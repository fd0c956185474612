// SPDX-License-Identifier: GPL-2.0
/*
 * xentrace's format: the records of raw mode, each run of one pCPU behind a
 * CPU_CHANGE record that says whose they are and how many bytes follow. Losses of
 * our ring have no place in it and are only told at the end.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder.h"

/* Before the words in a sample: perf's header, the size, pCPU and number of bytes. */
#define PREFIX_BYTES	(8 + 4 + sizeof(struct xen_hctrace_raw))

/**
 * struct xentrace_recorder - its state
 * @is_file: what was written can be taken back
 * @good: bytes of the file that end with a whole record
 * @len: bytes in @buf
 */
struct xentrace_recorder {
	bool is_file;
	u64 good;
	size_t len;
	u8 buf[1 << 18];
};

static int begin(struct recorder *rec)
{
	struct xentrace_recorder *xen = calloc(1, sizeof(*xen));
	struct stat stat;

	rec->private = xen;
	if (!xen)
		return -ENOMEM;
	xen->is_file = !fstat(rec->fd, &stat) && S_ISREG(stat.st_mode);
	return 0;
}

/* Write what is collected; all of it is whole records. */
static int flush(struct recorder *rec)
{
	struct xentrace_recorder *xen = rec->private;
	size_t at = 0;

	while (at < xen->len) {
		ssize_t n = write(rec->fd, xen->buf + at, xen->len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int error = n ? -errno : -EIO;

			/* Rather less than half a record. */
			if (xen->is_file && ftruncate(rec->fd, xen->good))
				return -errno;
			return error;
		}
		at += n;
	}
	xen->good += xen->len;
	xen->len = 0;
	return 0;
}

static void put(struct xentrace_recorder *xen, const void *from, size_t bytes)
{
	memcpy(xen->buf + xen->len, from, bytes);
	xen->len += bytes;
}

static u32 count_records(const u8 *words, u32 bytes)
{
	u32 nr = 0;
	u32 header;

	while (bytes >= sizeof(header)) {
		u32 size;

		memcpy(&header, words, sizeof(header));
		size = 4 * xen_trc_words(header);
		nr++;
		if (size >= bytes)
			break;
		words += size;
		bytes -= size;
	}
	return nr;
}

static int take_sample(struct recorder *rec, u64 at)
{
	struct xentrace_recorder *xen = rec->private;
	/* size, pCPU | bytes, first word */
	u32 pcpu = ((const u32 *)reader_at(&rec->reader, at + 8))[1];
	u32 bytes = ((const u32 *)reader_at(&rec->reader, at + 16))[0];
	const u32 change[] = { XEN_TRC_CPU_CHANGE | 2u << 28, pcpu, bytes };
	struct iovec span[2];
	size_t begin;
	int nr, i, rc;

	if (xen->len + sizeof(change) + bytes > sizeof(xen->buf)) {
		rc = flush(rec);
		if (rc)
			return rc;
	}
	put(xen, change, sizeof(change));
	begin = xen->len;
	nr = reader_span(&rec->reader, at + PREFIX_BYTES, bytes, span);
	for (i = 0; i < nr; i++)
		put(xen, span[i].iov_base, span[i].iov_len);
	rec->tally.records += count_records(xen->buf + begin, bytes);
	rec->tally.bytes += sizeof(change) + bytes;
	return 0;
}

static int take(struct recorder *rec)
{
	struct reader *reader = &rec->reader;
	const struct perf_event_header *header;
	int rc = 0;
	u64 at;

	for (at = reader->tail; at < reader->head && !rc; at += header->size) {
		header = reader_at(reader, at);
		if (header->type == PERF_RECORD_LOST)
			record_count_lost(rec, at);
		else
			rc = take_sample(rec, at);
	}
	reader_done(reader, at);
	return rc ? rc : flush(rec);
}

static int end(struct recorder *rec)
{
	int rc = flush(rec);

	free(rec->private);
	return rc;
}

const struct record_format record_xentrace = {
	.name = "xentrace", .file = "hctrace.xentrace", .sample_type = PERF_SAMPLE_RAW,
	.raw = true, .begin = begin, .take = take, .end = end,
};
