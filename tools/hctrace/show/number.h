/* SPDX-License-Identifier: GPL-2.0 */
/* Figures as people read them. */
#ifndef HCTRACE_NUMBER_H
#define HCTRACE_NUMBER_H

#include <hctrace/types.h>

#define NUMBER_BYTES	32	/* holds any figure */

/** number_grouped() - "1,234,567" into @buf of %NUMBER_BYTES, which is returned */
const char *number_grouped(u64 value, char *buf);

/**
 * number_fit() - the same, or "1.23M" where that has no room
 * @value: the figure
 * @width: columns that there are, 5 or more
 * @buf: of %NUMBER_BYTES
 *
 * What is shortened is rounded down, so that nothing looks like more than it is.
 * Return: @buf.
 */
const char *number_fit(u64 value, unsigned int width, char *buf);

/** number_fit_or_dash() - the same, "-" if the figure has no meaning or is not known */
const char *number_fit_or_dash(u64 value, bool applies, unsigned int width, char *buf);

#endif /* HCTRACE_NUMBER_H */
