/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text that is put together piece by piece and written in one go. For what prints a line
 * for each event: printf() takes ten times as long as all the rest does.
 */
#ifndef HCTRACE_BASE_LINE_H
#define HCTRACE_BASE_LINE_H

#include <stdio.h>

#include <hctrace/types.h>

#define LINE_BYTES	8192
#define LINE_FULL	4096	/* from here on it is written */
#define LINE_PIECE	64	/* of a piece that is put without looking how much room there is */

/**
 * struct line - what was put so far, some lines perhaps
 * @at_once: each is written when it ends, for somebody looks
 * @len: bytes of @text, which does not end with a zero
 * @text: them; what is beyond %LINE_BYTES is left out
 */
struct line {
	bool at_once;
	size_t len;
	char text[LINE_BYTES + LINE_PIECE];
};

/**
 * struct word - a text that is put often
 * @len: its length
 * @text: all of these bytes are copied, which is faster than to look how many there are
 */
struct word {
	u8 len;
	char text[LINE_PIECE - 1];
};

/** line_word() - put a word */
static inline void line_word(struct line *line, const struct word *word)
{
	if (line->len >= LINE_BYTES)
		return;
	memcpy(line->text + line->len, word->text, sizeof(word->text));
	line->len += word->len;
}

/** line_text() - put a string; what is longer than %LINE_BYTES is cut */
static inline void line_text(struct line *line, const char *text)
{
	size_t len = strlen(text);

	if (line->len + len > LINE_BYTES)
		len = line->len < LINE_BYTES ? LINE_BYTES - line->len : 0;
	memcpy(line->text + line->len, text, len);
	line->len += len;
}

/** line_pad() - fill up with blanks, so that what begins at @from is @width wide: 32 at most */
static inline void line_pad(struct line *line, size_t from, size_t width)
{
	if (line->len >= LINE_BYTES || line->len >= from + width)
		return;
	memset(line->text + line->len, ' ', 32);
	line->len = from + width;
}

/** line_padded() - put a number, @width wide at least, filled up with @fill; @width: 16 at most */
void line_padded(struct line *line, u64 value, unsigned int width, char fill);

/** line_number() - put a number: printf()'s %u */
static inline void line_number(struct line *line, u64 value)
{
	if (value < 10 && line->len < LINE_BYTES)
		line->text[line->len++] = '0' + value;
	else
		line_padded(line, value, 0, ' ');
}

/** line_signed() - put a number that may be below zero, filled up with blanks */
void line_signed(struct line *line, s64 value, unsigned int width);

/** line_seconds() - put a number with nine digits behind the point: printf()'s %16.9f */
void line_seconds(struct line *line, double value);

/** line_write() - write what was put, and begin anew. Errors are in ferror(@to) */
void line_write(struct line *line, FILE *to);

/** line_end() - put the end of a line; what was put is written once it is enough */
static inline void line_end(struct line *line, FILE *to)
{
	line_text(line, "\n");
	if (line->len >= LINE_FULL || line->at_once)
		line_write(line, to);
}

#endif /* HCTRACE_BASE_LINE_H */
