/* SPDX-License-Identifier: GPL-2.0 */
/* Options that the verbs which read recordings have in common. */
#ifndef HCTRACE_RECORDING_OPTIONS_H
#define HCTRACE_RECORDING_OPTIONS_H

#include <argp.h>

#include "recording.h"

/**
 * recording_argp - --domain, --op, --since, --until, --tsc-mhz, --draft, --quiet and FILE
 *
 * A child of the verb's own parser. Its input is a &struct recording_options, filled
 * in by recording_options_init().
 */
extern const struct argp recording_argp;

/** recording_options_init() - everything is wanted, no file named */
void recording_options_init(struct recording_options *opt);

#endif /* HCTRACE_RECORDING_OPTIONS_H */
