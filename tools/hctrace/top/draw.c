// SPDX-License-Identifier: GPL-2.0
/* What is on the screen of hctrace top. */
#include <curses.h>
#include <stdlib.h>

#include "base/text.h"
#include "draw.h"
#include "live/matched.h"

#define HEAD_LINES	5	/* state, summary, message, title, names of columns */
#define FULL_LINES	12	/* on fewer rows have precedence, below one line of a head */

enum { PAIR_ALERT = 1 };

static const char *const keys[] = {
	"Up Down PgUp PgDn Home End   move",
	"Enter Right   ops of a domain, sub-ops of an op      Esc Left   back",
	"s S           next, last sort key                    a          all ops at once",
	"d             choose domains                         o          choose ops",
	"              Enter takes what stands there (nothing: all), Esc leaves all as it is",
	"+ -           slower, faster                         Space p    now, pause",
	"/ n N         search a row, next, previous           h q        these keys, quit",
	"",
	"RECORDS/s calls, members, and the continuations of both: all that Xen recorded",
	"CALLS/s   direct hypercalls; MEMBERS/s those inside multicalls",
	"SHARE%    of all records, shown or not",
	"MULTI/s   multicalls; SIZE their mean size; CUT those that lost records cut",
	"CPU%      time of its vCPUs, of a pCPU's; CALLS/CPU calls per second of that",
	"CONT/s    preempted calls that went on: they are not calls",
	"UNITS/s   updates, grant operations, members: what calls ask for; UNITS/c each",
	"~         an upper bound: this op's continuations look like calls",
	"Sizes of multicalls: each count is of sizes up to the number before it",
};

void screen_begin(void)
{
	initscr();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	nodelay(stdscr, TRUE);
	curs_set(0);
	if (has_colors() && !getenv("NO_COLOR")) {
		start_color();
		use_default_colors();
		init_pair(PAIR_ALERT, COLOR_RED, -1);
	}
}

static attr_t alert(void)
{
	return A_BOLD | (COLORS > 0 ? COLOR_PAIR(PAIR_ALERT) : 0);
}

static bool is_small(void)
{
	const int lines = LINES;

	return lines < FULL_LINES;
}

/* Lines above the rows. */
static int head_lines(void)
{
	return is_small() ? LINES > 2 : HEAD_LINES;
}

static void put_at(int y, int x, attr_t attr, const char *text)
{
	unsigned int width = text_width(text);
	char line[TOP_LINE_BYTES];

	text_fit(line, sizeof(line), text, width < (unsigned int)COLS ? width : (unsigned int)COLS);
	attrset(attr);
	mvaddstr(y, x, line);
	attrset(A_NORMAL);
}

static void put(int y, attr_t attr, const char *text)
{
	put_at(y, 0, attr, text);
}

static void put_filled(int y, attr_t attr, const char *text)
{
	char line[TOP_LINE_BYTES];

	text_fit(line, sizeof(line), text, COLS);
	attrset(attr);
	mvaddstr(y, 0, line);
	attrset(A_NORMAL);
}

/* One line of what needs to be known, the gravest first. */
static attr_t message(const struct screen *s, char *buf, size_t size)
{
	const struct stats *after = &s->top->frame.after.stats;

	if (s->message[0]) {
		scnprintf(buf, size, "%s", s->message);
	} else if (s->has_frame && s->top->frame.diff.reset) {
		scnprintf(buf, size, "the counters were reset: these are the calls since then");
	} else if (s->has_frame && !after->tracing) {
		scnprintf(buf, size,
			  "tracing is stopped: 'hctrace doctor' says how to start it");
	} else if (s->has_frame && !top_is_clean(&s->top->frame)) {
		scnprintf(buf, size, after->nr_notes > 1 ? after->notes[1] :
			  "records are missing or malformed: the figures are not whole");
	} else {
		scnprintf(buf, size, "%s", after->nr_notes ? after->notes[0] : "");
		return A_DIM;
	}
	return alert();
}

static void show_head(const struct screen *s)
{
	char line[256];
	attr_t attr;

	if (!s->has_frame) {
		put(0, A_BOLD, "hctrace top");
		put(2, alert(), s->message);
		return;
	}
	put(0, A_BOLD, top_state(&s->top->frame, line, sizeof(line)));
	top_summary(&s->top->frame, line, sizeof(line));
	put(1, top_is_clean(&s->top->frame) ? A_NORMAL : alert(), line);
	attr = message(s, line, sizeof(line));
	put(2, attr, line);
}

/* "  only web1,3" behind what is in @line. */
static void add_filter(char *line, size_t size, const struct filter *filter)
{
	size_t len = strlen(line);
	unsigned int i;

	for (i = 0; i < filter->nr_domains; i++)
		len += scnprintf(line + len, size - len, "%s%s", i ? "," : "  only ",
				 filter->domains[i].text);
	for (i = 0; i < filter->nr_ops; i++)
		len += scnprintf(line + len, size - len, "%s%s", i ? "," : "  ops ",
				 filter->ops[i]);
}

/* Where there is room for one line only. */
static void show_small_head(const struct screen *s)
{
	if (LINES <= 2)
		return;
	if (s->message[0])
		put(0, alert(), s->message);
	else
		put_filled(0, A_BOLD | A_UNDERLINE, s->table.head);
}

static void show_title(const struct screen *s)
{
	char line[TOP_LINE_BYTES];
	char right[64];
	int len;

	len = scnprintf(right, sizeof(right), "%sby %s, every %.1f s", s->paused ? "PAUSED, " : "",
			sort_key_name(s->top->key), s->top->delay_ms / 1000.0);
	scnprintf(line, sizeof(line), "%s", s->table.title);
	add_filter(line, sizeof(line), &s->top->filter);
	put(3, A_BOLD, line);
	/* In front of what it would run into it goes. */
	if (len + (int)text_width(line) < COLS)
		mvaddstr(3, COLS - len, right);
	put_filled(4, A_BOLD | A_UNDERLINE, s->table.head);
}

static const char *why_empty(const struct screen *s)
{
	const struct top *top = s->top;

	if (!s->has_frame)
		return "Waiting...";
	if (!matched_any(&top->filter, top_stats(top), top->names))
		return "Nothing that is counted matches these names.";
	return "No calls in this time.";
}

static void show_rows(struct screen *s)
{
	size_t i;
	int y = head_lines();

	for (i = s->offset; i < s->table.nr && i < s->offset + s->rows; i++, y++) {
		if (i == s->cursor)
			put_filled(y, A_REVERSE, s->table.lines[i].text);
		else
			put(y, s->table.lines[i].is_quiet ? A_DIM : A_NORMAL,
			    s->table.lines[i].text);
	}
	if (!s->table.nr)
		put(y, A_DIM, why_empty(s));
	if (s->table.sizes[0] && !is_small())
		put(LINES - 2, A_NORMAL, s->table.sizes);
}

static void show_foot(const struct screen *s)
{
	const char *drill = s->view.level == TOP_DOMAINS ? "Enter ops" :
			    s->view.level == TOP_OPS ? "Enter sub-ops  Esc back" : "Esc back";
	char line[TOP_MAX_WIDTH];

	scnprintf(line, sizeof(line),
		  "%s  s sort  a all  d dom  o op  / search  p pause  h help  q quit",
		  drill);
	if (s->table.nr > s->rows)
		scnprintf(line + strlen(line), sizeof(line) - strlen(line), "   %zu-%zu of %zu",
			  s->offset + 1,
			  s->offset + s->rows < s->table.nr ? s->offset + s->rows : s->table.nr,
			  s->table.nr);
	put_filled(LINES - 1, A_REVERSE, line);
}

/* Its end is what is in hand. Cells that are too few show that. */
static void show_prompt(const struct screen *s)
{
	const char *label = prompt_label(s->prompt.kind);
	const char *text = s->prompt.text;
	int room = COLS > 20 ? COLS - 1 : 19;

	if ((int)(strlen(label) + text_width(text)) >= room)
		label = "";
	while (*text && (int)(strlen(label) + text_width(text)) >= room)
		text++;
	put_filled(LINES - 1, A_BOLD, label);
	put_at(LINES - 1, strlen(label), A_NORMAL, text);
	move(LINES - 1, strlen(label) + text_width(text));
}

static void show_help(void)
{
	const int from = is_small() ? 0 : 4;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys) && (int)i + from < LINES - 1; i++)
		put(i + from, A_NORMAL, keys[i]);
	put_filled(LINES - 1, A_REVERSE, "Any key goes back to the table");
}

static bool is_same(const struct top_line *a, const struct top_line *b)
{
	return !strcmp(a->dom, b->dom) && !strcmp(a->kind, b->kind) && !strcmp(a->op, b->op);
}

void screen_make_table(struct screen *s)
{
	struct top_line before = { .dom = "" };
	size_t i;

	if (s->cursor < s->table.nr)
		before = s->table.lines[s->cursor];
	top_table_free(&s->table);
	s->view.key = s->top->key;
	top_table_make(&s->table, &s->top->frame, &s->view, COLS);
	for (i = 0; i < s->table.nr; i++) {
		if (is_same(&s->table.lines[i], &before))
			s->cursor = i;
	}
}

void screen_place_cursor(struct screen *s)
{
	int taken = head_lines() + 1 + (s->table.sizes[0] && !is_small());

	s->rows = taken < LINES ? LINES - taken : 0;
	if (s->cursor >= s->table.nr)
		s->cursor = s->table.nr ? s->table.nr - 1 : 0;
	if (s->cursor < s->offset)
		s->offset = s->cursor;
	if (s->rows && s->cursor >= s->offset + s->rows)
		s->offset = s->cursor - s->rows + 1;
	/* No empty rows while there are some above. */
	if (s->offset + s->rows > s->table.nr)
		s->offset = s->table.nr > s->rows ? s->table.nr - s->rows : 0;
}

void screen_show(struct screen *s)
{
	screen_make_table(s);
	screen_place_cursor(s);
	erase();
	if (!is_small())
		show_head(s);
	if (s->help) {
		show_help();
	} else {
		if (!is_small())
			show_title(s);
		else
			show_small_head(s);
		show_rows(s);
		if (s->prompt.kind)
			show_prompt(s);
		else
			show_foot(s);
	}
	curs_set(s->prompt.kind != PROMPT_NONE);
	refresh();
}
