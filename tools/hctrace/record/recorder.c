// SPDX-License-Identifier: GPL-2.0
/* See recorder.h. */
#include "recorder.h"

void record_count_lost(struct recorder *rec, u64 position)
{
	u64 id = *(const u64 *)reader_at(&rec->reader, position + 8);
	u64 lost = *(const u64 *)reader_at(&rec->reader, position + 16);

	if (id == XEN_HCTRACE_LOST_RING)
		rec->tally.ring_lost += lost;
	else if (XEN_HCTRACE_LOST_IS_GAP(id))
		rec->tally.gaps++;
	else
		rec->tally.xen_lost += lost;
}
