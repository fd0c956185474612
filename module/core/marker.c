// SPDX-License-Identifier: GPL-2.0
/* Calls of our own, and what merely looks like one; see marker.h. */
#include <hctrace/marker.h>
#include <hctrace/names.h>

u32 hct_marker_cookie(u32 random)
{
	return HCT_MARKER_MIN + (random * (0x100000000ull - HCT_MARKER_MIN) >> 32);
}

void hct_marker_send(struct hct_marker *marker, u32 cookie)
{
	marker->cookie = cookie;
	marker->awaited = true;
	marker->after = 0;
}

void hct_marker_returned(struct hct_marker *marker, u64 before, u64 after)
{
	marker->before = before;
	marker->after = after;
}

void hct_marker_refuse(struct hct_marker *marker)
{
	marker->cookie = 0;
	marker->awaited = false;
}

bool hct_marker_take(struct hct_marker *marker, const struct hct_call *call,
		     const struct hct_vcpu_id *who, u64 tsc, u16 pcpu)
{
	if (!marker->awaited || call->kind != HCT_KIND_MEMBER || call->op != HCT_OP_vcpu_op ||
	    call->flags || call->has_arg != 3 || call->args[0] != HCT_VCPU_is_up ||
	    call->args[1] != marker->cookie || (who && who->domid))
		return false;
	marker->awaited = false;
	marker->seen = true;
	marker->fresh = true;
	marker->tsc = tsc;
	marker->pcpu = pcpu;
	marker->known = who;
	if (who)
		marker->who = *who;
	return true;
}

bool hct_marker_take_times(struct hct_marker *marker)
{
	if (!marker->fresh || !marker->after)
		return false;
	marker->fresh = false;
	return true;
}
