// SPDX-License-Identifier: GPL-2.0
/*
 * A ring with its two ends in two threads that run as fast as they can, for each
 * size there is. Sequence numbers stand in the TSC: a gap must be counted by LOST
 * records in its place, exactly. Built with ThreadSanitizer and with ASan.
 */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <hctrace/ring.h>
#include <hctrace/shared_mem.h>

#include "../reader/reader.h"

#define PAGE	4096u
#define CHUNK	256u	/* calls between two flushes, as in the drain */

enum manner {
	BUSY,		/* looks at data_head all the time */
	WAITING,	/* reads only when poll() would let it */
	LAZY,		/* leaves the ring alone for long */
	NR_MANNERS,
};

static const char *const manner_names[] = { "busy", "waiting", "lazy" };

/**
 * struct run - a writer and a reader
 * @out: the writer's; of it the reader may only ask hct_out_readable()
 * @r: the reader's
 * @manner: its &enum manner
 * @raw: raw mode
 * @calls: calls to write, so many samples and losses must come
 * @next: the call that must come next
 * @wrong: gaps that no LOST record explains
 * @done: all is written and readable
 */
struct run {
	struct hct_out *out;
	struct reader r;
	enum manner manner;
	bool raw;
	u64 calls;
	u64 next;
	u64 wrong;
	bool done;
};

static void see_call(void *ctx, const unsigned char *bytes)
{
	struct run *run = ctx;
	struct xen_hctrace_call call;

	memcpy(&call, bytes, sizeof(call));
	run->wrong += call.tsc != run->next || call.a0 != (u32)call.tsc;
	run->next = call.tsc + 1;
}

/* A record of raw mode carries its number in two words. */
static void see_raw(void *ctx, uint32_t pcpu, const uint32_t *words, unsigned int nr_words)
{
	struct run *run = ctx;

	for (; nr_words >= 3; nr_words -= 3, words += 3) {
		run->wrong += words[1] != run->next || words[2] != ~words[1] ||
			pcpu != words[1] / 100 % 8;
		run->next = words[1] + 1;
	}
	run->wrong += nr_words;
}

static void see_lost(void *ctx, uint64_t id, uint64_t count)
{
	struct run *run = ctx;

	if (id == XEN_HCTRACE_LOST_RING)
		run->next += count;
}

static void write_one(struct run *run, u64 i)
{
	const u32 words[] = { XEN_TRC_PV_HYPERCALL_V2 | 2u << 28, i, ~(u32)i };
	const struct xen_hctrace_call call = { .tsc = i, .ns = i, .a0 = i, .domid = 1 };
	const struct hct_loss_event loss = { .at = { .ns = i, .pcpu = i % 16 }, .count = 3 };

	if (run->raw)
		hct_out_record(run->out, i / 100 % 8, words, ARRAY_SIZE(words));
	else
		hct_out_call(run->out, &call);
	if (i % 1000 == 0)
		hct_out_loss(run->out, &loss);
	if (i % CHUNK == CHUNK - 1) {
		hct_out_flush(run->out, i);
		/* Whoever waits gets a chance, as when the drain gives up its lock. */
		if (run->manner == WAITING)
			sched_yield();
	}
}

static void *write_all(void *ctx)
{
	struct run *run = ctx;
	u64 i;

	for (i = 0; i < run->calls; i++)
		write_one(run, i);
	/* The last losses are told when the reader has made room, and become old enough. */
	for (;; i += 1000) {
		hct_out_flush(run->out, i);
		if (!run->out->lost_due && !run->out->nr_xen_due &&
		    hct_out_due_ns(run->out) == ~0ull)
			break;
		sched_yield();
	}
	hct_shared_store_release(&run->done, true);
	return NULL;
}

static void *read_all(void *ctx)
{
	struct run *run = ctx;
	bool done;
	int nr;

	do {
		/* Looked at first: what was written before it is seen now. */
		done = hct_shared_load_acquire(&run->done);
		if (run->manner == LAZY)
			usleep(200);
		nr = 0;
		if (run->manner != WAITING || hct_out_readable(run->out))
			nr = reader_read(&run->r, run->manner == LAZY ? INT_MAX : 64);
		if (!nr)
			sched_yield();
	} while (nr > 0 || (nr == 0 && !done));
	return NULL;
}

static bool holds(const struct run *run)
{
	const struct hct_out_counters *count = &run->out->count;

	return !run->r.error && !run->wrong && run->next == run->calls &&
		count->matched == run->calls && count->paused == 0 &&
		count->matched == count->written + count->lost &&
		count->written == run->r.calls + run->r.raw_records &&
		count->lost == run->r.lost_ring && count->xen_lost == run->r.lost_xen &&
		count->xen_lost == (run->calls + 999) / 1000 * 3 && !hct_out_readable(run->out);
}

static bool run_one(struct run *run, u32 pages, bool with_ids)
{
	const struct hct_out_config cfg = {
		.filter.kinds = 1,
		.common_type = 1,
		.with_ids = with_ids,
		.raw_mask = run->raw ? XEN_TRC_MASK_PV : 0,
		.max_latency_ns = 1000,
	};
	size_t bytes = (1 + pages) * (size_t)PAGE;
	pthread_t writer, reader;
	bool good;

	run->out = malloc(sizeof(*run->out) + hct_out_due_bytes(&cfg));
	run->r.page = aligned_alloc(PAGE, bytes);
	if (!run->out || !run->r.page)
		exit(1);
	memset(run->r.page, 0, bytes);
	run->r.with_ids = with_ids;
	run->r.raw = run->raw;
	run->r.on_call = see_call;
	run->r.on_raw = see_raw;
	run->r.on_lost = see_lost;
	run->r.ctx = run;
	/* Twice around at least */
	run->calls = 20000 + pages * PAGE / 80 * 2;
	hct_out_init(run->out, &cfg, true, run->out + 1);
	hct_out_map(run->out, (struct perf_event_mmap_page *)run->r.page, pages);

	if (pthread_create(&writer, NULL, write_all, run) ||
	    pthread_create(&reader, NULL, read_all, run))
		exit(1);
	pthread_join(reader, NULL);
	if (run->r.error) {
		printf("# at %ju: %s\n", (uintmax_t)run->r.tail, run->r.error);
		exit(1);	/* the writer may wait for room for ever */
	}
	pthread_join(writer, NULL);
	good = holds(run);
	printf("# %ju written, %ju lost, %ju wrong\n", (uintmax_t)run->out->count.written,
	       (uintmax_t)run->out->count.lost, (uintmax_t)run->wrong);
	free(run->r.page);
	free(run->out);
	return good;
}

int main(void)
{
	static struct run run;
	unsigned int nr = 0, failed = 0;
	unsigned int manner, raw;
	u32 pages;

	alarm(600);
	for (pages = 1; pages <= HCT_OUT_MAX_PAGES; pages *= 2) {
		for (manner = BUSY; manner < NR_MANNERS; manner++) {
			for (raw = 0; raw <= 1; raw++) {
				bool good;

				memset(&run, 0, sizeof(run));
				run.manner = manner;
				run.raw = raw;
				good = run_one(&run, pages, !raw && manner == WAITING);
				failed += !good;
				printf("%sok %u - %u pages, %s reader%s\n", good ? "" : "not ",
				       ++nr, pages, manner_names[manner], raw ? ", raw" : "");
				fflush(stdout);
			}
		}
	}
	printf("1..%u\n", nr);
	return failed != 0;
}
