/* SPDX-License-Identifier: GPL-2.0 */
/* Which domains and ops a user wants to see. */
#ifndef HCTRACE_BASE_FILTER_H
#define HCTRACE_BASE_FILTER_H

#include "dom_id.h"

#define FILTER_MAX	32

/**
 * struct filter - which rows are wanted
 * @domains: ids ("3", "d3", "d3#2", "d?") and names; none: all
 * @nr_domains: how many
 * @ops: names, also "op/sub-op"; an op stands for its sub-ops too; none: all
 * @nr_ops: how many
 */
struct filter {
	const char *domains[FILTER_MAX];
	unsigned int nr_domains;
	const char *ops[FILTER_MAX];
	unsigned int nr_ops;
};

/**
 * filter_domains() - add a list such as "0,d3,web1"
 * @filter: grows
 * @list: is cut up and kept
 *
 * Return: NULL, or what is wrong with it.
 */
const char *filter_domains(struct filter *filter, char *list);

/** filter_ops() - add a list such as "mmu_update,vcpu_op/is_up,40" */
const char *filter_ops(struct filter *filter, char *list);

/** filter_has_names() - whether it cannot be told what is wanted without names of domains */
bool filter_has_names(const struct filter *filter);

/** filter_wants_domain() - whether the domain is wanted; @name: "" if it has none */
bool filter_wants_domain(const struct filter *filter, const struct dom_id *dom, const char *name);

/** filter_wants_op() - whether the op is wanted, as it stands in a row */
bool filter_wants_op(const struct filter *filter, const char *op);

#endif /* HCTRACE_BASE_FILTER_H */
