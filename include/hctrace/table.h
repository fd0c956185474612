/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the statistics read: the lines of the files `stats` and `multicalls`, which
 * the module shows of what is traced now and the tool of a recording. Columns are
 * fixed and separated by blanks; rows that sum a domain up come first, the busiest
 * first, so that the head of the table answers the question. Busy is who has many
 * records, calls or not: that is what a guest cannot talk down.
 */
#ifndef HCTRACE_TABLE_H
#define HCTRACE_TABLE_H

#include <hctrace/arith.h>
#include <hctrace/pipeline.h>

#define HCT_LINE_BYTES		192	/* holds any line of these tables */
#define HCT_ALL_CELLS		HCT_NR_CELLS
#define HCT_RATE_UNKNOWN	(~0ull)

/**
 * struct hct_row - one line of `stats`
 * @dom: whose
 * @group: order of the groups of lines
 * @kind: &enum hct_kind; %HCT_NR_KINDS: all of them
 * @cell: &enum hct_cell_index; HCT_ALL_CELLS: the sum of the kind
 * @bound: @calls is an upper bound
 * @calls: as in &struct hct_cell
 * @cont: as in &struct hct_cell
 * @units: as in &struct hct_cell
 * @per_s: records per second, or %HCT_RATE_UNKNOWN
 */
struct hct_row {
	const struct hct_domain *dom;
	u8 group;
	u8 kind;
	u8 cell;
	bool bound;
	u64 calls;
	u64 cont;
	u64 units;
	u64 per_s;
};

/** hct_row_records() - records that a line stands for: calls and continuations */
static inline u64 hct_row_records(const struct hct_row *row)
{
	return row->calls + row->cont;
}

/**
 * hct_rows_fill() - the lines of `stats`, not sorted
 * @acct: the tables
 * @members: whether calls inside multicalls are traced
 * @rows: filled in, rates being those of the last rate window; NULL: only count
 *
 * Return: number of lines, the same for the same tables.
 */
u32 hct_rows_fill(const struct hct_account *acct, bool members, struct hct_row *rows);

/**
 * hct_row_compare() - in which order lines are shown, for sort() and qsort()
 *
 * Groups in their order; within one the busiest now, then the busiest so far.
 */
int hct_row_compare(const void *left, const void *right);

/**
 * hct_value_format() - a figure as text in @buf
 * @value: the figure
 * @applies: else the column has no meaning here and reads "-", which is not 0
 * @buf: filled in
 * @size: room in @buf
 *
 * Return: @buf.
 */
const char *hct_value_format(u64 value, bool applies, char *buf, size_t size);

/**
 * struct hct_line - a line of calls of one op, whoever has counted them
 * @dom: whose: "d3"
 * @kind: "call"; "-": all of them
 * @op: "mmu_update"; "*": all of them
 * @records: records that it stands for
 * @calls: as in &struct hct_cell
 * @cont: as in &struct hct_cell
 * @units: as in &struct hct_cell
 * @per_s: records per second, or %HCT_RATE_UNKNOWN
 * @has_cont: @cont applies
 * @has_units: @units applies
 * @bound: @calls is an upper bound
 */
struct hct_line {
	const char *dom;
	const char *kind;
	const char *op;
	u64 records;
	u64 calls;
	u64 cont;
	u64 units;
	u64 per_s;
	bool has_cont;
	bool has_units;
	bool bound;
};

/** hct_line_format() - the one layout of such a line, without its end; @buf of HCT_LINE_BYTES */
const char *hct_line_format(const struct hct_line *line, char *buf, size_t size);

/** hct_line_heading() - the line above such lines, without its end; @buf of HCT_LINE_BYTES */
const char *hct_line_heading(char *buf, size_t size);

/**
 * hct_cpu_ms_format() - a time of CPUs in milliseconds, "12.345", or "-" if that is not known
 * @acct: the tables, which have the rate
 * @cycles: the time
 * @buf: filled in, returned
 * @size: room in @buf, 25 will do
 */
const char *hct_cpu_ms_format(const struct hct_account *acct, u64 cycles, char *buf, size_t size);

/**
 * hct_cpu_format() - of the time that pCPUs have told of, what is no domain's; @buf of
 *	HCT_LINE_BYTES, which is returned. It adds up with the rows
 */
const char *hct_cpu_format(const struct hct_account *acct, char *buf, size_t size);

/** hct_row_heading() - the line above the rows, without its end; @buf of HCT_LINE_BYTES */
const char *hct_row_heading(char *buf, size_t size);

/** hct_row_format() - such a line of `stats`; @buf of HCT_LINE_BYTES */
const char *hct_row_format(const struct hct_account *acct, const struct hct_row *row, char *buf,
			   size_t size);

/**
 * hct_multicalls_format() - the lines of `multicalls`
 * @acct: the tables
 * @members: whether calls inside multicalls are traced
 * @emit: gets each line, without its end
 * @ctx: its first argument
 */
void hct_multicalls_format(const struct hct_account *acct, bool members,
			   void (*emit)(void *ctx, const char *line), void *ctx);

/** hct_row_special() - &enum hct_special_row of @dom, or -1 if it is a domain */
int hct_row_special(const struct hct_account *acct, const struct hct_domain *dom);

/** hct_domain_name() - "d3", "d3#2", "d?", "d[gone]" into @buf, which is returned */
const char *hct_domain_name(const struct hct_account *acct, const struct hct_domain *dom,
			    char *buf, size_t size);

/** hct_coverage_is_known() - whether nothing is missing that nobody has counted */
static inline bool hct_coverage_is_known(const struct hct_counters *total)
{
	return !total->uncounted;
}

/**
 * hct_coverage() - share of Xen's records that arrived
 * @total: the ledger
 *
 * Means nothing unless hct_coverage_is_known(). Return: in millionths, rounded down, so that
 * 1000000 means that none was lost.
 */
static inline u32 hct_coverage(const struct hct_counters *total)
{
	u64 consumed = total->consumed;
	u64 all = consumed + total->lost;

	/* There is no room for the sum: halves, that of the losses rounded up. */
	if (all < consumed) {
		consumed /= 2;
		all = consumed + total->lost / 2 + total->lost % 2;
	}
	return all ? hct_mul_div(consumed, 1000000, all) : 1000000;
}

/** hct_coverage_format() - "99.9997%", or "unknown", into @buf, which is returned */
const char *hct_coverage_format(const struct hct_counters *total, char *buf, size_t size);

#endif /* HCTRACE_TABLE_H */
