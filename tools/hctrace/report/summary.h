/* SPDX-License-Identifier: GPL-2.0 */
/* What a report for people is made of, in whichever form. */
#ifndef HCTRACE_REPORT_SUMMARY_H
#define HCTRACE_REPORT_SUMMARY_H

#include "show/counts.h"
#include "show/tally.h"

/**
 * struct summary - a recording, summed up and sorted
 * @rec: the recording
 * @counts: its rows
 * @diff: the same as what happened between nothing and now
 * @tally: by domain and op, the most records first
 * @seconds: how long it is; 0: not known, and neither are rates
 */
struct summary {
	const struct recording *rec;
	struct counts counts;
	struct stats_diff diff;
	struct tally tally;
	double seconds;
};

/** summary_make() - of a recording that was read; false: no memory. summary_free() it */
bool summary_make(struct summary *summary, const struct recording *rec);
void summary_free(struct summary *summary);

/**
 * summary_losses() - what makes the figures untrue, in sentences
 * @summary: the summary
 * @say: gets each of them, without a full stop behind the last; @is_bad: figures are wrong
 * @ctx: its first argument
 *
 * There is one at least: that nothing was lost.
 */
void summary_losses(const struct summary *summary,
		    void (*say)(void *ctx, bool is_bad, const char *text), void *ctx);

/**
 * summary_sizes() - what a histogram of batch sizes is drawn from
 * @row: the domain's batches
 * @first: filled in: the first bucket that has any; %HCT_NR_SIZES if none has
 * @last: filled in: the last one; 0 if there is none
 *
 * Return: the most that a bucket has.
 */
u64 summary_sizes(const struct batch_row *row, unsigned int *first, unsigned int *last);

#endif /* HCTRACE_REPORT_SUMMARY_H */
