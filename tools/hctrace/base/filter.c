// SPDX-License-Identifier: GPL-2.0
/* See filter.h. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>

#include <hctrace/names.h>

#include "filter.h"

static const char *add_list(const char **items, unsigned int *nr, char *list)
{
	char *item;

	while ((item = strsep(&list, ","))) {
		if (!*item)
			return "an empty name in a list";
		if (*nr == FILTER_MAX)
			return "more than 32 names in a list";
		items[(*nr)++] = item;
	}
	return NULL;
}

const char *filter_domains(struct filter *filter, char *list)
{
	return add_list(filter->domains, &filter->nr_domains, list);
}

bool filter_has_names(const struct filter *filter)
{
	struct dom_id dom;
	unsigned int i;

	for (i = 0; i < filter->nr_domains; i++) {
		if (!dom_id_parse(filter->domains[i], &dom))
			return true;
	}
	return false;
}

static bool is_op(const char *name)
{
	size_t len = strcspn(name, "/");
	char *end;

	if (hct_op_by_name(name, len) >= 0)
		return true;
	if (isdigit((unsigned char)*name))
		return strtoul(name, &end, 10) < HCT_NR_OPS && !*end;
	return !strcmp(name, "other") || !strcmp(name, "malformed") || !strcmp(name, "viridian");
}

/* A number is good for a name, but rows have the name. */
static const char *op_of(const char *item)
{
	const char *name = isdigit((unsigned char)*item) ? hct_op_name(atoi(item)) : NULL;

	return name ? name : item;
}

const char *filter_ops(struct filter *filter, char *list)
{
	unsigned int first = filter->nr_ops;
	const char *why = add_list(filter->ops, &filter->nr_ops, list);
	unsigned int i;

	for (i = first; i < filter->nr_ops && !why; i++) {
		if (!is_op(filter->ops[i]))
			why = "an op is a hypercall's name, name/sub-op, or a number from 0 to 63";
		else
			filter->ops[i] = op_of(filter->ops[i]);
	}
	return why;
}

bool filter_wants_domain(const struct filter *filter, const struct dom_id *dom, const char *name)
{
	unsigned int i;

	for (i = 0; i < filter->nr_domains; i++) {
		const char *item = filter->domains[i];
		struct dom_id wanted;

		if (!strcmp(item, dom->label) || (*name && !strcmp(item, name)))
			return true;
		if (dom_id_parse(item, &wanted) && wanted.domid >= 0 &&
		    wanted.domid == dom->domid && !strchr(item, '#'))
			return true;
	}
	return !filter->nr_domains;
}

bool filter_wants_op(const struct filter *filter, const char *op)
{
	unsigned int i;

	for (i = 0; i < filter->nr_ops; i++) {
		size_t len = strlen(filter->ops[i]);

		if (!strncmp(op, filter->ops[i], len) && (!op[len] || op[len] == '/'))
			return true;
	}
	return !filter->nr_ops;
}
