// SPDX-License-Identifier: GPL-2.0
/* Lines that are put together without printf(): they read as printf() has it. */
#include <math.h>
#include <stdlib.h>

#include "base/line.h"
#include "rig.h"

static void check(struct line *line, const char *wanted)
{
	assert_int_equal(line->len, strlen(wanted));
	assert_memory_equal(line->text, wanted, line->len);
	line->len = 0;
}

static void check_number(struct line *line, u64 value)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%llu", value);
	line_number(line, value);
	check(line, wanted);
	snprintf(wanted, sizeof(wanted), "%03llu", value);
	line_padded(line, value, 3, '0');
	check(line, wanted);
	snprintf(wanted, sizeof(wanted), "%16lld", (s64)value);
	line_signed(line, value, 16);
	check(line, wanted);
}

/* On both sides of each number of digits, and of 0. */
static void test_numbers(void **state)
{
	struct line line = { .len = 0 };
	u64 power = 1;
	unsigned int i;

	(void)state;
	for (i = 0; i < 20; i++, power *= 10) {
		check_number(&line, power - 1);
		check_number(&line, power);
		check_number(&line, power + 1);
		check_number(&line, -power);
	}
	check_number(&line, ~0ull);
	check_number(&line, 1ull << 63);
}

static void check_seconds(struct line *line, double value)
{
	char wanted[400];

	snprintf(wanted, sizeof(wanted), "%16.9f", value);
	line_seconds(line, value);
	check(line, wanted);
}

static void test_seconds(void **state)
{
	static const double odd[] = {
		0, -0.0, 1, 0.5, 1 / 1e9, 4 / 1e10, 5 / 1e10, 6 / 1e10, 1 / 1e30, 1 / 1e300,
		0.9999999995, 0.99999999949, 999999.9999999999, 2999999999.9999, 3e9, 1e300,
		-1.5, -1 / 1e12,
		INFINITY, NAN,
	};
	struct line line = { .len = 0 };
	u64 random = 20261201;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(odd); i++)
		check_seconds(&line, odd[i]);
	for (i = 0; i < 20000; i++)
		check_seconds(&line, (double)rig_random(&random, ~0u) * rig_random(&random, 5000) /
				     (1 + rig_random(&random, 4000000000u)));
	/* Halves of a nanosecond that are exact, and go to the even one. */
	for (i = 0; i < 2000; i++)
		check_seconds(&line, i / 1024.0);
}

static void test_pieces(void **state)
{
	const struct word word = { .len = 4, .text = "iret" };
	struct line line = { .len = 0 };
	size_t from;

	(void)state;
	line_text(&line, "d1");
	line_pad(&line, 0, 8);
	from = line.len;
	line_word(&line, &word);
	line_pad(&line, from, 4);
	line_number(&line, 42);
	check(&line, "d1      iret42");
}

/* What is too much is left out, and nothing is written behind the end. */
static void test_full(void **state)
{
	const struct word word = { .len = 63, .text = "x" };
	struct line *line = calloc(1, sizeof(*line));
	unsigned int i;

	(void)state;
	for (i = 0; i < LINE_BYTES; i++) {
		line_number(line, i);
		line_word(line, &word);
		line_pad(line, line->len - 1, 32);
		line_padded(line, i, 16, ' ');
		line_seconds(line, i);
		line_text(line, "some more");
		assert_true(line->len <= sizeof(line->text));
	}
	free(line);
}

static void test_end(void **state)
{
	struct line *line = calloc(1, sizeof(*line));
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	line_text(line, "later");
	line_end(line, to);
	assert_int_equal(line->len, 6);
	line->at_once = true;
	line_text(line, "now");
	line_end(line, to);
	assert_int_equal(line->len, 0);
	fclose(to);
	assert_string_equal(text, "later\nnow\n");
	free(text);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
