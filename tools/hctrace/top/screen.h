/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace top in a terminal. */
#ifndef HCTRACE_TOP_SCREEN_H
#define HCTRACE_TOP_SCREEN_H

#include "rounds.h"

/** top_screen() - until the user has had enough; returns an exit status */
int top_screen(struct top *top);

#endif /* HCTRACE_TOP_SCREEN_H */
