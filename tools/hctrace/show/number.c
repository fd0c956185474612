// SPDX-License-Identifier: GPL-2.0
/* See number.h. */
#include <string.h>

#include "number.h"

const char *number_grouped(u64 value, char *buf)
{
	char digits[NUMBER_BYTES];
	size_t len = scnprintf(digits, sizeof(digits), "%llu", value);
	size_t i, to = 0;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf[to++] = ',';
		buf[to++] = digits[i];
	}
	buf[to] = '\0';
	return buf;
}

const char *number_fit(u64 value, unsigned int width, char *buf)
{
	static const char units[] = "KMGTPE";
	unsigned int unit = 0;
	u64 scale = 1000;

	if (strlen(number_grouped(value, buf)) <= width)
		return buf;
	while (units[unit + 1] && value / scale >= 1000) {
		scale *= 1000;
		unit++;
	}
	/* Three digits that mean something. */
	if (value / scale >= 100)
		scnprintf(buf, NUMBER_BYTES, "%llu%c", value / scale, units[unit]);
	else if (value / scale >= 10)
		scnprintf(buf, NUMBER_BYTES, "%llu.%llu%c", value / scale,
			  value / (scale / 10) % 10, units[unit]);
	else
		scnprintf(buf, NUMBER_BYTES, "%llu.%02llu%c", value / scale,
			  value / (scale / 100) % 100, units[unit]);
	return buf;
}

const char *number_fit_or_dash(u64 value, bool applies, unsigned int width, char *buf)
{
	if (applies)
		return number_fit(value, width, buf);
	strcpy(buf, "-");
	return buf;
}
