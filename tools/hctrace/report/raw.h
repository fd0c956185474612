/* SPDX-License-Identifier: GPL-2.0 */
/* A report for scripts: tables laid out as the module's files are, which stay as they are. */
#ifndef HCTRACE_REPORT_RAW_H
#define HCTRACE_REPORT_RAW_H

#include "show/timeline.h"

/**
 * raw_print() - to standard output
 * @rec: the recording
 * @line: its timeline, or NULL
 * @uuid: UUIDs of domains too
 *
 * Return: 0 or an exit status.
 */
int raw_print(const struct recording *rec, const struct timeline *line, bool uuid);

#endif /* HCTRACE_REPORT_RAW_H */
