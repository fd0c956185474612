/* SPDX-License-Identifier: GPL-2.0 */
/* A report as a page for browsers: all of it in one file, which asks for nothing else. */
#ifndef HCTRACE_REPORT_HTML_H
#define HCTRACE_REPORT_HTML_H

#include <stdio.h>

#include "by_domain.h"
#include "summary.h"

/**
 * html_print() - write the page
 * @to: where
 * @summary: what
 * @by: calls over time
 *
 * What a guest or a user has named is text in it, whatever it is.
 */
void html_print(FILE *to, const struct summary *summary, const struct by_domain *by);

#endif /* HCTRACE_REPORT_HTML_H */
