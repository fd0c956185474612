/* SPDX-License-Identifier: GPL-2.0 */
/* A report for people. */
#ifndef HCTRACE_REPORT_PEOPLE_H
#define HCTRACE_REPORT_PEOPLE_H

#include "show/color.h"
#include "summary.h"

/**
 * struct people - how it is shown
 * @summary: what
 * @to: where
 * @palette: in which colours
 * @width: columns that there are
 * @uuid: domains have their UUIDs behind their names
 * @top: domains, and ops of each, that are shown; 0: all
 */
struct people {
	const struct summary *summary;
	FILE *to;
	const struct palette *palette;
	unsigned int width;
	bool uuid;
	unsigned int top;
};

/** people_print() - what was lost, calls by domain and op, multicalls by size */
void people_print(const struct people *people);

/** people_width() - columns of a terminal, or 80 where @to is none */
unsigned int people_width(FILE *to);

#endif /* HCTRACE_REPORT_PEOPLE_H */
