// SPDX-License-Identifier: GPL-2.0
/* See say.h. */
#include <stdarg.h>
#include <stdio.h>

#include "say.h"

static unsigned int troubles;

void doctor_ok(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	printf("  ok    ");
	vprintf(fmt, args);
	printf("\n");
	va_end(args);
}

void doctor_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	printf("  note  ");
	vprintf(fmt, args);
	printf("\n");
	va_end(args);
}

void doctor_trouble(const char *what, const char *why, const char *next, ...)
{
	va_list args;

	troubles++;
	printf("  FAIL  %s\n        %s\n  next: ", what, why);
	va_start(args, next);
	vprintf(next, args);
	printf("\n");
	va_end(args);
}

unsigned int doctor_troubles(void)
{
	return troubles;
}
