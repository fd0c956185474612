// SPDX-License-Identifier: GPL-2.0
/* See raw.h. */
#include <stdio.h>
#include <stdlib.h>

#include <hctrace/table.h>

#include "base/exit.h"
#include "base/text.h"
#include "raw.h"

static void print_line(void *to, const char *line)
{
	fprintf(to, "%s\n", line);
}

static void print_id(const struct recording_name *name)
{
	printf("# d%u", name->domid);
	if (name->generation > 1)
		printf("#%u", name->generation);
}

static void print_name(const struct recording_name *name)
{
	print_id(name);
	printf(" is ");
	text_put(stdout, name->what.name, TEXT_TERMINAL, "");
	putchar('\n');
}

static void print_uuid(const struct recording_name *name)
{
	print_id(name);
	printf(" has UUID %s\n", name->what.uuid);
}

static void print_names(const struct recording *rec, bool uuid)
{
	u32 i;

	for (i = 0; i < rec->nr_names; i++) {
		if (*rec->names[i].what.name)
			print_name(&rec->names[i]);
		if (uuid && *rec->names[i].what.uuid)
			print_uuid(&rec->names[i]);
	}
}

/* How often nobody could tell what there was: rates and times run on over it. */
static void print_gaps(const struct recording *rec)
{
	u32 reason;

	for (reason = 0; reason < HCT_NR_GAPS; reason++) {
		if (rec->gaps[reason])
			printf("# gaps %llu   %s\n", rec->gaps[reason], hct_gap_name(reason));
	}
}

static void print_header(const struct recording *rec, const struct hct_counters *total,
			 bool uuid)
{
	u64 times = rec->has_first ? rec->last - rec->first : 0;
	char line[HCT_LINE_BYTES];
	char coverage[16];

	printf("# xen-hctrace report 1   %s   ", rec->format);
	if (rec->hz)
		printf("%.3f s", recording_seconds(rec, rec->first + times));
	else
		printf("%llu cycles", times);
	printf("   pcpus %u\n", rec->p.nr_rings);
	printf("# coverage %s%s   lost %llu   malformed %llu   attribution %s\n",
	       hct_coverage_format(total, coverage, sizeof(coverage)),
	       hct_coverage_is_known(total) ? " of records" : "", total->lost, total->malformed,
	       recording_trust(rec));
	printf("# consumed %llu = skipped %llu + undecodable %llu + events %llu\n", total->consumed,
	       total->skipped, total->undecodable, total->events);
	printf("# events = attributed %llu + unattributed %llu   filtered %llu   late %llu\n",
	       total->attributed, total->unattributed, total->filtered + rec->dropped, total->late);
	if (rec->p.acct->tsc_khz)
		printf("# %s\n", hct_cpu_format(rec->p.acct, line, sizeof(line)));
	if (rec->lost_recorder)
		printf("# lost by the recorder %llu events\n", rec->lost_recorder);
	print_gaps(rec);
	print_names(rec, uuid);
	if (rec->damage.places)
		printf("# damaged in %llu places   bytes passed over %llu   bytes missing %llu\n",
		       rec->damage.places, rec->damage.bytes, rec->damage.missing);
	if (rec->damage.breaks)
		printf("# breaks in the order of time %llu   the first at byte %llu\n",
		       rec->damage.breaks, rec->damage.break_at);
}

static void set_rates(const struct recording *rec, struct hct_row *rows, u32 nr)
{
	double seconds = recording_has_length(rec) ? recording_seconds(rec, rec->last) -
						     (double)rec->since / rec->hz : 0;
	u32 i;

	for (i = 0; i < nr; i++)
		rows[i].per_s = seconds > 0 ? hct_row_records(&rows[i]) / seconds :
					      HCT_RATE_UNKNOWN;
}

static int print_stats(const struct recording *rec)
{
	const struct hct_account *acct = rec->p.acct;
	u32 nr = hct_rows_fill(acct, rec->has_members, NULL);
	struct hct_row *rows = calloc(nr, sizeof(*rows));
	char line[HCT_LINE_BYTES];
	u32 i;

	if (!rows)
		return -1;
	hct_rows_fill(acct, rec->has_members, rows);
	set_rates(rec, rows, nr);
	qsort(rows, nr, sizeof(*rows), hct_row_compare);
	print_line(stdout, hct_row_heading(line, sizeof(line)));
	for (i = 0; i < nr; i++)
		print_line(stdout, hct_row_format(acct, &rows[i], line, sizeof(line)));
	free(rows);
	return 0;
}

/* A line for each pCPU where something went missing. */
static void print_losses(const struct recording *rec, const struct hct_counters *total)
{
	u32 i;

	if (!total->lost && !total->lost_before && !total->undecodable)
		return;
	printf("# losses\n%-6s %12s %12s %12s\n", "pcpu", "lost", "lost_before", "undecodable");
	for (i = 0; i < rec->p.nr_rings; i++) {
		const struct hct_ring *ring = &rec->p.rings[i];

		if (ring->count.lost || ring->count.lost_before || ring->count.undecodable)
			printf("%-6u %12llu %12llu %12llu\n", ring->pcpu, ring->count.lost,
			       ring->count.lost_before, ring->count.undecodable);
	}
}

int raw_print(const struct recording *rec, const struct timeline *line, bool uuid)
{
	struct hct_counters total;

	hct_pipeline_total(&rec->p, &total);
	print_header(rec, &total, uuid);
	if (print_stats(rec)) {
		fprintf(stderr, "hctrace: out of memory\n");
		return EXIT_TROUBLE;
	}
	hct_multicalls_format(rec->p.acct, rec->has_members, print_line, stdout);
	print_losses(rec, &total);
	if (line)
		timeline_print(line, rec, stdout);
	return 0;
}
