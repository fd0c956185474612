/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files `stats` and `multicalls` of the module, understood. What is new or odd in
 * them is passed over and counted.
 */
#ifndef HCTRACE_STATSFILE_H
#define HCTRACE_STATSFILE_H

#include <stddef.h>

#include <hctrace/account.h>
#include <hctrace/types.h>

#include "base/dom_id.h"

#define STATS_NOTES	4

/* The share of the records that arrived is not known. */
#define STATS_COVERAGE_UNKNOWN	(~0u)

/**
 * struct stats_row - a line of `stats`
 * @dom: whose
 * @kind: "call", "member", ...; "-": all kinds
 * @op: "mmu_update", "vcpu_op/is_up", ...; "*": their sum
 * @records: calls and continuations: what a guest cannot talk down
 * @calls: calls
 * @cont: continuations
 * @units: what the calls asked for
 * @has_cont: @cont applies
 * @has_units: @units applies
 * @bound: @calls is an upper bound
 */
struct stats_row {
	struct dom_id dom;
	char kind[12];
	char op[64];
	u64 records;
	u64 calls;
	u64 cont;
	u64 units;
	bool has_cont;
	bool has_units;
	bool bound;
};

/**
 * struct cpu_row - for how long a domain's vCPUs ran
 * @dom: whose; "d?": for how long nobody knows who did
 * @us: microseconds
 */
struct cpu_row {
	struct dom_id dom;
	u64 us;
};

/**
 * struct stats - the file `stats`
 * @taken_ns: CLOCK_MONOTONIC when it was read
 * @xen: version of Xen
 * @dom0: "PV" or "PVH"
 * @profile: "pv", "hvm" or "all"
 * @tracing: whether Xen traces now
 * @traced_ms: for how long, since the last reset
 * @pcpus: "2/2", those that are read and those there are
 * @coverage: share of records that arrived, in millionths, or %STATS_COVERAGE_UNKNOWN
 * @lost: records lost in Xen
 * @malformed: malformed calls
 * @attribution: "ok", or what is wrong with it
 * @notes: further lines of the header
 * @nr_notes: how many there are
 * @rows: the lines
 * @nr_rows: how many
 * @cpus: for how long each domain ran; those without calls, too
 * @nr_cpus: how many; none: this module does not say
 * @idle_us: for how long pCPUs were idle, if @nr_cpus
 * @bad_rows: lines that made no sense
 */
struct stats {
	u64 taken_ns;
	char xen[32];
	char dom0[8];
	char profile[8];
	bool tracing;
	u64 traced_ms;
	char pcpus[16];
	u32 coverage;
	u64 lost;
	u64 malformed;
	char attribution[32];
	char notes[STATS_NOTES][160];
	unsigned int nr_notes;
	struct stats_row *rows;
	size_t nr_rows;
	struct cpu_row *cpus;
	size_t nr_cpus;
	u64 idle_us;
	size_t bad_rows;
};

/**
 * struct batch_row - a domain's multicalls
 * @dom: whose
 * @has_batches: multicalls of its own were recorded, else only members
 * @batches: multicalls
 * @split: times one was preempted
 * @cut_short: ended early
 * @lost: cut by lost records
 * @declared: members announced
 * @seen: members seen
 * @max: largest one
 * @sizes: by declared size, see %HCT_NR_SIZES
 */
struct batch_row {
	struct dom_id dom;
	bool has_batches;
	u64 batches;
	u64 split;
	u64 cut_short;
	u64 lost;
	u64 declared;
	u64 seen;
	u64 max;
	u64 sizes[HCT_NR_SIZES];
};

/** struct multicalls - the file `multicalls`, without its last table, which `stats` has too */
struct multicalls {
	struct batch_row *rows;
	size_t nr_rows;
	size_t bad_rows;
};

/**
 * stats_parse() - understand a text
 * @text: the file, terminated; it is changed
 * @stats: filled in; stats_free() it in any case
 * @err: filled in on failure, in words
 * @err_size: of @err
 *
 * Return: whether its version is known.
 */
bool stats_parse(char *text, struct stats *stats, char *err, size_t err_size);
bool multicalls_parse(char *text, struct multicalls *mc, char *err, size_t err_size);

/** stats_read() - the same from the host's file; @err says what cannot be read and why */
bool stats_read(struct stats *stats, char *err, size_t err_size);
bool multicalls_read(struct multicalls *mc, char *err, size_t err_size);

/** cpu_find() - the row of a domain by its label, NULL: there is none */
const struct cpu_row *cpu_find(const struct cpu_row *rows, size_t nr, const char *label);

/** stats_coverage() - "99.9997%" or "unknown", into @buf, which is returned */
const char *stats_coverage(const struct stats *stats, char *buf, size_t size);

void stats_free(struct stats *stats);
void multicalls_free(struct multicalls *mc);

#endif /* HCTRACE_STATSFILE_H */
