// SPDX-License-Identifier: GPL-2.0
/* See attr.h. */
#include <hctrace/attr.h>
#include <hctrace/ring.h>

#define KNOWN_KINDS		((1u << HCT_NR_KINDS) - 1)
#define KNOWN_FLAGS		(XEN_HCTRACE_ATTR_DISABLED | XEN_HCTRACE_ATTR_KNOWN_ONLY | \
				 XEN_HCTRACE_ATTR_DOMAINS)
#define SAMPLE_IDS		(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* Records have neither kind nor op nor domain, whether or not one is known. */
static bool is_raw_valid(const struct xen_hctrace_attr *attr)
{
	const u32 allowed = XEN_TRC_CLASSES | XEN_TRC_SUBCLASSES;

	return !attr->kinds && !attr->ops && !attr->nr_domains &&
	       !(attr->flags & ~(u64)XEN_HCTRACE_ATTR_DISABLED) &&
	       attr->sample_type == PERF_SAMPLE_RAW && !(attr->raw_mask & ~allowed) &&
	       attr->raw_mask & XEN_TRC_CLASSES && attr->raw_mask & XEN_TRC_SUBCLASSES &&
	       !(attr->raw_mask & XEN_TRC_CLS_GUEST);
}

static bool is_calls_valid(const struct xen_hctrace_attr *attr)
{
	return attr->kinds && !(attr->kinds & ~KNOWN_KINDS) &&
	       !(attr->flags & ~(u64)KNOWN_FLAGS) &&
	       (attr->sample_type == PERF_SAMPLE_RAW ||
		attr->sample_type == (PERF_SAMPLE_RAW | SAMPLE_IDS));
}

bool hct_attr_is_valid(const struct xen_hctrace_attr *attr)
{
	/* A list of none is nowhere. */
	if ((attr->domains && !attr->nr_domains) || (attr->pcpus && !attr->nr_pcpus))
		return false;
	return !attr->reserved && (attr->raw_mask ? is_raw_valid(attr) : is_calls_valid(attr));
}
