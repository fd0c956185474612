/* SPDX-License-Identifier: GPL-2.0 */
/* Colour on terminals. */
#ifndef HCTRACE_COLOR_H
#define HCTRACE_COLOR_H

#include <stdbool.h>
#include <stdio.h>

/** enum color_when - what --color says */
enum color_when {
	COLOR_AUTO,	/* on a terminal, unless NO_COLOR is set or it has none */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/** struct palette - what to write in front of text of that kind, "" if there is no colour */
struct palette {
	const char *head;
	const char *strong;
	const char *hot;
	const char *warm;
	const char *warn;
	const char *dim;
	const char *bar;
	const char *off;
};

/** color_parse() - "auto", "always" or "never"; false: it is none of them */
bool color_parse(const char *arg, enum color_when *when);

/** color_palette() - the one for what is written to @to; never NULL */
const struct palette *color_palette(FILE *to, enum color_when when);

/** color_of_share() - perf's: from 5 percent on hot, from half a percent on warm */
const char *color_of_share(const struct palette *palette, double percent);

#endif /* HCTRACE_COLOR_H */
