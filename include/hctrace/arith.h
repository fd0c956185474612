/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums, shares and rates of counters. A guest may write any number into a record and a
 * host may run for years: nothing here overflows, and what there is no room for stays at
 * the largest number there is.
 */
#ifndef HCTRACE_ARITH_H
#define HCTRACE_ARITH_H

#include <hctrace/types.h>

/** hct_add() - a sum; all ones if there is no room for it */
static inline u64 hct_add(u64 a, u64 b)
{
	u64 sum = a + b;

	return sum < a ? ~0ull : sum;
}

/* @rest grows by @more, both below @div; each time it reaches @div, @quotient counts one. */
static inline void hct_add_mod(u64 *quotient, u64 *rest, u64 more, u64 div)
{
	if (*rest >= div - more) {
		++*quotient;
		*rest -= div - more;
	} else {
		*rest += more;
	}
}

/**
 * hct_mul_div() - @value times @mul divided by @div, rounded down
 * @value: any
 * @mul: any
 * @div: any but 0
 *
 * Bit by bit, since the kernel has no division of 128 bits: not for each record.
 *
 * Return: the quotient, which is exact; all ones if there is no room for it.
 */
static inline u64 hct_mul_div(u64 value, u32 mul, u64 div)
{
	u64 whole = value / div;
	u64 part = value % div;
	u64 quotient = 0;
	u64 rest = 0;
	int bit;

	if (mul && whole > ~0ull / mul)
		return ~0ull;
	/* @quotient * @div + @rest is @part times the bits of @mul so far. */
	for (bit = fls64(mul) - 1; bit >= 0; bit--) {
		quotient *= 2;
		hct_add_mod(&quotient, &rest, rest, div);
		if (mul >> bit & 1)
			hct_add_mod(&quotient, &rest, part, div);
	}
	return hct_add(whole * mul, quotient);
}

#endif /* HCTRACE_ARITH_H */
