// SPDX-License-Identifier: GPL-2.0
/* The file `multicalls`: a copy of the tables; how it reads is core/table.c's. */
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "multicalls.h"
#include "snapshot.h"

static void show_line(void *m, const char *line)
{
	seq_puts(m, line);
	seq_putc(m, '\n');
}

int hct_multicalls_show(struct seq_file *m, void *unused)
{
	const struct hct_snapshot *snap = m->private;

	hct_multicalls_format(snap->acct, snap->members, show_line, m);
	return 0;
}

struct hct_snapshot *hct_multicalls_take(void)
{
	struct hct_snapshot *snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	int rc;

	if (!snap)
		return ERR_PTR(-ENOMEM);
	rc = hct_snapshot_take(snap);
	if (rc) {
		kfree(snap);
		return ERR_PTR(rc);
	}
	return snap;
}

void hct_multicalls_free(struct hct_snapshot *snap)
{
	hct_snapshot_drop(snap);
	kfree(snap);
}
