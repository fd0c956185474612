/* SPDX-License-Identifier: GPL-2.0 */
/* All formats that recordings are in. */
#ifndef HCTRACE_RECORDING_SOURCES_H
#define HCTRACE_RECORDING_SOURCES_H

#include "recording.h"

/** recording_read() - read all of it, in whichever format it is. Return: an exit status */
int recording_read(struct recording *rec);

#endif /* HCTRACE_RECORDING_SOURCES_H */
