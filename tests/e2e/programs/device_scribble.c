// SPDX-License-Identifier: GPL-2.0
/*
 * A reader whose second thread scribbles over all of its ring while calls are made
 * spoils what it reads itself and nothing else.
 *
 *   device_scribble CALLS
 */
#include <pthread.h>

#include "device.h"

struct scribbler {
	struct ring *ring;
	unsigned long times;
	int stop;
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void scribble(struct ring *ring, uint64_t *random)
{
	struct perf_event_mmap_page *page = ring->page;
	uint64_t value = next_random(random);
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_RELAXED);
	const uint64_t tails[] = {
		value, head, head + 8, head - 8, head - ring->size, head + 1, 0, ~0ull,
	};

	__atomic_store_n(&page->data_tail, tails[value % 8], __ATOMIC_RELAXED);
	__atomic_store_n(&page->data_head, next_random(random), __ATOMIC_RELAXED);
	page->data_size = next_random(random);
	page->data_offset = next_random(random);
	memset((char *)page + next_random(random) % PAGE_BYTES / 8 * 8, value, 8);
	memset(ring->data + next_random(random) % (ring->size - 64), value, 64);
}

static void *scribbler_run(void *arg)
{
	struct scribbler *scribbler = arg;
	uint64_t random = 0x9e3779b97f4a7c15;

	while (!__atomic_load_n(&scribbler->stop, __ATOMIC_ACQUIRE)) {
		scribble(scribbler->ring, &random);
		scribbler->times++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const unsigned int calls = argc == 2 ? atoi(argv[1]) : 0;
	struct scribbler scribbler = { 0 };
	struct ring spoilt, other;
	struct xen_hctrace_info info;
	pthread_t thread;
	unsigned int made;
	int privcmd;

	tap_begin();
	if (!calls)
		errx(2, "usage: device_scribble CALLS");
	privcmd = privcmd_open();
	direct_open(&spoilt, 4);
	direct_open(&other, 256);
	scribbler.ring = &spoilt;
	must(pthread_create(&thread, NULL, scribbler_run, &scribbler), "a thread");
	for (made = 0; made < calls; made++) {
		make_calls(privcmd, 1);
		if (made % 64 == 0)
			ring_wait(&spoilt, 0);
	}
	info = ring_info(&spoilt);
	ledger_is(&other, calls, calls, 0, 0, "beside a scribbler");
	is(direct_read(&other), calls, "beside a scribbler: found");
	is(other.lost, 0, "beside a scribbler: told of losses");
	__atomic_store_n(&scribbler.stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	ok(scribbler.times > calls, "it scribbled %lu times", scribbler.times);

	is(info.matched, calls, "scribbler: matched");
	is(info.written + info.lost + info.paused, calls, "scribbler: the ledger");
	ring_unmap(&spoilt);
	reader_map(&spoilt, 4);
	/* What it was not told of yet, it may have been by now. */
	ok(spoilt.page->data_head == 0 || spoilt.page->data_head == sizeof(struct ring_lost),
	   "scribbler, with its ring mapped anew: data_head %llu",
	   (unsigned long long)spoilt.page->data_head);
	ring_close(&spoilt);
	ring_close(&other);
	return 0;
}
