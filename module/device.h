/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/xen/hctrace. */
#ifndef HCT_DEVICE_H
#define HCT_DEVICE_H

/** hct_device_init() - make it. Return: 0 or an error that has been logged */
int hct_device_init(void);

/** hct_device_exit() - no file of it is open */
void hct_device_exit(void);

#endif /* HCT_DEVICE_H */
