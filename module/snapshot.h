/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A copy of all statistics at one moment, which the files format without a lock.
 */
#ifndef HCT_SNAPSHOT_H
#define HCT_SNAPSHOT_H

#include "hctrace.h"

/**
 * struct hct_snapshot - the statistics at one moment
 * @status: of the session
 * @total: ledger over all rings
 * @trust: how far to believe the domids
 * @good_rings: rings that are read
 * @members: whether calls inside multicalls are traced
 * @profile: &enum hct_profile
 * @acct: copy of the tables, without the rows beyond @acct->nr
 */
struct hct_snapshot {
	struct hct_status status;
	struct hct_counters total;
	const char *trust;
	u32 good_rings;
	bool members;
	u8 profile;
	struct hct_account *acct;
};

/** hct_snapshot_take() - fill an empty snapshot in. Return: 0 or -ENOMEM. */
int hct_snapshot_take(struct hct_snapshot *snap);

/** hct_snapshot_drop() - give its memory back */
void hct_snapshot_drop(struct hct_snapshot *snap);

/** hct_snapshot_special() - which special row @dom is, or -1 if it is a domain */
int hct_snapshot_special(const struct hct_snapshot *snap, const struct hct_domain *dom);

/** hct_snapshot_name() - "d3", "d3#2", "d?", "d[gone]" into @buf */
const char *hct_snapshot_name(const struct hct_snapshot *snap, const struct hct_domain *dom,
			      char *buf, size_t size);

#endif /* HCT_SNAPSHOT_H */
