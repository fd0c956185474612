// SPDX-License-Identifier: GPL-2.0
/* See format.h. */
#include "format.h"

u64 export_ns(const struct export *e, u64 tsc, u64 ns)
{
	u64 khz = e->opt.tsc_khz;

	if (e->rec.ns_times || !khz)
		return recording_time(&e->rec, ns);
	tsc = recording_time(&e->rec, tsc);
	/* In two parts, so that no product is too large for any counter there is. */
	return tsc / khz * 1000000 + tsc % khz * 1000000 / khz;
}
