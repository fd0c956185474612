// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/text.h"
#include "show/number.h"
#include "view.h"

#define NAME_WIDTH	16	/* of a domain in front of ops */
#define OP_WIDTH	25
#define TITLE_WIDTH	48	/* of a domain in the title */
#define NAME_TINY	9	/* of a domain, where there is room for little else */
#define NAME_MIN	14	/* where columns want their room */
#define NAME_GOOD	30	/* before there are columns of a higher rank than this one */
#define RANK_GOOD	7
#define NAME_UUID	43	/* "d32751 " and a UUID */
#define NAME_MAX_WIDTH	46

/* A figure with a digit behind the point, as long as there is room for it, else as "1.23T". */
static const char *figure(double value, int width, char *buf, size_t size)
{
	char number[NUMBER_BYTES];

	scnprintf(buf, size, "%*.1f", width, value);
	if (strlen(buf) > (size_t)width)
		scnprintf(buf, size, "%*.0f", width, value);
	if (strlen(buf) > (size_t)width)
		scnprintf(buf, size, "%*s", width, number_fit(value, width, number));
	return buf;
}

static double rate(const struct top_frame *frame, u64 count)
{
	return per_second(&frame->diff, count);
}

/* How much wider than usual a column may be, if all of them then take @taken. */
static unsigned int spare(unsigned int width, unsigned int taken, unsigned int most)
{
	unsigned int more = width > taken ? width - taken : 0;

	return more < most ? more : most;
}

/**
 * struct column - a column of the table of domains
 * @head: its name
 * @width: and room
 * @left: it is of words, which begin where it does
 * @rank: those of the lowest are there on any terminal
 * @put: the figure into a buffer of COLUMN_BYTES
 */
struct column {
	const char *head;
	unsigned int width;
	bool left;
	unsigned int rank;
	void (*put)(const struct top_frame *frame, const struct dom_tally *dom, char *buf);
};

#define COLUMN_BYTES	256
#define LINE_WIDTH	30	/* of a minute */

static void put_type(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	(void)frame;
	scnprintf(buf, COLUMN_BYTES, "%s", dom->what.type);
}

static void put_records(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	figure(rate(frame, dom->records), 9, buf, COLUMN_BYTES);
}

static void put_calls(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	figure(rate(frame, dom->calls), 9, buf, COLUMN_BYTES);
}

static void put_members(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	figure(rate(frame, dom->members), 9, buf, COLUMN_BYTES);
}

static void put_share(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	scnprintf(buf, COLUMN_BYTES, "%.2f", share_percent(&frame->diff, dom->records));
}

/* Of one pCPU, so several vCPUs may make it more than 100. */
static void put_cpu(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	if (dom->has_cpu && frame->diff.elapsed_ns)
		figure(dom->cpu_us * 1e5 / frame->diff.elapsed_ns, 6, buf, COLUMN_BYTES);
	else
		scnprintf(buf, COLUMN_BYTES, "-");
}

static void put_per_cpu(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	double per_cpu;

	(void)frame;
	if (dom_tally_per_cpu(dom, &per_cpu))
		figure(per_cpu, 9, buf, COLUMN_BYTES);
	else
		scnprintf(buf, COLUMN_BYTES, "-");
}

static void put_size(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	(void)frame;
	if (dom->batches)
		figure((double)dom->declared / dom->batches, 6, buf, COLUMN_BYTES);
	else
		scnprintf(buf, COLUMN_BYTES, "-");
}

static void put_multicalls(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	figure(rate(frame, dom->batches), 7, buf, COLUMN_BYTES);
}

static void put_cut(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	(void)frame;
	number_fit(dom->cut, 5, buf);
}

static void put_cont(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	figure(rate(frame, dom->cont), 6, buf, COLUMN_BYTES);
}

static void put_minute(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	history_draw(history_of(frame->history, dom->dom.label), LINE_WIDTH, buf, COLUMN_BYTES);
}

static void put_busiest(const struct top_frame *frame, const struct dom_tally *dom, char *buf)
{
	(void)frame;
	*buf = '\0';
	if (dom->nr_ops)
		scnprintf(buf, COLUMN_BYTES, "%-6s %s", dom->ops->kind, dom->ops->op);
}

static const struct column columns[] = {
	{ "TYPE", 4, true, 4, put_type },
	{ "RECORDS/s", 9, false, 0, put_records },
	{ "CALLS/s", 9, false, 2, put_calls },
	{ "MEMBERS/s", 9, false, 3, put_members },
	{ "SHARE%", 6, false, 1, put_share },
	{ "CPU%", 6, false, 5, put_cpu },
	{ "CALLS/CPU", 9, false, 6, put_per_cpu },
	{ "MULTI/s", 7, false, 8, put_multicalls },
	{ "SIZE", 6, false, 7, put_size },
	{ "CUT", 5, false, 9, put_cut },
	{ "CONT/s", 6, false, 10, put_cont },
	{ "LAST MINUTE", LINE_WIDTH, true, 11, put_minute },
	{ "BUSIEST", 45, true, 12, put_busiest },
};

/**
 * struct layout - what a terminal has room for
 * @name: room for a domain's name
 * @rank: columns up to here
 */
struct layout {
	unsigned int name;
	unsigned int rank;
};

static const struct column *column_of_rank(unsigned int rank)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].rank == rank)
			return &columns[i];
	}
	return NULL;
}

static struct layout lay_out(unsigned int width, bool uuid)
{
	unsigned int name = width < 40 ? NAME_TINY : NAME_MIN;
	unsigned int taken = column_of_rank(0)->width + 1;
	struct layout layout = { .rank = 0 };
	const struct column *next;

	if (uuid && width >= NAME_UUID + taken)
		name = NAME_UUID;
	while ((next = column_of_rank(layout.rank + 1)) &&
	       name + taken + next->width + 1 <= width) {
		taken += next->width + 1;
		if (++layout.rank == RANK_GOOD && name < NAME_GOOD)
			name = NAME_GOOD;
	}
	layout.name = width > taken + 1 ? width - taken : 1;
	if (layout.name > NAME_MAX_WIDTH)
		layout.name = NAME_MAX_WIDTH;
	return layout;
}

/* A cell behind a blank; what is of words is filled up, for whatever comes behind it. */
static size_t put_cell(char *to, size_t size, size_t len, const struct column *column,
		       const char *text)
{
	char cell[TOP_LINE_BYTES];

	if (!column->left)
		return len + scnprintf(to + len, size - len, " %*s", (int)column->width, text);
	text_fit(cell, sizeof(cell), text, column->width);
	return len + scnprintf(to + len, size - len, " %s", cell);
}

static void domain_line(struct top_line *line, const struct top_frame *frame,
			const struct dom_tally *dom, const struct layout *layout)
{
	char text[COLUMN_BYTES];
	size_t len;
	size_t i;

	dom_tally_fit(dom, frame->uuid, line->text, sizeof(line->text), layout->name);
	len = strlen(line->text);
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].rank > layout->rank)
			continue;
		columns[i].put(frame, dom, text);
		len = put_cell(line->text, sizeof(line->text), len, &columns[i], text);
	}
	line->is_quiet = !dom->records;
	scnprintf(line->dom, sizeof(line->dom), "%s", dom->dom.label);
}

static void domains_table(struct top_table *table, const struct top_frame *frame,
			  unsigned int width)
{
	struct layout layout = lay_out(width, frame->uuid);
	size_t len;
	size_t i;

	len = scnprintf(table->head, sizeof(table->head), "%-*s", (int)layout.name, "DOMAIN");
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].rank <= layout.rank)
			len = put_cell(table->head, sizeof(table->head), len, &columns[i],
				       columns[i].head);
	}
	scnprintf(table->title, sizeof(table->title), "%zu domains", frame->tally.nr_doms);
	for (i = 0; i < frame->tally.nr_doms; i++)
		domain_line(&table->lines[table->nr++], frame, &frame->tally.doms[i], &layout);
}

/**
 * struct op_columns - how wide a table of ops is
 * @op_width: room for an op's name
 * @has_units: there is room for units and continuations
 * @has_each: there is room for units per call, too
 */
struct op_columns {
	unsigned int op_width;
	bool has_units;
	bool has_each;
};

/* What a table of ops has room for in @width. */
static struct op_columns op_columns(unsigned int width)
{
	struct op_columns columns = {
		.has_units = width >= TOP_MIN_WIDTH, .has_each = width >= TOP_MIN_WIDTH + 8,
	};
	unsigned int taken = TOP_MIN_WIDTH - 18;

	if (columns.has_units)
		taken += 18;
	if (columns.has_each)
		taken += 8;
	columns.op_width = OP_WIDTH + spare(width, taken, 20);
	return columns;
}

static void op_line(struct top_line *line, const struct top_frame *frame,
		    const struct stats_row *row, const char *name, struct op_columns columns)
{
	char records[24], calls[24], cont[24] = "-", units[24] = "-", each[24] = "-";
	char op[TOP_MAX_WIDTH];
	size_t len;

	text_fit(op, sizeof(op), name, columns.op_width);
	if (row->has_cont)
		figure(rate(frame, row->cont), 6, cont, sizeof(cont));
	if (row->has_units)
		figure(rate(frame, row->units), 10, units, sizeof(units));
	if (row->has_units && row->calls)
		figure((double)row->units / row->calls, 7, each, sizeof(each));
	len = strlen(line->text);
	len += scnprintf(line->text + len, sizeof(line->text) - len, "%-6s %-*s %s %s%c %6.2f",
			 row->kind, (int)columns.op_width, op,
			 figure(rate(frame, row->records), 9, records, sizeof(records)),
			 figure(rate(frame, row->calls), 9, calls, sizeof(calls)),
			 row->bound ? '~' : ' ', share_percent(&frame->diff, row->records));
	if (columns.has_units)
		len += scnprintf(line->text + len, sizeof(line->text) - len, " %10s %6s", units,
				 cont);
	if (columns.has_each)
		scnprintf(line->text + len, sizeof(line->text) - len, " %7s", each);
	scnprintf(line->dom, sizeof(line->dom), "%s", row->dom.label);
	scnprintf(line->kind, sizeof(line->kind), "%s", row->kind);
	scnprintf(line->op, sizeof(line->op), "%s", row->op);
}

static void op_head(char *head, size_t size, struct op_columns columns)
{
	scnprintf(head, size, "%-6s %-*s %9s %9s  %6s%s%s", "KIND", (int)columns.op_width, "OP",
		  "RECORDS/s", "CALLS/s", "SHARE%", columns.has_units ? "    UNITS/s CONT/s" : "",
		  columns.has_each ? " UNITS/c" : "");
}

static const struct dom_tally *find_dom(const struct top_frame *frame, const char *label)
{
	size_t i;

	for (i = 0; i < frame->tally.nr_doms; i++) {
		if (!strcmp(frame->tally.doms[i].dom.label, label))
			return &frame->tally.doms[i];
	}
	return NULL;
}

static void title_of(struct top_table *table, const struct dom_tally *dom, const char *what)
{
	unsigned int width = strlen(dom->dom.label) + 1 + text_width(dom->what.name);
	char name[TOP_LINE_BYTES];

	/* The title has more to say. */
	dom_tally_fit(dom, false, name, sizeof(name),
		      width < TITLE_WIDTH ? width : TITLE_WIDTH);
	if (!*dom->what.name)
		name[strlen(dom->dom.label)] = '\0';
	scnprintf(table->title, sizeof(table->title), "%s%s%s%s  %s", name,
		  strcmp(dom->what.type, "-") ? " (" : "",
		  strcmp(dom->what.type, "-") ? dom->what.type : "",
		  strcmp(dom->what.type, "-") ? ")" : "", what);
}

static void show_sizes(struct top_table *table, const struct dom_tally *dom)
{
	size_t len = 0;
	unsigned int i;

	if (!dom->sizes || !dom->batches)
		return;
	len = scnprintf(table->sizes, sizeof(table->sizes), "multicalls up to");
	for (i = 0; i < HCT_NR_SIZES - 1; i++)
		len += scnprintf(table->sizes + len, sizeof(table->sizes) - len, " %u:%llu",
				 hct_batch_size_limit(i), dom->sizes->sizes[i]);
	scnprintf(table->sizes + len, sizeof(table->sizes) - len, " more:%llu",
		  dom->sizes->sizes[i]);
}

static bool ops_table(struct top_table *table, const struct top_frame *frame,
		      const struct top_view *view, struct op_columns columns)
{
	const struct dom_tally *dom = find_dom(frame, view->dom);
	struct stats_row *rows;
	size_t nr;
	size_t i;

	op_head(table->head, sizeof(table->head), columns);
	if (!dom) {
		scnprintf(table->title, sizeof(table->title), "%s  no calls", view->dom);
		return true;
	}
	rows = calloc(dom->nr_ops + 1, sizeof(*rows));
	if (!rows)
		return false;
	title_of(table, dom, "ops");
	show_sizes(table, dom);
	nr = dom_tally_fold(dom, rows, view->key);
	for (i = 0; i < nr; i++)
		op_line(&table->lines[table->nr++], frame, &rows[i], rows[i].op, columns);
	free(rows);
	return true;
}

/* Of "vcpu_op/": all "vcpu_op/...", and what came without a sub-op. */
static bool is_below(const struct stats_row *row, const struct top_view *view)
{
	size_t len = strcspn(view->op, "/");

	return !strcmp(row->kind, view->kind) && !strncmp(row->op, view->op, len) &&
	       (!row->op[len] || row->op[len] == '/');
}

static void subops_table(struct top_table *table, const struct top_frame *frame,
			 const struct top_view *view, struct op_columns columns)
{
	const struct dom_tally *dom = find_dom(frame, view->dom);
	char what[96];
	size_t i;

	op_head(table->head, sizeof(table->head), columns);
	scnprintf(what, sizeof(what), "%s %.*s", view->kind, (int)strcspn(view->op, "/"),
		  view->op);
	if (!dom) {
		scnprintf(table->title, sizeof(table->title), "%s  %s: no calls", view->dom, what);
		return;
	}
	title_of(table, dom, what);
	for (i = 0; i < dom->nr_ops; i++) {
		const struct stats_row *row = &dom->ops[i];
		const char *slash = strchr(row->op, '/');

		if (is_below(row, view))
			op_line(&table->lines[table->nr++], frame, row,
				slash ? slash + 1 : "(not recorded)", columns);
	}
}

/* Everything, domains in their order and ops in theirs. */
static void all_table(struct top_table *table, const struct top_frame *frame, unsigned int width)
{
	bool is_narrow = width < TOP_MIN_WIDTH + NAME_WIDTH + 1;
	unsigned int dom_width = is_narrow ? 14 : NAME_WIDTH;
	struct op_columns columns = op_columns(width > dom_width ? width - dom_width - 1 : 0);
	size_t len;
	size_t i;
	size_t j;

	len = scnprintf(table->head, sizeof(table->head), "%-*s ", (int)dom_width, "DOMAIN");
	op_head(table->head + len, sizeof(table->head) - len, columns);
	scnprintf(table->title, sizeof(table->title), "all ops of %zu domains",
		  frame->tally.nr_doms);
	for (i = 0; i < frame->tally.nr_doms; i++) {
		const struct dom_tally *dom = &frame->tally.doms[i];
		char name[TOP_LINE_BYTES];

		dom_tally_fit(dom, frame->uuid, name, sizeof(name), dom_width);
		for (j = 0; j < dom->nr_ops; j++) {
			struct top_line *line = &table->lines[table->nr++];

			scnprintf(line->text, sizeof(line->text), "%s ", name);
			op_line(line, frame, &dom->ops[j], dom->ops[j].op, columns);
		}
	}
}

bool top_table_make(struct top_table *table, const struct top_frame *frame,
		    const struct top_view *view, unsigned int width)
{
	struct op_columns columns = op_columns(width > TOP_MIN_WIDTH ? width : TOP_MIN_WIDTH);
	size_t most = frame->tally.nr_doms;
	size_t i;

	memset(table, 0, sizeof(*table));
	for (i = 0; i < frame->tally.nr_doms; i++)
		most += frame->tally.doms[i].nr_ops;
	table->lines = calloc(most + 1, sizeof(*table->lines));
	if (!table->lines)
		return false;

	if (width > TOP_MAX_WIDTH - 1)
		width = TOP_MAX_WIDTH - 1;
	switch (view->level) {
	case TOP_DOMAINS:
		domains_table(table, frame, width);
		break;
	case TOP_OPS:
		return ops_table(table, frame, view, columns);
	case TOP_SUBOPS:
		subops_table(table, frame, view, columns);
		break;
	case TOP_ALL:
		all_table(table, frame, width);
		break;
	}
	return true;
}

void top_table_free(struct top_table *table)
{
	free(table->lines);
	memset(table, 0, sizeof(*table));
}

const char *top_state(const struct top_frame *frame, char *buf, size_t size)
{
	const struct stats *after = &frame->after.stats;
	char coverage[16];

	scnprintf(buf, size,
		  "Xen %s  dom0 %s  profile %s  pCPUs %s  coverage %s  attribution %s",
		  after->xen, after->dom0, after->profile, after->pcpus,
		  stats_coverage(after, coverage, sizeof(coverage)), after->attribution);
	return buf;
}

const char *top_summary(const struct top_frame *frame, char *buf, size_t size)
{
	u64 members = 0;
	u64 calls = 0;
	size_t i;

	for (i = 0; i < frame->tally.nr_doms; i++) {
		calls += frame->tally.doms[i].calls;
		members += frame->tally.doms[i].members;
	}
	scnprintf(buf, size,
		  "calls %.1f/s  members %.1f/s  lost %llu (+%llu)  malformed %llu (+%llu)",
		  rate(frame, calls), rate(frame, members), frame->after.stats.lost,
		  frame->diff.lost, frame->after.stats.malformed, frame->diff.malformed);
	return buf;
}

bool top_is_clean(const struct top_frame *frame)
{
	return !frame->diff.lost && !frame->diff.malformed && frame->after.stats.tracing &&
	       frame->after.stats.coverage != STATS_COVERAGE_UNKNOWN &&
	       !strcmp(frame->after.stats.attribution, "ok");
}
