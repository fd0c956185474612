// SPDX-License-Identifier: GPL-2.0
/* See prompt.h. */
#include <curses.h>
#include <stdlib.h>

#include "prompt.h"

#define KEY_CTRL_U	21
#define KEY_ESCAPE	27
#define KEY_DELETE	127

static size_t put_item(char *text, size_t len, bool quoted, const char *item)
{
	len += scnprintf(text + len, PROMPT_BYTES - len, "%s%s", len ? "," : "",
			 quoted ? "\"" : "");
	for (; *item; item++) {
		if (quoted && *item == '"')
			len += scnprintf(text + len, PROMPT_BYTES - len, "\"");
		len += scnprintf(text + len, PROMPT_BYTES - len, "%c", *item);
	}
	return len + scnprintf(text + len, PROMPT_BYTES - len, "%s", quoted ? "\"" : "");
}

void prompt_open(struct prompt *prompt, enum prompt_kind kind, const struct filter *filter)
{
	size_t len = 0;
	unsigned int i;

	memset(prompt, 0, sizeof(*prompt));
	prompt->kind = kind;
	for (i = 0; kind == PROMPT_DOMAINS && i < filter->nr_domains; i++)
		len = put_item(prompt->text, len, strpbrk(filter->domains[i].text, ",\""),
			       filter->domains[i].text);
	for (i = 0; kind == PROMPT_OPS && i < filter->nr_ops; i++)
		len = put_item(prompt->text, len, false, filter->ops[i]);
}

/* A whole character, of as many bytes as it has. */
static void erase_last(char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] & 0xc0) == 0x80)
		len--;
	text[len ? len - 1 : 0] = '\0';
}

enum prompt_event prompt_key(struct prompt *prompt, int key)
{
	size_t len = strlen(prompt->text);

	switch (key) {
	case '\r':
	case '\n':
	case KEY_ENTER:
		prompt->kind = PROMPT_NONE;
		return PROMPT_TAKEN;
	case KEY_ESCAPE:
		prompt->kind = PROMPT_NONE;
		return PROMPT_CANCELLED;
	case KEY_BACKSPACE:
	case KEY_DELETE:
	case '\b':
		erase_last(prompt->text);
		break;
	case KEY_CTRL_U:
		prompt->text[0] = '\0';
		break;
	default:
		if (key >= ' ' && key <= 0xff && len < sizeof(prompt->text) - 1)
			prompt->text[len] = key;
	}
	return PROMPT_TYPED;
}

const char *prompt_label(enum prompt_kind kind)
{
	switch (kind) {
	case PROMPT_DOMAINS:
		return "domains, as 3,web1 (empty: all): ";
	case PROMPT_OPS:
		return "ops, as iret,vcpu_op/up (empty: all): ";
	default:
		return "/";
	}
}

const char *prompt_filter(enum prompt_kind kind, const char *text, struct filter *filter)
{
	const char *(*add)(struct filter *, const char *) =
		kind == PROMPT_OPS ? filter_ops : filter_domains;
	struct filter *tried = calloc(1, sizeof(*tried));
	const char *why;

	if (!tried)
		return "no memory";
	why = *text ? add(tried, text) : NULL;
	filter_clear_domains(tried);
	free(tried);
	if (why)
		return why;
	if (kind == PROMPT_OPS)
		filter_clear_ops(filter);
	else
		filter_clear_domains(filter);
	return *text ? add(filter, text) : NULL;
}
