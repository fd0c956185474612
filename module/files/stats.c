// SPDX-License-Identifier: GPL-2.0
/* The file `stats`: a copy of the tables; how its rows read is core/table.c's. */
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "snapshot.h"
#include "stats.h"

struct hct_stats {
	struct hct_snapshot snap;
	u32 nr_rows;
	struct hct_row *rows;
};

u32 hct_stats_nr_rows(const struct hct_stats *stats)
{
	return stats->nr_rows;
}

void hct_stats_free(struct hct_stats *stats)
{
	kvfree(stats->rows);
	hct_snapshot_drop(&stats->snap);
	kfree(stats);
}

struct hct_stats *hct_stats_take(void)
{
	struct hct_stats *stats = kzalloc(sizeof(*stats), GFP_KERNEL);
	int rc;

	if (!stats)
		return ERR_PTR(-ENOMEM);
	rc = hct_snapshot_take(&stats->snap);
	if (rc)
		goto err_stats;

	stats->nr_rows = hct_rows_fill(stats->snap.acct, stats->snap.members, NULL);
	stats->rows = kvmalloc_array(stats->nr_rows, sizeof(*stats->rows), GFP_KERNEL);
	if (!stats->rows) {
		rc = -ENOMEM;
		goto err_stats;
	}
	hct_rows_fill(stats->snap.acct, stats->snap.members, stats->rows);
	sort(stats->rows, stats->nr_rows, sizeof(*stats->rows), hct_row_compare, NULL);
	return stats;

err_stats:
	hct_stats_free(stats);
	return ERR_PTR(rc);
}

static const char *profile_note(u8 profile)
{
	switch (profile) {
	case HCT_PROFILE_PV:
		return "HVM/PVH guests: only multicall members are traced (control: profile hvm)";
	case HCT_PROFILE_HVM:
		return "PV guests: only multicall members are traced (control: profile pv)";
	default:
		return "every VM entry and exit is recorded too: expect losses (profile all)";
	}
}

/* When tracing was off although it should be on: for that time there are no figures. */
static void show_pause(struct seq_file *m, const struct hct_status *s)
{
	char who[12] = "a domain";

	if (s->pause.domid != HCT_BREAKER_NOBODY)
		scnprintf(who, sizeof(who), "d%u", s->pause.domid);
	if (s->pause.is_on && s->pause.left_ms == HCT_BREAKER_STAYS)
		seq_printf(m, "# note tracing is paused until %s is gone: it made malformed hypercalls (control: start, or breaker off)\n",
			   who);
	else if (s->pause.is_on)
		seq_printf(m, "# note tracing is paused for %llu s: %s made malformed hypercalls (control: start, or breaker off)\n",
			   div_u64(s->pause.left_ms, MSEC_PER_SEC), who);
	if (s->pause.total_ms)
		seq_printf(m, "# note tracing was paused for %llu.%llu s, for malformed hypercalls: of that time nothing is counted\n",
			   div_u64(s->pause.total_ms, MSEC_PER_SEC),
			   div_u64(s->pause.total_ms, 100) % 10);
}

void hct_stats_show_header(const struct hct_stats *stats, struct seq_file *m)
{
	const struct hct_snapshot *snap = &stats->snap;
	const struct hct_status *s = &snap->status;
	const struct hct_hyp *hyp = &s->tracing.hyp;
	const struct hct_counters *t = &snap->total;
	char line[HCT_LINE_BYTES];

	seq_printf(m, "# xen-hctrace stats 1   xen %u.%u%s   dom0 %s   profile %s   %s %llu.%llu s   pcpus %u/%u\n",
		   hyp->major, hyp->minor, hyp->extra, hyp->pv ? "PV" : "PVH",
		   hct_profile_name(snap->profile),
		   s->tracing.is_on && !s->pause.is_on ? "tracing" : "stopped after",
		   s->traced_ms / 1000, s->traced_ms % 1000 / 100,
		   snap->good_rings, hyp->nr_pcpus);
	seq_printf(m, "# coverage %s%s   lost %llu", hct_coverage_format(t, line, sizeof(line)),
		   hct_coverage_is_known(t) ? " of records" : "", t->lost);
	if (!hct_coverage_is_known(t))
		seq_printf(m, "   suspected %llu bytes", t->suspected);
	seq_printf(m, "   malformed %llu   attribution %s   rate window %u ms\n", t->malformed,
		   snap->trust, snap->acct->window_ms);
	seq_printf(m, "# %s\n", hct_cpu_format(snap->acct, line, sizeof(line)));
	seq_printf(m, "# note %s\n", profile_note(snap->profile));
	if (!hct_coverage_is_known(t))
		seq_puts(m, "# note records may be missing that nobody has counted: status says why (control: reset)\n");
	show_pause(m, s);
	seq_printf(m, "%s\n", hct_row_heading(line, sizeof(line)));
}

void hct_stats_show_row(const struct hct_stats *stats, struct seq_file *m, u32 i)
{
	char line[HCT_LINE_BYTES];

	hct_row_format(stats->snap.acct, &stats->rows[i], line, sizeof(line));
	seq_printf(m, "%s\n", line);
}
