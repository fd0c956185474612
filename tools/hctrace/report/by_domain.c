// SPDX-License-Identifier: GPL-2.0
/* See by_domain.h. */
#include <stdlib.h>
#include <string.h>

#include <hctrace/xen_trace.h>

#include "by_domain.h"

#define ROW_UNKNOWN	0	/* d? */
#define ROW_MORE	1	/* of those that came when all rows were taken */
#define FIRST_ROW	2
#define MAX_ROWS	(FIRST_ROW + HCT_MAX_DOMAINS)

/**
 * struct by_domain - rows of a timeline
 * @line: the timeline
 * @nr: rows that are taken
 * @domid: of each
 * @generation: of each
 * @row: by domain, the last row that one of this id took; 0: none
 */
struct by_domain {
	struct timeline *line;
	u32 nr;
	u16 domid[MAX_ROWS];
	u32 generation[MAX_ROWS];
	u16 row[XEN_DOMID_FIRST_RESERVED];
};

struct by_domain *by_domain_new(void)
{
	struct by_domain *by = calloc(1, sizeof(*by));

	if (!by)
		return NULL;
	by->nr = FIRST_ROW;
	by->line = timeline_new(BY_DOMAIN_BUCKETS, MAX_ROWS);
	if (by->line)
		return by;
	free(by);
	return NULL;
}

void by_domain_free(struct by_domain *by)
{
	if (by)
		timeline_free(by->line);
	free(by);
}

static u32 row_of(struct by_domain *by, const struct recording *rec, u16 domid)
{
	u32 generation, row;

	if (domid >= XEN_DOMID_FIRST_RESERVED)
		return ROW_UNKNOWN;
	generation = rec->p.acct->generations[domid] + 1;
	row = by->row[domid];
	if (row && by->generation[row] == generation)
		return row;
	if (by->nr == MAX_ROWS)
		return ROW_MORE;
	row = by->nr++;
	by->row[domid] = row;
	by->domid[row] = domid;
	by->generation[row] = generation;
	return row;
}

void by_domain_count(struct by_domain *by, const struct recording *rec,
		     const struct xen_hctrace_call *call)
{
	u64 time = recording_time(rec, rec->ns_times ? call->ns : call->tsc);

	timeline_count(by->line, row_of(by, rec, call->domid), time, 1);
}

const struct timeline *by_domain_line(const struct by_domain *by)
{
	return by->line;
}

int by_domain_row(const struct by_domain *by, const struct dom_id *dom)
{
	u32 row;

	if (!strcmp(dom->label, "d?"))
		return ROW_UNKNOWN;
	for (row = FIRST_ROW; row < by->nr; row++) {
		if (by->domid[row] == dom->domid && by->generation[row] == dom->generation)
			return row;
	}
	return -1;
}

u32 by_domain_rows(const struct by_domain *by)
{
	return by->nr;
}
