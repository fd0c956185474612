/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables: per domain, kind and op how many calls, continuations and units.
 * Memory is fixed: when every row is taken the domain that died first is folded
 * into one row, so totals stay exact whatever guests come and go.
 */
#ifndef HCTRACE_ACCOUNT_H
#define HCTRACE_ACCOUNT_H

#include <hctrace/arith.h>
#include <hctrace/decode.h>
#include <hctrace/names.h>
#include <hctrace/opened.h>

#define HCT_MAX_DOMAINS		256

/*
 * The cells of one kind. Ops with a recorded sub-operation have a cell for each;
 * their plain cell then holds records that came without one.
 */
enum hct_cell_index {
	HCT_CELL_OP0 = 0,
	HCT_CELL_OTHER = HCT_NR_OPS,	/* numbers from 64 on */
	HCT_CELL_MALFORMED,		/* the op word was forged */
	HCT_CELL_VIRIDIAN,		/* Hyper-V's interface */
	HCT_NR_PLAIN_CELLS,
	HCT_CELL_GRANT = HCT_NR_PLAIN_CELLS,
	HCT_CELL_GRANT_OTHER = HCT_CELL_GRANT + HCT_NR_GRANT_OPS,
	HCT_CELL_VCPU,
	HCT_CELL_VCPU_OTHER = HCT_CELL_VCPU + HCT_NR_VCPU_OPS,
	HCT_CELL_SCHED,
	HCT_CELL_SCHED_OTHER = HCT_CELL_SCHED + HCT_NR_SCHED_OPS,
	HCT_NR_CELLS,
};

/**
 * struct hct_cell - one row of the statistics
 * @calls: calls, continuations not included where Xen's records show them
 * @cont: continuations of preempted calls
 * @units: what the calls asked for: updates, grant operations, members of multicalls.
 *	Guests say so: all ones if there is no room for the sum
 * @window: records in the running rate window
 * @rate: records in the last complete rate window
 *
 * Whether a record is a call or a continuation is, in the end, for guests to say. How
 * many there are is not, so rates are those of records.
 */
struct hct_cell {
	u64 calls;
	u64 cont;
	u64 units;
	u32 window;
	u32 rate;
};

/** hct_cell_records() - records that were counted: calls and continuations */
static inline u64 hct_cell_records(const struct hct_cell *cell)
{
	return cell->calls + cell->cont;
}

/** hct_cell_call() - count a call that asks for so many units */
static inline void hct_cell_call(struct hct_cell *cell, u64 units)
{
	cell->calls++;
	cell->window++;
	cell->units = hct_add(cell->units, units);
}

/** hct_cell_continuation() - count a continuation */
static inline void hct_cell_continuation(struct hct_cell *cell)
{
	cell->cont++;
	cell->window++;
}

/*
 * Sizes of multicalls in powers of two, each including its end: 1, 2, 3..4, ...
 * 65..128, more. Linux batches 32 at most, so that is a bucket's end.
 */
#define HCT_NR_SIZES		9

/* Kinds of call that Xen may mark as continuations. */
#define HCT_NR_MARKED_KINDS	(HCT_KIND_MEMBER + 1)

/* How a batch ended. Its members, splits and declared size are counted as they come. */
enum hct_batch_end {
	HCT_END_COMPLETE,	/* all its members were seen */
	HCT_END_SHORT,		/* it stopped early: an iret, a fault, a bad list */
	HCT_END_LOST,		/* records are missing: nobody knows */
	HCT_NR_ENDS,
};

/**
 * struct hct_batches - a domain's multicalls as wholes
 *
 * How many there were, how often they were preempted and what they declared are
 * the calls, cont and units of the cell call/multicall.
 * @seen: members that belong to a multicall that was seen too, re-executions
 *	of preempted members not included
 * @max: largest size declared
 * @ends: by &enum hct_batch_end
 * @sizes: multicalls by declared size, see %HCT_NR_SIZES
 */
struct hct_batches {
	u64 seen;
	u64 max;
	u64 ends[HCT_NR_ENDS];
	u64 sizes[HCT_NR_SIZES];
};

/**
 * struct hct_domain - one domain's statistics
 * @domid: Xen's domain id
 * @used: whether the row is taken
 * @dead: the domain was destroyed
 * @generation: 1 for the first domain seen under this id, 2 for the next
 * @seq: order of dying, to find the oldest
 * @doubted: by kind, bit &enum hct_marked set: a mark of this op was not believed
 * @opened: calls that may go on, by kind and &enum hct_marked
 * @batches: multicalls
 * @cycles: how long its vCPUs ran, in cycles of the TSC; of "d?" how long nobody knows who did
 * @cells: the counts, by kind
 */
struct hct_domain {
	u16 domid;
	bool used;
	bool dead;
	u32 generation;
	u64 seq;
	u8 doubted[HCT_NR_MARKED_KINDS];
	struct hct_opened opened[HCT_NR_MARKED_KINDS][HCT_NR_MARKED];
	struct hct_batches batches;
	u64 cycles;
	struct hct_cell cells[HCT_NR_KINDS][HCT_NR_CELLS];
};

/* Rows that stand for no single domain. */
enum hct_special_row {
	HCT_ROW_UNATTRIBUTED,	/* d? */
	HCT_ROW_GONE,		/* d[gone]: dead domains whose row was needed */
	HCT_ROW_MORE,		/* d[more]: living domains beyond the table */
	HCT_NR_SPECIAL_ROWS,
};

/**
 * struct hct_account - all statistics
 * @nr: rows of @domains that were ever used; none beyond it is
 * @gaps: gaps so far, behind which a mark may be of a call that was not seen
 * @deaths: domains seen dying
 * @idle_cycles: how long pCPUs were idle
 * @filtered_cycles: how long domains ran that the settings leave out
 * @tsc_khz: rate of these cycles; 0: not known. Set in copies that are shown
 * @window_ms: length of the last complete rate window
 * @special: rows that stand for no single domain
 * @domains: the table; a snapshot is cut at @nr and goes without what follows
 * @row_of: row of a living domain plus one, by domid
 * @generations: times a domain was seen to die, by domid
 */
struct hct_account {
	u32 nr;
	u32 window_ms;
	u32 gaps;
	u64 deaths;
	u64 idle_cycles;
	u64 filtered_cycles;
	u32 tsc_khz;
	struct hct_domain special[HCT_NR_SPECIAL_ROWS];
	struct hct_domain domains[HCT_MAX_DOMAINS];
	u16 row_of[XEN_DOMID_FIRST_RESERVED];
	u16 generations[XEN_DOMID_FIRST_RESERVED];
};

/**
 * hct_account_domain() - the row of a living domain
 * @acct: the tables
 * @domid: below %XEN_DOMID_FIRST_RESERVED
 *
 * Return: its row, taken now if need be; never NULL.
 */
struct hct_domain *hct_account_domain(struct hct_account *acct, u16 domid);

/** hct_account_find() - the row of a living domain; NULL: it has none of its own */
static inline struct hct_domain *hct_account_find(struct hct_account *acct, u16 domid)
{
	u16 row = acct->row_of[domid];

	return row ? &acct->domains[row - 1] : NULL;
}

/**
 * hct_account_died() - a domain was destroyed
 * @acct: the tables
 * @domid: any value; ids that are no guest's are ignored
 *
 * Its row stays until it is needed; the next domain of this id gets a new one.
 */
void hct_account_died(struct hct_account *acct, u16 domid);

/**
 * hct_account_batch() - a new multicall
 * @dom: who made it
 * @declared: its members, as announced
 */
void hct_account_batch(struct hct_domain *dom, u64 declared);

/**
 * hct_account_batch_end() - a multicall is over
 * @acct: the tables
 * @domid: who made it; a domain that was counted before
 * @end: how
 */
void hct_account_batch_end(struct hct_account *acct, u16 domid, enum hct_batch_end end);

/** hct_account_batch_seen() - a member of a multicall of @domid's was seen */
void hct_account_batch_seen(struct hct_account *acct, u16 domid);

/**
 * hct_batch_size_limit() - the largest size in a bucket
 * @bucket: 0 to %HCT_NR_SIZES - 2; the last one has no limit
 */
u32 hct_batch_size_limit(unsigned int bucket);

/**
 * hct_account_cell() - where a call is counted
 * @call: a decoded call
 *
 * Return: &enum hct_cell_index; a forged op word never leads to an op.
 */
unsigned int hct_account_cell(const struct hct_call *call);

/**
 * hct_account_units() - how many units a call asks for
 * @call: a decoded call
 *
 * Return: the recorded count, without its continuation mark; 0 if none is recorded.
 */
u64 hct_account_units(const struct hct_call *call);

/**
 * hct_cell_has_units() - whether Xen records a count for an op
 * @cell: &enum hct_cell_index
 */
bool hct_cell_has_units(unsigned int cell);

/** hct_account_marked() - &enum hct_marked of a call, with a mark or without */
enum hct_marked hct_account_marked(const struct hct_call *call);

/** hct_call_has_mark() - whether a record says of itself that it goes on with a call */
bool hct_call_has_mark(const struct hct_call *call);

/**
 * hct_account_mark() - whether a record goes on with a call, by its mark
 * @acct: the tables
 * @dom: who made it
 * @call: any call; those without a mark are remembered, if they may go on
 *
 * Return: whether it has a mark that is believed.
 */
bool hct_account_mark(struct hct_account *acct, struct hct_domain *dom,
		      const struct hct_call *call);

/** hct_account_doubt() - a record is counted as a call: if it has a mark, that is a bound */
void hct_account_doubt(struct hct_domain *dom, const struct hct_call *call);

/** hct_account_restart() - a new stream begins: no call of the old one goes on */
void hct_account_restart(struct hct_account *acct);

/**
 * hct_cell_is_bound() - whether a count of calls is an upper bound only
 * @dom: whose
 * @kind: &enum hct_kind
 * @cell: &enum hct_cell_index
 * @members: whether calls inside multicalls are traced
 *
 * Preempted calls are recorded again. Where nothing marks that, or a mark was not
 * believed, calls and continuations cannot be told apart.
 */
bool hct_cell_is_bound(const struct hct_domain *dom, unsigned int kind, unsigned int cell,
		       bool members);

/**
 * hct_cell_name() - the op column of a row
 * @cell: &enum hct_cell_index
 * @buf: at least 64 bytes
 * @size: of @buf
 *
 * Return: @buf.
 */
const char *hct_cell_name(unsigned int cell, char *buf, size_t size);

/** hct_kind_name() - "call", "member", ... for &enum hct_kind */
const char *hct_kind_name(unsigned int kind);

/**
 * hct_account_tick() - end a rate window
 * @acct: the tables
 * @elapsed_ms: its length; 0: nothing is traced any more, rates are zero
 */
void hct_account_tick(struct hct_account *acct, u32 elapsed_ms);

/** hct_account_reset() - all rows and counts to zero; generations go on counting */
void hct_account_reset(struct hct_account *acct);

#endif /* HCTRACE_ACCOUNT_H */
