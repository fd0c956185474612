/* SPDX-License-Identifier: GPL-2.0 */
/* Results of a test program as lib.sh prints them: TAP without a plan. Wants _GNU_SOURCE. */
#ifndef E2E_TAP_H
#define E2E_TAP_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* tap_begin() - a forked child must not print its parent's lines once more */
static inline void tap_begin(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
}

static inline void tap_line(int passed, const char *fmt, va_list args)
{
	printf("%s - ", passed ? "ok" : "not ok");
	vprintf(fmt, args);
}

static inline __attribute__((format(printf, 2, 3))) void ok(int passed, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tap_line(passed, fmt, args);
	va_end(args);
	printf("\n");
}

static inline __attribute__((format(printf, 3, 4))) void is(uint64_t got, uint64_t wanted,
							    const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tap_line(got == wanted, fmt, args);
	va_end(args);
	if (got == wanted)
		printf(": %llu\n", (unsigned long long)got);
	else
		printf(": got %llu, wanted %llu\n", (unsigned long long)got,
		       (unsigned long long)wanted);
}

/* is_error() - two errors, 0 for success; by name, as in ENOENT */
static inline __attribute__((format(printf, 3, 4))) void is_error(int got, int wanted,
								  const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tap_line(got == wanted, fmt, args);
	va_end(args);
	if (got == wanted)
		printf(": %s\n", strerrorname_np(got));
	else
		printf(": got %s, wanted %s\n", strerrorname_np(got), strerrorname_np(wanted));
}

#endif /* E2E_TAP_H */
