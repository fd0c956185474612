/* SPDX-License-Identifier: GPL-2.0 */
/* The file `multicalls`: a copy of the tables, and how it reads. */
#ifndef HCT_MULTICALLS_H
#define HCT_MULTICALLS_H

#include <linux/seq_file.h>

struct hct_snapshot;

/** hct_multicalls_take() - a consistent copy of all statistics; an ERR_PTR on failure */
struct hct_snapshot *hct_multicalls_take(void);

/** hct_multicalls_free() - the file is closed */
void hct_multicalls_free(struct hct_snapshot *snap);

/** hct_multicalls_show() - the whole file, of the copy that is @m's private */
int hct_multicalls_show(struct seq_file *m, void *unused);

#endif /* HCT_MULTICALLS_H */
