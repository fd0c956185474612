// SPDX-License-Identifier: GPL-2.0
/* See color.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "color.h"

/* The eight colours that every terminal has, so that the user's own theme holds. */
static const struct palette colors = {
	.head = "\033[4m", .strong = "\033[1m", .hot = "\033[31m", .warm = "\033[32m",
	.warn = "\033[1;33m", .dim = "\033[2m", .bar = "\033[36m", .off = "\033[0m",
};

static const struct palette none = {
	.head = "", .strong = "", .hot = "", .warm = "", .warn = "", .dim = "", .bar = "",
	.off = "",
};

bool color_parse(const char *arg, enum color_when *when)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(arg, names[i])) {
			*when = i;
			return true;
		}
	}
	return false;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

const struct palette *color_palette(FILE *to, enum color_when when)
{
	const char *term = getenv("TERM");

	if (when == COLOR_AUTO && (!isatty(fileno(to)) || is_set("NO_COLOR") || !term ||
				   !strcmp(term, "dumb")))
		when = COLOR_NEVER;
	return when == COLOR_NEVER ? &none : &colors;
}

const char *color_of_share(const struct palette *palette, double percent)
{
	return percent >= 5 ? palette->hot : percent >= 0.5 ? palette->warm : "";
}
