/* SPDX-License-Identifier: GPL-2.0 */
#ifndef HCT_VERSION_H
#define HCT_VERSION_H

/*
 * The version of module, tool and packages; it stands here, and scripts/check-version sees to it
 * that what has to repeat it says the same.
 */
#define HCT_VERSION "0.1.0"

#endif /* HCT_VERSION_H */
