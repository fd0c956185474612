/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of an xentrace file in the order of time. The file is a row of
 * passes over all pCPUs (see xentrace_scan.h). What a pass wrote was recorded
 * before the next pass came along, so it is in order once the windows of two
 * passes that follow each other are merged: the same rounds that the core makes
 * over live rings. Memory does not depend on the length of the file.
 *
 * Within a stream time never goes back, unless the host's counter began anew over a
 * suspend, or the file is not what xentrace wrote in one go. The stream then waits
 * until all others have come to such a place or have no records in these two passes:
 * as live, see the drawing in hctrace/pipeline.h.
 */
#ifndef HCTRACE_XENTRACE_READ_H
#define HCTRACE_XENTRACE_READ_H

#include "xentrace_scan.h"

/**
 * struct xentrace_reader - who gets the records
 * @pcpu: a pCPU turns up that had no windows before. Streams are numbered from 0 on
 *	in the order in which they do. Return: whether to go on.
 * @row: may take any number of records of stream @stream at once, those that can be
 *	counted whatever is recorded elsewhere meanwhile. The next one of all others
 *	comes at @turn. Return: words taken; @tsc is set to the time of the last record.
 *	NULL: none ever are
 * @record: a record of stream @stream, at least at @tsc (its own time, or that of the
 *	last one that had any). Return: whether to go on.
 * @step: time goes back in all streams, before the next record
 * @gap: something of stream @stream is missing here
 * @at: input was read up to @offset
 * @ctx: first argument of all of these
 */
struct xentrace_reader {
	bool (*pcpu)(void *ctx, u32 stream, u32 pcpu);
	u32 (*row)(void *ctx, u32 stream, const u32 *words, u32 nr_words, u64 turn, u64 *tsc);
	bool (*record)(void *ctx, u32 stream, u64 tsc, const u32 *words, unsigned int nr_words);
	void (*step)(void *ctx);
	void (*gap)(void *ctx, u32 stream);
	void (*at)(void *ctx, u64 offset);
	void *ctx;
};

/**
 * xentrace_read() - read all of an input
 * @in: just opened
 * @reader: gets everything
 * @damage: what was wrong with the input is added here
 * @disordered: set if a pipe was too long between two passes to sort them
 *
 * Return: 0, or -1 for want of memory.
 */
int xentrace_read(struct input *in, const struct xentrace_reader *reader, struct damage *damage,
		  bool *disordered);

#endif /* HCTRACE_XENTRACE_READ_H */
