/* SPDX-License-Identifier: GPL-2.0 */
/* What the host may have changed behind our back. Called under ctl, but for init and exit. */
#ifndef HCT_WATCH_H
#define HCT_WATCH_H

#include "xen/hypervisor.h"

/**
 * struct hct_watch_status - of the pCPUs
 * @error: why Xen does not say which are there, or 0
 * @silent: those whose calls it does not record any more, "1,3" or "none"
 * @ringless: those for which it never made a buffer
 */
struct hct_watch_status {
	int error;
	char silent[64];
	char ringless[64];
};

/** hct_watch_init() - @nr: numbers of pCPUs are below it. Return: 0 or -ENOMEM */
int hct_watch_init(u32 nr);
void hct_watch_exit(void);

/** hct_watch_forget() - nothing can be said of the time up to the next look at pCPUs */
void hct_watch_forget(void);

/**
 * hct_watch_call() - make a call of our own, and see whether it is recorded
 * @info: filled in: what was asked
 * @recorded: filled in: whether any ring moved, or has no room to
 *
 * Return: 0 or Xen's error.
 */
int hct_watch_call(struct hct_tbuf_info *info, bool *recorded);

/**
 * hct_watch_pcpus() - look at all pCPUs, while Xen traces
 * @nr_online: set to how many are online, if Xen says
 * @judge: whether a switch must have left a record since the last look
 */
void hct_watch_pcpus(u32 *nr_online, bool judge);

/** hct_watch_has_silent() - whether there are pCPUs whose calls are not recorded */
bool hct_watch_has_silent(void);

/** hct_watch_status() - fill in a status */
void hct_watch_status(struct hct_watch_status *status);

#endif /* HCT_WATCH_H */
