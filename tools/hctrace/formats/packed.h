/* SPDX-License-Identifier: GPL-2.0 */
/* Files that somebody has packed: they are named, and not unpacked. */
#ifndef HCTRACE_PACKED_H
#define HCTRACE_PACKED_H

#include "input.h"

/** packed_by() - the program that has packed an input, and unpacks it with -dc; NULL: none */
const char *packed_by(struct input *in);

#endif /* HCTRACE_PACKED_H */
