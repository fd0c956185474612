// SPDX-License-Identifier: GPL-2.0
/* See text.h. */
#define _GNU_SOURCE
#include <langinfo.h>
#include <stdlib.h>
#include <wchar.h>

#include "text.h"

#define MOST_BYTES	4	/* of a character */

/**
 * struct piece - a character, or what stands for it
 * @taken: bytes of the text
 * @text: as it is written
 * @len: of that
 * @width: columns of a terminal
 */
struct piece {
	unsigned int taken;
	char text[4 * MOST_BYTES + 1];
	unsigned int len;
	unsigned int width;
};

/* The character at @s, as UTF-8 may have it (RFC 3629). Return: its bytes, 0: there is none. */
static unsigned int decode(const char *s, u32 *code)
{
	static const u32 least[] = { 0, 0x80, 0x800, 0x10000 };
	const u8 *bytes = (const u8 *)s;
	unsigned int more = bytes[0] < 0x80 ? 0 : bytes[0] < 0xc0 ? 4 : bytes[0] < 0xe0 ? 1 :
			    bytes[0] < 0xf0 ? 2 : bytes[0] < 0xf8 ? 3 : 4;
	unsigned int i;

	if (more == 4)
		return 0;
	*code = more ? bytes[0] & 0x3f >> more : bytes[0];
	for (i = 1; i <= more; i++) {
		/* The end of the text is none of these. */
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	if (*code < least[more] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return 1 + more;
}

/* Characters that move the cursor, or end a line for somebody. */
static bool is_control(u32 code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

/* They make text read in another order than it is written in. */
static bool turns_around(u32 code)
{
	return code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Columns of a character. Return: -1: it is not one that can be seen. */
static int columns_of(u32 code)
{
	if (code < 0x80)
		return 1;
	if (strcmp(nl_langinfo(CODESET), "UTF-8") || turns_around(code))
		return -1;
	return wcwidth(code);
}

static void cut_piece(struct piece *piece, const char *s, enum text_place place, const char *also)
{
	unsigned int i;
	u32 code;
	int columns = 1;

	piece->taken = decode(s, &code);
	if (!piece->taken) {
		piece->taken = 1;
		columns = -1;
	} else if ((place >= TEXT_LINE && is_control(code)) ||
		   (code < 0x80 && strchr(also, (int)code))) {
		columns = -1;
	} else if (place == TEXT_TERMINAL) {
		columns = columns_of(code);
	}
	piece->len = 0;
	for (i = 0; i < piece->taken && columns >= 0; i++)
		piece->text[piece->len++] = s[i];
	piece->text[piece->len] = '\0';
	for (i = 0; i < piece->taken && columns < 0; i++)
		piece->len += scnprintf(piece->text + piece->len,
					sizeof(piece->text) - piece->len, "\\x%02x", (u8)s[i]);
	piece->width = columns < 0 ? piece->len : (unsigned int)columns;
}

void text_put(FILE *to, const char *text, enum text_place place, const char *also)
{
	struct piece piece;

	for (; *text; text += piece.taken) {
		cut_piece(&piece, text, place, also);
		fputs(piece.text, to);
	}
}

char *text_escaped(const char *text, enum text_place place, const char *also)
{
	char *escaped = NULL;
	size_t size;
	FILE *to = open_memstream(&escaped, &size);

	if (!to)
		return NULL;
	text_put(to, text, place, also);
	if (fclose(to)) {
		free(escaped);
		return NULL;
	}
	return escaped;
}

unsigned int text_width(const char *text)
{
	unsigned int width = 0;
	struct piece piece;

	for (; *text; text += piece.taken) {
		cut_piece(&piece, text, TEXT_TERMINAL, "");
		width += piece.width;
	}
	return width;
}

void text_fit(char *to, size_t size, const char *text, unsigned int width)
{
	/* Behind a cut there is one column for the '~'. */
	unsigned int room = text_width(text) > width ? width - !!width : width;
	bool is_cut = room < width;
	unsigned int taken = 0;
	struct piece piece;
	size_t len = 0;

	for (; *text; text += piece.taken) {
		cut_piece(&piece, text, TEXT_TERMINAL, "");
		/* Marks that take no column could be any number. */
		if (taken + piece.width > room || len + piece.len + width - taken >= size)
			break;
		memcpy(to + len, piece.text, piece.len);
		len += piece.len;
		taken += piece.width;
	}
	for (; taken < room && len + 1 < size; taken++)
		to[len++] = ' ';
	if (is_cut && len + 1 < size)
		to[len++] = '~';
	to[len] = '\0';
}
