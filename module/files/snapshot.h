/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A copy of all statistics at one moment, which the files format without a lock.
 */
#ifndef HCT_SNAPSHOT_H
#define HCT_SNAPSHOT_H

#include <hctrace/table.h>

#include "../session.h"

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

#endif /* HCT_SNAPSHOT_H */
