// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as an xentrace file: byte 0 says whether through a pipe, the rest is the
 * file. Every byte of it must be a record, a header, or counted as damage.
 */
#define _GNU_SOURCE	/* memfd_create() */

#include <sys/mman.h>
#include <unistd.h>

#include <hctrace/xen_trace.h>

#include "../../tools/hctrace/formats/xentrace_read.h"
#include "fuzz.h"

#define MAX_STREAMS	4096

struct seen {
	u32 streams;
	u64 bytes;
	u64 tsc[MAX_STREAMS];
};

static bool see_pcpu(void *ctx, u32 stream, u32 pcpu)
{
	struct seen *seen = ctx;

	must(stream == seen->streams++ && pcpu < XENTRACE_MAX_PCPUS);
	return seen->streams < MAX_STREAMS;
}

/* A record behind which we want no more: any sum will do that some input has. */
static bool is_last(const u32 *words)
{
	u32 sum = 0;
	u32 i;

	for (i = 0; i < xen_trc_words(words[0]); i++)
		sum += words[i];
	return sum == 0xdeadbeef;
}

static bool see_record(void *ctx, u32 stream, u64 tsc, const u32 *words, unsigned int nr_words)
{
	struct seen *seen = ctx;

	must(stream < seen->streams && nr_words == xen_trc_words(words[0]));
	if (!xen_trc_has_tsc(words[0]))
		must(tsc == seen->tsc[stream]);
	/* Where time goes back it says so first. */
	must(tsc >= seen->tsc[stream]);
	seen->tsc[stream] = tsc;
	seen->bytes += 4 * nr_words;
	return !is_last(words);
}

/* Takes two records at most, and not always; never the last, as only see_record() can end it. */
static u32 see_row(void *ctx, u32 stream, const u32 *words, u32 nr_words, u64 turn, u64 *tsc)
{
	struct seen *seen = ctx;
	u32 taken = 0;
	u32 i;

	for (i = 0; i < 2 && taken + XEN_TRC_MAX_WORDS < nr_words; i++) {
		const u32 *record = words + taken;
		u64 time = *tsc;

		if (xen_trc_has_tsc(record[0]))
			time = record[1] | (u64)record[2] << 32;
		/* Time as the reader shows it is never the highest there is, nor goes back. */
		if ((record[0] ^ turn) & 1 || time >= ~0ull - 1 || time < *tsc || is_last(record))
			break;
		*tsc = time;
		must(see_record(ctx, stream, *tsc, record, xen_trc_words(record[0])));
		taken += xen_trc_words(record[0]);
	}
	must(seen->tsc[stream] == *tsc || !taken);
	return taken;
}

static void see_step(void *ctx)
{
	memset(((struct seen *)ctx)->tsc, 0, sizeof(((struct seen *)ctx)->tsc));
}

static void see_gap(void *ctx, u32 stream)
{
	must(stream < ((struct seen *)ctx)->streams);
}

static void see_offset(void *ctx, u64 offset)
{
	(void)ctx;
	(void)offset;
}

static int open_with(const u8 *data, size_t size, bool is_pipe)
{
	int fds[2];

	if (is_pipe) {
		must(!pipe(fds));
		must(write(fds[1], data, size) == (ssize_t)size);
		close(fds[1]);
		return fds[0];
	}
	fds[0] = memfd_create("fuzz", 0);
	must(fds[0] >= 0 && write(fds[0], data, size) == (ssize_t)size);
	return fds[0];
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct seen seen;
	const struct xentrace_reader reader = {
		.pcpu = see_pcpu, .row = see_row, .record = see_record, .step = see_step,
		.gap = see_gap, .at = see_offset, .ctx = &seen,
	};
	struct damage damage = { .places = 0 };
	bool disordered = false;
	struct input in;
	char path[40];
	int fd;

	if (size < 2 || size > 60000)
		return 0;
	memset(&seen, 0, sizeof(seen));
	fd = open_with(data + 1, size - 1, data[0] & 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	must(!input_open(&in, path));
	close(fd);
	xentrace_read(&in, &reader, &damage, &disordered);
	input_close(&in);
	must(!disordered);
	must(seen.bytes + damage.bytes <= size - 1);
	return 0;
}
