// SPDX-License-Identifier: GPL-2.0
/* The attr of a reader: checked, copied, understood. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <hctrace/attr.h>

#include "attr.h"
#include "compat.h"
#include "session.h"
#include "trace.h"

#define DEFAULT_LATENCY_US	100000

/* Make a set of the numbers in user memory; NULL if there are none. */
static u64 *copy_set(u64 address, u32 nr)
{
	const u16 __user *from = u64_to_user_ptr(address);
	u64 *set;
	u32 i;
	u16 id;

	if (!nr)
		return NULL;
	if (nr > XEN_HCTRACE_ATTR_MAX_LIST)
		return ERR_PTR(-E2BIG);
	set = kvcalloc(HCT_SET_WORDS, sizeof(*set), GFP_KERNEL_ACCOUNT);
	if (!set)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < nr; i++) {
		if (get_user(id, from + i)) {
			kvfree(set);
			return ERR_PTR(-EFAULT);
		}
		hct_set_add(set, id);
	}
	return set;
}

void hct_wish_free(struct hct_wish *wish)
{
	kvfree(wish->domains);
	kvfree(wish->pcpus);
	kvfree(wish->due);
}

/* What an attr wants. Return: 0 or an error; then @wish holds nothing. */
static int wish_make(struct hct_wish *wish, const struct xen_hctrace_attr *attr)
{
	memset(wish, 0, sizeof(*wish));
	if (!hct_attr_is_valid(attr))
		return -EINVAL;

	wish->domains = copy_set(attr->domains, attr->nr_domains);
	if (IS_ERR(wish->domains))
		return PTR_ERR(wish->domains);
	wish->pcpus = copy_set(attr->pcpus, attr->nr_pcpus);
	if (IS_ERR(wish->pcpus)) {
		kvfree(wish->domains);
		return PTR_ERR(wish->pcpus);
	}

	wish->enabled = !(attr->flags & XEN_HCTRACE_ATTR_DISABLED);
	wish->mask = attr->raw_mask ?: hct_session_kinds_mask(attr->kinds);
	wish->cfg = (struct hct_out_config){
		.filter = {
			.kinds = attr->kinds,
			.known_only = attr->flags & XEN_HCTRACE_ATTR_KNOWN_ONLY,
			.ops = attr->ops,
			.domains = wish->domains,
			.pcpus = wish->pcpus,
		},
		.raw_mask = attr->raw_mask,
		.common_type = hct_trace_id(),
		.with_ids = attr->sample_type & PERF_SAMPLE_TIME,
		.with_domains = attr->flags & XEN_HCTRACE_ATTR_DOMAINS,
		.watermark_bytes = attr->wakeup_watermark,
		.max_latency_ns = (attr->max_latency_us ?: DEFAULT_LATENCY_US) *
				  (u64)NSEC_PER_USEC,
		.nr_pcpus = hct_session_pcpu_ids(),
	};
	wish->due = kvzalloc(hct_out_due_bytes(&wish->cfg), GFP_KERNEL_ACCOUNT);
	if (!wish->due) {
		hct_wish_free(wish);
		return -ENOMEM;
	}
	return 0;
}

int hct_wish_default(struct hct_wish *wish)
{
	const struct xen_hctrace_attr attr = {
		.kinds = hct_session_default_kinds(),
		.sample_type = PERF_SAMPLE_RAW,
	};

	return wish_make(wish, &attr);
}

/*
 * Copy a structure that begins with its size; what is unknown to us must be 0. The size is
 * copied once more, as it may have become by then, and nobody looks at it.
 */
static int copy_sized(void *to, size_t size, size_t min_size, const void __user *from)
{
	u32 user_size;

	if (get_user(user_size, (const u32 __user *)from))
		return -EFAULT;
	if (user_size < min_size || user_size > PAGE_SIZE)
		return user_size < min_size ? -EINVAL : -E2BIG;
	return copy_struct_from_user(to, size, from, user_size);
}

int hct_wish_copy(struct hct_wish *wish, const void __user *arg)
{
	struct xen_hctrace_attr attr;
	int rc;

	rc = copy_sized(&attr, sizeof(attr), XEN_HCTRACE_ATTR_SIZE_VER0, arg);
	return rc ?: wish_make(wish, &attr);
}
