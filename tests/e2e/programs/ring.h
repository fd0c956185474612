/* SPDX-License-Identifier: GPL-2.0 */
/* A reader of /dev/xen/hctrace, written for the tests from the public header alone. */
#ifndef E2E_RING_H
#define E2E_RING_H

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <uapi/xen_hctrace.h>

struct ring {
	int fd;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t size;
	uint64_t lost;		/* sum of all PERF_RECORD_LOST */
	uint64_t gaps;		/* those that tell of a gap */
	uint64_t gap_id;	/* of the last one */
};

/* A record in the ring, as the default sample type (PERF_SAMPLE_RAW) has it: padded to 8 bytes. */
struct ring_sample {
	struct perf_event_header header;
	uint32_t raw_bytes;
	unsigned char raw[sizeof(struct xen_hctrace_sample) + 4];
};

struct ring_lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
};

typedef void (*ring_fn)(const struct xen_hctrace_sample *sample, void *arg);

static inline struct xen_hctrace_info ring_info(const struct ring *ring)
{
	struct xen_hctrace_info info = { .size = sizeof(info) };

	if (ioctl(ring->fd, XEN_HCTRACE_IOC_INFO, &info))
		err(1, "INFO");
	return info;
}

static inline void ring_open_device(struct ring *ring)
{
	memset(ring, 0, sizeof(*ring));
	ring->fd = open(XEN_HCTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	if (ring->fd < 0)
		err(1, XEN_HCTRACE_DEVICE);
}

/*
 * ring_set_attr() - ask for members and for calls of dom0's own kind; these ops, 0: all.
 * Other kinds would change what Xen is asked for, and with it how callers are known.
 */
static inline void ring_set_attr(const struct ring *ring, uint64_t ops, uint64_t flags)
{
	bool pv = ring_info(ring).flags & XEN_HCTRACE_INFO_DOM0_PV;
	struct xen_hctrace_attr attr = {
		.size = sizeof(attr),
		.kinds = 1 << XEN_HCTRACE_KIND_MEMBER |
			 1 << (pv ? XEN_HCTRACE_KIND_CALL : XEN_HCTRACE_KIND_HVM),
		.flags = flags,
		.sample_type = PERF_SAMPLE_RAW,
		.ops = ops,
	};

	if (ioctl(ring->fd, XEN_HCTRACE_IOC_SET_ATTR, &attr))
		err(1, "SET_ATTR");
}

/*
 * ring_map() - map so many pages of data, and wait until what is wanted is traced, if it
 * can be had. Return: 0 or the error of mmap.
 */
static inline int ring_map(struct ring *ring, unsigned int pages)
{
	size_t page_size = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page = mmap(NULL, (1 + pages) * page_size,
						 PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (page == MAP_FAILED)
		return errno;
	ring->page = page;
	ring->data = (unsigned char *)page + page->data_offset;
	ring->size = page->data_size;
	if (ring->size != pages * page_size)
		errx(1, "a ring of %zu bytes, %u pages wanted", (size_t)ring->size, pages);
	ring_info(ring);
	return 0;
}

/* Nothing the page says is believed, it may have been written to. */
static inline void ring_unmap(struct ring *ring)
{
	munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->size);
}

/* ring_open() - a reader with a ring of 2^n pages, of these ops (0: all) */
static inline void ring_open(struct ring *ring, unsigned int pages, uint64_t ops)
{
	ring_open_device(ring);
	ring_set_attr(ring, ops, XEN_HCTRACE_ATTR_DISABLED);
	errno = ring_map(ring, pages);
	if (errno)
		err(1, "a ring of %u pages", pages);
	if (ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0))
		err(1, "ENABLE");
}

static inline void ring_close(struct ring *ring)
{
	ring_unmap(ring);
	close(ring->fd);
}

static inline void ring_copy(const struct ring *ring, uint64_t pos, void *to, size_t bytes)
{
	uint64_t at = pos & (ring->size - 1);
	size_t first = bytes < ring->size - at ? bytes : ring->size - at;

	memcpy(to, ring->data + at, first);
	memcpy((char *)to + first, ring->data, bytes - first);
}

static inline void ring_take_sample(const struct ring *ring, uint64_t pos, size_t bytes, ring_fn fn,
				    void *arg)
{
	struct xen_hctrace_sample raw;
	struct ring_sample sample;

	if (bytes != sizeof(sample))
		errx(1, "a sample of %zu bytes", bytes);
	ring_copy(ring, pos, &sample, bytes);
	if (sample.raw_bytes != sizeof(sample.raw))
		errx(1, "a sample with %u bytes of raw data", sample.raw_bytes);
	memcpy(&raw, sample.raw, sizeof(raw));
	fn(&raw, arg);
}

/* ring_read() - hand all that is there to @fn; returns the number of samples */
static inline unsigned long ring_read(struct ring *ring, ring_fn fn, void *arg)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	unsigned long samples = 0;

	while (tail != head) {
		struct perf_event_header header;
		struct ring_lost lost;

		if (head - tail < sizeof(header))
			errx(1, "%zu bytes at the end are no record", (size_t)(head - tail));
		ring_copy(ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > head - tail)
			errx(1, "a record of %u bytes", header.size);
		if (header.type == PERF_RECORD_SAMPLE) {
			ring_take_sample(ring, tail, header.size, fn, arg);
			samples++;
		} else if (header.type == PERF_RECORD_LOST && header.size == sizeof(lost)) {
			ring_copy(ring, tail, &lost, sizeof(lost));
			ring->lost += lost.lost;
			if (XEN_HCTRACE_LOST_IS_GAP(lost.id)) {
				ring->gaps++;
				ring->gap_id = lost.id;
			}
		} else {
			errx(1, "a record of type %u and %u bytes", header.type, header.size);
		}
		tail += header.size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	return samples;
}

static inline void ring_wait(const struct ring *ring, int timeout_ms)
{
	struct pollfd pfd = { .fd = ring->fd, .events = POLLIN };

	if (poll(&pfd, 1, timeout_ms) < 0)
		err(1, "poll");
}

#endif /* E2E_RING_H */
