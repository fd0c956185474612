// SPDX-License-Identifier: GPL-2.0
/*
 * A long xentrace file out of a short one: the same records over and over, each
 * time later than before.
 *
 *   repeat_trace TIMES <CAPTURE >FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include <hctrace/xen_trace.h>

#define MAX_WORDS	(16u << 20)
#define BETWEEN		1000	/* cycles from the end to the next beginning */

static u32 words[MAX_WORDS];

static u64 tsc_of(const u32 *record)
{
	return record[1] | (u64)record[2] << 32;
}

static void move_on(u32 *record, u64 by)
{
	u64 tsc = tsc_of(record) + by;

	record[1] = tsc;
	record[2] = tsc >> 32;
}

int main(int argc, char **argv)
{
	unsigned long times = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	u64 first = ~0ull;
	u64 last = 0;
	size_t nr, at;

	if (!times) {
		fprintf(stderr, "Usage: repeat_trace TIMES <CAPTURE >FILE\n");
		return 2;
	}
	nr = fread(words, sizeof(words[0]), MAX_WORDS, stdin);
	for (at = 0; at < nr; at += xen_trc_words(words[at])) {
		if (!xen_trc_has_tsc(words[at]))
			continue;
		if (tsc_of(words + at) < first)
			first = tsc_of(words + at);
		if (tsc_of(words + at) > last)
			last = tsc_of(words + at);
	}
	while (times--) {
		if (fwrite(words, sizeof(words[0]), nr, stdout) != nr) {
			perror("repeat_trace");
			return 1;
		}
		for (at = 0; at < nr; at += xen_trc_words(words[at])) {
			if (xen_trc_has_tsc(words[at]))
				move_on(words + at, last - first + BETWEEN);
		}
	}
	return fflush(stdout) ? 1 : 0;
}
