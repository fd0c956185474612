/* SPDX-License-Identifier: GPL-2.0 */
/* A call of our own, that must come back. */
#ifndef HCT_SELFTEST_H
#define HCT_SELFTEST_H

#include <linux/types.h>

/**
 * hct_selftest_run() - make a call of our own, if it would tell something
 * @mask: what Xen traces
 * @pv: dom0 is a PV domain
 *
 * Called under ctl while tracing is on.
 */
void hct_selftest_run(u32 mask, bool pv);

#endif /* HCT_SELFTEST_H */
