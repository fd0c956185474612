/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of others: names of domains, lines of logs. It is kept as it came, and escaped
 * where it is written, as far as that place cannot bear it. A byte that is escaped
 * reads \x1b.
 */
#ifndef HCTRACE_TEXT_H
#define HCTRACE_TEXT_H

#include <stdio.h>

#include <hctrace/types.h>

/** enum text_place - where text is written, what bears the most first */
enum text_place {
	TEXT_UTF8,	/* whatever is UTF-8: JSON, which has escapes of its own */
	TEXT_LINE,	/* and neither moves a cursor nor ends a line: for other programs */
	TEXT_TERMINAL,	/* and the locale has characters for it that can be seen */
};

/**
 * text_put() - write text
 * @to: where to
 * @text: of anybody
 * @place: what is there
 * @also: characters of ASCII that have a meaning there, escaped too
 */
void text_put(FILE *to, const char *text, enum text_place place, const char *also);

/** text_escaped() - the same in memory, to be freed; NULL: there is none */
char *text_escaped(const char *text, enum text_place place, const char *also);

/** text_width() - columns of a terminal that text takes, escaped for it */
unsigned int text_width(const char *text);

/**
 * text_fit() - text for a column of a terminal
 * @to: filled in, escaped for a terminal
 * @size: of @to, four times @width and one at least
 * @text: what is too wide ends in a '~'
 * @width: of the column; what is less wide is filled up with blanks
 */
void text_fit(char *to, size_t size, const char *text, unsigned int width);

#endif /* HCTRACE_TEXT_H */
