/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One record's way: ring -> merge by time -> decode -> attribute -> account, and
 * to whoever listens (event.h). The same code runs in the module's drain thread,
 * in the tests and offline.
 *
 * The rings are read in rounds. A round begins with one look at each ring's
 * prod (its "new"); what the round before saw is "due". The ring with the
 * smallest running TSC goes first, never past its "new", until every ring has
 * reached its "due". So a record waits one round at most, and the stream is in
 * the order of time as far as the TSCs are, without a clock or a staging buffer.
 *
 * Coming back from suspend to memory, the TSCs of a host begin anew, and each ring's
 * records step back somewhere. A ring that stands before its step waits until every
 * other one stands before its own or has nothing left in this round: Xen wrote what
 * is of before the suspend before anything of after it, so one look at all prods that
 * shows a step shows all that was before. Then all rings begin anew at once.
 *
 *   ring 0   900 910 920 | 5 8          the order: 900 901 910 915 920 | 3 4 5 8,
 *   ring 1   901 915 | 4                and ring 2, which had nothing of before,
 *   ring 2   3                          waits as well if the clock saw the step
 */
#ifndef HCTRACE_PIPELINE_H
#define HCTRACE_PIPELINE_H

#include <hctrace/account.h>
#include <hctrace/attribute.h>
#include <hctrace/batch.h>
#include <hctrace/breaker.h>
#include <hctrace/clock.h>
#include <hctrace/control.h>
#include <hctrace/event.h>
#include <hctrace/silent.h>
#include <hctrace/marker.h>
#include <hctrace/tbuf.h>

/*
 * Contradictions in one tick, over all rings, from which on nobody's calls are
 * credited to anybody: Xen schedules whole cores. It takes so many ticks without
 * one to be believed again.
 */
#define HCT_TRUST_LIMIT		8
#define HCT_TRUST_TICKS		10

/**
 * struct hct_counters - the ledger of one ring
 * @consumed: records taken from the ring = @skipped + @undecodable + @events
 * @skipped: records that are no hypercalls, the scheduler's included
 * @undecodable: records of events we know with a payload that cannot be right
 * @events: hypercall records = @attributed + @unattributed, malformed ones included
 * @attributed: events whose caller is known
 * @unattributed: events whose caller is not
 * @malformed: events with a forged op word
 * @filtered: events that the settings leave out of the statistics
 * @lost: records lost inside Xen, as it reported itself
 * @lost_before: the same, but from before we began
 * @late: records older than one that was emitted before
 * @suspected: bytes of the ring that were passed over, at least; how many records is not known
 * @resyncs: times that reading went on elsewhere after a fault
 * @forgotten: times that Xen forgot how many it had lost, if any, by tracing being switched off
 * @uncounted: times that records may have gone missing and nobody knows how many; what share
 *	of them arrived is not known then. Only of all rings together
 */
struct hct_counters {
	u64 consumed;
	u64 skipped;
	u64 undecodable;
	u64 events;
	u64 attributed;
	u64 unattributed;
	u64 malformed;
	u64 filtered;
	u64 lost;
	u64 lost_before;
	u64 late;
	u64 suspected;
	u64 resyncs;
	u64 forgotten;
	u64 uncounted;
};

/**
 * struct hct_ring - one pCPU
 * @cur: place in its ring
 * @attr: who runs there
 * @count: ledger
 * @pcpu: Xen's CPU id
 * @fault: &enum hct_ring_fault; anything but OK takes the ring out of the merge, until
 *	hct_round_begin() finds a place to go on
 * @last_fault: why it was resynchronised, or is to be
 * @is_news: it was at fault since somebody last told of it
 * @pcpu_state: &enum hct_pcpu_state; a ring may be sound and nothing come through it
 * @held: words in @words: the next record, copied out but not consumed
 * @fresh: no record was read from it yet
 * @has_gap: who runs must be forgotten from @gap_at to @gap_to
 * @due: position the running round must reach
 * @gap_at: position of the first gap that lies ahead
 * @gap_to: position of the last one; between them nothing is believed
 * @forgiven_to: what lies before this position does not trip the breaker
 * @tsc: running TSC: that of the last record that had one
 * @newest: highest TSC that came from it
 * @spent_to: TSC up to which it is told whose time it was; 0: none is known yet
 * @held_tsc: TSC of the held record, inherited if it has none
 * @stepped: the held record is the first after the TSC began anew
 * @peak_used: highest fill seen at the begin of a round, in bytes
 * @seen_prod: where Xen stood at hct_rings_look()
 */
struct hct_ring {
	struct hct_cursor cur;
	struct hct_attr attr;
	struct hct_counters count;
	u16 pcpu;
	u8 fault;
	u8 last_fault;
	bool is_news;
	u8 pcpu_state;
	u8 held;
	bool fresh;
	bool has_gap;
	bool stepped;
	u64 due;
	u64 gap_at;
	u64 gap_to;
	u64 forgiven_to;
	u64 tsc;
	u64 newest;
	u64 spent_to;
	u64 held_tsc;
	u32 peak_used;
	u32 seen_prod;
	u32 words[XEN_TRC_MAX_WORDS];
};

/**
 * struct hct_pipeline - everything behind the rings
 * @settings: what is counted
 * @acct: the tables
 * @vcpus: multicalls in flight
 * @rings: one entry per pCPU that has a ring
 * @nr_rings: number of entries
 * @pending: rings that have not reached their due
 * @fill_percent: fill of the fullest ring at the begin of the round
 * @by_switch: who runs is learnt from SCHED_SWITCH, see attribute.h
 * @stats_off: the tables are not filled, only @sink is served
 * @sink: who else wants events, or NULL
 * @clock: what turns TSCs into nanoseconds, or NULL
 * @now: of the record in work, as events show it; @now.ns only if there is a sink
 * @has_ns: whether @now.ns is known
 * @is_late: whether the record in work is older than @last_tsc
 * @last_tsc: highest TSC emitted, since the last step
 * @clock_epoch: which epoch of @clock the records in work are of
 * @tsc_divide: records below are of after the TSC began anew; 0: none that we know of
 * @tsc_latest: no record can be later; 0: not known
 * @clock_steps: times that the TSC began anew in the records
 * @kinds_seen: bit &enum hct_kind set: such a call came
 * @last_ns: highest time emitted
 * @unreliable: who runs where cannot be told, see %HCT_TRUST_LIMIT
 * @tick_contradictions: contradictions in the running tick
 * @quiet_ticks: ticks without one, if @unreliable
 * @nr_ringless: pCPUs that are online and have no ring
 * @uncounted: gaps since the last reset behind which records may be missing
 * @gaps_due: bit &enum xen_hctrace_gap set: to be told when a ring reaches its mark
 * @marker: our own call
 * @breaker: whether a domain makes Xen log warnings; of the caller are its time and
 *	what is done about it
 * @hurry: the breaker heard of a malformed record: the next round should begin at once
 */
struct hct_pipeline {
	struct hct_settings settings;
	struct hct_account *acct;
	struct hct_vcpu_table *vcpus;
	struct hct_ring *rings;
	u32 nr_rings;
	u32 pending;
	u32 fill_percent;
	bool by_switch;
	bool stats_off;
	const struct hct_sink *sink;
	const struct hct_clock *clock;
	struct hct_moment now;
	bool has_ns;
	bool is_late;
	u64 last_tsc;
	u32 clock_epoch;
	u64 tsc_divide;
	u64 tsc_latest;
	u64 clock_steps;
	u8 kinds_seen;
	u64 last_ns;
	bool unreliable;
	u32 tick_contradictions;
	u32 quiet_ticks;
	u32 nr_ringless;
	u64 uncounted;
	u32 gaps_due;
	struct hct_marker marker;
	struct hct_breaker breaker;
	bool hurry;
};

/**
 * hct_pipeline_init() - a pipeline without rings
 * @p: the pipeline, all zero
 * @acct: its tables, all zero
 * @vcpus: its multicalls in flight, all zero
 * @clock: what turns TSCs into nanoseconds, or NULL
 */
void hct_pipeline_init(struct hct_pipeline *p, struct hct_account *acct,
		       struct hct_vcpu_table *vcpus, const struct hct_clock *clock);

/**
 * hct_pipeline_set() - from the next record on, by other settings
 * @p: the pipeline
 * @settings: what is counted
 * @counting: whether anything is, else only the sink is served
 */
void hct_pipeline_set(struct hct_pipeline *p, const struct hct_settings *settings, bool counting);

/**
 * hct_pipeline_want_domain() - count a domain from the next record on, or not any more
 * @p: the pipeline
 * @domid: below %XEN_DOMID_FIRST_RESERVED
 * @wanted: whether to; without a meaning as long as all domains are
 */
void hct_pipeline_want_domain(struct hct_pipeline *p, u16 domid, bool wanted);

/**
 * hct_pipeline_learn_by_switch() - what tells who runs, from the next gap of a ring on
 * @p: the pipeline
 * @by_switch: SCHED_SWITCH, because runstates are not traced; see attribute.h
 */
void hct_pipeline_learn_by_switch(struct hct_pipeline *p, bool by_switch);

/** hct_pipeline_serve() - hand events on to @sink, which may be NULL: to nobody */
void hct_pipeline_serve(struct hct_pipeline *p, const struct hct_sink *sink);

/**
 * hct_pipeline_attach() - other rings, before hct_pipeline_start()
 * @p: the pipeline
 * @rings: a cursor and a pCPU each, all else zero; in use up to the next call
 * @nr: how many
 *
 * The ledger of a pCPU goes on. Return: the rings of before, in use no more; or NULL.
 */
struct hct_ring *hct_pipeline_attach(struct hct_pipeline *p, struct hct_ring *rings, u32 nr);

/** hct_pipeline_ring() - the ring of a pCPU, or NULL if it has none */
struct hct_ring *hct_pipeline_ring(struct hct_pipeline *p, u32 pcpu);

/** hct_ring_note_pcpu() - what is known of the ring's pCPU by other means than its records */
void hct_ring_note_pcpu(struct hct_ring *ring, enum hct_pcpu_state state);

/** hct_pipeline_note_ringless() - so many pCPUs are online and have no ring */
void hct_pipeline_note_ringless(struct hct_pipeline *p, u32 nr);

/**
 * hct_pipeline_take_fault() - the next ring that was at fault and nobody has told of
 * @p: the pipeline
 * @copy: filled in: as the ring is now
 *
 * Return: whether there is one.
 */
bool hct_pipeline_take_fault(struct hct_pipeline *p, struct hct_ring *copy);

/** hct_pipeline_take_hurry() - whether the next round should begin at once; says so once */
bool hct_pipeline_take_hurry(struct hct_pipeline *p);

/**
 * hct_pipeline_feed() - take one record through decode, attribute and account
 * @p: the pipeline
 * @ring: the ring it came from
 * @words: the record, copied out
 * @nr_words: its length, xen_trc_words(words[0])
 */
void hct_pipeline_feed(struct hct_pipeline *p, struct hct_ring *ring, const u32 *words,
		       unsigned int nr_words);

/**
 * hct_pipeline_step() - the TSCs of all rings begin anew here
 * @p: the pipeline; no ring has a record of before left
 *
 * The host was suspended: what ran and was open then is not known any more. Whoever
 * listens is told of a gap.
 */
void hct_pipeline_step(struct hct_pipeline *p);

/** hct_ring_gap() - forget, at the ring's present place, who runs and what is open */
void hct_ring_gap(struct hct_pipeline *p, struct hct_ring *ring);

/**
 * hct_pipeline_start() - begin a new stream on freshly attached rings
 * @p: the pipeline
 *
 * Who runs where is unknown, nothing is open. Counts are kept, and so is the breaker.
 */
void hct_pipeline_start(struct hct_pipeline *p);

/** hct_pipeline_trust() - "ok", "suspect" or "UNRELIABLE": how far to believe the domids */
const char *hct_pipeline_trust(const struct hct_pipeline *p);

/** hct_pipeline_contradictions() - of all rings, since the last reset */
u64 hct_pipeline_contradictions(const struct hct_pipeline *p);

/** hct_pipeline_total() - the ledger summed over all rings */
void hct_pipeline_total(const struct hct_pipeline *p, struct hct_counters *total);

/**
 * hct_emit_moment() - a record has come: note when and where, for the events it makes
 * @p: the pipeline; @p->is_late is set
 * @ring: the ring it came from, its running TSC that of the record
 */
void hct_emit_moment(struct hct_pipeline *p, const struct hct_ring *ring);

/**
 * hct_emit_call() - hand a hypercall on
 * @p: the pipeline
 * @rec: the record, of type %HCT_REC_CALL
 * @who: its caller, NULL: not known
 * @batch: the multicall it belongs to, 0: none or not known
 * @continued: it goes on with a preempted call
 */
void hct_emit_call(struct hct_pipeline *p, const struct hct_record *rec,
		   const struct hct_vcpu_id *who, u32 batch, bool continued);

/** hct_emit_batch() - hand a closed batch on; the form of &struct hct_vcpu_table.ended */
void hct_emit_batch(void *pipeline, const struct hct_vcpu_id *who, const struct hct_batch *batch,
		    enum hct_batch_end end);

/** hct_emit_loss() - hand on that Xen lost @count records, @before we began or not */
void hct_emit_loss(struct hct_pipeline *p, u32 count, bool before);

/**
 * hct_emit_gap() - hand on that what was recorded, or whether anything was, is not known
 * @p: the pipeline
 * @reason: why
 * @pcpu: where; %XEN_HCTRACE_UNKNOWN: on all of them
 *
 * At once, behind the last record that was consumed; hct_pipeline_tell_gap() does it
 * in its turn. What share of the records arrived is not known from now on.
 */
void hct_emit_gap(struct hct_pipeline *p, enum xen_hctrace_gap reason, u16 pcpu);

/** hct_emit_domain() - hand on that a domain was created or destroyed */
void hct_emit_domain(struct hct_pipeline *p, u16 domid, bool created);

/**
 * hct_cpu_begin() - the time of a pCPU begins here, and is nobody's up to now
 * @ring: its ring
 * @tsc: when; 0: that is not known, the next record of who runs will tell
 */
void hct_cpu_begin(struct hct_ring *ring, u64 tsc);

/**
 * hct_cpu_feed() - whose time it was up to a record, in front of hct_attr_feed()
 * @p: the pipeline
 * @ring: the ring it came from, its running TSC that of the record
 * @rec: any; those that say nothing of who runs change nothing
 */
void hct_cpu_feed(struct hct_pipeline *p, struct hct_ring *ring, const struct hct_record *rec);

/**
 * hct_cpu_settle() - whose time it is up to now
 * @p: the pipeline
 * @ring: the pCPU's
 * @until: TSC; no record that came before it is still to be fed
 */
void hct_cpu_settle(struct hct_pipeline *p, struct hct_ring *ring, u64 until);

/**
 * hct_pipeline_settle() - the same on all pCPUs, each up to its last record
 * @p: the pipeline
 *
 * In front of whoever reads the tables: a vCPU that runs has its time then, too.
 */
void hct_pipeline_settle(struct hct_pipeline *p);

/**
 * hct_cpu_observed() - time of pCPUs that the tables tell of, in cycles
 * @acct: the tables
 *
 * Of which each cycle is a domain's, idle, filtered, or of nobody known ("d?").
 */
u64 hct_cpu_observed(const struct hct_account *acct);

/**
 * hct_pipeline_tick() - a second or so has gone by
 * @p: the pipeline
 * @elapsed_ms: how long exactly; 0: tracing has stopped
 *
 * Ends the rate window and what has been waited for too long.
 */
void hct_pipeline_tick(struct hct_pipeline *p, u32 elapsed_ms);

/** hct_pipeline_reset() - all statistics and ledgers to zero */
void hct_pipeline_reset(struct hct_pipeline *p);

/**
 * hct_pipeline_gap() - what was recorded from here on says nothing of before
 * @p: the pipeline
 *
 * Marks each ring at its present prod, so it may run beside an unfinished round.
 * From the mark on, who runs is learnt in the manner of the present profile.
 */
void hct_pipeline_gap(struct hct_pipeline *p);

/**
 * hct_pipeline_tell_gap() - the same, and whoever listens is told there
 * @p: the pipeline
 * @reason: why
 *
 * Told once for all rings, behind the records of before and in front of the first one
 * from behind a mark.
 */
void hct_pipeline_tell_gap(struct hct_pipeline *p, enum xen_hctrace_gap reason);

/**
 * hct_pipeline_forgive() - nothing that was recorded up to now trips the breaker
 * @p: the pipeline
 *
 * And nothing of it is remembered. Marks each ring at its present prod.
 */
void hct_pipeline_forgive(struct hct_pipeline *p);

/**
 * hct_round_begin() - see how far Xen has written, and go on with rings that were at fault
 * @p: the pipeline; no round may be unfinished
 * @last: the last round after Xen stopped writing: everything is due
 */
void hct_round_begin(struct hct_pipeline *p, bool last);

/**
 * hct_round_run() - go on with the round
 * @p: the pipeline
 * @budget: records to consume at most
 *
 * Return: whether the round is unfinished. Consumed space is given back to Xen.
 */
bool hct_round_run(struct hct_pipeline *p, u32 budget);

/** hct_rings_look() - note where Xen stands in each ring */
void hct_rings_look(struct hct_pipeline *p);

/** hct_rings_moved() - whether there may be a record since then in any of them */
bool hct_rings_moved(const struct hct_pipeline *p);

/**
 * hct_pipeline_forgotten() - tracing was switched off: mark rings whose losses Xen forgot
 * @p: the pipeline
 *
 * Whether there were any is not known, only that there may have been.
 */
void hct_pipeline_forgotten(struct hct_pipeline *p);

#endif /* HCTRACE_PIPELINE_H */
