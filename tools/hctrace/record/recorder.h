/* SPDX-License-Identifier: GPL-2.0 */
/* A file being recorded, in one of two formats. */
#ifndef HCTRACE_RECORDER_H
#define HCTRACE_RECORDER_H

#include "live/domnames.h"
#include "live/ring.h"
#include "wanted.h"

/**
 * struct record_tally - what went by
 * @records: calls in them; in xentrace's format: records of any kind
 * @ring_lost: lost for want of room in our ring
 * @xen_lost: records lost inside Xen
 * @gaps: times that nobody could tell what there was
 * @bytes: written
 */
struct record_tally {
	u64 records;
	u64 ring_lost;
	u64 xen_lost;
	u64 gaps;
	u64 bytes;
};

/**
 * struct recorder - a file being recorded
 * @reader: where it comes from
 * @fd: where it goes to
 * @argc: number of words in @argv
 * @argv: the command line
 * @names: of domains, or NULL
 * @wanted: what is recorded
 * @tally: what went by
 * @private: the format's own
 */
struct recorder {
	struct reader reader;
	int fd;
	int argc;
	char **argv;
	struct domnames *names;
	struct wanted wanted;
	struct record_tally tally;
	void *private;
};

/**
 * struct record_format - how a file is written
 * @name: for --format
 * @file: its name, if none is given
 * @sample_type: what it needs of the device
 * @flags: likewise, XEN_HCTRACE_ATTR_*
 * @raw: it needs raw mode
 * @begin: write what comes first
 * @take: write all that is in the ring, up to reader.head, so that it can be read should
 *	we be killed
 * @end: complete the file
 *
 * These return 0 or a negative errno.
 */
struct record_format {
	const char *name;
	const char *file;
	u64 sample_type;
	u64 flags;
	bool raw;
	int (*begin)(struct recorder *rec);
	int (*take)(struct recorder *rec);
	int (*end)(struct recorder *rec);
};

extern const struct record_format record_perf;
extern const struct record_format record_xentrace;

/** record_count_lost() - take note of a PERF_RECORD_LOST at @position of the ring */
void record_count_lost(struct recorder *rec, u64 position);

#endif /* HCTRACE_RECORDER_H */
