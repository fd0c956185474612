// SPDX-License-Identifier: GPL-2.0
/* See summary.h. */
#include <hctrace/arith.h>
#include <hctrace/table.h>

#include "show/number.h"
#include "summary.h"

#define SENTENCE_BYTES	256

static void add_up(struct summary *summary)
{
	const struct stats *stats = &summary->counts.now.stats;
	struct stats_diff *diff = &summary->diff;
	size_t i;

	diff->rows = stats->rows;
	diff->nr_rows = stats->nr_rows;
	diff->cpus = stats->cpus;
	diff->nr_cpus = stats->nr_cpus;
	diff->batches = summary->counts.now.multicalls.rows;
	diff->nr_batches = summary->counts.now.multicalls.nr_rows;
	for (i = 0; i < diff->nr_rows; i++) {
		diff->records = hct_add(diff->records, diff->rows[i].records);
		diff->calls = hct_add(diff->calls, diff->rows[i].calls);
	}
}

bool summary_make(struct summary *summary, const struct recording *rec)
{
	/* What is not wanted was not counted. */
	static const struct filter all;
	size_t i;

	memset(summary, 0, sizeof(*summary));
	summary->rec = rec;
	if (!counts_of_recording(&summary->counts, rec))
		return false;
	add_up(summary);
	if (!tally_make(&summary->tally, &summary->diff, &all, NULL, SORT_RECORDS)) {
		counts_free(&summary->counts);
		return false;
	}
	for (i = 0; i < summary->tally.nr_doms; i++) {
		struct dom_tally *dom = &summary->tally.doms[i];

		dom->what = *counts_what(&summary->counts, &dom->dom);
	}
	if (recording_has_length(rec))
		summary->seconds = recording_seconds(rec, rec->last) -
				   (double)rec->since / rec->hz;
	return true;
}

void summary_free(struct summary *summary)
{
	tally_free(&summary->tally);
	counts_free(&summary->counts);
}

/* --- what was lost ---------------------------------------------------------- */

struct saying {
	void (*say)(void *ctx, bool is_bad, const char *text);
	void *ctx;
	unsigned int nr;
};

static void say(struct saying *saying, bool is_bad, const char *text)
{
	saying->say(saying->ctx, is_bad, text);
	saying->nr++;
}

/* "LOST: 12 trace records ...", where %s is how many */
static void say_count(struct saying *saying, bool is_bad, u64 count, const char *format)
{
	char number[NUMBER_BYTES], text[SENTENCE_BYTES];

	if (!count)
		return;
	scnprintf(text, sizeof(text), format, number_grouped(count, number));
	say(saying, is_bad, text);
}

static void say_lost(struct saying *saying, const struct hct_counters *total)
{
	char lost[NUMBER_BYTES], all[NUMBER_BYTES], text[SENTENCE_BYTES];

	if (!total->lost)
		return;
	scnprintf(text, sizeof(text),
		  "LOST: %s of %s trace records (%.4f %%), so the counts are too low",
		  number_grouped(total->lost, lost),
		  number_grouped(hct_add(total->lost, total->consumed), all),
		  100.0 * total->lost / ((double)total->lost + total->consumed));
	say(saying, true, text);
}

static void say_gaps(struct saying *saying, const struct recording *rec)
{
	char number[NUMBER_BYTES], text[SENTENCE_BYTES];
	const size_t room = sizeof(text);
	const char *comma = ":";
	size_t len = scnprintf(text, room, "GAPS, where nobody can tell what there was");
	u32 reason;

	for (reason = 0; reason < HCT_NR_GAPS; reason++) {
		if (!rec->gaps[reason])
			continue;
		len += scnprintf(text + len, room - len, "%s %s %s", comma, hct_gap_name(reason),
				 number_grouped(rec->gaps[reason], number));
		comma = ",";
	}
	if (*comma == ',')
		say(saying, true, text);
}

static void say_damage(struct saying *saying, const struct damage *damage)
{
	char number[NUMBER_BYTES], bytes[NUMBER_BYTES], missing[NUMBER_BYTES];
	char text[SENTENCE_BYTES];

	if (damage->places) {
		scnprintf(text, sizeof(text),
			  "DAMAGED, places: %s, bytes passed over: %s, missing: %s",
			  number_grouped(damage->places, number),
			  number_grouped(damage->bytes, bytes),
			  number_grouped(damage->missing, missing));
		say(saying, true, text);
	}
	if (damage->breaks) {
		scnprintf(text, sizeof(text),
			  "BREAKS in the order of time: %s, the first at byte %s, so there are no rates",
			  number_grouped(damage->breaks, number),
			  number_grouped(damage->break_at, bytes));
		say(saying, true, text);
	}
}

void summary_losses(const struct summary *summary,
		    void (*fn)(void *ctx, bool is_bad, const char *text), void *ctx)
{
	const struct hct_counters *total = &summary->counts.total;
	const struct recording *rec = summary->rec;
	struct saying saying = { .say = fn, .ctx = ctx };
	char text[SENTENCE_BYTES];

	say_lost(&saying, total);
	say_count(&saying, true, rec->lost_recorder,
		  "LOST by the recorder: %s events, so the counts are too low");
	say_gaps(&saying, rec);
	if (!hct_coverage_is_known(total) && !saying.nr)
		say(&saying, true, "UNKNOWN: records may be missing that nobody has counted");
	say_damage(&saying, &rec->damage);
	say_count(&saying, true, total->undecodable, "Undecodable records: %s");
	if (!saying.nr)
		say(&saying, false, "Nothing was lost");
	if (strcmp(recording_trust(rec), "ok")) {
		scnprintf(text, sizeof(text), "Attribution to domains is %s",
			  recording_trust(rec));
		say(&saying, true, text);
	}
	say_count(&saying, false, total->lost_before,
		  "Lost before it began, which changes nothing: %s records");
	say_count(&saying, false, total->malformed, "Malformed calls: %s");
	say_count(&saying, false, total->late, "Late records, behind younger ones: %s");
	say_count(&saying, false, hct_add(total->filtered, rec->dropped),
		  "Filtered, not what --domain and --op ask for: %s records");
}

u64 summary_sizes(const struct batch_row *row, unsigned int *first, unsigned int *last)
{
	unsigned int i;
	u64 most = 0;

	*first = HCT_NR_SIZES;
	*last = 0;
	for (i = 0; i < HCT_NR_SIZES; i++) {
		if (!row->sizes[i])
			continue;
		*first = i < *first ? i : *first;
		*last = i;
		most = row->sizes[i] > most ? row->sizes[i] : most;
	}
	return most;
}
