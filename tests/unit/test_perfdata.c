// SPDX-License-Identifier: GPL-2.0
/* perf.data, written and read back; whole, cut and bent. What stock perf says is in tests/tool. */
#define _GNU_SOURCE	/* memfd_create() */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../tools/hctrace/base/exit.h"
#include "../../tools/hctrace/formats/perfdata.h"
#include "../../tools/hctrace/recording/sources.h"
#include "rig.h"

#define NR_CALLS	12
#define PIPE_BYTES	65536
#define TRACEPOINT	77

static char *argv[] = { "hctrace record", "-o", "file", NULL };
static u8 file[PIPE_BYTES];
static size_t file_size;

/* --- making ----------------------------------------------------------------- */

static struct xen_hctrace_call call_nr(u32 i)
{
	return (struct xen_hctrace_call){
		.tsc = 1000 + i, .ns = 1000000 + 1000 * i,
		.op = i % 3 ? HCT_OP_iret : HCT_OP_vcpu_op,
		.args = i % 3 ? 0 : 3, .a0 = 3, .a1 = i, .domid = i % 5, .vcpu = i % 2,
		.pcpu = i % 4,
		.subop = i % 3 ? XEN_HCTRACE_NO_SUBOP : 3,
	};
}

/* "web1", filled up, and what stands behind it */
#define COMM_BYTES	(sizeof(struct perfdata_comm) + 8 + sizeof(struct perfdata_sample_id))

static int begin(struct perfdata_writer *w, int fd, const char *format, int argc, char **words)
{
	const struct perfdata_intro intro = {
		.tracepoint_id = TRACEPOINT, .format = format, .argc = argc, .argv = words,
	};

	return perfdata_begin(w, fd, &intro);
}

/* Records, and where the first of them begins. */
static void write_records(struct perfdata_writer *w, int fd)
{
	const struct domname what = { .name = "web1" };
	struct xen_hctrace_call call;
	u32 i;

	assert_int_equal(begin(w, fd, "name: hct_hypercall\n", 3, argv), 0);
	assert_int_equal(perfdata_put_comm(w, 3, 1, "web1", &what, 0), 0);
	for (i = 0; i < NR_CALLS; i++) {
		call = call_nr(i);
		assert_int_equal(perfdata_put_call(w, TRACEPOINT, &call), 0);
		if (i % 10 == 9)
			assert_int_equal(perfdata_put_round(w), 0);
	}
	assert_int_equal(perfdata_put_lost(w, XEN_HCTRACE_LOST_RING, 5, 2000000), 0);
	assert_int_equal(perfdata_put_lost(w, XEN_HCTRACE_LOST_XEN(2), 7, 2000000), 0);
	assert_int_equal(perfdata_end(w), 0);
}

static u64 make_file(void)
{
	static struct perfdata_writer w;
	int fd = memfd_create("perf.data", 0);

	assert_true(fd >= 0);
	write_records(&w, fd);
	file_size = pread(fd, file, sizeof(file), 0);
	close(fd);
	return w.data_at;
}

static void make_pipe(void)
{
	static struct perfdata_writer w;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	write_records(&w, fds[1]);
	close(fds[1]);
	file_size = read(fds[0], file, sizeof(file));
	close(fds[0]);
}

/* --- reading ---------------------------------------------------------------- */

static int read_bytes(const u8 *bytes, size_t size, bool through_pipe, struct recording *rec)
{
	struct recording_options opt = { .tsc_khz = 1000000, .until_ns = ~0ull, .quiet = true };
	char path[40];
	int status, fds[2];

	if (through_pipe) {
		assert_int_equal(pipe(fds), 0);
	} else {
		fds[0] = memfd_create("perf.data", 0);
		fds[1] = dup(fds[0]);
	}
	assert_int_equal(write(fds[1], bytes, size), size);
	close(fds[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	opt.path = path;
	assert_int_equal(recording_init(rec, &opt, NULL), 0);
	close(fds[0]);
	status = recording_read(rec);
	return status;
}

static u64 calls_of(const struct recording *rec)
{
	struct hct_counters total;

	hct_pipeline_total(&rec->p, &total);
	assert_int_equal(total.consumed, total.events + total.undecodable);
	return total.events;
}

static void expect_all(bool through_pipe)
{
	struct hct_counters total;
	struct recording rec;

	assert_int_equal(read_bytes(file, file_size, through_pipe, &rec), 0);
	hct_pipeline_total(&rec.p, &total);
	assert_int_equal(total.events, NR_CALLS);
	assert_int_equal(total.lost, 7);
	assert_int_equal(rec.lost_recorder, 5);
	assert_int_equal(rec.p.nr_rings, 4);
	assert_int_equal(rec.last - rec.first, 1000 * (NR_CALLS - 1));
	assert_string_equal(recording_what(&rec, 3)->name, "web1");
	assert_string_equal(recording_what(&rec, 2)->name, "");
	assert_int_equal(rec.p.acct->nr, 5);
	assert_int_equal(rec.p.acct->domains[0].cells[HCT_KIND_CALL][HCT_OP_iret].calls, 2);
	assert_int_equal(rec.p.acct->domains[0].cells[HCT_KIND_CALL][HCT_CELL_VCPU + 3].calls, 1);
	recording_free(&rec);
}

static void test_file(void **state)
{
	(void)state;
	make_file();
	expect_all(false);
	expect_all(true);
}

static void test_pipe(void **state)
{
	(void)state;
	make_pipe();
	expect_all(true);
	expect_all(false);
}

/* What is there before the cut is read; that something is missing is seen. */
static void test_cut_file(void **state)
{
	u64 data_at = make_file();
	size_t size;

	(void)state;
	for (size = data_at; size < file_size; size += 1 + size % 7) {
		struct recording rec;
		int status = read_bytes(file, size, size & 1, &rec);
		u64 behind = size - data_at;

		if (behind < NR_CALLS * sizeof(struct perfdata_sample))
			assert_int_equal(status, EXIT_DAMAGED);
		assert_true(calls_of(&rec) <= behind / sizeof(struct perfdata_sample));
		assert_true(calls_of(&rec) + 1 >= behind / (sizeof(struct perfdata_sample) + 8) ||
			    calls_of(&rec) == NR_CALLS);
		recording_free(&rec);
	}
}

static void test_cut_head(void **state)
{
	u64 data_at = make_file();
	size_t size;

	(void)state;
	for (size = 8; size < data_at; size += size < 300 ? 1 : 97) {
		struct recording rec;

		assert_int_not_equal(read_bytes(file, size, size & 1, &rec), 0);
		assert_int_equal(calls_of(&rec), 0);
		recording_free(&rec);
	}
}

static void test_cut_pipe(void **state)
{
	size_t size;

	(void)state;
	make_pipe();
	for (size = 8; size < file_size; size += 1 + size % 11) {
		struct recording rec;

		read_bytes(file, size, true, &rec);
		assert_true(calls_of(&rec) <= size / sizeof(struct perfdata_sample));
		recording_free(&rec);
	}
}

/* A record of no length, in the middle: the next sample is found. */
static void test_zero_length(void **state)
{
	u64 at = make_file() + COMM_BYTES + 4 * sizeof(struct perfdata_sample);
	struct recording rec;

	(void)state;
	memset(file + at, 0, 8);
	assert_int_equal(read_bytes(file, file_size, false, &rec), EXIT_DAMAGED);
	assert_int_equal(calls_of(&rec), NR_CALLS - 1);
	assert_int_equal(rec.damage.places, 1);
	assert_int_equal(rec.damage.bytes, sizeof(struct perfdata_sample));
	recording_free(&rec);
}

static void test_flipped(void **state)
{
	u64 random = 31;
	size_t i;

	(void)state;
	make_file();
	for (i = 8; i < file_size; i += i < 120 ? 1 : 5) {
		u8 old = file[i];
		struct recording rec;

		file[i] ^= 1 + rig_random(&random, 255);
		read_bytes(file, file_size, false, &rec);
		assert_true(calls_of(&rec) <= NR_CALLS);
		recording_free(&rec);
		file[i] = old;
	}
}

/* Samples of schema version 1, and what is too short for one. */
static void test_old_payload(void **state)
{
	static struct perfdata_writer w;
	struct old_sample {
		struct perf_event_header header;
		struct perfdata_sample_id id;
		u8 raw[64];	/* size, payload of 56 bytes, 0 */
	} samples[4];
	struct xen_hctrace_sample payload = { .common_type = TRACEPOINT };
	struct iovec span = { samples, sizeof(samples) };
	/* As the ring has it, as some other writer might, a byte too few, more than there is */
	const u32 raw_sizes[] = { 60, 56, 55, 61 };
	int fd = memfd_create("perf.data", 0);
	struct recording rec;
	u32 i;

	(void)state;
	memset(samples, 0, sizeof(samples));
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		payload.call = call_nr(i);
		samples[i].header.type = PERF_RECORD_SAMPLE;
		samples[i].header.size = sizeof(samples[i]);
		memcpy(samples[i].raw, &raw_sizes[i], sizeof(u32));
		memcpy(samples[i].raw + sizeof(u32), &payload, 56);
	}
	assert_int_equal(begin(&w, fd, "", 1, argv), 0);
	assert_int_equal(perfdata_put_records(&w, &span, 1), 0);
	assert_int_equal(perfdata_end(&w), 0);
	file_size = pread(fd, file, sizeof(file), 0);
	close(fd);

	assert_int_equal(read_bytes(file, file_size, false, &rec), EXIT_DAMAGED);
	assert_int_equal(calls_of(&rec), 2);
	assert_int_equal(rec.damage.places, 2);
	assert_int_equal(rec.damage.bytes, 2 * sizeof(samples[0]));
	assert_int_equal(rec.p.acct->domains[0].cells[HCT_KIND_CALL][HCT_CELL_VCPU + 3].calls, 1);
	assert_int_equal(rec.p.acct->domains[1].cells[HCT_KIND_CALL][HCT_OP_iret].calls, 1);
	recording_free(&rec);

	/* The first is broken off at its begin: the second, which is the last, is found. */
	memset(file + w.data_at, 0, 8);
	assert_int_equal(read_bytes(file, w.data_at + 2 * sizeof(samples[0]), false, &rec),
			 EXIT_DAMAGED);
	assert_int_equal(calls_of(&rec), 1);
	recording_free(&rec);
}

/* Domains, kinds and pCPUs that cannot be. */
static void test_insane_calls(void **state)
{
	static struct perfdata_writer w;
	struct xen_hctrace_call call = call_nr(0);
	int fd = memfd_create("perf.data", 0);
	struct hct_counters total;
	struct recording rec;

	(void)state;
	assert_int_equal(begin(&w, fd, "", 1, argv), 0);
	call.kind = HCT_NR_KINDS;
	perfdata_put_call(&w, TRACEPOINT, &call);
	call.kind = HCT_KIND_CALL;
	call.domid = XEN_DOMID_IDLE;
	perfdata_put_call(&w, TRACEPOINT, &call);
	call.domid = XEN_HCTRACE_UNKNOWN;
	call.pcpu = 0xffff;
	perfdata_put_call(&w, TRACEPOINT, &call);
	assert_int_equal(perfdata_end(&w), 0);
	file_size = pread(fd, file, sizeof(file), 0);
	close(fd);

	assert_int_equal(read_bytes(file, file_size, false, &rec), EXIT_DAMAGED);
	hct_pipeline_total(&rec.p, &total);
	assert_int_equal(total.undecodable, 2);
	assert_int_equal(total.unattributed, 1);
	recording_free(&rec);
}

/* A disk that is full leaves a valid file, up to the last round. */
static void test_full_disk(void **state)
{
	static struct perfdata_writer w;
	struct xen_hctrace_call call = call_nr(0);
	int fd = memfd_create("perf.data", MFD_ALLOW_SEALING);
	struct recording rec;
	u32 i;

	(void)state;
	assert_int_equal(begin(&w, fd, "", 1, argv), 0);
	for (i = 0; i < 10; i++)
		perfdata_put_call(&w, TRACEPOINT, &call);
	assert_int_equal(perfdata_put_round(&w), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	for (i = 0; i < 1000; i++)
		perfdata_put_call(&w, TRACEPOINT, &call);
	assert_int_equal(perfdata_end(&w), -1);
	assert_int_equal(w.error, EPERM);
	file_size = pread(fd, file, sizeof(file), 0);
	close(fd);

	assert_int_equal(read_bytes(file, file_size, false, &rec), 0);
	assert_int_equal(calls_of(&rec), 10);
	recording_free(&rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_cut_file),
		cmocka_unit_test(test_cut_head),
		cmocka_unit_test(test_cut_pipe),
		cmocka_unit_test(test_zero_length),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_old_payload),
		cmocka_unit_test(test_insane_calls),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests_name("perfdata", tests, NULL, NULL);
}
