/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording, of whatever format, taken through the core: afterwards the tables
 * stand in the pipeline, and whoever listens has heard every event.
 */
#ifndef HCTRACE_RECORDING_H
#define HCTRACE_RECORDING_H

#include <hctrace/pipeline.h>

#include "base/event_text.h"
#include "base/filter.h"
#include "formats/xentrace_scan.h"

/**
 * struct recording_options - what is wanted of a recording
 * @path: the file; "-" is standard input; NULL: the one that record writes to
 * @file_is_optional: there is something to do without a file, too
 * @filter: which domains and ops
 * @draft: the events of the first public patch, too
 * @tsc_khz: rate of the host's time stamp counter, 0: not known
 * @since_ns: leave out what is older, from the first record on
 * @until_ns: leave out what is younger; all ones: nothing
 * @quiet: no progress, even on a terminal
 */
struct recording_options {
	const char *path;
	bool file_is_optional;
	struct filter filter;
	bool draft;
	u64 tsc_khz;
	u64 since_ns;
	u64 until_ns;
	bool quiet;
};

/** struct recording_name - what the @generation-th domain of an id is; @what.name is allocated */
struct recording_name {
	u16 domid;
	u32 generation;
	struct domname what;
};

/**
 * struct recording - a recording being read, and what came of it
 *
 * Where the times of records go back, those of the recording go on: a step, as long as
 * nothing at all, for how long it was nobody knows.
 *
 * @opt: what is wanted
 * @in: the file
 * @p: the core. Times are TSCs, or nanoseconds if @ns_times
 * @format: what its format is called
 * @ns_times: times are nanoseconds
 * @hz: times per second, 0: not known
 * @has_first: @first is set
 * @first: time of the first record
 * @last: time of the last one
 * @shift: times are so much more than they were recorded as, modulo 2^64
 * @stepped: the next record that has a time shows by how much
 * @untimed: there was a step in what is wanted, so that its length is not known
 * @breaks_before: breaks in the order of time before that
 * @needs_time: cycles will not do
 * @since: leave out what comes less than this after @first
 * @until: leave out what comes more than this after @first
 * @started: what comes now is wanted
 * @is_cut: there is more than was wanted
 * @has_members: there are calls inside multicalls
 * @has_runstates: who runs is learnt from runstates
 * @disordered: order in time holds for each pCPU only
 * @calm_from: no time from here on means more than itself
 * @calm: for so long
 * @next_tick: time of the next hct_pipeline_tick()
 * @damage: what could not be read
 * @lost_recorder: events that the recorder itself lost
 * @gaps: by &enum xen_hctrace_gap, times that nobody could tell what there was; the
 *	first is for reasons that we do not know
 * @names: of domains, as far as the recording has them
 * @nr_names: how many
 * @found: the domain that is this item of @opt.filter was found
 * @is_fine: the core's settings do not tell all that is wanted from what is not
 * @is_exact: the core counts no call that is not wanted
 * @dropped: events that were counted, and are not wanted
 * @sink: who gets events
 * @begin: to be called before the first of them, once it is known that there can be any,
 *	with their ctx. Return: 0 or an exit status. NULL: nobody waits for it
 * @room: entries that @p.rings has room for
 * @progress: how far we are; NULL: nobody looks
 */
struct recording {
	struct recording_options opt;
	struct input in;
	struct hct_pipeline p;
	const char *format;
	bool ns_times;
	u64 hz;
	bool has_first;
	u64 first;
	u64 last;
	u64 shift;
	bool stepped;
	bool untimed;
	u64 breaks_before;
	bool needs_time;
	u64 since;
	u64 until;
	bool started;
	bool is_cut;
	bool has_members;
	bool has_runstates;
	bool disordered;
	u64 calm_from;
	u64 calm;
	u64 next_tick;
	struct damage damage;
	u64 lost_recorder;
	u64 gaps[HCT_NR_GAPS];
	struct recording_name names[HCT_MAX_DOMAINS];
	u32 nr_names;
	bool found[FILTER_MAX];
	bool is_fine;
	bool is_exact;
	u64 dropped;
	const struct hct_sink *sink;
	int (*begin)(void *ctx);
	u32 room;
	struct progress *progress;
};

/**
 * recording_init() - nothing read yet
 * @rec: filled in
 * @opt: copied
 * @sink: gets the events from @opt->since_ns to @opt->until_ns, or NULL
 *
 * Return: 0, or -1 after saying why not.
 */
int recording_init(struct recording *rec, const struct recording_options *opt,
		   const struct hct_sink *sink);

/** recording_begin() - call @rec->begin, unless that was done. Return: 0 or an exit status */
int recording_begin(struct recording *rec);

/** recording_free() - give everything back */
void recording_free(struct recording *rec);

/** recording_seconds() - seconds from the first record to @time; only if @rec->hz */
double recording_seconds(const struct recording *rec, u64 time);

/** recording_time() - when that was what was recorded at @raw; 0: not known */
static inline u64 recording_time(const struct recording *rec, u64 raw)
{
	return raw ? raw + rec->shift : 0;
}

/** recording_has_length() - whether rates can be told of what is wanted */
bool recording_has_length(const struct recording *rec);

/** recording_trust() - as hct_pipeline_trust(), but it takes an order to be believed */
const char *recording_trust(const struct recording *rec);

/** recording_wants() - whether an event is one of those that the tables count; for listeners */
bool recording_wants(const struct recording *rec, const struct xen_hctrace_call *call);

/** recording_wants_domain() - the same for what happens to a domain; @domid: any */
bool recording_wants_domain(const struct recording *rec, u16 domid);

/**
 * recording_drop() - take out of the tables what is not wanted
 * @rec: the recording, read
 *
 * The core counts no less than what is wanted, and more where its settings cannot tell.
 */
void recording_drop(struct recording *rec);

/** recording_has_calls() - whether there is any in the tables */
bool recording_has_calls(const struct recording *rec);

/** recording_set_name() - what a domain is; forgotten if there are too many */
void recording_set_name(struct recording *rec, u16 domid, const struct domname *what);

/** recording_new_domain() - this id is another domain's from here on, of which no name is known */
void recording_new_domain(struct recording *rec, u16 domid);

/** recording_what() - what the domain is that has this id by now; never NULL */
const struct domname *recording_what(const struct recording *rec, u16 domid);

/** recording_what_of() - the same of the @generation-th domain of this id */
const struct domname *recording_what_of(const struct recording *rec, u16 domid, u32 generation);

#endif /* HCTRACE_RECORDING_H */
