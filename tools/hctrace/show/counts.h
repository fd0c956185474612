/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Totals to be exported, of a recording or of what the module counts now, in one form:
 * the one in which the module's files are read.
 */
#ifndef HCTRACE_COUNTS_H
#define HCTRACE_COUNTS_H

#include "live/domnames.h"
#include "live/statsdiff.h"
#include "recording/recording.h"

/**
 * struct breaker - what the module's breaker did
 * @is_known: the module tells of it
 * @is_open: tracing is paused now, because a guest makes Xen log warnings
 * @trips: how often it opened
 * @paused_ms: for how long altogether
 */
struct breaker {
	bool is_known;
	bool is_open;
	u64 trips;
	u64 paused_ms;
};

/**
 * struct counts - totals
 * @now: rows of ops and multicalls, none of them a sum but that of d? which the module
 *	has; of the header what a recording has too. Live, all of it.
 * @total: the ledger; live, without what the module's files do not have
 * @breaker: live
 * @recording: where it is from, or NULL: live
 * @names: of domains, live
 */
struct counts {
	struct reading now;
	struct hct_counters total;
	struct breaker breaker;
	const struct recording *recording;
	struct domnames *names;
};

/**
 * counts_of_recording() - of one that was read
 * @counts: filled in, counts_free() it
 * @rec: the recording, which must outlive @counts
 *
 * Return: false if there is no memory.
 */
bool counts_of_recording(struct counts *counts, const struct recording *rec);

/**
 * counts_of_host() - as they stand now
 * @counts: filled in, counts_free() it in any case
 * @opt: which of them
 * @err: filled in on failure, in words
 * @err_size: of @err
 */
bool counts_of_host(struct counts *counts, const struct recording_options *opt, char *err,
		    size_t err_size);

/** counts_matched() - 0, or EXIT_NOTHING after saying that nothing there is matches @opt */
int counts_matched(const struct counts *counts, const struct recording_options *opt);

/** counts_what() - what a domain is; never NULL, until the next call */
const struct domname *counts_what(const struct counts *counts, const struct dom_id *dom);

/** counts_name() - its name, "" if it has none */
static inline const char *counts_name(const struct counts *counts, const struct dom_id *dom)
{
	return counts_what(counts, dom)->name;
}

/** counts_domains() - each domain that has a row, once; to be freed. NULL: no memory */
struct dom_id *counts_domains(const struct counts *counts, size_t *nr);

void counts_free(struct counts *counts);

#endif /* HCTRACE_COUNTS_H */
