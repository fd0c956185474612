/* SPDX-License-Identifier: GPL-2.0 */
/* The folder /sys/kernel/debug/xen-hctrace. */
#ifndef HCT_DEBUGFS_H
#define HCT_DEBUGFS_H

/** hct_debugfs_init() - make it; where that fails there are no files */
void hct_debugfs_init(void);

/** hct_debugfs_exit() - waits for who is in one of its files */
void hct_debugfs_exit(void);

#endif /* HCT_DEBUGFS_H */
