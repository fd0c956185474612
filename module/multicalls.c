// SPDX-License-Identifier: GPL-2.0
/*
 * The file `multicalls`: each domain's multicalls as wholes, their sizes, and what
 * their members are. batches, split and declared are the calls, continuations and
 * units of the row call/multicall in `stats`; complete + short + lost make up the
 * batches, but for those that are not over yet.
 */
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "snapshot.h"

typedef void (*show_fn)(struct seq_file *m, const struct hct_snapshot *snap,
			const struct hct_domain *dom);

static const struct hct_cell *multicalls_of(const struct hct_domain *dom)
{
	return &dom->cells[HCT_KIND_CALL][HCT_OP_multicall];
}

static u64 members_of(const struct hct_domain *dom)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < HCT_NR_CELLS; i++)
		sum += dom->cells[HCT_KIND_MEMBER][i].calls;
	return sum;
}

static void show_batches(struct seq_file *m, const struct hct_snapshot *snap,
			 const struct hct_domain *dom)
{
	const struct hct_cell *cell = multicalls_of(dom);
	const struct hct_batches *b = &dom->batches;
	u64 members = members_of(dom);
	char name[24];
	u32 tenths;

	hct_snapshot_name(snap, dom, name, sizeof(name));
	if (!cell->calls && !cell->cont) {
		if (members)
			seq_printf(m, "%-9s %11s %8s %7s %7s %12s %12llu %8s %8s%s\n", name, "-",
				   "-", "-", "-", "-", members, "-", "-", "  no parent");
		return;
	}

	tenths = cell->calls ? div64_u64(10 * cell->units, cell->calls) : 0;
	seq_printf(m, "%-9s %11llu %8llu %7llu %7llu %12llu %12llu %6u.%u %8llu", name, cell->calls,
		   cell->cont, b->ends[HCT_END_SHORT], b->ends[HCT_END_LOST], cell->units, b->seen,
		   tenths / 10, tenths % 10, b->max);
	if (members > b->seen)
		seq_printf(m, "  and %llu without parent", members - b->seen);
	seq_putc(m, '\n');
}

static void show_sizes(struct seq_file *m, const struct hct_snapshot *snap,
		       const struct hct_domain *dom)
{
	char name[24];
	unsigned int i;

	if (!multicalls_of(dom)->calls)
		return;
	seq_printf(m, "%-9s", hct_snapshot_name(snap, dom, name, sizeof(name)));
	for (i = 0; i < HCT_NR_SIZES; i++)
		seq_printf(m, " %8llu", dom->batches.sizes[i]);
	seq_putc(m, '\n');
}

static void show_members(struct seq_file *m, const struct hct_snapshot *snap,
			 const struct hct_domain *dom)
{
	u64 batches = multicalls_of(dom)->calls;
	char name[24], op[64];
	unsigned int i;

	hct_snapshot_name(snap, dom, name, sizeof(name));
	for (i = 0; i < HCT_NR_CELLS; i++) {
		const struct hct_cell *cell = &dom->cells[HCT_KIND_MEMBER][i];
		u64 hundredths;

		if (!cell->calls && !cell->cont)
			continue;
		seq_printf(m, "%-9s %-38s %12llu %8llu", name, hct_cell_name(i, op, sizeof(op)),
			   cell->calls, cell->cont);
		if (batches) {
			hundredths = div64_u64(100 * cell->calls, batches);
			seq_printf(m, " %7llu.%02llu\n", div_u64(hundredths, 100),
				   hundredths - 100 * div_u64(hundredths, 100));
		} else {
			seq_printf(m, " %10s\n", "-");
		}
	}
}

static void show_domains(struct seq_file *m, const struct hct_snapshot *snap, show_fn show)
{
	u32 i;

	for (i = 0; i < snap->acct->nr; i++)
		show(m, snap, &snap->acct->domains[i]);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		show(m, snap, &snap->acct->special[i]);
}

int hct_multicalls_show(struct seq_file *m, void *unused)
{
	const struct hct_snapshot *snap = m->private;
	unsigned int i;

	seq_printf(m, "# xen-hctrace multicalls 1   members %s   buckets end at the number shown (32 = 17..32)\n",
		   snap->members ? "on" : "off: batches may be continuations, none is seen whole");
	seq_printf(m, "%-9s %11s %8s %7s %7s %12s %12s %8s %8s\n", "dom", "batches", "split",
		   "short", "lost", "declared", "seen", "mean", "max");
	show_domains(m, snap, show_batches);

	seq_printf(m, "# sizes\n%-9s", "dom");
	for (i = 0; i < HCT_NR_SIZES - 1; i++)
		seq_printf(m, " %8u", hct_batch_size_limit(i));
	seq_printf(m, " %8s\n", "more");
	show_domains(m, snap, show_sizes);

	seq_printf(m, "# members\n%-9s %-38s %12s %8s %10s\n", "dom", "op", "members", "re-exec",
		   "per_batch");
	show_domains(m, snap, show_members);
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
