/* SPDX-License-Identifier: GPL-2.0 */
/* What --domain and --op find in what the module counts, and words for when that is nothing. */
#ifndef HCTRACE_MATCHED_H
#define HCTRACE_MATCHED_H

#include "base/filter.h"
#include "domnames.h"
#include "statsfile.h"

/** matched_row() - whether a row is wanted */
bool matched_row(const struct filter *filter, const struct stats_row *row,
		 struct domnames *names);

/**
 * matched_any() - tell a filter that finds nothing from a host that is quiet
 * @filter: what is wanted
 * @stats: all that was ever counted: who makes no calls for a time has rows
 * @names: of domains
 *
 * Return: whether there is no filter, or something that is wanted.
 */
bool matched_any(const struct filter *filter, const struct stats *stats, struct domnames *names);

/** matched_status() - 0 if there is, or EXIT_NOTHING after @verb has said what there is not */
int matched_status(const char *verb, const struct filter *filter, const struct stats *stats,
		   struct domnames *names);

/** matched_nothing() - say that, when it is known. Return: EXIT_NOTHING */
int matched_nothing(const char *verb, const struct filter *filter, const struct stats *stats,
		    const struct domnames *names);

#endif /* HCTRACE_MATCHED_H */
