// SPDX-License-Identifier: GPL-2.0
/* What a reader wants to have of the stream; see filter.h. */
#include <hctrace/filter.h>

bool hct_filter_call(const struct hct_filter *filter, const struct xen_hctrace_call *call)
{
	if (!(filter->kinds >> call->kind & 1))
		return false;
	if (filter->known_only && call->domid == XEN_HCTRACE_UNKNOWN)
		return false;
	if (filter->ops && (call->op >= 64 || !(filter->ops >> call->op & 1)))
		return false;
	if (filter->domains && !hct_set_has(filter->domains, call->domid))
		return false;
	return hct_filter_pcpu(filter, call->pcpu);
}

bool hct_filter_raw(u32 mask, u32 event)
{
	if (event & XEN_TRC_CLS_GUEST || event == XEN_TRC_WRAP)
		return false;
	if (event == XEN_TRC_LOST_RECORDS)
		return true;
	return xen_trc_mask_has(mask, event);
}
