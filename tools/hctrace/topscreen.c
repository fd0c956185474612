// SPDX-License-Identifier: GPL-2.0
/* hctrace top in a terminal. */
#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "host.h"
#include "top.h"

#define FIRST_MS	500	/* the first table comes early */
#define KEY_ESCAPE	27
#define HEAD_LINES	5	/* state, summary, message, title, names of columns */

enum { PAIR_ALERT = 1 };

/**
 * struct screen - what is on it
 * @top: the run
 * @view: what is looked at
 * @table: its rows
 * @cursor: the row in hand
 * @offset: the first row shown
 * @rows: rows there is room for
 * @paused: no new tables
 * @help: the keys are shown instead
 * @has_frame: there was a first table
 * @next_ns: when the next one comes
 * @message: in words, what went wrong last
 * @text: what the prompts' filters point into
 */
struct screen {
	struct top *top;
	struct top_view view;
	struct top_table table;
	size_t cursor;
	size_t offset;
	size_t rows;
	bool paused;
	bool help;
	bool has_frame;
	u64 next_ns;
	char message[200];
	char text[2][80];
};

static const char *const keys[] = {
	"Up Down PgUp PgDn Home End   move",
	"Enter Right   ops of a domain, sub-ops of an op      Esc Left   back",
	"s S           next, last sort key                    a          all ops at once",
	"d             choose domains                         o          choose ops",
	"+ -           slower, faster                         Space p    now, pause",
	"h             these keys                             q          quit",
	"",
	"CALLS/s   direct hypercalls; MEMBERS/s those inside multicalls",
	"SHARE%    of all calls, shown or not, members included",
	"MULTI/s   multicalls; SIZE their mean size; CUT those that lost records cut",
	"CONT/s    preempted calls that went on: they are not calls",
	"UNITS/s   updates, grant operations, members: what calls ask for; UNITS/c each",
	"~         an upper bound: this op's continuations look like calls",
	"Sizes of multicalls: each count is of sizes up to the number before it",
};

static void begin(void)
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

static void put(int y, attr_t attr, const char *text)
{
	attrset(attr);
	mvaddnstr(y, 0, text, COLS);
	attrset(A_NORMAL);
}

static void put_filled(int y, attr_t attr, const char *text)
{
	attrset(attr);
	mvprintw(y, 0, "%-*.*s", COLS, COLS, text);
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

static void add_items(char *line, size_t size, const char *what, const char *const *items,
		      unsigned int nr)
{
	size_t len = strlen(line);
	unsigned int i;

	for (i = 0; i < nr; i++)
		len += scnprintf(line + len, size - len, "%s%s", i ? "," : what, items[i]);
}

static void show_title(const struct screen *s)
{
	char line[300];
	char right[64];
	int len;

	len = scnprintf(right, sizeof(right), "%sby %s, every %.1f s", s->paused ? "PAUSED, " : "",
			sort_key_name(s->top->key), s->top->delay_ms / 1000.0);
	scnprintf(line, sizeof(line), "%s", s->table.title);
	add_items(line, sizeof(line), "  only ", s->top->filter.domains, s->top->filter.nr_domains);
	add_items(line, sizeof(line), "  ops ", s->top->filter.ops, s->top->filter.nr_ops);
	put(3, A_BOLD, line);
	if (len < COLS)
		mvaddstr(3, COLS - len, right);
	put_filled(4, A_BOLD | A_UNDERLINE, s->table.head);
}

static void show_rows(struct screen *s)
{
	size_t i;
	int y = HEAD_LINES;

	for (i = s->offset; i < s->table.nr && i < s->offset + s->rows; i++, y++) {
		if (i == s->cursor)
			put_filled(y, A_REVERSE, s->table.lines[i].text);
		else
			put(y, A_NORMAL, s->table.lines[i].text);
	}
	if (!s->table.nr)
		put(y, A_DIM, s->has_frame ? "No calls in this time." : "Waiting...");
	if (s->table.sizes[0])
		put(LINES - 2, A_NORMAL, s->table.sizes);
}

static void show_foot(const struct screen *s)
{
	const char *drill = s->view.level == TOP_DOMAINS ? "Enter ops" :
			    s->view.level == TOP_OPS ? "Enter sub-ops  Esc back" : "Esc back";
	char line[TOP_MAX_WIDTH];

	scnprintf(line, sizeof(line),
		  "%s  s sort  a all  d dom  o op  p pause  h help  q quit",
		  drill);
	if (s->table.nr > s->rows)
		scnprintf(line + strlen(line), sizeof(line) - strlen(line), "   %zu-%zu of %zu",
			  s->offset + 1,
			  s->offset + s->rows < s->table.nr ? s->offset + s->rows : s->table.nr,
			  s->table.nr);
	put_filled(LINES - 1, A_REVERSE, line);
}

static void show_help(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys) && (int)i + 4 < LINES - 1; i++)
		put(i + 4, A_NORMAL, keys[i]);
	put_filled(LINES - 1, A_REVERSE, "Any key goes back to the table");
}

static bool is_same(const struct top_line *a, const struct top_line *b)
{
	return !strcmp(a->dom, b->dom) && !strcmp(a->kind, b->kind) && !strcmp(a->op, b->op);
}

/* The same row in hand as before, wherever it has moved. */
static void make_table(struct screen *s)
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

static void place_cursor(struct screen *s)
{
	int taken = HEAD_LINES + 1 + !!s->table.sizes[0];

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

static void show(struct screen *s)
{
	make_table(s);
	place_cursor(s);
	erase();
	show_head(s);
	if (s->help) {
		show_help();
	} else {
		show_title(s);
		show_rows(s);
		show_foot(s);
	}
	refresh();
}

static void take(struct screen *s)
{
	s->next_ns = host_now_ns() + s->top->delay_ms * 1000000ull;
	/* After a failure a new beginning: the module may be back. */
	if (s->message[0] && !s->top->before.stats.taken_ns) {
		if (top_begin(s->top, s->message, sizeof(s->message)))
			s->message[0] = '\0';
		return;
	}
	if (top_next(s->top, s->message, sizeof(s->message))) {
		s->message[0] = '\0';
		s->has_frame = true;
		return;
	}
	reading_free(&s->top->before);
	/* The table stays, but is no beginning. */
	s->top->frame.after.stats.taken_ns = 0;
}

/* Ask for a list in the last line. An empty one takes the filter away. */
static void prompt(struct screen *s, const char *what, bool is_ops)
{
	const char *(*add)(struct filter *, char *) = is_ops ? filter_ops : filter_domains;
	struct filter *filter = &s->top->filter;
	char *text = s->text[is_ops];
	char typed[80] = "";
	const char *why;

	attrset(A_BOLD);
	mvhline(LINES - 1, 0, ' ', COLS);
	mvprintw(LINES - 1, 0, "%s (empty: all): ", what);
	attrset(A_NORMAL);
	nodelay(stdscr, FALSE);
	echo();
	curs_set(1);
	getnstr(typed, sizeof(typed) - 1);
	curs_set(0);
	noecho();
	nodelay(stdscr, TRUE);

	if (is_ops)
		filter->nr_ops = 0;
	else
		filter->nr_domains = 0;
	scnprintf(text, sizeof(s->text[0]), "%s", typed);
	why = *text ? add(filter, text) : NULL;
	if (why) {
		if (is_ops)
			filter->nr_ops = 0;
		else
			filter->nr_domains = 0;
		*text = '\0';
	}
	scnprintf(s->message, sizeof(s->message), "%s", why ? why : "");
	top_retally(s->top);
}

static void descend(struct screen *s)
{
	const struct top_line *line;

	if (s->cursor >= s->table.nr)
		return;
	line = &s->table.lines[s->cursor];
	if (s->view.level == TOP_DOMAINS) {
		s->view.level = TOP_OPS;
		memcpy(s->view.dom, line->dom, sizeof(s->view.dom));
	} else if (s->view.level == TOP_OPS && strchr(line->op, '/')) {
		s->view.level = TOP_SUBOPS;
		memcpy(s->view.kind, line->kind, sizeof(s->view.kind));
		memcpy(s->view.op, line->op, sizeof(s->view.op));
	} else {
		return;
	}
	s->cursor = 0;
	s->offset = 0;
}

static void ascend(struct screen *s)
{
	enum top_level from = s->view.level;
	size_t i;

	s->view.level = from == TOP_SUBOPS ? TOP_OPS : TOP_DOMAINS;
	/* Back on the row that led down. */
	s->cursor = 0;
	make_table(s);
	for (i = 0; i < s->table.nr; i++) {
		const struct top_line *line = &s->table.lines[i];

		if (!strcmp(line->dom, s->view.dom) &&
		    (from == TOP_OPS || (!strcmp(line->op, s->view.op) &&
					 !strcmp(line->kind, s->view.kind))))
			s->cursor = i;
	}
}

static void change_key(struct screen *s, int by)
{
	s->top->key = (s->top->key + NR_SORT_KEYS + by) % NR_SORT_KEYS;
	top_retally(s->top);
}

static void change_delay(struct screen *s, bool longer)
{
	unsigned int ms = s->top->delay_ms;

	if (longer)
		ms = ms < 1000 ? ms + 100 : ms + 1000;
	else
		ms = ms <= 1000 ? ms - 100 : ms - 1000;
	if (ms < 100 || ms > 3600000)
		return;
	s->top->delay_ms = ms;
	s->next_ns = host_now_ns() + ms * 1000000ull;
}

static void move_cursor(struct screen *s, long by)
{
	long to = (long)s->cursor + by;

	if (to >= (long)s->table.nr)
		to = s->table.nr ? s->table.nr - 1 : 0;
	s->cursor = to > 0 ? to : 0;
}

/* Return: whether to go on. */
static bool handle_view_key(struct screen *s, int key)
{
	switch (key) {
	case '\r':
	case KEY_ENTER:
	case KEY_RIGHT:
	case 'l':
		descend(s);
		break;
	case KEY_ESCAPE:
	case KEY_LEFT:
	case KEY_BACKSPACE:
	case 127:
		ascend(s);
		break;
	case 'a':
		s->view.level = s->view.level == TOP_ALL ? TOP_DOMAINS : TOP_ALL;
		s->cursor = 0;
		break;
	case 's':
	case 'S':
		change_key(s, key == 's' ? 1 : -1);
		break;
	case 'd':
		prompt(s, "domains, as 3,web1", false);
		break;
	case 'o':
		prompt(s, "ops, as iret,vcpu_op/up", true);
		break;
	}
	return key != 'q' && key != 'Q';
}

static bool handle_key(struct screen *s, int key)
{
	if (s->help && key != KEY_RESIZE) {
		s->help = false;
		return key != 'q';
	}
	switch (key) {
	case KEY_UP:
	case 'k':
		move_cursor(s, -1);
		break;
	case KEY_DOWN:
	case 'j':
		move_cursor(s, 1);
		break;
	case KEY_PPAGE:
		move_cursor(s, -(long)s->rows);
		break;
	case KEY_NPAGE:
		move_cursor(s, s->rows);
		break;
	case KEY_HOME:
		s->cursor = 0;
		break;
	case KEY_END:
		move_cursor(s, s->table.nr);
		break;
	case ' ':
		take(s);
		break;
	case 'p':
		s->paused = !s->paused;
		break;
	case '+':
	case '-':
		change_delay(s, key == '+');
		break;
	case 'h':
	case '?':
		s->help = true;
		break;
	default:
		return handle_view_key(s, key);
	}
	return true;
}

static bool handle_keys(struct screen *s)
{
	int key;

	while ((key = getch()) != ERR) {
		if (!handle_key(s, key))
			return false;
		/* Each works on what the one before has done. */
		make_table(s);
		place_cursor(s);
	}
	return true;
}

/* Wait for a key, a signal or the next table. Return: whether a signal ends it. */
static bool wait_for_event(const struct screen *s, int signals)
{
	struct pollfd fds[2] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	u64 now_ns = host_now_ns();
	int timeout = -1;

	if (!s->paused)
		timeout = s->next_ns > now_ns ? (s->next_ns - now_ns) / 1000000 + 1 : 0;
	/* A changed size of the terminal ends this too, and comes as a key. */
	poll(fds, ARRAY_SIZE(fds), timeout);
	return fds[1].revents || (fds[0].revents & (POLLHUP | POLLERR));
}

static void run(struct screen *s, int signals)
{
	unsigned int round = 0;

	s->next_ns = host_now_ns() +
		     (s->top->delay_ms < FIRST_MS ? s->top->delay_ms : FIRST_MS) * 1000000ull;
	for (;;) {
		show(s);
		if (wait_for_event(s, signals) || !handle_keys(s))
			return;
		if (s->paused || host_now_ns() < s->next_ns)
			continue;
		if (s->top->rounds && round++ == s->top->rounds)
			return;
		take(s);
	}
}

int top_screen(struct top *top)
{
	struct screen s = { .top = top };
	sigset_t set;
	int signals;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC);

	begin();
	run(&s, signals);
	endwin();
	close(signals);
	top_table_free(&s.table);
	return 0;
}
