/* SPDX-License-Identifier: GPL-2.0 */
/* Calls over time, each domain's apart. */
#ifndef HCTRACE_REPORT_BY_DOMAIN_H
#define HCTRACE_REPORT_BY_DOMAIN_H

#include "base/dom_id.h"
#include "show/timeline.h"

#define BY_DOMAIN_BUCKETS	128

struct by_domain;

/** by_domain_new() - nothing counted yet; NULL: no memory */
struct by_domain *by_domain_new(void);
void by_domain_free(struct by_domain *by);

/** by_domain_count() - a call of @rec, while it is being read */
void by_domain_count(struct by_domain *by, const struct recording *rec,
		     const struct xen_hctrace_call *call);

/** by_domain_line() - the timeline, a row each domain */
const struct timeline *by_domain_line(const struct by_domain *by);

/** by_domain_row() - the row of a domain; -1: it has none of its own */
int by_domain_row(const struct by_domain *by, const struct dom_id *dom);

/** by_domain_rows() - how many rows there are */
u32 by_domain_rows(const struct by_domain *by);

#endif /* HCTRACE_REPORT_BY_DOMAIN_H */
