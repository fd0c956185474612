// SPDX-License-Identifier: GPL-2.0
/* See progress.h. Files that are read in a moment show nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define FIRST_NS	500000000ll
#define EVERY_NS	100000000ll
#define BAR_COLUMNS	40

struct progress {
	u64 size;
	s64 next_ns;
	bool is_shown;
};

static s64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

struct progress *progress_new(u64 size)
{
	struct progress *progress;

	if (!size || !isatty(STDERR_FILENO))
		return NULL;
	progress = calloc(1, sizeof(*progress));
	if (!progress)
		return NULL;
	progress->size = size;
	progress->next_ns = now_ns() + FIRST_NS;
	return progress;
}

void progress_at(struct progress *progress, u64 offset)
{
	static const char bar[] = "########################################";
	unsigned int columns;
	s64 now;

	if (!progress)
		return;
	now = now_ns();
	if (now < progress->next_ns)
		return;
	progress->next_ns = now + EVERY_NS;
	progress->is_shown = true;
	if (progress->size == ~0ull) {
		fprintf(stderr, "\r%llu MB", offset >> 20);
		return;
	}
	if (offset > progress->size)
		offset = progress->size;
	columns = (double)offset / progress->size * BAR_COLUMNS;
	fprintf(stderr, "\r[%-*.*s] %3.0f %%", BAR_COLUMNS, (int)columns, bar,
		100.0 * offset / progress->size);
}

void progress_end(struct progress *progress)
{
	if (progress && progress->is_shown)
		fprintf(stderr, "\r%*s\r", BAR_COLUMNS + 10, "");
	free(progress);
}
