// SPDX-License-Identifier: GPL-2.0
/* See html.h. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "html.h"
#include "html_page.h"
#include "show/number.h"

#define CHART_WIDTH	960
#define CHART_HEIGHT	240
#define CHART_LEFT	70
#define CHART_BOTTOM	24
#define CHART_COLORS	8	/* domains with a colour of their own; one more is for the others */
#define TOP_OPS		15
#define TOP_SIZES	12

/* Text of anybody in a page, be it in an attribute */
static void put_text(FILE *to, const char *text)
{
	char *escaped = text_escaped(text, TEXT_LINE, "");
	const char *at;

	for (at = escaped; at && *at; at++) {
		switch (*at) {
		case '&':
			fputs("&amp;", to);
			break;
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		case '"':
			fputs("&quot;", to);
			break;
		case '\'':
			fputs("&#39;", to);
			break;
		default:
			fputc(*at, to);
		}
	}
	free(escaped);
}

static void put_domain(FILE *to, const struct dom_tally *dom)
{
	put_text(to, dom->dom.label);
	fputc(' ', to);
	put_text(to, dom->what.name);
}

/* --- the head --------------------------------------------------------------- */

static void put_loss(void *ctx, bool is_bad, const char *text)
{
	FILE *to = ctx;

	fprintf(to, "<li%s>", is_bad ? " class=bad" : "");
	put_text(to, text);
	fputs(".</li>\n", to);
}

static void put_head(FILE *to, const struct summary *summary)
{
	const struct recording *rec = summary->rec;
	u64 times = rec->has_first ? rec->last - rec->first : 0;
	char number[NUMBER_BYTES];

	/* Nothing is to be fetched, and the browser sees to it. */
	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
	      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	      "<meta name=viewport content=\"width=device-width\">\n<title>Hypercalls in ", to);
	put_text(to, rec->in.name);
	fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>Hypercalls in ",
		html_style);
	put_text(to, rec->in.name);
	fprintf(to, "</h1>\n<p class=dim>%s, ", rec->format);
	if (rec->hz)
		fprintf(to, "%.*f s", times < rec->hz / 10 ? 6 : 3, (double)times / rec->hz);
	else
		fprintf(to, "%s cycles", number_grouped(times, number));
	fprintf(to, ", %u pCPU%s, %s calls</p>\n<ul id=losses>\n", rec->p.nr_rings,
		rec->p.nr_rings == 1 ? "" : "s", number_grouped(summary->diff.calls, number));
	summary_losses(summary, put_loss, to);
	fputs("</ul>\n", to);
}

/* --- calls over time -------------------------------------------------------- */

/**
 * struct chart - areas upon each other
 * @nr: of them; the last one is of all domains that have none of their own
 * @row: row of the timeline of each, but for the last one
 * @dom: the domain of each, likewise
 * @most: highest pile
 */
struct chart {
	const struct summary *summary;
	const struct by_domain *by;
	const struct timeline *line;
	unsigned int nr;
	int row[CHART_COLORS];
	const struct dom_tally *dom[CHART_COLORS];
	u64 most;
};

static u64 sum_at(const struct chart *chart, u32 index)
{
	u64 sum = 0;
	u32 row;

	for (row = 0; row < by_domain_rows(chart->by); row++)
		sum += timeline_at(chart->line, row, index);
	return sum;
}

/* Calls of the first @nr areas. */
static u64 pile(const struct chart *chart, unsigned int nr, u32 index)
{
	u64 sum = 0;
	unsigned int i;

	if (nr > chart->nr)
		return sum_at(chart, index);
	for (i = 0; i < nr; i++)
		sum += timeline_at(chart->line, chart->row[i], index);
	return sum;
}

static void make_chart(struct chart *chart)
{
	const struct tally *tally = &chart->summary->tally;
	size_t i;

	for (i = 0; i < tally->nr_doms && chart->nr < CHART_COLORS; i++) {
		int row = by_domain_row(chart->by, &tally->doms[i].dom);

		if (row < 0)
			continue;
		chart->dom[chart->nr] = &tally->doms[i];
		chart->row[chart->nr++] = row;
	}
	for (i = 0; i < timeline_used(chart->line); i++) {
		u64 sum = sum_at(chart, i);

		chart->most = sum > chart->most ? sum : chart->most;
	}
}

static double x_of(const struct chart *chart, u32 index)
{
	return CHART_LEFT + (double)(CHART_WIDTH - CHART_LEFT) * index / timeline_used(chart->line);
}

static double y_of(const struct chart *chart, u64 calls)
{
	const double room = CHART_HEIGHT - CHART_BOTTOM - 10;

	return CHART_HEIGHT - CHART_BOTTOM - room * calls / chart->most;
}

/* Steps from left to right along the top, and back along the bottom. */
static void put_area(FILE *to, const struct chart *chart, unsigned int i)
{
	u32 used = timeline_used(chart->line);
	u32 at;

	fprintf(to, "<path class=c%u d=\"M%d %.1f", i < chart->nr ? i : CHART_COLORS, CHART_LEFT,
		y_of(chart, 0));
	for (at = 0; at < used; at++)
		fprintf(to, "V%.1fH%.1f", y_of(chart, pile(chart, i + 1, at)),
			x_of(chart, at + 1));
	for (at = used; at-- > 0;)
		fprintf(to, "V%.1fH%.1f", y_of(chart, pile(chart, i, at)), x_of(chart, at));
	fputs("Z\"><title>", to);
	if (i < chart->nr)
		put_domain(to, chart->dom[i]);
	else
		fputs("all others", to);
	fputs("</title></path>\n", to);
}

static void put_axes(FILE *to, const struct chart *chart)
{
	const struct recording *rec = chart->summary->rec;
	u32 used = timeline_used(chart->line);
	u64 all = timeline_begin(chart->line, used) - timeline_begin(chart->line, 0);
	int digits = all > 100 * rec->hz ? 0 : all > rec->hz ? 2 : 6;
	char number[NUMBER_BYTES];
	unsigned int i;

	for (i = 0; i <= 2; i++) {
		u64 calls = chart->most / 2 * i;
		double y = y_of(chart, calls);

		fprintf(to, "<path class=axis d=\"M%d %.1fH%d\"/>", CHART_LEFT, y, CHART_WIDTH);
		fprintf(to, "<text x=%d y=%.1f text-anchor=end>%s</text>\n", CHART_LEFT - 6, y + 4,
			number_fit(calls, 9, number));
	}
	for (i = 0; i <= 4; i++) {
		u32 at = (u64)used * i / 4;
		u64 time = timeline_begin(chart->line, at);
		const char *anchor = i == 0 ? "start" : i == 4 ? "end" : "middle";

		fprintf(to, "<text x=%.1f y=%d text-anchor=%s>", x_of(chart, at),
			CHART_HEIGHT - 6, anchor);
		if (rec->hz)
			fprintf(to, "%.*f s</text>\n", digits, recording_seconds(rec, time));
		else
			fprintf(to, "%s cycles</text>\n",
				number_fit(time - rec->first, 7, number));
	}
}

static void put_key(FILE *to, const struct chart *chart)
{
	bool others = false;
	unsigned int i;
	u32 at;

	for (at = 0; at < timeline_used(chart->line); at++)
		others |= pile(chart, chart->nr, at) != sum_at(chart, at);
	fputs("<figcaption>", to);
	for (i = 0; i < chart->nr + others; i++) {
		fprintf(to, "<span class=key><i class=c%u></i>", i < chart->nr ? i : CHART_COLORS);
		if (i < chart->nr)
			put_domain(to, chart->dom[i]);
		else
			fputs("all others", to);
		fputs("</span>", to);
	}
	fputs("</figcaption>\n", to);
}

static void put_over_time(FILE *to, const struct summary *summary, const struct by_domain *by)
{
	struct chart chart = { .summary = summary, .by = by, .line = by_domain_line(by) };
	unsigned int i;

	make_chart(&chart);
	if (!chart.most)
		return;
	fputs("<h2>Calls over time</h2>\n"
	      "<p class=dim>Continuations included; each step is an interval of the same length.</p>\n",
	      to);
	fputs("<figure id=time><svg role=img aria-label=\"Calls over time\" ", to);
	fprintf(to, "viewBox=\"0 0 %d %d\">\n", CHART_WIDTH, CHART_HEIGHT);
	for (i = 0; i <= chart.nr; i++)
		put_area(to, &chart, i);
	put_axes(to, &chart);
	fputs("</svg>\n", to);
	put_key(to, &chart);
	fputs("</figure>\n", to);
}

/* --- bars ------------------------------------------------------------------- */

static void put_bar(FILE *to, u64 value, u64 most)
{
	char number[NUMBER_BYTES];

	fprintf(to, "</td><td>%s</td><td>", number_grouped(value, number));
	if (value)
		fprintf(to, "<div class=bar style=\"width:%.2f%%\"></div>", 100.0 * value / most);
	fputs("</td></tr>\n", to);
}

/* The busiest rows of all domains; @best is how many there is room for. */
static size_t find_busiest(const struct tally *tally, const struct stats_row **best,
			   const struct dom_tally **of, size_t room)
{
	size_t nr = 0;
	size_t i, j, k;

	for (i = 0; i < tally->nr_doms; i++) {
		for (j = 0; j < tally->doms[i].nr_ops; j++) {
			const struct stats_row *row = &tally->doms[i].ops[j];

			for (k = nr; k > 0 && best[k - 1]->records < row->records; k--) {
				if (k < room) {
					best[k] = best[k - 1];
					of[k] = of[k - 1];
				}
			}
			if (k == room)
				continue;
			best[k] = row;
			of[k] = &tally->doms[i];
			nr += nr < room;
		}
	}
	return nr;
}

static void put_busiest(FILE *to, const struct tally *tally)
{
	const struct stats_row *best[TOP_OPS];
	const struct dom_tally *of[TOP_OPS];
	size_t nr = find_busiest(tally, best, of, TOP_OPS);
	size_t i;

	if (!nr)
		return;
	fputs("<h2>Busiest operations</h2>\n<p class=dim>By records: calls and continuations.</p>\n"
	      "<table class=bars id=busiest><tbody>\n", to);
	for (i = 0; i < nr; i++) {
		fputs("<tr><td>", to);
		put_domain(to, of[i]);
		fprintf(to, "</td><td>%s %s", best[i]->kind, best[i]->op);
		put_bar(to, best[i]->records, best[0]->records);
	}
	fputs("</tbody></table>\n", to);
}

static void put_sizes_of(FILE *to, const struct dom_tally *dom)
{
	const struct batch_row *row = dom->sizes;
	char number[NUMBER_BYTES], max[NUMBER_BYTES];
	unsigned int i, first, last;
	u64 most = summary_sizes(row, &first, &last);

	fputs("<div><h3>", to);
	put_domain(to, dom);
	fprintf(to, "</h3>\n<p class=dim>%s multicalls of %.1f members, %s at most</p>\n"
		"<table class=bars><tbody>\n", number_grouped(row->batches, number),
		(double)row->declared / row->batches, number_grouped(row->max, max));
	for (i = first; i <= last; i++) {
		u32 from = i ? hct_batch_size_limit(i - 1) + 1 : 1;

		fprintf(to, "<tr><td>%u", from);
		if (i == HCT_NR_SIZES - 1)
			fputs(" and more", to);
		else if (from != hct_batch_size_limit(i))
			fprintf(to, "&ndash;%u", hct_batch_size_limit(i));
		put_bar(to, row->sizes[i], most);
	}
	fputs("</tbody></table></div>\n", to);
}

static void put_sizes(FILE *to, const struct tally *tally)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < tally->nr_doms && nr < TOP_SIZES; i++) {
		if (!tally->doms[i].sizes)
			continue;
		if (!nr++)
			fputs("<h2>Multicalls by how many members they declared</h2>\n"
			      "<div class=sizes id=sizes>\n", to);
		put_sizes_of(to, &tally->doms[i]);
	}
	if (nr)
		fputs("</div>\n", to);
}

/* --- tables ----------------------------------------------------------------- */

/* Heads of a table, those of text with a * in front; @sorted: by which it is sorted, or NULL. */
static void put_table_head(FILE *to, const char *id, const char *const *heads, const char *sorted)
{
	fprintf(to, "<div class=scroll><table class=sort id=%s><tbody><tr>", id);
	for (; *heads; heads++) {
		bool is_text = **heads == '*';

		fprintf(to, "<th%s%s><button>%s</button></th>", is_text ? " class=t" : "",
			sorted && !strcmp(*heads, sorted) ? " aria-sort=descending" : "",
			*heads + is_text);
	}
	fputs("</tr></tbody>\n<tbody>\n", to);
}

static void put_table_end(FILE *to)
{
	fputs("</tbody></table></div>\n", to);
}

/* What does not apply sorts behind all that does. */
static void put_cell(FILE *to, u64 value, bool applies, const char *mark)
{
	char number[NUMBER_BYTES];

	if (applies)
		fprintf(to, "<td data-v=%llu>%s%s</td>", value, number_grouped(value, number),
			mark);
	else
		fputs("<td data-v=\"\">-</td>", to);
}

static void put_fraction(FILE *to, double value, bool applies, const char *unit)
{
	char number[NUMBER_BYTES];

	if (!applies)
		fputs("<td data-v=\"\">-</td>", to);
	else if (value >= 1000)
		fprintf(to, "<td data-v=%.0f>%s%s</td>", value * 1e6,
			number_grouped(value + 0.5, number), unit);
	else if (value > 0 && value < 0.005)
		fprintf(to, "<td data-v=%.0f>&lt;0.01%s</td>", value * 1e6, unit);
	else
		fprintf(to, "<td data-v=%.0f>%.2f%s</td>", value * 1e6, value, unit);
}

static double rate(const struct summary *summary, u64 records)
{
	return summary->seconds > 0 ? records / summary->seconds : 0;
}

/* Ids sort as numbers, those that are none behind them. */
static void put_who(FILE *to, const struct dom_tally *dom)
{
	fprintf(to, "<td class=t data-v=\"%06d %06u\">",
		dom->dom.domid < 0 ? 999999 : dom->dom.domid, dom->dom.generation);
	put_text(to, dom->dom.label);
	fputs("</td><td class=t>", to);
	put_text(to, dom->what.name);
	fputs("</td>", to);
}

static void put_domains(FILE *to, const struct summary *summary)
{
	static const char *const heads[] = {
		"*dom", "*name", "records", "share", "per_s", "calls", "members", "cont",
		"batches", "mean", "cpu_ms", "calls/cpu_s", NULL,
	};
	double per_cpu = 0;
	size_t i;

	fputs("<h2>Domains</h2>\n", to);
	put_table_head(to, "domains", heads, "records");
	for (i = 0; i < summary->tally.nr_doms; i++) {
		const struct dom_tally *dom = &summary->tally.doms[i];
		bool has_rate = dom_tally_per_cpu(dom, &per_cpu);

		fputs("<tr>", to);
		put_who(to, dom);
		put_cell(to, dom->records, true, "");
		put_fraction(to, share_percent(&summary->diff, dom->records), true, "%");
		put_fraction(to, rate(summary, dom->records), summary->seconds > 0, "");
		put_cell(to, dom->calls, true, dom->bound ? "~" : "");
		put_cell(to, dom->members, true, "");
		put_cell(to, dom->cont, true, "");
		put_cell(to, dom->batches, true, "");
		put_fraction(to, dom->batches ? (double)dom->declared / dom->batches : 0,
			     dom->batches, "");
		put_fraction(to, dom->cpu_us / 1e3, dom->has_cpu, "");
		put_fraction(to, per_cpu, has_rate, "");
		fputs("</tr>\n", to);
	}
	put_table_end(to);
}

static void put_ops(FILE *to, const struct summary *summary)
{
	static const char *const heads[] = {
		"*dom", "*name", "*kind", "*op", "records", "share", "per_s", "calls", "cont",
		"units", NULL,
	};
	size_t i, j;

	fputs("<h2>Operations</h2>\n"
	      "<p class=dim>~ an upper bound: continuations of it look like calls.\n"
	      "hctrace-tables(7) explains every column.</p>\n", to);
	put_table_head(to, "ops", heads, NULL);
	for (i = 0; i < summary->tally.nr_doms; i++) {
		const struct dom_tally *dom = &summary->tally.doms[i];

		for (j = 0; j < dom->nr_ops; j++) {
			const struct stats_row *row = &dom->ops[j];

			fputs("<tr>", to);
			put_who(to, dom);
			fprintf(to, "<td class=t>%s</td><td class=t>%s</td>", row->kind, row->op);
			put_cell(to, row->records, true, "");
			put_fraction(to, share_percent(&summary->diff, row->records), true, "%");
			put_fraction(to, rate(summary, row->records), summary->seconds > 0, "");
			put_cell(to, row->calls, true, row->bound ? "~" : "");
			put_cell(to, row->cont, row->has_cont, "");
			put_cell(to, row->units, row->has_units, "");
			fputs("</tr>\n", to);
		}
	}
	put_table_end(to);
}

void html_print(FILE *to, const struct summary *summary, const struct by_domain *by)
{
	put_head(to, summary);
	put_over_time(to, summary, by);
	put_busiest(to, &summary->tally);
	put_sizes(to, &summary->tally);
	put_domains(to, summary);
	put_ops(to, summary);
	fprintf(to, "<script>\n%s</script>\n</body>\n</html>\n", html_script);
}
