// SPDX-License-Identifier: GPL-2.0
/* See sources.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/progress.h"
#include "base/text.h"
#include "formats/packed.h"
#include "source.h"
#include "sources.h"

/* Those with a magic number go first. */
static const struct recording_source *const sources[] = {
	&recording_from_perfdata, &recording_from_xentrace,
};

static void say_packed(const struct input *in, const char *by)
{
	fprintf(stderr, "hctrace: %s: packed by %s: ", in->name, by);
	if (in->fd == STDIN_FILENO)
		fprintf(stderr, "put '%s -dc |' before hctrace\n", by);
	else
		fprintf(stderr, "'%s -dc %s >trace.bin' unpacks it\n", by, in->name);
}

/* What it is; NULL: nothing that can be read here, which is said. */
static const struct recording_source *find_source(struct input *in)
{
	const char *packer = packed_by(in);
	unsigned int i;

	if (packer) {
		say_packed(in, packer);
		return NULL;
	}
	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (sources[i]->is(in))
			return sources[i];
	}
	fprintf(stderr, "hctrace: %s: neither a recording of xentrace nor perf.data\n", in->name);
	return NULL;
}

static bool is_empty(struct input *in)
{
	u8 byte;

	return !input_read(in, 0, &byte, 1);
}

/* Of nothing no share is known to have arrived. */
static int say_no_record(struct recording *rec)
{
	rec->p.uncounted++;
	fprintf(stderr, "hctrace: %s: there is no record in it\n", rec->in.name);
	return EXIT_DAMAGED;
}

static int say_error(const struct input *in)
{
	fprintf(stderr, "hctrace: %s: %s\n", in->name, strerror(in->error));
	return EXIT_TROUBLE;
}

static bool is_damaged(const struct recording *rec)
{
	struct hct_counters total;

	hct_pipeline_total(&rec->p, &total);
	return rec->damage.places || rec->damage.breaks || total.undecodable;
}

/* What may be the reason, since only those who recorded it can know. */
static void say_breaks(const struct recording *rec)
{
	u64 more = rec->damage.breaks - 1;

	fprintf(stderr, "hctrace: %s: a break in the order of time at byte %llu", rec->in.name,
		rec->damage.break_at);
	if (more)
		fprintf(stderr, " and %llu more", more);
	fprintf(stderr,
		": the host was suspended, or this is not one recording as it was written\n");
}

static void say_names(const struct recording *rec)
{
	u32 i;

	for (i = 0; i < rec->nr_names; i++) {
		fputs(i ? ", " : ", but ", stderr);
		text_put(stderr, rec->names[i].what.name, TEXT_TERMINAL, "");
	}
	fprintf(stderr, "%s\n", rec->nr_names ? "" : ", nor any name: say --domain 3");
}

/* Whether all domains that the user named were found; says so if not. */
static bool found_all(const struct recording *rec)
{
	const struct filter *filter = &rec->opt.filter;
	bool all = true;
	u32 i;

	for (i = 0; i < filter->nr_domains && !filter->all_domains; i++) {
		if (filter->domains[i].kind != FILTER_NAME || rec->found[i])
			continue;
		fprintf(stderr, "hctrace: %s: there is no domain '%s' in it", rec->in.name,
			filter->domains[i].text);
		say_names(rec);
		all = false;
	}
	return all;
}

int recording_found(const struct recording *rec, bool any)
{
	const struct filter *filter = &rec->opt.filter;
	bool has_domains = filter_has_domains(filter), has_ops = filter_has_ops(filter);

	if (any || (!has_domains && !has_ops))
		return 0;
	fprintf(stderr, "hctrace: %s: nothing in it matches %s%s%s\n", rec->in.name,
		has_domains ? "--domain" : "", has_domains && has_ops ? " and " : "",
		has_ops ? "--op" : "");
	return EXIT_NOTHING;
}

int recording_read(struct recording *rec)
{
	bool empty = is_empty(&rec->in);
	const struct recording_source *source;
	int rc;

	rec->format = "unknown";
	if (rec->in.error)
		return say_error(&rec->in);
	if (empty)
		return say_no_record(rec);
	source = find_source(&rec->in);
	if (!source)
		return EXIT_TROUBLE;
	rec->format = source->name;
	rc = source->read(rec);
	progress_end(rec->progress);
	rec->progress = NULL;
	if (rc)
		return rc;
	/* The wanted part never came. */
	if (!rec->started)
		recording_start(rec);
	if (rec->in.error)
		return say_error(&rec->in);
	if (!rec->has_first && !rec->damage.places)
		return say_no_record(rec);
	if (!found_all(rec))
		return EXIT_USAGE;
	recording_end(rec);
	recording_drop(rec);
	if (!rec->hz)
		fprintf(stderr, "hctrace: times are in cycles: --tsc-mhz says how long one is\n");
	if (rec->damage.breaks)
		say_breaks(rec);
	if (rec->disordered)
		fprintf(stderr, "hctrace: too much at once for a pipe: pCPUs may be out of step\n");
	rc = rec->p.stats_off ? 0 : recording_found(rec, recording_has_calls(rec));
	return is_damaged(rec) ? EXIT_DAMAGED : rc;
}
