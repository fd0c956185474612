/* SPDX-License-Identifier: GPL-2.0 */
/* All formats that recordings are in. */
#ifndef HCTRACE_RECORDING_SOURCES_H
#define HCTRACE_RECORDING_SOURCES_H

#include "recording.h"

/** recording_read() - read all of it, in whichever format it is. Return: an exit status */
int recording_read(struct recording *rec);

/**
 * recording_found() - after recording_read(), for who has no tables (@p.stats_off) but looks
 * @rec: the recording
 * @any: something was wanted
 *
 * Return: 0, or EXIT_NOTHING after saying that nothing is what was asked for.
 */
int recording_found(const struct recording *rec, bool any);

#endif /* HCTRACE_RECORDING_SOURCES_H */
