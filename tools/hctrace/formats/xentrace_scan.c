// SPDX-License-Identifier: GPL-2.0
/* See xentrace_scan.h. */
#define _GNU_SOURCE	/* memmem() */

#include <string.h>

#include <hctrace/xen_trace.h>

#include "xentrace_scan.h"

#define HEADER_WORDS	3
#define CPU_CHANGE	(XEN_TRC_CPU_CHANGE | 2u << 28)
#define CHUNK_BYTES	65536

/* A header at @at: SCAN_WINDOW, if that is one; SCAN_END, if it is something else. */
static enum scan_result read_header(struct input *in, u64 at, struct window *window)
{
	u32 words[HEADER_WORDS];
	ssize_t got = input_read(in, at, words, sizeof(words));

	if (got == INPUT_FULL)
		return SCAN_FULL;
	if (got != XENTRACE_HEADER_BYTES || words[0] != CPU_CHANGE ||
	    words[1] >= XENTRACE_MAX_PCPUS || words[2] & 3)
		return SCAN_END;
	window->pcpu = words[1];
	window->from = at;
	window->at = at + XENTRACE_HEADER_BYTES;
	window->end = window->at + words[2];
	return SCAN_WINDOW;
}

/* Whether something stands at @at. */
static enum scan_result is_there(struct input *in, u64 at)
{
	ssize_t got;
	u8 byte;

	if (at < in->size && in->size != ~0ull)
		return SCAN_WINDOW;
	got = input_read(in, at, &byte, 1);
	if (got == INPUT_FULL)
		return SCAN_FULL;
	return got ? SCAN_WINDOW : SCAN_END;
}

/* Whether the window that is announced at @at ends where another begins, or the file ends. */
static bool is_plausible(struct input *in, u64 at)
{
	struct window window, next;

	if (read_header(in, at, &window) != SCAN_WINDOW)
		return false;
	return is_there(in, window.end) != SCAN_WINDOW ||
	       read_header(in, window.end, &next) != SCAN_END;
}

/*
 * The first plausible header from @from on. Return: SCAN_WINDOW; SCAN_END or
 * SCAN_FULL with @at behind all that was searched.
 */
static enum scan_result search(struct scan *scan, u64 from, u64 *at)
{
	static const u32 wanted = CPU_CHANGE;
	static u8 chunk[CHUNK_BYTES];

	for (;;) {
		size_t want = sizeof(chunk);
		const u8 *hit = chunk;
		ssize_t got;

		/* Near the limit of what a pipe keeps, less is still something. */
		while ((got = input_read(scan->in, from, chunk, want)) == INPUT_FULL && want > 4)
			want /= 2;
		if (got < (ssize_t)sizeof(wanted)) {
			*at = from + (got > 0 ? got : 0);
			return got == INPUT_FULL ? SCAN_FULL : SCAN_END;
		}
		while ((hit = memmem(hit, chunk + got - hit, &wanted, sizeof(wanted)))) {
			*at = from + (hit - chunk);
			if (is_plausible(scan->in, *at))
				return SCAN_WINDOW;
			hit++;
		}
		from += got - (sizeof(wanted) - 1);
	}
}

bool xentrace_is(struct input *in)
{
	struct scan scan = { .in = in };
	struct window window;
	u64 at;

	return read_header(in, 0, &window) == SCAN_WINDOW || search(&scan, 0, &at) == SCAN_WINDOW;
}

/* Pass over what is no window. */
static enum scan_result resync(struct scan *scan)
{
	enum scan_result result;
	u64 at;

	result = search(scan, scan->at, &at);
	if (at > scan->at) {
		scan->damage->places++;
		scan->damage->bytes += at - scan->at;
	}
	scan->at = at;
	return result;
}

/* The window ends beyond the file, or not where another begins. */
static void correct_end(struct scan *scan, struct window *window)
{
	u64 end = window->end;
	u64 next;

	if (search(scan, window->at, &next) == SCAN_WINDOW && next < end)
		window->end = next;
	else if (scan->in->size < end)
		window->end = scan->in->size > window->at ? scan->in->size : window->at;
	else
		return;
	scan->damage->places++;
	scan->damage->missing += end - window->end;
}

/* The header where the next window should begin; seen already, if the last one ended well. */
static enum scan_result read_next(struct scan *scan, struct window *window)
{
	if (scan->next.at != scan->at + XENTRACE_HEADER_BYTES)
		return read_header(scan->in, scan->at, window);
	*window = scan->next;
	return SCAN_WINDOW;
}

enum scan_result scan_next(struct scan *scan, struct window *window)
{
	enum scan_result result = read_next(scan, window);

	if (result == SCAN_END) {
		result = is_there(scan->in, scan->at);
		if (result == SCAN_WINDOW)
			result = resync(scan);
		if (result == SCAN_WINDOW)
			result = read_header(scan->in, scan->at, window);
	}
	if (result != SCAN_WINDOW)
		return result;

	/* An end that a pipe cannot show yet is believed for now. */
	result = read_header(scan->in, window->end, &scan->next);
	if (result != SCAN_WINDOW)
		scan->next.at = 0;
	if (result == SCAN_END && window->end != scan->in->size)
		correct_end(scan, window);
	scan->at = window->end;
	return SCAN_WINDOW;
}
