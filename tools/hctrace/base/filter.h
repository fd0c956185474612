/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which domains and ops a user wants to see: --domain and --op of every verb, read once,
 * in one grammar. It takes what tables print.
 *
 *   --domain  3 d3         a domain id, whoever has or had it
 *             0-2 d0-d2    a range of ids
 *             d3#2         the second domain that had the id; d3#1 is the first
 *             d?           calls of nobody known
 *             d[gone]      and d[more]: rows that sum up what had no room of its own
 *             web1         a domain's name, also "web1"; quoted it may have commas, and ""
 *                          for a quote. All domains that have this name
 *             web1(d3)     the one of them
 *             6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5f
 *                          a domain's UUID
 *             all
 *   --op      mmu_update   a hypercall with all of its sub-ops
 *             vcpu_op/up   a sub-op
 *             40           a number from 0 to 63
 *             other        numbers from 64 on; likewise malformed and viridian
 *             all
 *
 * Items stand between commas, and each list adds to those before. What is wanted can be
 * asked of a row as tables have it, and of an event by its cell; the core's settings and
 * the device take from here what they can, and what they cannot tell apart is filtered
 * behind them.
 */
#ifndef HCTRACE_BASE_FILTER_H
#define HCTRACE_BASE_FILTER_H

#include <hctrace/account.h>
#include <hctrace/control.h>

#include "domname.h"

#define FILTER_MAX		256	/* items of a kind */
#define FILTER_OP_BYTES		64

/** enum filter_kind - how domains are named */
enum filter_kind {
	FILTER_IDS,
	FILTER_LIFE,	/* one domain of those that have had an id */
	FILTER_UNKNOWN,	/* d? */
	FILTER_SUM,	/* d[gone] */
	FILTER_NAME,	/* or a UUID */
};

/**
 * struct filter_domain - an item of --domain
 * @kind: what it is
 * @first: the id, or the first one of a range
 * @last: the last one
 * @generation: of %FILTER_LIFE
 * @text: as typed, without quotes, allocated
 */
struct filter_domain {
	enum filter_kind kind;
	u16 first;
	u16 last;
	u32 generation;
	char *text;
};

/**
 * struct filter - which rows are wanted; all, if nothing is filled in
 * @all_domains: "all" is one of the items
 * @domains: the items
 * @nr_domains: how many; none: all domains
 * @all_ops: "all" is one of the items
 * @ops: the items, as rows have them
 * @nr_ops: how many; none: all ops
 * @cells: of them, what the core counts apart
 * @why: what was wrong with the last list, and with which of its items
 */
struct filter {
	bool all_domains;
	struct filter_domain domains[FILTER_MAX];
	unsigned int nr_domains;
	bool all_ops;
	char ops[FILTER_MAX][FILTER_OP_BYTES];
	unsigned int nr_ops;
	bool cells[HCT_NR_CELLS];
	char why[160];
};

/** filter_domains() - add a list. Return: NULL, or what is wrong with it, in @filter */
const char *filter_domains(struct filter *filter, const char *list);

/** filter_ops() - add a list. Return: NULL, or what is wrong with it, in @filter */
const char *filter_ops(struct filter *filter, const char *list);

/** filter_clear_domains() - all domains are wanted */
void filter_clear_domains(struct filter *filter);

/** filter_clear_ops() - all ops are wanted */
void filter_clear_ops(struct filter *filter);

/** filter_has_domains() - whether not all of them are wanted */
static inline bool filter_has_domains(const struct filter *filter)
{
	return filter->nr_domains && !filter->all_domains;
}

/** filter_has_ops() - whether not all of them are wanted */
static inline bool filter_has_ops(const struct filter *filter)
{
	return filter->nr_ops && !filter->all_ops;
}

/** filter_has() - whether an item of this kind says which domains are wanted */
bool filter_has(const struct filter *filter, enum filter_kind kind);

/** filter_is_name() - whether item @i of --domain is a name, and this domain's */
bool filter_is_name(const struct filter *filter, unsigned int i, const struct dom_id *dom,
		    const struct domname *what);

/** filter_wants_domain() - whether a row's domain is wanted */
bool filter_wants_domain(const struct filter *filter, const struct dom_id *dom,
			 const struct domname *what);

/** filter_wants_op() - whether an op is wanted, as a row has it */
bool filter_wants_op(const struct filter *filter, const char *op);

/** filter_wants_cell() - whether what the core counts there is wanted */
static inline bool filter_wants_cell(const struct filter *filter, unsigned int cell)
{
	return !filter_has_ops(filter) || filter->cells[cell];
}

/** filter_names_id() - whether an id is in an item, whichever of its domains is meant */
bool filter_names_id(const struct filter *filter, u16 domid);

/**
 * filter_op_bits() - what is wanted, as ops from 0 to 63
 * @filter: the filter
 * @ops: bit n set: op n, or a sub-op of it
 *
 * Return: false if these are not all that is wanted: it takes all of them, then.
 */
bool filter_op_bits(const struct filter *filter, u64 *ops);

/**
 * filter_settings() - have the core count what is wanted, and no more than it has to
 * @filter: the filter
 * @set: its domains and ops are set. Domains that are wanted by name are not in it
 */
void filter_settings(const struct filter *filter, struct hct_settings *set);

#endif /* HCTRACE_BASE_FILTER_H */
