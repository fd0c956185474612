// SPDX-License-Identifier: GPL-2.0
/* Text of others: what is escaped where, and how wide it is. */
#include <locale.h>
#include <stdlib.h>

#include "../../tools/hctrace/base/text.h"
#include "rig.h"

static void expect(const char *text, enum text_place place, const char *also, const char *wanted)
{
	char *escaped = text_escaped(text, place, also);

	assert_non_null(escaped);
	assert_string_equal(escaped, wanted);
	free(escaped);
}

static void test_places(void **state)
{
	static const struct {
		const char *text;
		const char *json;
		const char *line;
		const char *terminal;
	} cases[] = {
		{ "", "", "", "" },
		{ "web1", "web1", "web1", "web1" },
		{ "财务", "财务", "财务", "财务" },
		{ "größe \\x", "größe \\x", "größe \\x", "größe \\x" },
		{ "a\tb\n", "a\tb\n", "a\\x09b\\x0a", "a\\x09b\\x0a" },
		{ "\033]0;x\a", "\033]0;x\a", "\\x1b]0;x\\x07", "\\x1b]0;x\\x07" },
		{ "\x7f", "\x7f", "\\x7f", "\\x7f" },
		/* U+009B, an escape sequence by itself; U+2028, an end of a line */
		{ "\xc2\x9b", "\xc2\x9b", "\\xc2\\x9b", "\\xc2\\x9b" },
		{ "\xe2\x80\xa8", "\xe2\x80\xa8", "\\xe2\\x80\\xa8", "\\xe2\\x80\\xa8" },
		/* U+202E, from right to left from here on; U+E000, which nobody has a letter for */
		{ "\xe2\x80\xae", "\xe2\x80\xae", "\xe2\x80\xae", "\\xe2\\x80\\xae" },
		{ "\xf3\xb0\x80\x81\xe2\x80\x8f", "\xf3\xb0\x80\x81\xe2\x80\x8f",
		  "\xf3\xb0\x80\x81\xe2\x80\x8f", "\xf3\xb0\x80\x81\\xe2\\x80\\x8f" },
		/* No UTF-8: alone, cut off, overlong, a surrogate, above the last character */
		{ "\xff", "\\xff", "\\xff", "\\xff" },
		{ "a\x80", "a\\x80", "a\\x80", "a\\x80" },
		{ "\xe8\xb4", "\\xe8\\xb4", "\\xe8\\xb4", "\\xe8\\xb4" },
		{ "\xe8\xb4x", "\\xe8\\xb4x", "\\xe8\\xb4x", "\\xe8\\xb4x" },
		{ "\xc0\x80", "\\xc0\\x80", "\\xc0\\x80", "\\xc0\\x80" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80",
		  "\\xf4\\x90\\x80\\x80" },
		{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80",
		  "\\xf8\\x88\\x80\\x80\\x80", "\\xf8\\x88\\x80\\x80\\x80" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		expect(cases[i].text, TEXT_UTF8, "", cases[i].json);
		expect(cases[i].text, TEXT_LINE, "", cases[i].line);
		expect(cases[i].text, TEXT_TERMINAL, "", cases[i].terminal);
	}
	expect("a;b", TEXT_LINE, ";", "a\\x3bb");
}

/* Without a locale a terminal has ASCII alone. Other programs get what they got before. */
static void test_no_locale(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C");
	expect("größe", TEXT_TERMINAL, "", "gr\\xc3\\xb6\\xc3\\x9fe");
	expect("größe", TEXT_LINE, "", "größe");
	assert_int_equal(text_width("größe"), 19);
	setlocale(LC_CTYPE, "C.UTF-8");
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(text_width("web1"), 4);
	assert_int_equal(text_width("größe"), 5);
	assert_int_equal(text_width("财务"), 4);
	/* An e and the accent upon it */
	assert_int_equal(text_width("e\xcc\x81"), 1);
	assert_int_equal(text_width("\033"), 4);
}

static void expect_fit(const char *text, unsigned int width, const char *wanted)
{
	char to[200];

	text_fit(to, sizeof(to), text, width);
	assert_string_equal(to, wanted);
}

static void test_fit(void **state)
{
	char marks[400] = "a";
	char to[20];
	int i;

	(void)state;
	expect_fit("web1", 6, "web1  ");
	expect_fit("web1", 4, "web1");
	expect_fit("web11", 4, "web~");
	expect_fit("", 2, "  ");
	expect_fit("web1", 0, "");
	expect_fit("web1", 1, "~");
	expect_fit("größe", 5, "größe");
	expect_fit("größer", 5, "größ~");
	expect_fit("财务", 6, "财务  ");
	expect_fit("财务", 4, "财务");
	/* A character is shown as a whole, and so is what stands for a byte. */
	expect_fit("财务", 3, "财~");
	expect_fit("财务部", 4, "财 ~");
	expect_fit("a\033b", 4, "a  ~");
	/* Marks without a width end where the room does. */
	for (i = 0; i < 100; i++)
		strcat(marks, "\xcc\x81");
	text_fit(to, sizeof(to), marks, 3);
	assert_int_equal(strlen(to), 19);
	assert_string_equal(to + 17, "  ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_no_locale),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_fit),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
