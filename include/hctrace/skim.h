/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A short way through the pipeline for what nearly all of a recording is: calls of
 * a vCPU that is known to run, made as Xen always records them, and records that
 * are no concern of ours. Whatever is odd about a record, it is left to
 * hct_pipeline_feed(), and so is every record that changes who runs. What a row of
 * records leaves behind is the same either way.
 *
 * A row may run ahead of the other rings: a vCPU runs in one place, so nothing that
 * is recorded elsewhere before it stops there has a part in what its calls count for.
 */
#ifndef HCTRACE_SKIM_H
#define HCTRACE_SKIM_H

#include <hctrace/pipeline.h>

/**
 * hct_skim() - count records as long as there is nothing odd about them
 * @p: the pipeline; if it has a sink, every record is odd unless that is calm
 * @ring: the ring they are of; its next record is the oldest of all rings
 * @words: that record and those behind it
 * @nr_words: how many may be read. A record that is cut there is left alone
 * @until: so are those later than this
 * @turn: time of the second oldest record
 *
 * Return: words of the records that were counted.
 */
u32 hct_skim(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words, u32 nr_words,
	     u64 until, u64 turn);

#endif /* HCTRACE_SKIM_H */
