/* SPDX-License-Identifier: GPL-2.0 */
/* The file `status`. */
#ifndef HCT_STATUS_H
#define HCT_STATUS_H

#include <linux/seq_file.h>

/** hct_status_show() - all of it, as it is now. Return: 0 or -ENOMEM */
int hct_status_show(struct seq_file *m, void *unused);

#endif /* HCT_STATUS_H */
