// SPDX-License-Identifier: GPL-2.0
/*
 * Make of a good xentrace file one that is not as it was written:
 *
 *   rearrange first TSC <IN >OUT     all times moved, so that the first record is of TSC
 *   rearrange reverse <IN >OUT       the last window first
 *   rearrange only PCPU <IN >OUT     windows of that pCPU alone
 *
 * Windows as in tools/hctrace/formats/xentrace_scan.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hctrace/xen_trace.h>

#define MAX_BYTES	(64u << 20)
#define HEADER_WORDS	3

/* A window: where its header stands, and how many words it has with that. */
struct window {
	const u32 *words;
	u32 nr;
};

static u32 input[MAX_BYTES / 4];
static struct window *windows;
static size_t nr_windows;

static void refuse(const char *why)
{
	fprintf(stderr, "rearrange: %s\n", why);
	exit(2);
}

static void find_windows(size_t nr_words)
{
	size_t at = 0;

	while (at < nr_words) {
		const u32 *header = input + at;
		u32 nr = HEADER_WORDS + header[2] / 4;

		if (header[0] != (XEN_TRC_CPU_CHANGE | 2u << 28) || nr > nr_words - at)
			refuse("this is no whole xentrace file");
		windows = realloc(windows, (nr_windows + 1) * sizeof(*windows));
		if (!windows)
			refuse("out of memory");
		windows[nr_windows++] = (struct window){ header, nr };
		at += nr;
	}
}

static void put(const u32 *words, size_t nr)
{
	if (nr && fwrite(words, sizeof(*words), nr, stdout) != nr)
		refuse("standard output");
}

static u64 time_of(const u32 *record)
{
	return record[1] | (u64)record[2] << 32;
}

static bool first_time(u64 *time)
{
	size_t i;
	u32 at;

	for (i = 0; i < nr_windows; i++) {
		const struct window *w = &windows[i];

		for (at = HEADER_WORDS; at < w->nr; at += xen_trc_words(w->words[at])) {
			if (!xen_trc_has_tsc(w->words[at]))
				continue;
			if (!*time || time_of(w->words + at) < *time)
				*time = time_of(w->words + at);
			break;
		}
	}
	return *time;
}

static void move(u64 to)
{
	u64 first = 0;
	size_t i;
	u32 at;

	if (!first_time(&first))
		refuse("no record has a time");
	for (i = 0; i < nr_windows; i++) {
		u32 *words = input + (windows[i].words - input);

		for (at = HEADER_WORDS; at < windows[i].nr; at += xen_trc_words(words[at])) {
			u64 time = time_of(words + at) - first + to;

			if (!xen_trc_has_tsc(words[at]))
				continue;
			words[at + 1] = time;
			words[at + 2] = time >> 32;
		}
		put(words, windows[i].nr);
	}
}

static void reverse(void)
{
	size_t i;

	for (i = nr_windows; i > 0; i--)
		put(windows[i - 1].words, windows[i - 1].nr);
}

static void only(u32 pcpu)
{
	size_t i;

	for (i = 0; i < nr_windows; i++) {
		if (windows[i].words[1] == pcpu)
			put(windows[i].words, windows[i].nr);
	}
}

int main(int argc, char **argv)
{
	size_t nr_words = fread(input, sizeof(*input), ARRAY_SIZE(input), stdin);

	find_windows(nr_words);
	if (argc == 3 && !strcmp(argv[1], "first"))
		move(strtoull(argv[2], NULL, 0));
	else if (argc == 2 && !strcmp(argv[1], "reverse"))
		reverse();
	else if (argc == 3 && !strcmp(argv[1], "only"))
		only(strtoul(argv[2], NULL, 10));
	else
		refuse("Usage: rearrange first TSC | reverse | only PCPU");
	free(windows);
	return fflush(stdout) ? 2 : 0;
}
