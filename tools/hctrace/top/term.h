/* SPDX-License-Identifier: GPL-2.0 */
/* What the terminal can do. */
#ifndef HCTRACE_TOP_TERM_H
#define HCTRACE_TOP_TERM_H

#include <stdbool.h>

/** top_screen_possible() - whether standard output is a terminal that can do it */
bool top_screen_possible(void);

#endif /* HCTRACE_TOP_TERM_H */
