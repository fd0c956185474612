// SPDX-License-Identifier: GPL-2.0
/*
 * Reading xentrace files, whole and damaged: what is readable is counted to the
 * record, and so is what is not.
 */
#define _GNU_SOURCE	/* memfd_create() */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/hctrace/base/exit.h"
#include "../../tools/hctrace/recording/sources.h"
#include "../fakexen/xentrace.h"
#include "rig.h"

#define NR_PCPUS	3
#define NR_PASSES	3
#define MAX_RECORDS	2000
#define HEADER_BYTES	12
#define PIPE_BYTES	65536

/* A recording in memory, and where its parts end. */
struct trace {
	u8 *bytes;
	size_t size;
	u32 nr_records;
	u32 ends[MAX_RECORDS];
	u32 nr_windows;
	u32 windows[NR_PCPUS * NR_PASSES + 1];
};

static struct trace trace;

/* --- making ----------------------------------------------------------------- */

static void put_pass(struct rig *rig, u64 *random)
{
	u32 i;

	for (i = 0; i < 14; i++) {
		u32 cpu = rig_random(random, NR_PCPUS);

		switch (rig_random(random, 4)) {
		case 0:
			rig_run(rig, cpu, 1 + cpu, rig_random(random, 3));
			break;
		case 1:
			rig_put(rig, cpu, XEN_TRC_HVM_VMMCALL, HCT_OP_xen_version);
			break;
		case 2:
			rig_call(rig, cpu, WORD_GRANT, 5, 2);
			break;
		default:
			rig_call(rig, cpu, HCT_OP_iret);
		}
	}
}

/* A vCPU moves to a pCPU, away from where it runs. Whoever runs there runs nowhere then. */
static void move_vcpu(struct rig *rig, u32 cpu, u16 domid)
{
	u32 i;

	for (i = 0; i < NR_PCPUS; i++) {
		if (i != cpu && rig->busy[i] && rig->xen[i].current_vcpu.domid == domid)
			rig_stop(rig, i, domid, 0, XEN_RUNSTATE_RUNNABLE);
	}
	rig_run(rig, cpu, domid, 0);
}

/* Multicalls are interrupted now and then, and go on elsewhere. */
static void put_multicalls(struct rig *rig, u64 *random)
{
	u32 cpu = rig_random(random, NR_PCPUS);
	u32 what = rig_random(random, 12);

	if (!what || !rig->busy[cpu])
		move_vcpu(rig, cpu, 1 + rig_random(random, 4));
	else if (what < 4)
		rig_call(rig, cpu, WORD_MULTICALL, rig_random(random, 5));
	else if (what < 10)
		rig_member(rig, cpu, WORD_MMU_UPDATE, 1 + rig_random(random, 3));
	else
		rig_call(rig, cpu, HCT_OP_iret);
}

/* Where windows begin and records end, from the bytes alone. */
static void map(struct trace *t)
{
	size_t at = 0;
	u32 header[3];

	while (at < t->size) {
		size_t end;

		t->windows[t->nr_windows++] = at;
		memcpy(header, t->bytes + at, sizeof(header));
		at += HEADER_BYTES;
		for (end = at + header[2]; at < end; t->ends[t->nr_records++] = at) {
			memcpy(header, t->bytes + at, 4);
			at += 4 * xen_trc_words(header[0]);
		}
		assert_int_equal(at, end);
	}
	t->windows[t->nr_windows] = at;
}

static int make(void **state)
{
	struct rig *rig = rig_new(NR_PCPUS, 1);
	u64 random = 12345;
	FILE *to;
	u32 i;

	(void)state;
	memset(&trace, 0, sizeof(trace));
	to = open_memstream((char **)&trace.bytes, &trace.size);
	assert_non_null(to);
	for (i = 0; i < NR_PASSES; i++) {
		put_pass(rig, &random);
		fx_xentrace_pass(rig->xen, NR_PCPUS, to);
	}
	fclose(to);
	/* The rig watches over its own rounds; here there are none. */
	alarm(0);
	map(&trace);
	assert_int_equal(trace.nr_windows, NR_PCPUS * NR_PASSES);
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	free(trace.bytes);
	return 0;
}

/* --- reading ---------------------------------------------------------------- */

static void check(const struct recording *rec)
{
	struct hct_counters c;

	hct_pipeline_total(&rec->p, &c);
	assert_int_equal(c.consumed, c.skipped + c.undecodable + c.events);
	assert_int_equal(c.events, c.attributed + c.unattributed);
}

/* Read what the descriptor @fd stands for. Return: exit status; @rec to be freed. */
static int read_fd_for(int fd, struct recording *rec, const struct hct_sink *sink)
{
	struct recording_options opt = { .tsc_khz = 1000000, .until_ns = ~0ull, .quiet = true };
	char path[40];
	int status;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opt.path = path;
	assert_int_equal(recording_init(rec, &opt, sink), 0);
	close(fd);
	status = recording_read(rec);
	check(rec);
	return status;
}

static int read_fd(int fd, struct recording *rec)
{
	return read_fd_for(fd, rec, NULL);
}

static void write_all(int fd, const void *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);

		assert_true(done > 0);
		bytes = (const u8 *)bytes + done;
		size -= done;
	}
}

static int read_file(const void *bytes, size_t size, struct recording *rec)
{
	int fd = memfd_create("trace", 0);

	assert_true(fd >= 0);
	write_all(fd, bytes, size);
	return read_fd(fd, rec);
}

/* The same through a pipe; from another process, if it is larger than a pipe. */
static int read_pipe(const void *bytes, size_t size, struct recording *rec)
{
	int status, child, fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	if (size <= PIPE_BYTES) {
		write_all(fds[1], bytes, size);
		close(fds[1]);
		return read_fd(fds[0], rec);
	}
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(fds[0]);
		write_all(fds[1], bytes, size);
		_exit(0);
	}
	close(fds[1]);
	status = read_fd(fds[0], rec);
	assert_int_equal(waitpid(pid, &child, 0), pid);
	assert_int_equal(child, 0);
	return status;
}

static u64 consumed(const struct recording *rec)
{
	struct hct_counters total;

	hct_pipeline_total(&rec->p, &total);
	return total.consumed;
}

static void expect(const void *bytes, size_t size, u64 records, u64 passed_over, u64 missing)
{
	int wanted = passed_over || missing ? EXIT_DAMAGED : 0;
	struct recording rec;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		assert_int_equal((i ? read_pipe : read_file)(bytes, size, &rec), wanted);
		assert_int_equal(consumed(&rec), records);
		assert_int_equal(rec.damage.bytes, passed_over);
		assert_int_equal(rec.damage.missing, missing);
		assert_false(rec.disordered);
		recording_free(&rec);
	}
}

/* The same but for the order of domains, all of which are alive. */
static void compare_tables(const struct hct_account *a, struct hct_account *b)
{
	u32 i;

	assert_int_equal(a->nr, b->nr);
	assert_memory_equal(a->special, b->special, sizeof(a->special));
	for (i = 0; i < a->nr; i++)
		assert_memory_equal(&a->domains[i], hct_account_domain(b, a->domains[i].domid),
				    sizeof(a->domains[i]));
	assert_int_equal(a->nr, b->nr);
}

/* With somebody who listens, no record goes the short way. */
static void compare_ways(const void *bytes, size_t size)
{
	static const struct hct_sink nothing = { .ctx = NULL };
	struct hct_counters skimmed, fed;
	struct recording rec, listened;
	int fd = memfd_create("trace", 0);

	assert_true(fd >= 0);
	write_all(fd, bytes, size);
	assert_int_equal(read_file(bytes, size, &rec), read_fd_for(fd, &listened, &nothing));
	hct_pipeline_total(&rec.p, &skimmed);
	hct_pipeline_total(&listened.p, &fed);
	assert_memory_equal(&skimmed, &fed, sizeof(fed));
	compare_tables(rec.p.acct, listened.p.acct);
	assert_int_equal(rec.last, listened.last);
	recording_free(&rec);
	recording_free(&listened);
}

/* --- tests ------------------------------------------------------------------ */

static void test_whole(void **state)
{
	(void)state;
	expect(trace.bytes, trace.size, trace.nr_records, 0, 0);
}

static void test_order(void **state)
{
	struct hct_counters total;
	struct recording rec;

	(void)state;
	assert_int_equal(read_file(trace.bytes, trace.size, &rec), 0);
	hct_pipeline_total(&rec.p, &total);
	assert_int_equal(total.late, 0);
	recording_free(&rec);
}

static void test_ways(void **state)
{
	(void)state;
	compare_ways(trace.bytes, trace.size);
}

/* Several pCPUs whose records lie far apart, on which guests and their multicalls move around. */
static void test_ways_of_many(void **state)
{
	u32 round, pass, i;

	(void)state;
	for (round = 0; round < 20; round++) {
		struct rig *rig = rig_new(NR_PCPUS, 4);
		u64 random = 77 + round;
		size_t size;
		char *bytes;
		FILE *to = open_memstream(&bytes, &size);

		assert_non_null(to);
		for (pass = 0; pass < 20; pass++) {
			for (i = 0; i < 200; i++)
				put_multicalls(rig, &random);
			fx_xentrace_pass(rig->xen, NR_PCPUS, to);
		}
		fclose(to);
		compare_ways(bytes, size);
		alarm(0);
		rig_free(rig);
		free(bytes);
	}
}

/* --- a host that was suspended ---------------------------------------------- */

#define BEFORE		0x21d7172f2b8c4ull
#define AFTER		0x1b6861d00ull

/**
 * struct order - what was heard
 * @falls: times that a record was older than the one before it
 * @gaps: gaps that were told, all of them right there
 */
struct order {
	u64 last;
	u32 falls;
	u32 gaps;
};

static void see_record(void *ctx, u16 pcpu, const u32 *words, unsigned int nr_words)
{
	struct order *order = ctx;
	u64 time = words[1] | (u64)words[2] << 32;

	(void)pcpu;
	(void)nr_words;
	if (!xen_trc_has_tsc(words[0]))
		return;
	order->falls += time < order->last;
	order->last = time;
}

static void see_gap(void *ctx, const struct hct_loss_event *loss)
{
	struct order *order = ctx;

	assert_int_equal(loss->gap, XEN_HCTRACE_GAP_CLOCK);
	assert_int_equal(order->gaps++, order->falls);
	assert_true(order->last >= BEFORE);
}

/* Where the first record of after it stands; a window of such records as a whole. */
static u64 find_step(const u8 *bytes, size_t size)
{
	size_t at, end, from;
	u32 words[3];

	for (from = 0; from < size; from = end) {
		memcpy(words, bytes + from, sizeof(words));
		end = from + HEADER_BYTES + words[2];
		for (at = from + HEADER_BYTES; at < end; at += 4 * xen_trc_words(words[0])) {
			memcpy(words, bytes + at, sizeof(words));
			if (xen_trc_has_tsc(words[0]) && (words[1] | (u64)words[2] << 32) < BEFORE)
				return at == from + HEADER_BYTES ? from : at;
		}
	}
	return size;
}

static void check_suspended(const u8 *bytes, size_t size)
{
	struct order order = { .last = 0 };
	const struct hct_sink sink = { .record = see_record, .loss = see_gap, .ctx = &order };
	int fd = memfd_create("trace", 0);
	struct hct_counters total;
	struct recording rec;

	assert_true(fd >= 0);
	write_all(fd, bytes, size);
	assert_int_equal(read_fd_for(fd, &rec, &sink), EXIT_DAMAGED);
	hct_pipeline_total(&rec.p, &total);
	assert_int_equal(total.late, 0);
	assert_int_equal(order.falls, 1);
	assert_int_equal(order.gaps, 1);
	assert_int_equal(rec.damage.places, 0);
	assert_int_equal(rec.damage.breaks, 1);
	assert_int_equal(rec.damage.break_at, find_step(bytes, size));
	/* As many ticks as there were records with a time, but for the step itself. */
	assert_in_range(rec.last - rec.first, 1, total.consumed);
	assert_false(recording_has_length(&rec));
	recording_free(&rec);
}

/* In each ring somewhere else, and rings that have nothing of before. */
static void test_suspended(void **state)
{
	u32 round, pass, i;

	(void)state;
	for (round = 0; round < 60; round++) {
		struct rig *rig = rig_new(NR_PCPUS, 4);
		u64 random = 99 + round;
		u32 night = rig_random(&random, 1000);
		/* In the first pass nothing tells such a ring from one that was first. */
		u32 silent = night < 200 ? NR_PCPUS : rig_random(&random, 2 * NR_PCPUS);
		u32 made = 0;
		size_t size;
		char *bytes;
		FILE *to = open_memstream(&bytes, &size);

		assert_non_null(to);
		rig->now = BEFORE;
		for (pass = 0; pass < 10; pass++) {
			for (i = 0; i < 100; i++, made++) {
				if (made == night)
					rig->now = AFTER;
				if (made % NR_PCPUS == silent && made < night)
					continue;
				rig_call(rig, made % NR_PCPUS, WORD_GRANT, 5, 2);
			}
			fx_xentrace_pass(rig->xen, NR_PCPUS, to);
		}
		fclose(to);
		if (night > 2 * NR_PCPUS && night < 1000 - NR_PCPUS)
			check_suspended((u8 *)bytes, size);
		compare_ways(bytes, size);
		alarm(0);
		rig_free(rig);
		free(bytes);
	}
}

/* Multicalls that move around, twice in one file. */
static void test_twice(void **state)
{
	struct rig *rig = rig_new(NR_PCPUS, 4);
	struct recording rec;
	u64 random = 3;
	u32 pass, i;
	size_t size;
	char *bytes, *twice;
	FILE *to = open_memstream(&bytes, &size);

	(void)state;
	assert_non_null(to);
	for (pass = 0; pass < 20; pass++) {
		for (i = 0; i < 200; i++)
			put_multicalls(rig, &random);
		fx_xentrace_pass(rig->xen, NR_PCPUS, to);
	}
	fclose(to);
	twice = malloc(2 * size);
	assert_non_null(twice);
	memcpy(twice, bytes, size);
	memcpy(twice + size, bytes, size);
	compare_ways(twice, 2 * size);
	for (i = 0; i < 2; i++) {
		assert_int_equal((i ? read_pipe : read_file)(twice, 2 * size, &rec), EXIT_DAMAGED);
		assert_int_equal(rec.damage.breaks, 1);
		assert_int_equal(rec.damage.break_at, size);
		assert_int_equal(rec.damage.places, 0);
		recording_free(&rec);
	}
	alarm(0);
	rig_free(rig);
	free(bytes);
	free(twice);
}

/* What is left of the file at @size: records, and bytes behind the last of them. */
static void whole_part(size_t size, u32 *records, size_t *used)
{
	u32 i;

	*used = 0;
	for (i = 0; i < trace.nr_windows && trace.windows[i] + HEADER_BYTES <= size; i++)
		*used = trace.windows[i] + HEADER_BYTES;
	for (i = 0; i < trace.nr_records && trace.ends[i] <= size; i++) {
		if (trace.ends[i] > *used)
			*used = trace.ends[i];
	}
	*records = i;
}

static bool is_window_begin(size_t at)
{
	u32 i;

	for (i = 0; i <= trace.nr_windows; i++) {
		if (trace.windows[i] == at)
			return true;
	}
	return false;
}

static void test_cut_anywhere(void **state)
{
	size_t size, used;
	u32 records;

	(void)state;
	for (size = 1; size < trace.size; size++) {
		/* Memory of exactly this size, so that ASan sees what is read beyond. */
		u8 *bytes = malloc(size);
		struct recording rec;

		assert_non_null(bytes);
		memcpy(bytes, trace.bytes, size);
		whole_part(size, &records, &used);
		/* Less than a header may be the beginning of anything. */
		assert_int_equal(read_file(bytes, size, &rec),
				 size < HEADER_BYTES ? EXIT_TROUBLE :
				 is_window_begin(size) ? 0 : EXIT_DAMAGED);
		assert_int_equal(consumed(&rec), records);
		assert_int_equal(rec.damage.bytes, size < HEADER_BYTES ? 0 : size - used);
		recording_free(&rec);
		free(bytes);
	}
}

static void test_empty(void **state)
{
	struct recording rec;

	(void)state;
	assert_int_equal(read_file("", 0, &rec), EXIT_DAMAGED);
	recording_free(&rec);
}

/* Bytes in front, of any number: the rest is found. */
static void test_junk_in_front(void **state)
{
	u8 *bytes = malloc(trace.size + 70000);
	u32 junk;

	(void)state;
	assert_non_null(bytes);
	for (junk = 1; junk < 70000; junk = junk < 9 ? junk + 1 : 3 * junk + 1) {
		memset(bytes, 0x20, junk);
		memcpy(bytes + junk, trace.bytes, trace.size);
		expect(bytes, junk + trace.size, trace.nr_records, junk, 0);
	}
	free(bytes);
}

static u32 records_of_window(u32 window)
{
	u32 nr = 0;
	u32 i;

	for (i = 0; i < trace.nr_records; i++)
		nr += trace.ends[i] > trace.windows[window] &&
		      trace.ends[i] <= trace.windows[window + 1];
	return nr;
}

/* A window without its header is lost, and nothing else. */
static void test_no_header(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < trace.nr_windows; i++) {
		u8 *bytes = malloc(trace.size);

		assert_non_null(bytes);
		memcpy(bytes, trace.bytes, trace.size);
		memset(bytes + trace.windows[i], 0, 4);
		expect(bytes, trace.size, trace.nr_records - records_of_window(i),
		       trace.windows[i + 1] - trace.windows[i], 0);
		free(bytes);
	}
}

/* Window @i says that it is @by bytes longer than it is. */
static u8 *with_length(u32 i, int by)
{
	u8 *bytes = malloc(trace.size);
	u32 length;

	assert_non_null(bytes);
	memcpy(bytes, trace.bytes, trace.size);
	memcpy(&length, bytes + trace.windows[i] + 8, 4);
	length += by;
	memcpy(bytes + trace.windows[i] + 8, &length, 4);
	return bytes;
}

static void test_length_too_large(void **state)
{
	static const int by[] = { 4, 8, 40, 4000, 0x40000000 };
	unsigned int i, j;

	(void)state;
	for (i = 0; i < trace.nr_windows; i++) {
		for (j = 0; j < ARRAY_SIZE(by); j++) {
			u8 *bytes = with_length(i, by[j]);

			expect(bytes, trace.size, trace.nr_records, 0, by[j]);
			free(bytes);
		}
	}
}

/* The record that is cut off by it is lost, and its last bytes are. */
static void test_length_too_small(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < trace.nr_windows; i++) {
		u8 *bytes = with_length(i, -4);
		u32 last = 0;

		while (trace.ends[last] != trace.windows[i + 1])
			last++;
		expect(bytes, trace.size, trace.nr_records - 1,
		       trace.ends[last] - (trace.ends[last - 1] > trace.windows[i] ?
					   trace.ends[last - 1] : trace.windows[i] + 12), 0);
		free(bytes);
	}
}

static void test_length_unaligned(void **state)
{
	u8 *bytes = with_length(1, 2);

	(void)state;
	expect(bytes, trace.size, trace.nr_records - records_of_window(1),
	       trace.windows[2] - trace.windows[1], 0);
	free(bytes);
}

/* The last record of a window claims to be longer than the window. */
static void test_record_too_large(void **state)
{
	const u32 words[] = {
		XEN_TRC_CPU_CHANGE | 2u << 28, 0, 12,
		XEN_TRC_HVM_VMMCALL | 1u << 28, 17, XEN_TRC_HVM_VMMCALL | 7u << 28,
		XEN_TRC_CPU_CHANGE | 2u << 28, 0, 8, XEN_TRC_HVM_VMMCALL | 1u << 28, 17,
	};

	(void)state;
	expect(words, sizeof(words), 2, 4, 0);
}

/* Every pCPU there can be, a record each, and one that there cannot be. */
static void test_all_pcpus(void **state)
{
	u32 (*windows)[6] = calloc(XENTRACE_MAX_PCPUS + 1, sizeof(*windows));
	struct recording rec;
	u32 i;

	(void)state;
	assert_non_null(windows);
	for (i = 0; i <= XENTRACE_MAX_PCPUS; i++) {
		const u32 window[6] = {
			XEN_TRC_CPU_CHANGE | 2u << 28, i, 12,
			XEN_TRC_WRAP | 1u << 31, 1000 - i, 1,
		};

		memcpy(windows[i], window, sizeof(window));
	}
	assert_int_equal(read_file(windows, sizeof(*windows) * (XENTRACE_MAX_PCPUS + 1), &rec),
			 EXIT_DAMAGED);
	assert_int_equal(consumed(&rec), XENTRACE_MAX_PCPUS);
	assert_int_equal(rec.p.nr_rings, XENTRACE_MAX_PCPUS);
	assert_int_equal(rec.damage.bytes, sizeof(*windows));
	recording_free(&rec);

	/* The same windows backwards: each is a pass of its own. */
	for (i = 0; i < XENTRACE_MAX_PCPUS; i++)
		windows[i][1] = XENTRACE_MAX_PCPUS - 1 - i;
	assert_int_equal(read_file(windows, sizeof(*windows) * XENTRACE_MAX_PCPUS, &rec), 0);
	assert_int_equal(consumed(&rec), XENTRACE_MAX_PCPUS);
	recording_free(&rec);
	free(windows);
}

static void fill_random(u8 *bytes, size_t size, u64 *random)
{
	size_t i;

	for (i = 0; i < size; i++)
		bytes[i] = rig_random(random, 256);
}

static void test_random_bytes(void **state)
{
	u8 bytes[5000];
	struct recording rec;
	u64 random = 4711;
	u32 i;

	(void)state;
	for (i = 0; i < 30; i++) {
		fill_random(bytes, sizeof(bytes), &random);
		assert_int_equal(read_file(bytes, sizeof(bytes), &rec), EXIT_TROUBLE);
		assert_int_equal(consumed(&rec), 0);
		assert_int_equal(rec.damage.bytes, 0);
		recording_free(&rec);
	}
}

/* Windows as they should be, full of anything. */
static void test_random_records(void **state)
{
	u32 words[1000];
	struct recording rec;
	u64 random = 4711;
	u32 i;

	(void)state;
	for (i = 0; i < 60; i++) {
		u32 half = 3 + rig_random(&random, 900);

		fill_random((u8 *)words, sizeof(words), &random);
		words[0] = XEN_TRC_CPU_CHANGE | 2u << 28;
		words[1] = rig_random(&random, 3);
		words[2] = 4 * (half - 3);
		words[half] = XEN_TRC_CPU_CHANGE | 2u << 28;
		words[half + 1] = rig_random(&random, 3);
		words[half + 2] = sizeof(words) - 4 * (half + 3);
		(i & 1 ? read_file : read_pipe)(words, sizeof(words), &rec);
		assert_true(consumed(&rec) > 0);
		assert_true(rec.damage.bytes <= 2 * 36);
		recording_free(&rec);
	}
}

/* A byte changed to anything: no more is lost than a window can hide. */
static void test_flipped_bytes(void **state)
{
	u8 *bytes = malloc(trace.size);
	struct recording rec;
	u64 random = 99;
	size_t i;

	(void)state;
	assert_non_null(bytes);
	memcpy(bytes, trace.bytes, trace.size);
	for (i = 0; i < trace.size; i += 3) {
		u8 old = bytes[i];

		bytes[i] ^= 1 + rig_random(&random, 255);
		read_file(bytes, trace.size, &rec);
		assert_true(consumed(&rec) > trace.nr_records / 2);
		recording_free(&rec);
		bytes[i] = old;
	}
	free(bytes);
}

/* More than a pipe can keep between two passes: all of it is read, and it is said. */
static void test_long_windows_in_pipe(void **state)
{
	u32 words = (INPUT_KEPT_BYTES / 40 + 10000) * XEN_TRC_MAX_WORDS;
	u32 *bytes = calloc(2, 4ul * (words + 3));
	struct recording rec;
	u32 cpu, i;

	(void)state;
	assert_non_null(bytes);
	for (cpu = 0; cpu < 2; cpu++) {
		u32 *window = bytes + cpu * (words + 3);

		window[0] = XEN_TRC_CPU_CHANGE | 2u << 28;
		window[1] = cpu;
		window[2] = 4 * words;
		for (i = 0; i < words; i += XEN_TRC_MAX_WORDS) {
			window[3 + i] = XEN_TRC_WRAP | 7u << 28 | 1u << 31;
			window[3 + i + 1] = i;
		}
	}
	assert_int_equal(read_pipe(bytes, 8ul * (words + 3), &rec), 0);
	assert_int_equal(consumed(&rec), 2 * words / XEN_TRC_MAX_WORDS);
	assert_true(rec.disordered);
	recording_free(&rec);

	assert_int_equal(read_file(bytes, 8ul * (words + 3), &rec), 0);
	assert_int_equal(consumed(&rec), 2 * words / XEN_TRC_MAX_WORDS);
	assert_false(rec.disordered);
	recording_free(&rec);
	free(bytes);
}

/* --- filters ---------------------------------------------------------------- */

/* Who listens, and what is wanted of what is heard. */
struct listener {
	const struct recording *rec;
	u32 calls;
	u32 changes;
};

static void hear_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct listener *listener = ctx;

	listener->calls += recording_wants(listener->rec, call);
}

static void hear_domain(void *ctx, const struct hct_domain_event *domain)
{
	struct listener *listener = ctx;

	listener->changes += recording_wants_domain(listener->rec, domain->domid);
}

/* Two domains that have the id 3, one after the other: three calls, then five; one of d4's. */
static char *two_lives(size_t *size)
{
	struct rig *rig = rig_new(1, 1);
	char *bytes;
	FILE *to = open_memstream(&bytes, size);
	u32 i;

	assert_non_null(to);
	rig_run(rig, 0, 3, 0);
	for (i = 0; i < 3; i++)
		rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 0, 0);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 3);
	rig_put(rig, 0, XEN_TRC_DOM_ADD, 3);
	rig_run(rig, 0, 4, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 3, 0);
	for (i = 0; i < 5; i++)
		rig_call(rig, 0, i % 2 ? HCT_OP_xen_version : HCT_OP_iret);
	fx_xentrace_pass(rig->xen, 1, to);
	fclose(to);
	rig_free(rig);
	return bytes;
}

/* Tables and listeners are told the same, and what is not wanted counts as filtered. */
static void test_lives(void **state)
{
	static const struct {
		const char *domains;
		const char *ops;
		u32 calls;
		u32 changes;
	} cases[] = {
		{ "3", NULL, 8, 2 }, { "d3#1", NULL, 3, 1 }, { "d3#2", NULL, 5, 1 },
		{ "d3#3", NULL, 0, 0 }, { "d3#1,4", NULL, 4, 1 }, { "d3#2", "iret", 3, 1 },
		{ "0-4", "xen_version", 2, 2 }, { "d?", NULL, 0, 0 }, { "d[gone]", NULL, 0, 0 },
		{ "all", "all", 9, 2 },
	};
	struct listener listener;
	const struct hct_sink sink = {
		.call = hear_call, .domain = hear_domain, .ctx = &listener,
	};
	size_t size;
	char *bytes = two_lives(&size);
	unsigned int i, listens, nothing;

	(void)state;
	for (i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		struct recording_options opt = { .tsc_khz = 1000000, .until_ns = ~0ull };
		struct hct_counters total;
		struct recording rec;
		char path[40];
		u32 counted = 0, row;
		int fd = memfd_create("trace", 0);

		write_all(fd, bytes, size);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		opt.path = path;
		opt.quiet = true;
		assert_null(filter_domains(&opt.filter, cases[i / 2].domains));
		if (cases[i / 2].ops)
			assert_null(filter_ops(&opt.filter, cases[i / 2].ops));
		/* Nobody listens: the short way. */
		listens = i % 2;
		assert_int_equal(recording_init(&rec, &opt, listens ? &sink : NULL), 0);
		close(fd);
		listener = (struct listener){ .rec = &rec };
		nothing = !cases[i / 2].calls;
		assert_int_equal(recording_read(&rec), nothing * EXIT_NOTHING);
		check(&rec);
		if (listens) {
			assert_int_equal(listener.calls, cases[i / 2].calls);
			assert_int_equal(listener.changes, cases[i / 2].changes);
		}
		for (row = 0; row < rec.p.acct->nr; row++) {
			const struct hct_domain *dom = &rec.p.acct->domains[row];

			counted += hct_cell_records(&dom->cells[HCT_KIND_CALL][HCT_OP_iret]);
			counted += hct_cell_records(&dom->cells[HCT_KIND_CALL][HCT_OP_xen_version]);
		}
		assert_int_equal(counted, cases[i / 2].calls);
		hct_pipeline_total(&rec.p, &total);
		assert_int_equal(total.filtered + rec.dropped, total.events - counted);
		recording_free(&rec);
		filter_clear_domains(&opt.filter);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_whole, make, unmake),
		cmocka_unit_test_setup_teardown(test_order, make, unmake),
		cmocka_unit_test_setup_teardown(test_ways, make, unmake),
		cmocka_unit_test(test_ways_of_many),
		cmocka_unit_test(test_suspended),
		cmocka_unit_test(test_twice),
		cmocka_unit_test_setup_teardown(test_cut_anywhere, make, unmake),
		cmocka_unit_test(test_empty),
		cmocka_unit_test_setup_teardown(test_junk_in_front, make, unmake),
		cmocka_unit_test_setup_teardown(test_no_header, make, unmake),
		cmocka_unit_test_setup_teardown(test_length_too_large, make, unmake),
		cmocka_unit_test_setup_teardown(test_length_too_small, make, unmake),
		cmocka_unit_test_setup_teardown(test_length_unaligned, make, unmake),
		cmocka_unit_test(test_record_too_large),
		cmocka_unit_test(test_all_pcpus),
		cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_random_records),
		cmocka_unit_test_setup_teardown(test_flipped_bytes, make, unmake),
		cmocka_unit_test(test_long_windows_in_pipe),
		cmocka_unit_test(test_lives),
	};

	return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
