// SPDX-License-Identifier: GPL-2.0
/*
 * See table.h. In `multicalls`, batches, split and declared are the calls,
 * continuations and units of the row call/multicall of `stats`; complete + short +
 * lost make up the batches, but for those that are not over yet.
 */
#include <hctrace/table.h>

/* In the order they are shown. */
enum { GROUP_SUMS, GROUP_SPECIAL_SUMS, GROUP_OPS };

struct filling {
	const struct hct_account *acct;
	struct hct_row *rows;
	u32 nr;
	bool members;
};

int hct_row_special(const struct hct_account *acct, const struct hct_domain *dom)
{
	const struct hct_domain *special = acct->special;

	return dom >= special && dom < special + HCT_NR_SPECIAL_ROWS ? dom - special : -1;
}

const char *hct_domain_name(const struct hct_account *acct, const struct hct_domain *dom,
			    char *buf, size_t size)
{
	static const char *const names[HCT_NR_SPECIAL_ROWS] = {
		[HCT_ROW_UNATTRIBUTED] = "d?",
		[HCT_ROW_GONE] = "d[gone]",
		[HCT_ROW_MORE] = "d[more]",
	};
	int special = hct_row_special(acct, dom);

	if (special >= 0)
		scnprintf(buf, size, "%s", names[special]);
	else if (dom->generation > 1)
		scnprintf(buf, size, "d%u#%u", dom->domid, dom->generation);
	else
		scnprintf(buf, size, "d%u", dom->domid);
	return buf;
}

/* --- stats ------------------------------------------------------------------ */

static bool is_empty(const struct hct_cell *cell)
{
	return !hct_cell_records(cell);
}

static void add_row(struct filling *f, const struct hct_row *row)
{
	if (f->rows)
		f->rows[f->nr] = *row;
	f->nr++;
}

static u64 per_second(const struct hct_account *acct, u64 count)
{
	return acct->window_ms ? hct_mul_div(count, 1000, acct->window_ms) : 0;
}

static void sum_up(struct hct_row *sum, const struct hct_row *row)
{
	sum->calls += row->calls;
	sum->cont += row->cont;
	sum->units = hct_add(sum->units, row->units);
	sum->per_s += row->per_s;
	sum->bound |= row->bound;
}

/* The lines of one kind, and their sum; @all grows by the sum. */
static void add_kind(struct filling *f, const struct hct_domain *dom, u8 kind, struct hct_row *all)
{
	struct hct_row sum = { .dom = dom, .kind = kind, .cell = HCT_ALL_CELLS };
	int special = hct_row_special(f->acct, dom);
	unsigned int i;
	u64 rate = 0;

	sum.group = special >= 0 ? GROUP_SPECIAL_SUMS : GROUP_SUMS;
	for (i = 0; i < HCT_NR_CELLS; i++) {
		const struct hct_cell *cell = &dom->cells[kind][i];
		struct hct_row row;

		/* Most are. */
		if (is_empty(cell))
			continue;
		row = (struct hct_row){
			.dom = dom, .group = GROUP_OPS, .kind = kind, .cell = i,
			.calls = cell->calls, .cont = cell->cont, .units = cell->units,
			.per_s = per_second(f->acct, cell->rate),
			.bound = hct_cell_is_bound(dom, kind, i, f->members),
		};
		rate += cell->rate;
		sum_up(&sum, &row);
		if (special != HCT_ROW_UNATTRIBUTED)
			add_row(f, &row);
	}
	sum.per_s = per_second(f->acct, rate);
	sum_up(all, &sum);
	if (hct_row_records(&sum) && special != HCT_ROW_UNATTRIBUTED)
		add_row(f, &sum);
}

static void add_domain(struct filling *f, const struct hct_domain *dom)
{
	int special = hct_row_special(f->acct, dom);
	struct hct_row all = {
		.dom = dom, .group = special >= 0 ? GROUP_SPECIAL_SUMS : GROUP_SUMS,
		.kind = HCT_NR_KINDS, .cell = HCT_ALL_CELLS,
	};
	u8 kind;

	for (kind = 0; kind < HCT_NR_KINDS; kind++)
		add_kind(f, dom, kind, &all);
	/* Whose calls these were is unknown: one line, and always there. */
	all.bound = dom->doubted[HCT_KIND_CALL] || dom->doubted[HCT_KIND_MEMBER];
	/* Who runs and calls nothing has a line all the same. */
	if (special == HCT_ROW_UNATTRIBUTED || (!hct_row_records(&all) && dom->cycles))
		add_row(f, &all);
}

u32 hct_rows_fill(const struct hct_account *acct, bool members, struct hct_row *rows)
{
	struct filling f = { .acct = acct, .rows = rows, .members = members };
	u32 i;

	for (i = 0; i < acct->nr; i++)
		add_domain(&f, &acct->domains[i]);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		add_domain(&f, &acct->special[i]);
	return f.nr;
}

int hct_row_compare(const void *left, const void *right)
{
	const struct hct_row *a = left;
	const struct hct_row *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->per_s != b->per_s)
		return a->per_s > b->per_s ? -1 : 1;
	if (hct_row_records(a) != hct_row_records(b))
		return hct_row_records(a) > hct_row_records(b) ? -1 : 1;
	if (a->dom != b->dom)
		return a->dom < b->dom ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Where columns begin, if they are of words, and where those of figures end. */
enum {
	COLUMN_KIND = 8,
	COLUMN_OP = 15,
	COLUMN_RECORDS = 49,
	COLUMN_CALLS = 59,
	COLUMN_CONT = 66,
	COLUMN_UNITS = 76,
	COLUMN_PER_S = 84,
	COLUMN_ACC = 86,
	COLUMN_CPU_MS = 98,
};

/* Fill a line in up to @column, or with one blank if it is longer than that, and go on. */
static size_t put_word(char *buf, size_t size, size_t len, size_t column, const char *word)
{
	size_t blanks = column > len ? column - len : 1;

	return len + scnprintf(buf + len, size - len, "%*s%s", (int)blanks, "", word);
}

/*
 * The width of a figure behind a blank. What is too long for it takes its room from the
 * columns behind it, and those are in line again.
 */
static int figure_width(size_t len, size_t end)
{
	return end > len + 1 ? end - len - 1 : 0;
}

static size_t put_figure(char *buf, size_t size, size_t len, size_t end, const char *figure)
{
	return len + scnprintf(buf + len, size - len, " %*s", figure_width(len, end), figure);
}

static size_t put_value(char *buf, size_t size, size_t len, size_t end, u64 value, bool applies)
{
	if (!applies)
		return put_figure(buf, size, len, end, "-");
	return len + scnprintf(buf + len, size - len, " %*llu", figure_width(len, end), value);
}

const char *hct_line_heading(char *buf, size_t size)
{
	size_t len = scnprintf(buf, size, "dom");

	len = put_word(buf, size, len, COLUMN_KIND, "kind");
	len = put_word(buf, size, len, COLUMN_OP, "op");
	len = put_figure(buf, size, len, COLUMN_RECORDS, "records");
	len = put_figure(buf, size, len, COLUMN_CALLS, "calls");
	len = put_figure(buf, size, len, COLUMN_CONT, "cont");
	len = put_figure(buf, size, len, COLUMN_UNITS, "units");
	len = put_figure(buf, size, len, COLUMN_PER_S, "per_s");
	put_word(buf, size, len, COLUMN_ACC, "acc");
	return buf;
}

const char *hct_row_heading(char *buf, size_t size)
{
	size_t len = strlen(hct_line_heading(buf, size));

	put_figure(buf, size, len, COLUMN_CPU_MS, "cpu_ms");
	return buf;
}

const char *hct_value_format(u64 value, bool applies, char *buf, size_t size)
{
	if (applies)
		scnprintf(buf, size, "%llu", value);
	else
		scnprintf(buf, size, "-");
	return buf;
}

const char *hct_line_format(const struct hct_line *line, char *buf, size_t size)
{
	size_t len = scnprintf(buf, size, "%s", line->dom);

	len = put_word(buf, size, len, COLUMN_KIND, line->kind);
	len = put_word(buf, size, len, COLUMN_OP, line->op);
	len = put_value(buf, size, len, COLUMN_RECORDS, line->records, true);
	len = put_value(buf, size, len, COLUMN_CALLS, line->calls, true);
	len = put_value(buf, size, len, COLUMN_CONT, line->cont, line->has_cont);
	len = put_value(buf, size, len, COLUMN_UNITS, line->units, line->has_units);
	len = put_value(buf, size, len, COLUMN_PER_S, line->per_s,
			line->per_s != HCT_RATE_UNKNOWN);
	put_word(buf, size, len, COLUMN_ACC, line->bound ? "~" : "=");
	return buf;
}

const char *hct_cpu_ms_format(const struct hct_account *acct, u64 cycles, char *buf, size_t size)
{
	u64 us, ms;

	if (!acct->tsc_khz)
		return hct_value_format(0, false, buf, size);
	us = hct_mul_div(cycles, 1000, acct->tsc_khz);
	ms = hct_mul_div(us, 1, 1000);
	scnprintf(buf, size, "%llu.%03u", ms, (u32)(us - 1000 * ms));
	return buf;
}

const char *hct_cpu_format(const struct hct_account *acct, char *buf, size_t size)
{
	char all[32], idle[32], unknown[32], filtered[32];
	const u64 cycles = acct->special[HCT_ROW_UNATTRIBUTED].cycles;

	scnprintf(buf, size, "cpu_ms %s   idle_ms %s   unknown_ms %s   filtered_ms %s",
		  hct_cpu_ms_format(acct, hct_cpu_observed(acct), all, sizeof(all)),
		  hct_cpu_ms_format(acct, acct->idle_cycles, idle, sizeof(idle)),
		  hct_cpu_ms_format(acct, cycles, unknown, sizeof(unknown)),
		  hct_cpu_ms_format(acct, acct->filtered_cycles, filtered, sizeof(filtered)));
	return buf;
}

const char *hct_row_format(const struct hct_account *acct, const struct hct_row *row, char *buf,
			   size_t size)
{
	bool is_sum = row->cell == HCT_ALL_CELLS;
	char dom[24], op[64], cpu_ms[32] = "-";
	const struct hct_line line = {
		.dom = hct_domain_name(acct, row->dom, dom, sizeof(dom)),
		.kind = row->kind == HCT_NR_KINDS ? "-" : hct_kind_name(row->kind),
		.op = is_sum ? "*" : hct_cell_name(row->cell, op, sizeof(op)),
		.records = hct_row_records(row),
		.calls = row->calls,
		.cont = row->cont,
		.has_cont = row->kind == HCT_KIND_CALL || row->cont,
		.units = row->units,
		.has_units = !is_sum && row->kind != HCT_KIND_HVM &&
			     hct_cell_has_units(row->cell),
		.per_s = row->per_s,
		.bound = row->bound,
	};

	hct_line_format(&line, buf, size);
	if (is_sum)
		hct_cpu_ms_format(acct, row->dom->cycles, cpu_ms, sizeof(cpu_ms));
	put_figure(buf, size, strlen(buf), COLUMN_CPU_MS, cpu_ms);
	return buf;
}

/* --- multicalls ------------------------------------------------------------- */

struct emitting {
	const struct hct_account *acct;
	void (*emit)(void *ctx, const char *line);
	void *ctx;
};

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

static void emit_batches(const struct emitting *e, const struct hct_domain *dom)
{
	const struct hct_cell *cell = multicalls_of(dom);
	const struct hct_batches *b = &dom->batches;
	u64 members = members_of(dom);
	char name[24], line[HCT_LINE_BYTES];
	u64 tenths;
	size_t len;

	hct_domain_name(e->acct, dom, name, sizeof(name));
	if (is_empty(cell)) {
		if (!members)
			return;
		scnprintf(line, sizeof(line), "%-9s %11s %8s %7s %7s %12s %12llu %8s %8s%s", name,
			  "-", "-", "-", "-", "-", members, "-", "-", "  no parent");
		e->emit(e->ctx, line);
		return;
	}

	tenths = cell->calls ? hct_mul_div(cell->units, 10, cell->calls) : 0;
	len = scnprintf(line, sizeof(line), "%-9s %11llu %8llu %7llu %7llu %12llu %12llu ",
			name, cell->calls, cell->cont, b->ends[HCT_END_SHORT],
			b->ends[HCT_END_LOST], cell->units, b->seen);
	len += scnprintf(line + len, sizeof(line) - len, "%6llu.%llu %8llu", tenths / 10,
			 tenths % 10, b->max);
	if (members > b->seen)
		scnprintf(line + len, sizeof(line) - len, "  and %llu without parent",
			  members - b->seen);
	e->emit(e->ctx, line);
}

static void emit_sizes(const struct emitting *e, const struct hct_domain *dom)
{
	char name[24], line[HCT_LINE_BYTES];
	unsigned int i;
	size_t len;

	if (!multicalls_of(dom)->calls)
		return;
	len = scnprintf(line, sizeof(line), "%-9s",
			hct_domain_name(e->acct, dom, name, sizeof(name)));
	for (i = 0; i < HCT_NR_SIZES; i++)
		len += scnprintf(line + len, sizeof(line) - len, " %8llu", dom->batches.sizes[i]);
	e->emit(e->ctx, line);
}

static void emit_members(const struct emitting *e, const struct hct_domain *dom)
{
	u64 batches = multicalls_of(dom)->calls;
	char name[24], op[64], line[HCT_LINE_BYTES];
	unsigned int i;

	hct_domain_name(e->acct, dom, name, sizeof(name));
	for (i = 0; i < HCT_NR_CELLS; i++) {
		const struct hct_cell *cell = &dom->cells[HCT_KIND_MEMBER][i];
		u64 hundredths;
		size_t len;

		if (is_empty(cell))
			continue;
		len = scnprintf(line, sizeof(line), "%-9s %-38s %12llu %8llu", name,
				hct_cell_name(i, op, sizeof(op)), cell->calls, cell->cont);
		if (batches) {
			hundredths = hct_mul_div(cell->calls, 100, batches);
			scnprintf(line + len, sizeof(line) - len, " %7llu.%02llu", hundredths / 100,
				  hundredths % 100);
		} else {
			scnprintf(line + len, sizeof(line) - len, " %10s", "-");
		}
		e->emit(e->ctx, line);
	}
}

static void for_all(const struct emitting *e,
		    void (*emit)(const struct emitting *e, const struct hct_domain *dom))
{
	u32 i;

	for (i = 0; i < e->acct->nr; i++)
		emit(e, &e->acct->domains[i]);
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		emit(e, &e->acct->special[i]);
}

void hct_multicalls_format(const struct hct_account *acct, bool members,
			   void (*emit)(void *ctx, const char *line), void *ctx)
{
	const struct emitting e = { .acct = acct, .emit = emit, .ctx = ctx };
	char line[HCT_LINE_BYTES];
	unsigned int i;
	size_t len;

	scnprintf(line, sizeof(line), "# xen-hctrace multicalls 1   members %s   %s",
		  members ? "on" : "off: batches may be continuations, none is seen whole",
		  "buckets end at the number shown (32 = 17..32)");
	emit(ctx, line);
	scnprintf(line, sizeof(line), "%-9s %11s %8s %7s %7s %12s %12s %8s %8s", "dom", "batches",
		  "split", "short", "lost", "declared", "seen", "mean", "max");
	emit(ctx, line);
	for_all(&e, emit_batches);

	emit(ctx, "# sizes");
	len = scnprintf(line, sizeof(line), "%-9s", "dom");
	for (i = 0; i < HCT_NR_SIZES - 1; i++)
		len += scnprintf(line + len, sizeof(line) - len, " %8u", hct_batch_size_limit(i));
	scnprintf(line + len, sizeof(line) - len, " %8s", "more");
	emit(ctx, line);
	for_all(&e, emit_sizes);

	emit(ctx, "# members");
	scnprintf(line, sizeof(line), "%-9s %-38s %12s %8s %10s", "dom", "op", "members", "re-exec",
		  "per_batch");
	emit(ctx, line);
	for_all(&e, emit_members);
}

const char *hct_coverage_format(const struct hct_counters *total, char *buf, size_t size)
{
	u32 coverage = hct_coverage(total);

	if (hct_coverage_is_known(total))
		scnprintf(buf, size, "%u.%04u%%", coverage / 10000, coverage % 10000);
	else
		scnprintf(buf, size, "unknown");
	return buf;
}
