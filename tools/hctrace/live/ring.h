/* SPDX-License-Identifier: GPL-2.0 */
/* A reader of /dev/xen/hctrace; docs/abi.md is the contract. */
#ifndef HCTRACE_LIVE_RING_H
#define HCTRACE_LIVE_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/uio.h>

#include <hctrace/types.h>
#include <uapi/xen_hctrace.h>

/**
 * struct reader - an open one
 * @fd: the device
 * @page: page 0 of the ring
 * @data: the rest of it
 * @size: of @data in bytes
 * @head: up to here it can be read, as of the last reader_look()
 * @tail: up to here it has been read
 */
struct reader {
	int fd;
	struct perf_event_mmap_page *page;
	const u8 *data;
	u64 size;
	u64 head;
	u64 tail;
};

/**
 * reader_open() - open the device and map a ring; nothing is delivered yet
 * @reader: filled in
 * @attr: what to deliver; the flag DISABLED is added
 * @pages: of data, a power of two
 * @err: filled in on failure: in words, and what to do
 * @err_size: room in @err
 *
 * Return: 0 or -1.
 */
int reader_open(struct reader *reader, const struct xen_hctrace_attr *attr, u32 pages,
		char *err, size_t err_size);
void reader_close(struct reader *reader);

/** reader_enable() - deliver from now on, or no more; as reader_open() on failure */
int reader_enable(struct reader *reader, bool on, char *err, size_t err_size);

/** reader_info() - the ledger; all 0 if it cannot be had */
struct xen_hctrace_info reader_info(const struct reader *reader);

/**
 * reader_look() - see what there is
 * @reader: the reader
 * @most: rather not more than so many bytes, but one whole record at least
 *
 * Return: bytes between tail and head, which is the end of a record.
 */
u64 reader_look(struct reader *reader, u64 most);

/** reader_at() - the eight bytes at a position, which is a multiple of eight */
static inline const void *reader_at(const struct reader *reader, u64 position)
{
	return reader->data + (position & (reader->size - 1));
}

/** reader_span() - @bytes from a position on, in one piece or two. Return: how many pieces. */
int reader_span(const struct reader *reader, u64 position, u64 bytes, struct iovec span[2]);

/** reader_done() - all up to @position has been read */
void reader_done(struct reader *reader, u64 position);

#endif /* HCTRACE_LIVE_RING_H */
