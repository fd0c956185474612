/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of /dev/xen/hctrace share. They count dom0's own vm_assist calls,
 * which nobody else makes, so every figure is exact. DOM0 says what kind these are.
 */
#ifndef E2E_DEVICE_H
#define E2E_DEVICE_H

#include <stdlib.h>

#include "privcmd.h"
#include "ring.h"
#include "tap.h"

#define FOLDER	"/sys/kernel/debug/xen-hctrace/"

#define PAGE_BYTES	4096
#define SAMPLE_BYTES	80	/* of a call, of the sample type RAW */

static inline int is_pv(void)
{
	const char *dom0 = getenv("DOM0");

	if (!dom0)
		errx(2, "DOM0 is not set");
	return !strcmp(dom0, "pv");
}

static inline unsigned int direct_kind(void)
{
	return is_pv() ? XEN_HCTRACE_KIND_CALL : XEN_HCTRACE_KIND_HVM;
}

/* The calls of make_calls(), and no others */
static inline struct xen_hctrace_attr direct_attr(void)
{
	return (struct xen_hctrace_attr){
		.size = sizeof(struct xen_hctrace_attr),
		.kinds = 1 << direct_kind(),
		.sample_type = PERF_SAMPLE_RAW,
		.ops = 1ull << OP_VM_ASSIST,
	};
}

static inline void make_calls(int privcmd, unsigned int count)
{
	/* A PVH domain has no such assists at all. */
	int wanted = is_pv() ? -ENOSYS : -EINVAL;

	while (count--) {
		int rc = quiet_call(privcmd);

		if (rc != wanted)
			errx(1, "vm_assist returned %d", rc);
	}
}

static inline int device_open(void)
{
	struct ring ring;

	ring_open_device(&ring);
	return ring.fd;
}

/* An ioctl. Return: 0 or the error. */
static inline int device_ioctl(int fd, unsigned long cmd, const void *arg)
{
	return ioctl(fd, cmd, arg) ? errno : 0;
}

static inline void must(int error, const char *what)
{
	if (error)
		errx(1, "%s: %s", what, strerror(error));
}

static inline void enable(int fd)
{
	must(device_ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL), "ENABLE");
}

static inline void disable(int fd)
{
	must(device_ioctl(fd, PERF_EVENT_IOC_DISABLE, NULL), "DISABLE");
}

static inline void reader_map(struct ring *ring, unsigned int pages)
{
	must(ring_map(ring, pages), "mmap");
}

/* reader_open() - with a ring, unless @pages is 0; enabled if @attr says so */
static inline void reader_open(struct ring *ring, unsigned int pages,
			       const struct xen_hctrace_attr *attr)
{
	ring_open_device(ring);
	must(device_ioctl(ring->fd, XEN_HCTRACE_IOC_SET_ATTR, attr), "SET_ATTR");
	if (pages)
		reader_map(ring, pages);
}

static inline void direct_open(struct ring *ring, unsigned int pages)
{
	const struct xen_hctrace_attr attr = direct_attr();

	reader_open(ring, pages, &attr);
}

static inline void direct_check(const struct xen_hctrace_sample *sample, void *arg)
{
	(void)arg;
	if (sample->call.op != OP_VM_ASSIST || sample->call.kind != direct_kind())
		errx(1, "a call of op %u and kind %u", sample->call.op, sample->call.kind);
}

/* direct_read() - take what is there. Return: the number of samples, all ours. */
static inline unsigned long direct_read(struct ring *ring)
{
	return ring_read(ring, direct_check, NULL);
}

static inline __attribute__((format(printf, 6, 7))) void
ledger_is(const struct ring *ring, uint64_t matched, uint64_t written, uint64_t lost,
	  uint64_t paused, const char *fmt, ...)
{
	const struct xen_hctrace_info info = ring_info(ring);
	int right = info.matched == matched && info.written == written && info.lost == lost &&
		    info.paused == paused && !info.xen_lost;
	va_list args;

	va_start(args, fmt);
	tap_line(right, fmt, args);
	va_end(args);
	printf(": matched %llu = written %llu + lost %llu + paused %llu",
	       (unsigned long long)info.matched, (unsigned long long)info.written,
	       (unsigned long long)info.lost, (unsigned long long)info.paused);
	if (!right)
		printf(", wanted %llu = %llu + %llu + %llu, lost in Xen %llu",
		       (unsigned long long)matched, (unsigned long long)written,
		       (unsigned long long)lost, (unsigned long long)paused,
		       (unsigned long long)info.xen_lost);
	printf("\n");
}

/* What the status says of KEY, up to the first blank, in VALUE of 32 bytes; empty: nothing */
static inline void status_value(const char *key, char *value)
{
	FILE *file = fopen(FOLDER "status", "r");
	char line[256], name[32];

	if (!file)
		err(1, FOLDER "status");
	*value = 0;
	while (!*value && fgets(line, sizeof(line), file))
		if (sscanf(line, "%31s %31s", name, value) != 2 || strcmp(name, key))
			*value = 0;
	fclose(file);
}

#endif /* E2E_DEVICE_H */
