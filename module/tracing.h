/* SPDX-License-Identifier: GPL-2.0 */
/* What Xen is told. Called under ctl, if nothing else is said. */
#ifndef HCT_TRACING_H
#define HCT_TRACING_H

#include "xen/hypervisor.h"

/**
 * struct hct_tracing_status - of what Xen was told
 * @hyp: what we run on
 * @is_on: whether Xen traces for us
 * @requested_pages: pages per ring asked for, 0: no wish
 * @actual_pages: pages per ring, 0: no rings yet
 * @nr_rings: pCPUs that have one
 * @asked_mask: Xen's event mask while we trace
 * @found_mask: Xen's event mask before, restored by stop
 * @mask_changes: times a mask was found changed by somebody else
 * @found_off: times tracing was found switched off by somebody else
 */
struct hct_tracing_status {
	struct hct_hyp hyp;
	bool is_on;
	u32 requested_pages;
	u32 actual_pages;
	u32 nr_rings;
	u32 asked_mask;
	u32 found_mask;
	u64 mask_changes;
	u64 found_off;
};

/**
 * hct_tracing_init() - find the hypervisor; without ctl, before anything else
 * @sysctl_version: version of its sysctl interface; 0: probe
 * @tbuf_pages: pages per ring to ask for, 0: no wish
 *
 * Return: 0 or an error that has been logged.
 */
int hct_tracing_init(u32 sysctl_version, u32 tbuf_pages);

/** hct_tracing_exit() - without ctl, after hct_tracing_stop() */
void hct_tracing_exit(void);

/** hct_tracing_mask() - what Xen was last asked for */
u32 hct_tracing_mask(void);

/** hct_tracing_ask() - ask for @mask instead, from the next start or change on */
void hct_tracing_ask(u32 mask);

/** hct_tracing_by_switch() - whether who runs is told by switches alone */
bool hct_tracing_by_switch(void);

/** hct_tracing_start() - begin to trace what is asked for; @profile is what the log says of it */
int hct_tracing_start(u8 profile);

/** hct_tracing_change() - while tracing, go over from what was asked for @before */
int hct_tracing_change(u32 before);

/** hct_tracing_stop() - while tracing, end it and leave Xen as it was found */
void hct_tracing_stop(void);

bool hct_tracing_is_on(void);

/** hct_tracing_dom0_is_pv() - whether dom0 is a PV domain, else PVH; without ctl too */
bool hct_tracing_dom0_is_pv(void);

/** hct_tracing_pcpu_ids() - numbers of pCPUs are below this, 0: not known; without ctl too */
u32 hct_tracing_pcpu_ids(void);

/** hct_tracing_status() - fill in a status */
void hct_tracing_status(struct hct_tracing_status *status);

#endif /* HCT_TRACING_H */
