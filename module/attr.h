/* SPDX-License-Identifier: GPL-2.0 */
/* From what a reader asks for, in user memory, to what its ring and Xen are told. */
#ifndef HCT_ATTR_H
#define HCT_ATTR_H

#include <linux/compiler_types.h>

#include <hctrace/ring.h>

/**
 * struct hct_wish - an attr, understood
 * @cfg: for the ring
 * @enabled: at once
 * @mask: events of Xen that it takes
 * @domains: set for @cfg, or NULL
 * @pcpus: set for @cfg, or NULL
 * @due: see hct_out_init()
 */
struct hct_wish {
	struct hct_out_config cfg;
	bool enabled;
	u32 mask;
	u64 *domains;
	u64 *pcpus;
	void *due;
};

/** hct_wish_default() - for a reader that has said nothing. Return: 0 or -ENOMEM */
int hct_wish_default(struct hct_wish *wish);

/**
 * hct_wish_copy() - take an attr from user memory
 * @wish: filled in
 * @arg: a &struct xen_hctrace_attr of the size that it begins with
 *
 * Return: 0; -EFAULT; -ENOMEM; -E2BIG if it is longer than ours with anything but 0
 * in the surplus, or a list is; -EINVAL. On failure @wish holds no memory.
 */
int hct_wish_copy(struct hct_wish *wish, const void __user *arg);

/** hct_wish_free() - a wish that will not come true */
void hct_wish_free(struct hct_wish *wish);

#endif /* HCT_ATTR_H */
