/* SPDX-License-Identifier: GPL-2.0 */
/* How counts are written: for people, as CSV, as JSON. */
#ifndef HCTRACE_SHOW_TABLE_H
#define HCTRACE_SHOW_TABLE_H

#include <stdio.h>

#include "tally.h"

/**
 * struct stat_report - one table
 * @after: the reading at its end, for its header
 * @diff: what happened
 * @tally: the same, to be shown
 * @at_s: when it ends, in seconds since the start; below 0: it is the only one
 * @is_first: it is the first of its run
 * @what: what it is of: "'sleep 1'", "the host"
 */
struct stat_report {
	const struct stats *after;
	const struct stats_diff *diff;
	const struct tally *tally;
	double at_s;
	bool is_first;
	const char *what;
};

typedef void (*stat_print_fn)(FILE *to, const struct stat_report *report);

void stat_print_text(FILE *to, const struct stat_report *report);
/* Rows alone, each with its time, and a heading above the first of all. */
void stat_print_rows(FILE *to, const struct stat_report *report);
void stat_print_csv_header(FILE *to);
void stat_print_csv(FILE *to, const struct stat_report *report);
/* An object a line. */
void stat_print_json(FILE *to, const struct stat_report *report);

/** print_heading() - the line above rows */
void print_heading(FILE *to);

/** print_row() - a row, in the layout of the module's own table, with its share of all records */
void print_row(FILE *to, const struct stats_diff *diff, const struct stats_row *row);

/** print_losses() - in words, what makes the figures untrue; nothing if they are true */
void print_losses(FILE *to, const struct stats *after, const struct stats_diff *diff);

#endif /* HCTRACE_SHOW_TABLE_H */
