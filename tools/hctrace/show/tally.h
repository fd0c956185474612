/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is shown: the calls of a time, filtered, summed up by domain and sorted. A row
 * is a domain, within it a row is a kind and an op.
 */
#ifndef HCTRACE_TALLY_H
#define HCTRACE_TALLY_H

#include "base/filter.h"
#include "live/domnames.h"
#include "live/statsdiff.h"

/** enum sort_key - by what domains and ops are sorted, the most first */
enum sort_key {
	SORT_RECORDS,	/* records of every kind */
	SORT_CALLS,	/* calls of every kind */
	SORT_MEMBERS,
	SORT_BATCHES,	/* multicalls; of ops: units */
	SORT_SIZE,	/* mean size of multicalls; of ops: units per call */
	SORT_CONT,
	SORT_CPU,	/* CPU time; of ops: records */
	SORT_PER_CPU,	/* calls per second of it; of ops: records */
	SORT_NAME,	/* domain id; of ops: their name. The least first */
	NR_SORT_KEYS,
};

/** sort_key_name() - what users call it */
const char *sort_key_name(enum sort_key key);
/** sort_key_by_name() - the other way round; -1: none */
int sort_key_by_name(const char *name);

/**
 * struct dom_tally - a domain
 * @dom: which one
 * @what: its name and type
 * @records: its records: calls of both kinds and their continuations
 * @calls: its direct calls
 * @members: its calls inside multicalls
 * @cont: continuations of both
 * @bound: @calls is an upper bound
 * @batches: multicalls
 * @declared: what they announced
 * @cut: of them, those that lost records cut
 * @has_cpu: @cpu_us is known
 * @cpu_us: for how long its vCPUs ran, in microseconds
 * @sizes: its multicalls in detail; NULL if it made none
 * @ops: its rows
 * @nr_ops: how many
 */
struct dom_tally {
	struct dom_id dom;
	struct domname what;
	u64 records;
	u64 calls;
	u64 members;
	u64 cont;
	bool bound;
	u64 batches;
	u64 declared;
	u64 cut;
	bool has_cpu;
	u64 cpu_us;
	const struct batch_row *sizes;
	struct stats_row *ops;
	size_t nr_ops;
};

/**
 * struct tally - all of them
 * @calls: calls of what is shown, members included
 * @rows: rows that are wanted, copied; those of a domain stand together
 * @doms: the domains
 * @nr_doms: how many
 */
struct tally {
	u64 calls;
	struct stats_row *rows;
	struct dom_tally *doms;
	size_t nr_doms;
};

/**
 * tally_make() - filter, sum up and sort
 * @tally: filled in, tally_free() it
 * @diff: what happened; @tally points to its multicalls
 * @filter: what is wanted
 * @names: of domains
 * @key: order
 *
 * Return: false if there is no memory.
 */
bool tally_make(struct tally *tally, const struct stats_diff *diff,
		const struct filter *filter, struct domnames *names, enum sort_key key);

/**
 * tally_add_quiet() - a domain without calls, in its place
 * @tally: made from the same @diff, @filter, @names and @key
 * @dom: which; nothing happens if it is there, or is not wanted
 *
 * Return: false if there is no memory.
 */
bool tally_add_quiet(struct tally *tally, const struct stats_diff *diff, const struct dom_id *dom,
		     const struct filter *filter, struct domnames *names, enum sort_key key);
void tally_free(struct tally *tally);

/** dom_tally_fold() - the rows of a domain with the sub-ops of an op in one, in @rows of @nr_ops */
size_t dom_tally_fold(const struct dom_tally *dom, struct stats_row *rows, enum sort_key key);

/** dom_tally_put() - "d3 web1", or "d3" alone, for a terminal */
void dom_tally_put(FILE *to, const struct dom_tally *dom);

/**
 * dom_tally_fit() - "d3 web1", or "d3" alone, for a column as text_fit() has it
 * @dom: the domain
 * @uuid: its UUID in place of its name, if that is known
 * @to: filled in
 * @size: of @to
 * @width: of the column
 */
void dom_tally_fit(const struct dom_tally *dom, bool uuid, char *to, size_t size,
		   unsigned int width);

/**
 * dom_tally_per_cpu() - calls, members among them, per second of CPU time
 * @dom: the domain
 * @rate: filled in
 *
 * Return: whether there is such a thing: "d?" has the time of many, and its own calls are theirs.
 */
bool dom_tally_per_cpu(const struct dom_tally *dom, double *rate);

/** is_member() - whether a row is of calls inside multicalls */
bool is_member(const struct stats_row *row);

/** share_percent() - of all records that were made, shown or not */
double share_percent(const struct stats_diff *diff, u64 records);

#endif /* HCTRACE_TALLY_H */
