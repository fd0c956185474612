// SPDX-License-Identifier: GPL-2.0
/*
 * What a record costs in filter and ring, and what a reader gets of it at 1 kHz,
 * 100 kHz and 1 MHz. Times depend on the machine: compare the instructions and the
 * ratios. Nothing here is a test, it only fails if records are not accounted for.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hctrace/ring.h>
#include <hctrace/shared_mem.h>

#include "../reader/reader.h"

#define PAGE		4096u
#define CHUNK		256u		/* records between two flushes, as in the drain */
#define ROUND_NS	1000000ull	/* between two rounds */
#define NS_PER_S	1000000000ull
#define COST_RECORDS	(CHUNK * 4000)
#define COST_PAGES	64
#define RATE_SECONDS	2
#define RATE_PAGES	1024

static int counter = -1;	/* of instructions, if there is one */

struct meter {
	int fd;
	u64 ns;
	u64 instructions;
	u64 from_ns;
	u64 from_instructions;
};

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static u64 now_instructions(const struct meter *meter)
{
	u64 count = 0;

	if (meter->fd >= 0 && read(meter->fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	return count;
}

static int open_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void meter_begin(struct meter *meter)
{
	meter->from_instructions = now_instructions(meter);
	meter->from_ns = now_ns();
}

static void meter_end(struct meter *meter)
{
	meter->ns += now_ns() - meter->from_ns;
	meter->instructions += now_instructions(meter) - meter->from_instructions;
}

static void print_instructions(const struct meter *meter, u64 records)
{
	if (meter->fd < 0)
		printf(" %12s", "-");
	else
		printf(" %12.1f", (double)meter->instructions / records);
}

/* What is yet to be told: of any domain and pCPU */
static u64 due[2 * HCT_SET_WORDS + 2 * HCT_OUT_MAX_PCPUS];

static void *ring_new(struct hct_out *out, const struct hct_out_config *cfg, u32 pages)
{
	size_t bytes = (1 + pages) * (size_t)PAGE;
	void *mem = aligned_alloc(PAGE, bytes);

	if (!mem)
		exit(1);
	memset(mem, 0, bytes);
	hct_out_init(out, cfg, true, due);
	hct_out_map(out, mem, pages);
	return mem;
}

/* A multiple of CHUNK calls; @taken: someone reads them, for nothing. */
static void write_calls(struct hct_out *out, u64 nr, bool taken)
{
	struct xen_hctrace_call call = { .op = 1, .domid = 3, .vcpu = 1 };
	u64 i;

	for (i = 1; i <= nr; i++) {
		call.tsc = i;
		call.ns = i;
		call.a0 = i;
		call.pcpu = i % 8;
		hct_out_call(out, &call);
		if (i % CHUNK)
			continue;
		hct_out_flush(out, i);
		if (taken)
			hct_shared_store_release(&out->page->data_tail, out->head);
	}
}

static void write_records(struct hct_out *out, u64 nr)
{
	u32 words[] = { XEN_TRC_PV_HYPERCALL_V2 | 2u << 28 | 1u << 31, 0, 0, 1, 0 };
	u64 i;

	for (i = 1; i <= nr; i++) {
		words[1] = i;
		hct_out_record(out, i / 8 % 8, words, ARRAY_SIZE(words));
		if (i % CHUNK)
			continue;
		hct_out_flush(out, i);
		hct_shared_store_release(&out->page->data_tail, out->head);
	}
}

/* What can become of a record. */
static const struct fate {
	const char *name;
	struct hct_out_config cfg;
	bool nobody_reads;
} fates[] = {
	{ .name = "written, RAW", .cfg.filter.kinds = 1 },
	{ .name = "written, TID|TIME|CPU|RAW", .cfg = { .filter.kinds = 1, .with_ids = true } },
	{ .name = "written, raw mode, runs of 8", .cfg.raw_mask = XEN_TRC_MASK_PV },
	{ .name = "lost, nobody reads", .cfg.filter.kinds = 1, .nobody_reads = true },
	{ .name = "left out by its op", .cfg.filter = { .kinds = 1, .ops = 1ull << 40 } },
};

static void write_many(struct hct_out *out, const struct fate *fate, u64 nr)
{
	void *mem = ring_new(out, &fate->cfg, COST_PAGES);

	if (fate->cfg.raw_mask)
		write_records(out, nr);
	else
		write_calls(out, nr, !fate->nobody_reads);
	free(mem);
}

static void print_costs(struct hct_out *out)
{
	double ns, first_ns = 0;
	unsigned int i;

	printf("%-30s %8s %12s %8s\n", "one record", "ns", "instructions", "ratio");
	for (i = 0; i < ARRAY_SIZE(fates); i++) {
		struct meter meter = { .fd = counter };

		meter_begin(&meter);
		write_many(out, &fates[i], COST_RECORDS);
		meter_end(&meter);
		ns = (double)meter.ns / COST_RECORDS;
		if (!i)
			first_ns = ns;
		printf("%-30s %8.1f", fates[i].name, ns);
		print_instructions(&meter, COST_RECORDS);
		printf(" %8.2f\n", ns / first_ns);
	}
}

struct reading {
	struct reader r;
	int wake_fd;
	bool done;
};

/* As a program does: sleep in poll(), then read all there is. */
static void *read_all(void *ctx)
{
	struct reading *reading = ctx;
	struct pollfd pfd = { .fd = reading->wake_fd, .events = POLLIN };
	bool done;
	u64 wakes;

	do {
		done = hct_shared_load_acquire(&reading->done);
		if (!done && poll(&pfd, 1, 1000) == 1 &&
		    read(reading->wake_fd, &wakes, sizeof(wakes)) != sizeof(wakes))
			exit(1);
	} while (reader_read(&reading->r, INT_MAX) >= 0 && !done);
	return NULL;
}

static void wake(const struct reading *reading)
{
	const u64 one = 1;

	if (write(reading->wake_fd, &one, sizeof(one)) != sizeof(one))
		exit(1);
}

/* A round of so many records, timed without the wake-ups. */
static void write_round(struct hct_out *out, struct reading *reading, u64 nr, struct meter *meter)
{
	struct xen_hctrace_call call = { .op = 1, .domid = 3, .vcpu = 1 };
	u64 i = 0;
	bool wanted;

	while (i < nr) {
		u64 ns = now_ns();

		wanted = false;
		meter_begin(meter);
		do {
			call.tsc = i;
			call.ns = ns;
			wanted |= hct_out_call(out, &call);
		} while (++i < nr && i % CHUNK);
		wanted |= hct_out_flush(out, ns);
		meter_end(meter);
		if (wanted)
			wake(reading);
	}
}

static bool rate(struct hct_out *out, u64 per_s)
{
	const struct hct_out_config cfg = {
		.filter.kinds = 1,
		.common_type = 1,
		.max_latency_ns = 100000000,
	};
	static struct reading reading;
	const struct hct_out_counters *count = &out->count;
	struct timespec next;
	struct meter meter = { .fd = counter };
	pthread_t reader;
	u64 i;

	memset(&reading, 0, sizeof(reading));
	reading.r.page = ring_new(out, &cfg, RATE_PAGES);
	reading.wake_fd = eventfd(0, 0);
	if (reading.wake_fd < 0 || pthread_create(&reader, NULL, read_all, &reading))
		exit(1);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (i = 0; i < RATE_SECONDS * NS_PER_S / ROUND_NS; i++) {
		write_round(out, &reading, per_s * ROUND_NS / NS_PER_S, &meter);
		next.tv_nsec += ROUND_NS;
		if (next.tv_nsec >= (long)NS_PER_S) {
			next.tv_sec++;
			next.tv_nsec -= NS_PER_S;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	while (out->lost_due)
		hct_out_flush(out, now_ns());
	hct_shared_store_release(&reading.done, true);
	wake(&reading);
	pthread_join(reader, NULL);

	printf("%10ju %12ju %10ju %10ju %10.1f", (uintmax_t)per_s, (uintmax_t)count->matched,
	       (uintmax_t)count->lost, (uintmax_t)count->wakeups,
	       (double)meter.ns / count->matched);
	print_instructions(&meter, count->matched);
	printf("\n");
	close(reading.wake_fd);
	free(reading.r.page);
	return !reading.r.error && reading.r.calls == count->written &&
		reading.r.lost_ring == count->lost && count->matched == RATE_SECONDS * per_s;
}

static int print_rates(struct hct_out *out)
{
	static const u64 rates[] = { 1000, 100000, 1000000 };
	bool good = true;
	unsigned int i;

	printf("\n%u s each, a round every %ju us, %u pages, a reader that sleeps in poll()\n",
	       RATE_SECONDS, (uintmax_t)ROUND_NS / 1000, RATE_PAGES);
	printf("%10s %12s %10s %10s %10s %12s\n", "records/s", "records", "lost", "wake-ups",
	       "ns each", "instructions");
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		good &= rate(out, rates[i]);
	if (!good)
		printf("NOT ACCOUNTED FOR\n");
	return !good;
}

/*
 * Without arguments: the tables. With the number of a fate and of chunks: write so
 * many and say its name, for whoever counts instructions from outside.
 */
int main(int argc, char **argv)
{
	static struct hct_out out;
	unsigned int i;

	if (argc == 3) {
		i = atoi(argv[1]);
		if (i >= ARRAY_SIZE(fates))
			return 2;
		puts(fates[i].name);
		write_many(&out, &fates[i], (u64)CHUNK * atoi(argv[2]));
		return 0;
	}
	counter = open_counter();
	if (counter < 0)
		printf("This machine counts no instructions (%s).\n", strerror(errno));
	print_costs(&out);
	return print_rates(&out);
}
