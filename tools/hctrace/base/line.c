// SPDX-License-Identifier: GPL-2.0
/* See line.h. */
#include <math.h>

#include "line.h"

#define SECONDS_WIDTH	16
#define WIDTH_MAX	16
#define NS_PER_S	1000000000u

/* All pairs of digits: half as many divisions. */
#define TEN(tens)	tens "0" tens "1" tens "2" tens "3" tens "4" \
			tens "5" tens "6" tens "7" tens "8" tens "9"
static const char pairs[] = TEN("0") TEN("1") TEN("2") TEN("3") TEN("4")
			    TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");

static const u64 powers[] = {
	1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull, 100000000ull,
	1000000000ull, 10000000000ull, 100000000000ull, 1000000000000ull, 10000000000000ull,
	100000000000000ull, 1000000000000000ull, 10000000000000000ull, 100000000000000000ull,
	1000000000000000000ull, 10000000000000000000ull,
};

/* By its bits: 1233 / 4096 is the logarithm of 2. */
static unsigned int nr_digits(u64 value)
{
	unsigned int less = fls64(value | 1) * 1233 >> 12;

	return less + ((value | 1) >= powers[less]);
}

/* All digits of a number, up to @end. */
static void put_digits(char *end, u64 value)
{
	for (; value >= 100; value /= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
	}
	if (value >= 10)
		memcpy(end - 2, pairs + 2 * value, 2);
	else
		end[-1] = '0' + value;
}

void line_padded(struct line *line, u64 value, unsigned int width, char fill)
{
	unsigned int digits = nr_digits(value);
	char *at = line->text + line->len;

	if (line->len >= LINE_BYTES)
		return;
	/* Behind the line there is room for all that is too much. */
	if (digits < width) {
		memset(at, fill, WIDTH_MAX);
		at += width - digits;
	}
	put_digits(at + digits, value);
	line->len = at + digits - line->text;
}

void line_signed(struct line *line, s64 value, unsigned int width)
{
	char text[24];

	if (value >= 0) {
		line_padded(line, value, width, ' ');
		return;
	}
	scnprintf(text, sizeof(text), "%*lld", (int)width, value);
	line_text(line, text);
}

/*
 * A value in nanoseconds, rounded as printf() does it: to the nearest, and half of one to
 * the even one. A double is a whole number of 53 bits, and a power of two.
 */
static u64 round_to_ns(double value)
{
	unsigned __int128 exact, half, rest;
	unsigned int shift;
	int exponent;
	double part;
	u64 ns;

	part = frexp(value, &exponent);
	exact = (u64)ldexp(part, 53);
	exact *= NS_PER_S;
	shift = 53 - exponent;
	/* Less than a thousandth of one. */
	if (shift > 96)
		return 0;
	ns = exact >> shift;
	half = 1;
	half <<= shift - 1;
	rest = exact & (2 * half - 1);
	return ns + (rest > half || (rest == half && ns & 1));
}

void line_seconds(struct line *line, double value)
{
	char text[400];
	u64 ns;

	/* A hundred years, at which no shift is 0. */
	if (!(value >= 0 && value < 3e9) || signbit(value)) {
		scnprintf(text, sizeof(text), "%*.9f", SECONDS_WIDTH, value);
		line_text(line, text);
		return;
	}
	ns = round_to_ns(value);
	line_padded(line, ns / NS_PER_S, SECONDS_WIDTH - 10, ' ');
	line_text(line, ".");
	line_padded(line, ns % NS_PER_S, 9, '0');
}

void line_write(struct line *line, FILE *to)
{
	fwrite_unlocked(line->text, 1, line->len, to);
	line->len = 0;
}
