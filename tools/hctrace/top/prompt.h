/* SPDX-License-Identifier: GPL-2.0 */
/* A line that is typed while the table goes on. */
#ifndef HCTRACE_TOP_PROMPT_H
#define HCTRACE_TOP_PROMPT_H

#include <stdbool.h>

#include "base/filter.h"

#define PROMPT_BYTES	256

/** enum prompt_kind - what is asked for */
enum prompt_kind {
	PROMPT_NONE,
	PROMPT_DOMAINS,
	PROMPT_OPS,
	PROMPT_SEARCH,
};

/** enum prompt_event - what a key did */
enum prompt_event {
	PROMPT_TYPED,
	PROMPT_TAKEN,
	PROMPT_CANCELLED,
};

/**
 * struct prompt - the line
 * @kind: what it is for; none: there is no prompt
 * @text: what stands in it
 */
struct prompt {
	enum prompt_kind kind;
	char text[PROMPT_BYTES];
};

/** prompt_open() - ask; what is shown of domains or ops now stands in it to be changed */
void prompt_open(struct prompt *prompt, enum prompt_kind kind, const struct filter *filter);

/** prompt_key() - a key of curses. It is closed but if it was typed into */
enum prompt_event prompt_key(struct prompt *prompt, int key);

/** prompt_label() - what stands in front of the text */
const char *prompt_label(enum prompt_kind kind);

/**
 * prompt_filter() - show what was asked for
 * @kind: domains or ops
 * @text: a list; empty: all
 * @filter: changed, unless there is something wrong with the list
 *
 * Return: NULL, or what is wrong.
 */
const char *prompt_filter(enum prompt_kind kind, const char *text, struct filter *filter);

#endif /* HCTRACE_TOP_PROMPT_H */
