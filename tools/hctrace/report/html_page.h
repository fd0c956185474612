/* SPDX-License-Identifier: GPL-2.0 */
/* What every page has, whatever it is of. */
#ifndef HCTRACE_REPORT_HTML_PAGE_H
#define HCTRACE_REPORT_HTML_PAGE_H

extern const char html_style[];		/* CSS, light and dark */
extern const char html_script[];	/* what sorts a table when a head is clicked */

#endif /* HCTRACE_REPORT_HTML_PAGE_H */
