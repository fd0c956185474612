// SPDX-License-Identifier: GPL-2.0
/* See matched.h. */
#include <stdio.h>

#include <hctrace/xen_trace.h>

#include "base/exit.h"
#include "matched.h"

bool matched_row(const struct filter *filter, const struct stats_row *row,
		 struct domnames *names)
{
	return filter_wants_domain(filter, &row->dom, domnames_of(names, &row->dom)) &&
	       filter_wants_op(filter, row->op);
}

/* Dom0 is always there, once xenstored has answered. */
static bool is_answered(const struct domnames *names)
{
	return domnames_lives(names, 0);
}

static bool is_there(const struct filter *filter, unsigned int i, const struct domnames *names)
{
	const struct filter_domain *item = &filter->domains[i];
	struct dom_id dom;
	u32 id;

	switch (item->kind) {
	case FILTER_NAME:
		for (id = 0; id < XEN_DOMID_FIRST_RESERVED; id++) {
			dom = (struct dom_id){ .domid = id, .generation = 1 };
			if (domnames_lives(names, id) &&
			    filter_is_name(filter, i, &dom, domnames_now(names, id)))
				return true;
		}
		return false;
	case FILTER_IDS:
		for (id = item->first; id <= item->last; id++) {
			if (domnames_lives(names, id))
				return true;
		}
		return false;
	default:
		return true;
	}
}

int matched_nothing(const char *verb, const struct filter *filter, const struct stats *stats,
		    const struct domnames *names)
{
	bool has_domains = filter_has_domains(filter);
	unsigned int i;

	fprintf(stderr, "hctrace %s: nothing that is counted matches %s%s%s\n", verb,
		has_domains ? "--domain" : "", has_domains && filter_has_ops(filter) ? " and " : "",
		filter_has_ops(filter) ? "--op" : "");
	for (i = 0; has_domains && is_answered(names) && i < filter->nr_domains; i++) {
		if (!is_there(filter, i, names))
			fprintf(stderr, "hctrace %s: there is no domain '%s'\n", verb,
				filter->domains[i].text);
	}
	/* They say what is not looked for. */
	for (i = 0; i < stats->nr_notes; i++)
		fprintf(stderr, "hctrace %s: note: %s\n", verb, stats->notes[i]);
	return EXIT_NOTHING;
}

bool matched_any(const struct filter *filter, const struct stats *stats, struct domnames *names)
{
	size_t i;

	if (!filter_has_domains(filter) && !filter_has_ops(filter))
		return true;
	for (i = 0; i < stats->nr_rows; i++)
		domnames_saw(names, &stats->rows[i].dom);
	for (i = 0; i < stats->nr_rows; i++) {
		if (matched_row(filter, &stats->rows[i], names))
			return true;
	}
	return false;
}

int matched_status(const char *verb, const struct filter *filter, const struct stats *stats,
		   struct domnames *names)
{
	if (matched_any(filter, stats, names))
		return 0;
	return matched_nothing(verb, filter, stats, names);
}
