/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lock ctl, under which it is decided whether and what Xen traces, and the queue for
 * the work that takes it. Who holds it may take pipe, sleep, allocate and ask Xen; the
 * drain never takes it, because its thread is stopped under it.
 */
#ifndef HCT_CTL_H
#define HCT_CTL_H

#include <linux/mutex.h>
#include <linux/workqueue.h>

extern struct mutex hct_ctl;

/** hct_wq - for all work items of ours, from hct_ctl_init() to hct_ctl_exit() */
extern struct workqueue_struct *hct_wq;

/** hct_ctl_init() - make the queue. Return: 0 or -ENOMEM */
int hct_ctl_init(void);

/** hct_ctl_exit() - no work item may be left that is queued anew */
void hct_ctl_exit(void);

#endif /* HCT_CTL_H */
