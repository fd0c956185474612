// SPDX-License-Identifier: GPL-2.0
/*
 * Uses the device in all ways at once, for a kernel that watches locks:
 *
 *   stress ROUNDS
 *
 * A few threads and a few processes each open it, ask, map, read, write nonsense
 * to the page that is theirs, let a child inherit, and close, in changing orders.
 * Errors are results like others here; only a signal or a hang is none.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <uapi/xen_hctrace.h>

#define NR_PROCESSES	2
#define NR_THREADS	2
#define PAGE		4096

static unsigned long rounds;

/* Reads it all, and sets data_tail to what is right or, now and then, to nonsense. */
static void look_at(struct perf_event_mmap_page *page, size_t bytes, unsigned int round)
{
	unsigned char *data = (unsigned char *)page + page->data_offset;
	unsigned long sum = 0;
	size_t i;

	for (i = 0; i + PAGE < bytes; i += 256)
		sum += data[i];
	if (round % 7)
		sum = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	__atomic_store_n(&page->data_tail, sum, __ATOMIC_RELEASE);
	if (round % 5 == 0)
		memset(page, 0xa5, PAGE);
}

static void *one_thread(void *arg)
{
	unsigned int seed = (unsigned long)arg, round;
	char buffer[512];

	for (round = 0; round < rounds; round++) {
		struct xen_hctrace_attr attr = {
			.size = sizeof(attr),
			.kinds = 1 + seed % 31,
			.flags = round % 3 ? 0 : XEN_HCTRACE_ATTR_DISABLED,
			.sample_type = PERF_SAMPLE_RAW,
			.wakeup_watermark = round % 2 ? 0 : 256,
			.max_latency_us = round % 4 ? 0 : 1000,
		};
		struct xen_hctrace_info info = { .size = sizeof(info) };
		size_t bytes = (1 + (1u << rand_r(&seed) % 6)) * PAGE;
		struct perf_event_mmap_page *page;
		int fd = open(XEN_HCTRACE_DEVICE, O_RDWR | O_CLOEXEC);
		struct pollfd pfd = { .fd = fd, .events = POLLIN };

		if (fd < 0)
			err(1, XEN_HCTRACE_DEVICE);
		if (round % 4 == 1)
			attr.raw_mask = 0x00263000, attr.kinds = 0;
		ioctl(fd, XEN_HCTRACE_IOC_SET_ATTR, &attr);
		page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		ioctl(fd, XEN_HCTRACE_IOC_SET_ATTR, &attr);
		ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, round % 2);
		ioctl(fd, XEN_HCTRACE_IOC_INFO, &info);
		poll(&pfd, 1, 20);
		if (page != MAP_FAILED)
			look_at(page, bytes, round);
		if (read(fd, buffer, sizeof(buffer)) > 0)
			poll(&pfd, 1, 0);
		ioctl(fd, PERF_EVENT_IOC_RESET, 0);
		ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
		if (round % 6 == 0 && fork() == 0) {
			poll(&pfd, 1, 1);
			_exit(0);
		}
		if (round % 2)
			close(fd);
		if (page != MAP_FAILED)
			munmap(page, bytes);
		if (round % 2 == 0)
			close(fd);
	}
	return NULL;
}

static int one_process(unsigned long nr)
{
	pthread_t threads[NR_THREADS];
	unsigned long i;

	for (i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, one_thread, (void *)(nr * 100 + i + 1)))
			errx(1, "pthread_create");
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	int i, status, bad = 0;

	rounds = argc == 2 ? strtoul(argv[1], NULL, 0) : 0;
	if (!rounds)
		errx(2, "usage: stress ROUNDS");
	for (i = 0; i < NR_PROCESSES; i++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid)
			_exit(one_process(i));
	}
	while (wait(&status) > 0)
		bad |= status;
	printf("rounds %lu\nstatus %#x\n", rounds, bad);
	return bad != 0;
}
