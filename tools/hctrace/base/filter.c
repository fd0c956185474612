// SPDX-License-Identifier: GPL-2.0
/* See filter.h. */
#include <ctype.h>
#include <stdlib.h>

#include <hctrace/names.h>

#include "filter.h"

#define AS_TEXT(number)		AS_TEXT_OF(number)
#define AS_TEXT_OF(number)	#number

static const char no_memory[] = "out of memory";
static const char no_op[] =
	"an op is a hypercall's name, name/sub-op, or a number from 0 to 63";
static const char no_id[] = "a domain id is a number from 0 to 32751";

/* --- lists ------------------------------------------------------------------ */

/**
 * struct item - one of a list
 * @text: without quotes, and without blanks around it; allocated
 * @is_quoted: it had quotes, and so is a name whatever it reads like
 */
struct item {
	char *text;
	bool is_quoted;
};

static const char *cut_plain(struct item *item, const char **at)
{
	const char *s = *at;
	size_t len = strcspn(s, ",");

	*at += len;
	while (len && isblank((unsigned char)s[len - 1]))
		len--;
	item->text = strndup(s, len);
	return item->text ? NULL : no_memory;
}

/* @at is behind the first quote; "" is one of the name. */
static const char *cut_quoted(struct item *item, const char **at)
{
	const char *s = *at;
	size_t len = 0;

	item->text = malloc(strlen(s) + 1);
	if (!item->text)
		return no_memory;
	for (; *s != '"' || s[1] == '"'; s++) {
		if (!*s)
			return "a quote without its end";
		s += *s == '"';
		item->text[len++] = *s;
	}
	item->text[len] = '\0';
	s++;
	s += strspn(s, " \t");
	*at = s;
	return *s && *s != ',' ? "there is more behind a quote" : NULL;
}

/*
 * The first of a list, which goes on behind it; NULL: it does not. Return: what is wrong,
 * and then there is no item.
 */
static const char *cut_item(struct item *item, const char **list)
{
	const char *s = *list + strspn(*list, " \t");
	const char *why;

	item->text = NULL;
	item->is_quoted = *s == '"';
	s += item->is_quoted;
	why = item->is_quoted ? cut_quoted(item, &s) : cut_plain(item, &s);
	if (!why && !*item->text)
		why = "an empty name in a list";
	if (why)
		free(item->text);
	*list = *s ? s + 1 : NULL;
	return why;
}

/* Name the item that something is wrong with. */
static const char *blame(struct filter *filter, const char *text, const char *why)
{
	scnprintf(filter->why, sizeof(filter->why), "'%s': %s", text, why);
	return filter->why;
}

/* --- domains ---------------------------------------------------------------- */

/* "3" or "d3" at @s. Return: what is behind it, NULL if it is neither; @id: all ones: too large */
static const char *cut_id(const char *s, u32 *id)
{
	unsigned long value;
	char *end;

	if (*s == 'd')
		s++;
	if (!isdigit((unsigned char)*s))
		return NULL;
	value = strtoul(s, &end, 10);
	*id = value < XEN_DOMID_FIRST_RESERVED ? value : ~0u;
	return end;
}

/* "3", "d3", "0-2" or "d3#2". Return: whether it is one of them at all; @why: what is wrong. */
static bool parse_ids(struct filter_domain *dom, const char **why)
{
	const char *end;
	u32 first, last;
	unsigned long generation;
	char *rest;

	end = cut_id(dom->text, &first);
	if (!end)
		return false;
	last = first;
	dom->kind = FILTER_IDS;
	if (*end == '#' && isdigit((unsigned char)end[1])) {
		dom->kind = FILTER_LIFE;
		generation = strtoul(end + 1, &rest, 10);
		dom->generation = generation < ~0u ? generation : ~0u;
		end = rest;
	} else if (*end == '-') {
		end = cut_id(end + 1, &last);
	}
	if (!end || *end)
		return false;
	dom->first = first;
	dom->last = last;
	if (first == ~0u || last == ~0u)
		*why = no_id;
	else if (last < first)
		*why = "a range of domains must not run backwards";
	else if (dom->kind == FILTER_LIFE && !dom->generation)
		*why = "the first domain of an id is #1";
	return true;
}

static const char *parse_domain(struct filter_domain *dom, bool is_quoted)
{
	const char *why = NULL;

	if (is_quoted)
		dom->kind = FILTER_NAME;
	else if (!strcmp(dom->text, "d?"))
		dom->kind = FILTER_UNKNOWN;
	else if (!strcmp(dom->text, "d[gone]") || !strcmp(dom->text, "d[more]"))
		dom->kind = FILTER_SUM;
	else if (!parse_ids(dom, &why))
		dom->kind = FILTER_NAME;
	return why;
}

const char *filter_domains(struct filter *filter, const char *list)
{
	const char *why;

	do {
		struct filter_domain *dom = &filter->domains[filter->nr_domains];
		struct item item;

		if (filter->nr_domains == FILTER_MAX)
			return "more than " AS_TEXT(FILTER_MAX) " names in a list";
		why = cut_item(&item, &list);
		if (why)
			return why;
		memset(dom, 0, sizeof(*dom));
		dom->text = item.text;
		why = parse_domain(dom, item.is_quoted);
		if (why) {
			why = blame(filter, item.text, why);
			free(item.text);
			return why;
		}
		filter->all_domains |= !item.is_quoted && !strcmp(item.text, "all");
		filter->nr_domains++;
	} while (list);
	return NULL;
}

void filter_clear_domains(struct filter *filter)
{
	while (filter->nr_domains)
		free(filter->domains[--filter->nr_domains].text);
	filter->all_domains = false;
}

bool filter_has(const struct filter *filter, enum filter_kind kind)
{
	unsigned int i;

	for (i = 0; i < filter->nr_domains && !filter->all_domains; i++) {
		if (filter->domains[i].kind == kind)
			return true;
	}
	return false;
}

bool filter_is_name(const struct filter *filter, unsigned int i, const struct dom_id *dom,
		    const struct domname *what)
{
	return filter->domains[i].kind == FILTER_NAME &&
	       domname_is(what, dom, filter->domains[i].text);
}

static bool is_wanted(const struct filter *filter, unsigned int i, const struct dom_id *dom,
		      const struct domname *what)
{
	const struct filter_domain *item = &filter->domains[i];

	switch (item->kind) {
	case FILTER_IDS:
		return dom->domid >= item->first && dom->domid <= item->last;
	case FILTER_LIFE:
		return dom->domid == item->first && dom->generation == item->generation;
	case FILTER_NAME:
		return filter_is_name(filter, i, dom, what);
	default:
		return !strcmp(item->text, dom->label);
	}
}

bool filter_wants_domain(const struct filter *filter, const struct dom_id *dom,
			 const struct domname *what)
{
	unsigned int i;

	for (i = 0; i < filter->nr_domains && !filter->all_domains; i++) {
		if (is_wanted(filter, i, dom, what))
			return true;
	}
	return !filter_has_domains(filter);
}

bool filter_names_id(const struct filter *filter, u16 domid)
{
	unsigned int i;

	for (i = 0; i < filter->nr_domains; i++) {
		const struct filter_domain *item = &filter->domains[i];

		if ((item->kind == FILTER_IDS || item->kind == FILTER_LIFE) &&
		    domid >= item->first && domid <= item->last)
			return true;
	}
	return !filter_has_domains(filter);
}

/* --- ops -------------------------------------------------------------------- */

/* Whether an op as a row has it is the item, or one of its sub-ops. */
static bool is_op(const char *op, const char *item)
{
	size_t len = strlen(item);

	return !strncmp(op, item, len) && (!op[len] || op[len] == '/');
}

/* A number is good for a name, but rows have the name. */
static void use_name(char text[FILTER_OP_BYTES])
{
	const char *name;
	char *end;
	unsigned long op = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)*text) || *end || op >= HCT_NR_OPS)
		return;
	name = hct_op_name(op);
	if (name)
		scnprintf(text, FILTER_OP_BYTES, "%s", name);
	else
		scnprintf(text, FILTER_OP_BYTES, "%lu", op);
}

/* Add its cells. Return: whether there are any. */
static bool find_cells(struct filter *filter, const char *text)
{
	char name[FILTER_OP_BYTES];
	bool found = false;
	unsigned int i;

	for (i = 0; i < HCT_NR_CELLS; i++) {
		if (!is_op(hct_cell_name(i, name, sizeof(name)), text))
			continue;
		filter->cells[i] = true;
		found = true;
	}
	return found;
}

const char *filter_ops(struct filter *filter, const char *list)
{
	const char *why;

	do {
		char *text = filter->ops[filter->nr_ops];
		struct item item;

		if (filter->nr_ops == FILTER_MAX)
			return "more than " AS_TEXT(FILTER_MAX) " names in a list";
		why = cut_item(&item, &list);
		if (why)
			return why;
		scnprintf(text, FILTER_OP_BYTES, "%s", item.text);
		free(item.text);
		use_name(text);
		if (!strcmp(text, "all"))
			filter->all_ops = true;
		else if (!find_cells(filter, text))
			return blame(filter, text, no_op);
		filter->nr_ops++;
	} while (list);
	return NULL;
}

void filter_clear_ops(struct filter *filter)
{
	filter->nr_ops = 0;
	filter->all_ops = false;
	memset(filter->cells, 0, sizeof(filter->cells));
}

bool filter_wants_op(const struct filter *filter, const char *op)
{
	char name[FILTER_OP_BYTES];
	unsigned int i;

	/* An older module may not know the name yet. */
	scnprintf(name, sizeof(name), "%s", op);
	use_name(name);
	for (i = 0; i < filter->nr_ops && !filter->all_ops; i++) {
		if (is_op(name, filter->ops[i]))
			return true;
	}
	return !filter_has_ops(filter);
}

/* --- for others ------------------------------------------------------------- */

bool filter_op_bits(const struct filter *filter, u64 *ops)
{
	unsigned int i;

	*ops = 0;
	if (!filter_has_ops(filter))
		return false;
	for (i = 0; i < filter->nr_ops; i++) {
		const char *text = filter->ops[i];
		int op = hct_op_by_name(text, strcspn(text, "/"));

		if (op < 0 && isdigit((unsigned char)*text))
			op = atoi(text);
		/* Other, malformed, viridian: of any number. */
		if (op < 0)
			return false;
		*ops |= 1ull << op;
	}
	return true;
}

void filter_settings(const struct filter *filter, struct hct_settings *set)
{
	unsigned int i, id;

	set->all_ops = !filter_op_bits(filter, &set->ops);
	/* Sums are of any domains. */
	set->all_domains = !filter_has_domains(filter) || filter_has(filter, FILTER_SUM);
	memset(set->domains, 0, sizeof(set->domains));
	for (i = 0; i < filter->nr_domains; i++) {
		const struct filter_domain *item = &filter->domains[i];

		if (item->kind != FILTER_IDS && item->kind != FILTER_LIFE)
			continue;
		for (id = item->first; id <= item->last; id++)
			set->domains[id / 8] |= 1u << id % 8;
	}
}
