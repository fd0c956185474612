// SPDX-License-Identifier: GPL-2.0
/* See ctl.h. */
#include <linux/errno.h>
#include <linux/rbtree.h>	/* which mutex.h of 5.10-rt wants to be there */

#include "ctl.h"

/* Of what session.c and tracing.c have, and of who is called by them. */
DEFINE_MUTEX(hct_ctl);

struct workqueue_struct *hct_wq;

int hct_ctl_init(void)
{
	/* Unbound, because what runs on it may take a while; freezable, as the drain is. */
	hct_wq = alloc_workqueue("xen-hctrace", WQ_UNBOUND | WQ_FREEZABLE, 0);
	return hct_wq ? 0 : -ENOMEM;
}

void hct_ctl_exit(void)
{
	destroy_workqueue(hct_wq);
}
