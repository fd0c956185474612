// SPDX-License-Identifier: GPL-2.0
/* See domname.h. */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "domname.h"
#include "text.h"

const struct domname domname_unknown = { .name = "", .type = "-", .uuid = "" };

bool domname_set_uuid(struct domname *what, const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	unsigned int i;

	_Static_assert(sizeof(form) == DOMNAME_UUID_BYTES, "the form of a UUID");
	for (i = 0; form[i]; i++) {
		if (form[i] == 'x' ? !isxdigit((unsigned char)text[i]) : text[i] != form[i])
			return false;
	}
	if (text[i])
		return false;
	for (i = 0; i < sizeof(form); i++)
		what->uuid[i] = tolower((unsigned char)text[i]);
	return true;
}

/* Whether @text is @name, and behind it a label in brackets. */
static bool is_labelled(const char *name, const char *label, const char *text)
{
	size_t len = strlen(name);
	size_t label_len = strlen(label);

	return !strncmp(text, name, len) && text[len] == '(' &&
	       !strncmp(text + len + 1, label, label_len) &&
	       !strcmp(text + len + 1 + label_len, ")");
}

static bool is_called(const char *name, const struct dom_id *dom, const char *text)
{
	return !strcmp(name, text) || (dom && is_labelled(name, dom->label, text));
}

bool domname_is(const struct domname *what, const struct dom_id *dom, const char *text)
{
	bool found = false;
	int place;

	if (*what->uuid && !strcasecmp(what->uuid, text))
		return true;
	if (!*what->name)
		return false;
	if (is_called(what->name, dom, text))
		return true;
	/* Only what has been escaped reads in another way. */
	if (!strchr(text, '\\'))
		return false;
	for (place = TEXT_UTF8; place <= TEXT_TERMINAL && !found; place++) {
		char *shown = text_escaped(what->name, place, place == TEXT_LINE ? ";" : "");

		found = shown && is_called(shown, dom, text);
		free(shown);
	}
	return found;
}
