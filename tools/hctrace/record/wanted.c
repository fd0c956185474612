// SPDX-License-Identifier: GPL-2.0
/* See wanted.h. */
#include <stdio.h>

#include "base/event_text.h"
#include "base/exit.h"
#include "live/statsfile.h"
#include "wanted.h"

/* How many domains the module has seen under an id. */
static u32 lives_of(u16 domid)
{
	struct stats stats = { .nr_rows = 0 };
	u32 lives = 1;
	char err[200];
	size_t i;

	if (stats_read(&stats, err, sizeof(err))) {
		for (i = 0; i < stats.nr_rows; i++) {
			const struct dom_id *dom = &stats.rows[i].dom;

			if (dom->domid == domid && dom->generation > lives)
				lives = dom->generation;
		}
	}
	stats_free(&stats);
	return lives;
}

static int add_ids(struct wanted *wanted, u16 first, u16 last)
{
	unsigned int id;

	for (id = first; id <= last; id++) {
		if (wanted->nr_domains == ARRAY_SIZE(wanted->domains)) {
			fprintf(stderr, "hctrace record: more than %u domains\n",
				XEN_HCTRACE_ATTR_MAX_LIST);
			return EXIT_USAGE;
		}
		wanted->domains[wanted->nr_domains++] = id;
	}
	return 0;
}

static bool is_named(const struct domnames *names, u16 domid, const char *text)
{
	const struct domname *what = domnames_now(names, domid);
	struct dom_id dom = { .domid = domid, .generation = 1 };

	if (!*what->name && !*what->uuid)
		return false;
	/* As tables have it: web1(d3#2) */
	if (strchr(text, '#'))
		dom.generation = lives_of(domid);
	scnprintf(dom.label, sizeof(dom.label), dom.generation > 1 ? "d%u#%u" : "d%u", domid,
		  dom.generation);
	return domname_is(what, &dom, text);
}

/* All that have the name now, each of which is one domain. */
static int add_named(struct wanted *wanted, const struct domnames *names, const char *text)
{
	unsigned int before = wanted->nr_domains;
	int rc = 0;
	u32 id;

	for (id = 0; id < XEN_DOMID_FIRST_RESERVED && !rc; id++) {
		if (is_named(names, id, text))
			rc = add_ids(wanted, id, id);
	}
	return rc ? rc : wanted->nr_domains > before ? 0 : -1;
}

/* Return: 0, an exit status after saying why, or -1: there is no such domain now. */
static int add_item(struct wanted *wanted, const struct filter_domain *item,
		    const struct domnames *names)
{
	switch (item->kind) {
	case FILTER_IDS:
		return add_ids(wanted, item->first, item->last);
	case FILTER_LIFE:
		if (lives_of(item->first) != item->generation)
			return -1;
		return add_ids(wanted, item->first, item->last);
	case FILTER_UNKNOWN:
		return add_ids(wanted, XEN_HCTRACE_UNKNOWN, XEN_HCTRACE_UNKNOWN);
	case FILTER_NAME:
		return add_named(wanted, names, item->text);
	default:
		return -1;
	}
}

static int ask_domains(struct wanted *wanted, const struct domnames *names)
{
	const struct filter *filter = &wanted->filter;
	unsigned int i;
	int rc = 0;

	if (!filter_has_domains(filter))
		return 0;
	for (i = 0; i < filter->nr_domains && !rc; i++) {
		rc = add_item(wanted, &filter->domains[i], names);
		if (rc < 0) {
			fprintf(stderr, "hctrace record: there is no domain '%s'\n",
				filter->domains[i].text);
			return EXIT_USAGE;
		}
	}
	return rc;
}

int wanted_ask(struct wanted *wanted, const struct domnames *names, struct xen_hctrace_attr *attr)
{
	int rc = ask_domains(wanted, names);
	u64 ops;

	attr->nr_domains = wanted->nr_domains;
	attr->domains = wanted->nr_domains ? (unsigned long)wanted->domains : 0;
	attr->ops = filter_op_bits(&wanted->filter, &ops) ? ops : 0;
	wanted->is_exact = !filter_has_ops(&wanted->filter) &&
			   !filter_has(&wanted->filter, FILTER_LIFE);
	return rc;
}

void wanted_domain_changed(struct wanted *wanted, u16 domid)
{
	if (domid < ARRAY_SIZE(wanted->gone))
		wanted->gone[domid] = true;
}

/* Whether an id is wanted only for a domain that does not have it any more. */
static bool is_over(const struct wanted *wanted, u16 domid)
{
	const struct filter *filter = &wanted->filter;
	bool has_life = false;
	unsigned int i;

	if (domid >= ARRAY_SIZE(wanted->gone) || !wanted->gone[domid])
		return false;
	for (i = 0; i < filter->nr_domains; i++) {
		const struct filter_domain *item = &filter->domains[i];

		if (domid < item->first || domid > item->last)
			continue;
		if (item->kind == FILTER_IDS)
			return false;
		has_life |= item->kind == FILTER_LIFE;
	}
	return has_life;
}

bool wanted_call(const struct wanted *wanted, const struct xen_hctrace_call *call)
{
	const struct hct_call decoded = event_decoded(call);

	return filter_wants_cell(&wanted->filter, hct_account_cell(&decoded)) &&
	       !is_over(wanted, call->domid);
}
