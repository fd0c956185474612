// SPDX-License-Identifier: GPL-2.0
/* See people.h. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <hctrace/arith.h>

#include "base/text.h"
#include "people.h"
#include "show/number.h"

#define WIDTH		80
#define WIDTH_MIN	60
#define FIGURES_COLUMNS	40	/* in front of what they are of */
#define DOMNAME_COLUMNS	256	/* more of a name is not shown */
#define SIZE_COLUMNS	27	/* in front of a bar */

unsigned int people_width(FILE *to)
{
	struct winsize size;

	if (!isatty(fileno(to)) || ioctl(fileno(to), TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

/* --- the head --------------------------------------------------------------- */

static void print_loss(void *ctx, bool is_bad, const char *text)
{
	const struct people *people = ctx;
	const struct palette *p = people->palette;

	fprintf(people->to, " %s%s%s.\n", is_bad ? p->warn : "", text, is_bad ? p->off : "");
}

static void print_head(const struct people *people)
{
	const struct summary *summary = people->summary;
	const struct recording *rec = summary->rec;
	u64 times = rec->has_first ? rec->last - rec->first : 0;
	char number[NUMBER_BYTES];
	FILE *to = people->to;

	fputs("\n Hypercalls in ", to);
	text_put(to, rec->in.name, TEXT_TERMINAL, "");
	fprintf(to, ":\n %s, ", rec->format);
	if (rec->hz)
		fprintf(to, "%.*f s", times < rec->hz / 10 ? 6 : 3, (double)times / rec->hz);
	else
		fprintf(to, "%s cycles", number_grouped(times, number));
	fprintf(to, ", %u pCPU%s, %s calls\n", rec->p.nr_rings,
		rec->p.nr_rings == 1 ? "" : "s", number_grouped(summary->diff.calls, number));
	summary_losses(summary, print_loss, (void *)people);
}

/* --- the table -------------------------------------------------------------- */

/**
 * struct figures - what stands in front of a row
 * @records: its share and its rate are those of records
 */
struct figures {
	u64 records;
	u64 calls;
	u64 cont;
	u64 units;
	bool has_cont;
	bool has_units;
	bool bound;
};

/* What there is does not read as nothing. */
static const char *share_text(double percent, char *buf)
{
	scnprintf(buf, NUMBER_BYTES, percent > 0 && percent < 0.05 ? "<0.1%%" : "%.1f%%", percent);
	return buf;
}

static const char *rate_text(const struct summary *summary, u64 count, char *buf)
{
	double rate;

	if (summary->seconds <= 0)
		return "-";
	rate = count / summary->seconds;
	if (rate >= 9.95 || !count)
		return number_fit(rate + 0.5, 6, buf);
	scnprintf(buf, NUMBER_BYTES, rate < 0.05 ? "<0.1" : "%.1f", rate);
	return buf;
}

static void print_figures(const struct people *people, const struct figures *f)
{
	double percent = share_percent(&people->summary->diff, f->records);
	const char *color = color_of_share(people->palette, percent);
	char share[NUMBER_BYTES], calls[NUMBER_BYTES], rate[NUMBER_BYTES];
	char cont[NUMBER_BYTES], units[NUMBER_BYTES];

	fprintf(people->to, "%s%6s%s %11s%s %6s %5s %5s  ", color, share_text(percent, share),
		*color ? people->palette->off : "", number_fit(f->calls, 11, calls),
		f->bound ? "~" : " ", rate_text(people->summary, f->records, rate),
		number_fit_or_dash(f->cont, f->has_cont, 5, cont),
		number_fit_or_dash(f->units, f->has_units, 5, units));
}

/* An op that is too long loses its middle: the ends are what tells ops apart. */
static void print_op(const struct people *people, const struct stats_row *row)
{
	const struct figures figures = {
		.records = row->records, .calls = row->calls, .cont = row->cont,
		.units = row->units, .has_cont = row->has_cont, .has_units = row->has_units,
		.bound = row->bound,
	};
	int room = people->width - FIGURES_COLUMNS - 7;
	int len = strlen(row->op);
	int front = (room - 2) / 2;

	print_figures(people, &figures);
	if (len <= room)
		fprintf(people->to, "%-6s %s\n", row->kind, row->op);
	else
		fprintf(people->to, "%-6s %.*s..%s\n", row->kind, front, row->op,
			row->op + len - (room - 2 - front));
}

static void add_row(struct figures *sum, const struct stats_row *row)
{
	sum->records = hct_add(sum->records, row->records);
	sum->calls = hct_add(sum->calls, row->calls);
	sum->cont = hct_add(sum->cont, row->cont);
	sum->has_cont |= row->has_cont;
	sum->bound |= row->bound;
}

/* What is left out is there in sum, and so the table adds up. */
static void print_rest(const struct people *people, const struct figures *sum, size_t nr,
		       const char *what)
{
	const struct palette *p = people->palette;

	print_figures(people, sum);
	fprintf(people->to, "%sand %zu more%s%s\n", p->dim, nr, what, p->off);
}

/* Of @nr, those that are shown. One that is left out would take no less room than a word of it. */
static size_t shown(const struct people *people, size_t nr)
{
	return !people->top || nr <= people->top + 1 ? nr : people->top;
}

/* How long it ran, where that is known, and how chatty it was meanwhile. */
static void print_cpu(const struct people *people, const struct dom_tally *dom)
{
	const struct palette *p = people->palette;
	char number[NUMBER_BYTES];
	double rate;

	if (!dom->has_cpu)
		return;
	fprintf(people->to, "%*s%s%.3f ms of CPU", FIGURES_COLUMNS, "", p->dim,
		dom->cpu_us / 1e3);
	if (dom_tally_per_cpu(dom, &rate))
		fprintf(people->to, ", %s calls/s of it", number_fit(rate + 0.5, 6, number));
	fprintf(people->to, "%s\n", p->off);
}

/* A name that is too wide ends in a '~'; the id in front of it is whole. */
static void print_name(const struct people *people, const struct dom_tally *dom, unsigned int room)
{
	const struct palette *p = people->palette;
	char text[4 * DOMNAME_COLUMNS];

	fputs(p->strong, people->to);
	if (room > DOMNAME_COLUMNS)
		room = DOMNAME_COLUMNS;
	if (strlen(dom->dom.label) + 1 + text_width(dom->what.name) <= room) {
		dom_tally_put(people->to, dom);
	} else {
		dom_tally_fit(dom, false, text, sizeof(text), room);
		fputs(text, people->to);
	}
	fputs(p->off, people->to);
}

static void print_domain(const struct people *people, const struct dom_tally *dom)
{
	struct figures sum = { 0 }, rest = { 0 };
	size_t nr = shown(people, dom->nr_ops);
	size_t i;

	for (i = 0; i < dom->nr_ops; i++) {
		add_row(&sum, &dom->ops[i]);
		if (i >= nr)
			add_row(&rest, &dom->ops[i]);
	}
	fputc('\n', people->to);
	print_figures(people, &sum);
	print_name(people, dom, people->width - FIGURES_COLUMNS);
	fprintf(people->to, "%s%s\n", people->uuid ? "  " : "",
		people->uuid ? dom->what.uuid : "");
	print_cpu(people, dom);
	for (i = 0; i < nr; i++)
		print_op(people, &dom->ops[i]);
	if (nr < dom->nr_ops)
		print_rest(people, &rest, dom->nr_ops - nr, "");
}

static void print_table(const struct people *people)
{
	const struct tally *tally = &people->summary->tally;
	size_t nr = shown(people, tally->nr_doms);
	const struct palette *p = people->palette;
	struct figures rest = { 0 };
	bool any_bound = false;
	size_t i, j;

	fprintf(people->to, "\n%s%6s %11s  %6s %5s %5s  %s%s\n", p->head, "share", "calls",
		"per_s", "cont", "units", "domain, kind and op", p->off);
	for (i = 0; i < tally->nr_doms; i++) {
		any_bound |= tally->doms[i].bound;
		if (i < nr) {
			print_domain(people, &tally->doms[i]);
			continue;
		}
		for (j = 0; j < tally->doms[i].nr_ops; j++)
			add_row(&rest, &tally->doms[i].ops[j]);
	}
	if (nr < tally->nr_doms) {
		fputc('\n', people->to);
		print_rest(people, &rest, tally->nr_doms - nr, " domains");
	}
	if (!tally->nr_doms)
		fprintf(people->to, "\n No calls.\n");
	if (any_bound)
		fprintf(people->to,
			"\n ~ an upper bound: continuations of it look like calls\n");
}

/* --- multicalls ------------------------------------------------------------- */

static void size_range(unsigned int bucket, char *buf, size_t size)
{
	u32 from = bucket ? hct_batch_size_limit(bucket - 1) + 1 : 1;

	if (bucket == HCT_NR_SIZES - 1)
		scnprintf(buf, size, "%u and more", from);
	else if (from == hct_batch_size_limit(bucket))
		scnprintf(buf, size, "%u", from);
	else
		scnprintf(buf, size, "%u-%u", from, hct_batch_size_limit(bucket));
}

/* From the first size that occurs to the last. */
static void print_sizes(const struct people *people, const struct batch_row *row)
{
	static const char bars[] = "##################################################";
	int room = people->width - SIZE_COLUMNS - 1;
	unsigned int i, first, last;
	char range[24], number[NUMBER_BYTES];
	const struct palette *p = people->palette;
	u64 most = summary_sizes(row, &first, &last);

	if (room > (int)sizeof(bars) - 1)
		room = sizeof(bars) - 1;
	for (i = first; i <= last; i++) {
		int len = (double)row->sizes[i] / most * room + 0.5;

		/* What there is can be seen. */
		if (!len && row->sizes[i])
			len = 1;
		size_range(i, range, sizeof(range));
		fprintf(people->to, " %12s %11s", range, number_fit(row->sizes[i], 11, number));
		if (len)
			fprintf(people->to, "  %s%.*s%s", p->bar, len, bars, p->off);
		fputc('\n', people->to);
	}
}

static void print_many(FILE *to, u64 count, const char *what)
{
	char number[NUMBER_BYTES];

	if (count)
		fprintf(to, ", %s %s", number_grouped(count, number), what);
}

static void print_batches(const struct people *people, const struct dom_tally *dom)
{
	const struct batch_row *row = dom->sizes;
	char number[NUMBER_BYTES], max[NUMBER_BYTES];
	FILE *to = people->to;

	fputs("\n ", to);
	print_name(people, dom, people->width - 1);
	fprintf(to, "\n %s multicalls of %.1f members, %s at most",
		number_grouped(row->batches, number), (double)row->declared / row->batches,
		number_grouped(row->max, max));
	print_many(to, row->split, "split");
	print_many(to, row->cut_short, "short");
	print_many(to, row->lost, "lost");
	fputc('\n', to);
	print_sizes(people, row);
}

static void print_multicalls(const struct people *people)
{
	const struct tally *tally = &people->summary->tally;
	size_t nr = 0, done = 0;
	size_t i;

	for (i = 0; i < tally->nr_doms; i++)
		nr += !!tally->doms[i].sizes;
	if (!nr)
		return;
	fprintf(people->to, "\n%sMulticalls by how many members they declared%s\n",
		people->palette->head, people->palette->off);
	for (i = 0; i < tally->nr_doms && done < shown(people, nr); i++) {
		if (!tally->doms[i].sizes)
			continue;
		print_batches(people, &tally->doms[i]);
		done++;
	}
	if (done < nr)
		fprintf(people->to, "\n and %zu more domains\n", nr - done);
}

void people_print(const struct people *people)
{
	print_head(people);
	print_table(people);
	print_multicalls(people);
}
