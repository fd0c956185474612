/* SPDX-License-Identifier: GPL-2.0 */
/* An export as the answer to a request. */
#ifndef HCTRACE_EXPORT_HTTP_H
#define HCTRACE_EXPORT_HTTP_H

#include "format.h"

/**
 * export_http() - answer a request on standard input, on standard output
 * @opt: what is wanted
 * @format: in which format, one of totals
 *
 * Return: an exit status.
 */
int export_http(const struct recording_options *opt, const struct export_format *format);

#endif /* HCTRACE_EXPORT_HTTP_H */
