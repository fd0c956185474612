// SPDX-License-Identifier: GPL-2.0
/*
 * Every reader's ledger adds up, and each has what it asked for, whatever the
 * others do: readers with different filters, stalled, late and without a ring, and
 * rings of all sizes, read at the end and meanwhile.
 */
#include <pthread.h>

#include "device.h"

/* Samples that a ring has room for if nobody takes them away */
#define ROOM(pages)	((pages) * PAGE_BYTES / SAMPLE_BYTES)

static int privcmd;

/* A thread that reads a ring while events go on */
struct live {
	struct ring *ring;
	unsigned long samples;
	int stop;
	pthread_t thread;
};

static void *live_run(void *arg)
{
	struct live *live = arg;

	while (!__atomic_load_n(&live->stop, __ATOMIC_ACQUIRE)) {
		ring_wait(live->ring, 20);
		live->samples += direct_read(live->ring);
	}
	return NULL;
}

static void live_begin(struct live *live, struct ring *ring)
{
	*live = (struct live){ .ring = ring };
	must(pthread_create(&live->thread, NULL, live_run, live), "a thread");
}

/* Read until all has been told: losses are, once there is room. */
static unsigned long read_all(struct ring *ring)
{
	unsigned long samples;

	ring_info(ring);
	samples = direct_read(ring);
	ring_info(ring);
	return samples + direct_read(ring);
}

static void live_end(struct live *live)
{
	__atomic_store_n(&live->stop, 1, __ATOMIC_RELEASE);
	pthread_join(live->thread, NULL);
	live->samples += read_all(live->ring);
}

static void several_readers(void)
{
	const unsigned int calls = 5000;
	struct ring late, reading, stalled, unmapped, other_op, other_kind;
	struct xen_hctrace_attr attr = direct_attr();
	struct live live;
	unsigned long samples;

	direct_open(&late, 128);
	direct_open(&reading, 128);
	direct_open(&stalled, 1);
	direct_open(&unmapped, 0);
	enable(unmapped.fd);
	attr.ops = 1ull << 62;
	reader_open(&other_op, 1, &attr);
	attr = direct_attr();
	attr.kinds = 1 << XEN_HCTRACE_KIND_MEMBER;
	reader_open(&other_kind, 1, &attr);

	live_begin(&live, &reading);
	make_calls(privcmd, calls);
	ledger_is(&unmapped, calls, 0, 0, calls, "reader without a ring");
	ledger_is(&stalled, calls, ROOM(1), calls - ROOM(1), 0, "stalled reader");
	ledger_is(&late, calls, calls, 0, 0, "reader with a ring for all");
	ledger_is(&reading, calls, calls, 0, 0, "reading reader");
	ledger_is(&other_op, 0, 0, 0, 0, "reader of another op");
	ledger_is(&other_kind, 0, 0, 0, 0, "reader of another kind");

	live_end(&live);
	is(live.samples, calls, "the reading reader has found");
	is(reading.lost, 0, "it was told of losses");
	is(direct_read(&late), calls, "the reader that reads at the end has found");
	is(late.lost, 0, "it was told of losses");
	samples = read_all(&stalled);
	is(samples, ROOM(1), "the stalled reader's ring had");
	is(samples + stalled.lost, calls, "with the losses it was told of");

	/* It has room now. */
	make_calls(privcmd, 10);
	ledger_is(&stalled, calls + 10, ROOM(1) + 10, calls - ROOM(1), 0, "the stalled one reads");
	is(read_all(&stalled), 10, "it has found");
	is(stalled.lost, calls - ROOM(1), "all losses it was told of");
	ring_close(&late);
	ring_close(&reading);
	ring_close(&stalled);
	ring_close(&other_op);
	ring_close(&other_kind);
	close(unmapped.fd);
}

/* A reader that sleeps while events go on, in a ring that is large enough or is not */
static void sleeper(unsigned int pages, unsigned int calls)
{
	struct ring ring;
	unsigned long samples;

	direct_open(&ring, pages);
	make_calls(privcmd, calls / 2);
	sleep(1);
	make_calls(privcmd, calls - calls / 2);
	samples = read_all(&ring);
	is(samples, calls < ROOM(pages) ? calls : ROOM(pages), "after a sleep, in %u pages", pages);
	is(samples + ring.lost, calls, "after a sleep, with the losses it was told of");
	ring_close(&ring);
}

/* One ring is read at the end, the other meanwhile: what either finds and is told adds up. */
static void ring_size(unsigned int pages)
{
	const unsigned int calls = 1200;
	struct xen_hctrace_info info;
	struct ring late, reading;
	struct live live;
	unsigned long samples;

	direct_open(&late, pages);
	direct_open(&reading, pages);
	live_begin(&live, &reading);
	make_calls(privcmd, calls);
	live_end(&live);

	samples = read_all(&late);
	is(samples, calls < ROOM(pages) ? calls : ROOM(pages), "%u pages, read at the end", pages);
	is(samples + late.lost, calls, "%u pages, with its losses", pages);
	ledger_is(&late, calls, samples, calls - samples, 0, "%u pages, read at the end", pages);

	is(live.samples + reading.lost, calls, "%u pages, read meanwhile, with its losses", pages);
	ledger_is(&reading, calls, live.samples, reading.lost, 0, "%u pages, read meanwhile",
		  pages);
	info = ring_info(&reading);
	if (calls < ROOM(pages))
		is(info.lost, 0, "%u pages hold all of it, lost", pages);
	ring_close(&late);
	ring_close(&reading);
}

int main(void)
{
	unsigned int pages;

	tap_begin();
	privcmd = privcmd_open();
	several_readers();
	sleeper(1, 2000);
	sleeper(64, 2000);
	for (pages = 1; pages <= 1024; pages *= 2)
		ring_size(pages);
	return 0;
}
