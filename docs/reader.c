// SPDX-License-Identifier: GPL-2.0
/*
 * The smallest reader of /dev/xen/hctrace: prints the calls of one domain until
 * something comes on standard input, a return or its end, then what was lost.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xen_hctrace.h>

#define PAGES	256	/* of data, a power of two */

static unsigned long long lost;

static void print_record(const struct perf_event_header *header)
{
	const struct xen_hctrace_sample *sample;
	const __u64 *loss;

	if (header->type == PERF_RECORD_LOST) {		/* header, id, lost */
		loss = (const __u64 *)header;
		lost += loss[2];
	} else if (header->type == PERF_RECORD_SAMPLE) {	/* header, size, payload */
		sample = (const void *)((const char *)(header + 1) + 4);
		printf("%llu d%dv%d op %u a0 %#x a1 %#x a2 %#x\n", sample->call.ns,
		       (__s16)sample->call.domid, (__s16)sample->call.vcpu, sample->call.op,
		       sample->call.a0, sample->call.a1, sample->call.a2);
	}
}

/* All that is there: data from data_tail to data_head, which wrap at data_size. */
static void drain(struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + page->data_offset;
	__u64 size = page->data_size, tail = page->data_tail;
	__u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	__u64 record[65536 / 8], i, bytes;

	for (; tail < head; tail += bytes) {
		/* Sizes are multiples of 8, so a header never wraps, but a record may. */
		bytes = ((const struct perf_event_header *)(data + tail % size))->size;
		for (i = 0; i < bytes; i += 8)
			memcpy(&record[i / 8], data + (tail + i) % size, 8);
		print_record((const struct perf_event_header *)record);
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

int main(int argc, char **argv)
{
	__u16 domain = argc > 1 ? atoi(argv[1]) : 0;
	struct xen_hctrace_attr attr = {
		.size = sizeof(attr),
		.kinds = 1 << XEN_HCTRACE_KIND_CALL | 1 << XEN_HCTRACE_KIND_HVM,
		.sample_type = PERF_SAMPLE_RAW,
		.domains = (unsigned long)&domain,
		.nr_domains = 1,
	};
	int fd = open(XEN_HCTRACE_DEVICE, O_RDWR);
	struct pollfd wait[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	struct perf_event_mmap_page *page;

	if (fd < 0 || ioctl(fd, XEN_HCTRACE_IOC_SET_ATTR, &attr)) {
		perror(XEN_HCTRACE_DEVICE);
		return 1;
	}
	page = mmap(NULL, (1 + PAGES) * getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (page == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	while (!wait[1].revents && poll(wait, 2, -1) >= 0)
		drain(page);
	/* What was recorded until now is in the ring when this returns. */
	ioctl(fd, PERF_EVENT_IOC_DISABLE);
	drain(page);
	fprintf(stderr, "lost %llu\n", lost);
	return 0;
}
