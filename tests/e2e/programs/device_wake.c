// SPDX-License-Identifier: GPL-2.0
/* Who waits in poll is woken when there is something, in time, and else is left asleep. */
#include <pthread.h>
#include <time.h>

#include "device.h"

#define GENEROUS_MS	10000
#define NS_PER_MS	1000000ull

static int privcmd;
static uint64_t made_ns;	/* when the last call was made */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 * NS_PER_MS + now.tv_nsec;
}

/* While the other sleeps */
static void *three_calls(void *unused)
{
	usleep(300 * 1000);
	make_calls(privcmd, 3);
	__atomic_store_n(&made_ns, now_ns(), __ATOMIC_RELEASE);
	return unused;
}

static int polls_readable(const struct ring *ring, int timeout_ms)
{
	struct pollfd pfd = { .fd = ring->fd, .events = POLLIN };
	int rc = poll(&pfd, 1, timeout_ms);

	if (rc < 0)
		err(1, "poll");
	return pfd.revents;
}

static void burst(struct ring *ring, unsigned int max_latency_us)
{
	const uint64_t began_ns = now_ns();
	unsigned long samples = 0;
	uint64_t found_ns = 0;
	pthread_t thread;

	must(pthread_create(&thread, NULL, three_calls, NULL), "a thread");
	/* If we are kept from running they may come in parts. */
	while (samples < 3 && now_ns() - began_ns < GENEROUS_MS * NS_PER_MS) {
		if (polls_readable(ring, GENEROUS_MS) == POLLIN)
			samples += direct_read(ring);
		found_ns = now_ns();
	}
	pthread_join(thread, NULL);
	is(samples, 3, "latency %u us: calls that arrive", max_latency_us);
	printf("# latency %u us: the last one arrived after %lld us\n", max_latency_us,
	       (long long)(found_ns - made_ns) / 1000);
}

/* A watermark that is far away, so that only time makes them arrive; 0: the default */
static void latency(unsigned int max_latency_us)
{
	struct xen_hctrace_attr attr = direct_attr();
	struct ring ring;
	uint64_t wakeups;
	int i;

	attr.wakeup_watermark = 1 << 20;
	attr.max_latency_us = max_latency_us;
	reader_open(&ring, 1024, &attr);
	is(polls_readable(&ring, 0), 0, "latency %u us: poll before anything", max_latency_us);
	for (i = 0; i < 3; i++)
		burst(&ring, max_latency_us);
	wakeups = ring_info(&ring).wakeups;
	ok(wakeups >= 3 && wakeups <= 9, "latency %u us: wake-ups: %llu", max_latency_us,
	   (unsigned long long)wakeups);
	is(polls_readable(&ring, 1000), 0, "latency %u us: poll for a second without data",
	   max_latency_us);
	is(ring_info(&ring).wakeups, wakeups, "latency %u us: wake-ups since", max_latency_us);
	ring_close(&ring);
}

static void readable(void)
{
	struct xen_hctrace_attr attr = direct_attr();
	struct ring ring;

	reader_open(&ring, 0, &attr);
	enable(ring.fd);
	make_calls(privcmd, 10);
	is(polls_readable(&ring, 300), 0, "poll without a ring");
	close(ring.fd);

	/* At the watermark, long before the latency is over */
	attr.wakeup_watermark = 10 * SAMPLE_BYTES;
	attr.max_latency_us = 3600u * 1000 * 1000;
	reader_open(&ring, 8, &attr);
	make_calls(privcmd, 9);
	ring_info(&ring);
	is(polls_readable(&ring, 300), 0, "poll a sample short of the watermark");
	make_calls(privcmd, 1);
	is(polls_readable(&ring, GENEROUS_MS), POLLIN, "poll at the watermark");
	is(polls_readable(&ring, 0), POLLIN, "poll again, with nothing read");
	is(direct_read(&ring), 10, "found");
	is(polls_readable(&ring, 0), 0, "poll again, with all read");
	is(ring_info(&ring).wakeups, 1, "wake-ups");
	ring_close(&ring);
}

int main(void)
{
	tap_begin();
	privcmd = privcmd_open();
	latency(400 * 1000);
	latency(50 * 1000);
	latency(1000);
	latency(0);
	readable();
	return 0;
}
