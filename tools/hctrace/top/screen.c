// SPDX-License-Identifier: GPL-2.0
/* hctrace top in a terminal: what its keys do, and when a new table comes. */
#define _GNU_SOURCE
#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "draw.h"
#include "live/host.h"
#include "screen.h"

#define FIRST_MS	500	/* the first table comes early */
#define KEY_ESCAPE	27

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

/* The next row that has the text in it, from @from on and round; @by: 1 or -1 */
static void search(struct screen *s, size_t from, int by)
{
	const size_t nr = s->table.nr;
	size_t i;

	s->message[0] = '\0';
	for (i = 0; i < nr && s->search[0]; i++) {
		size_t at = (from + (by > 0 ? i : nr - i)) % nr;

		if (strcasestr(s->table.lines[at].text, s->search)) {
			s->cursor = at;
			return;
		}
	}
	if (s->search[0])
		scnprintf(s->message, sizeof(s->message), "no row has '%s'", s->search);
}

static void search_next(struct screen *s, int by)
{
	if (s->table.nr)
		search(s, s->cursor + s->table.nr + by, by);
}

static void open_prompt(struct screen *s, enum prompt_kind kind)
{
	prompt_open(&s->prompt, kind, &s->top->filter);
	s->search_from = s->cursor;
}

static void handle_prompt_key(struct screen *s, int key)
{
	enum prompt_kind kind = s->prompt.kind;
	enum prompt_event event = prompt_key(&s->prompt, key);
	const char *why;

	if (kind == PROMPT_SEARCH) {
		if (event == PROMPT_CANCELLED)
			s->prompt.text[0] = '\0';
		memcpy(s->search, s->prompt.text, sizeof(s->search));
		s->cursor = s->search_from;
		search(s, s->search_from, 1);
	} else if (event == PROMPT_TAKEN) {
		why = prompt_filter(kind, s->prompt.text, &s->top->filter);
		scnprintf(s->message, sizeof(s->message), "%s", why ? why : "");
		top_retally(s->top);
	}
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
	screen_make_table(s);
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
		open_prompt(s, PROMPT_DOMAINS);
		break;
	case 'o':
		open_prompt(s, PROMPT_OPS);
		break;
	case '/':
		open_prompt(s, PROMPT_SEARCH);
		break;
	case 'n':
	case 'N':
		search_next(s, key == 'n' ? 1 : -1);
		break;
	}
	return key != 'q' && key != 'Q';
}

static bool handle_key(struct screen *s, int key)
{
	if (s->prompt.kind && key != KEY_RESIZE) {
		handle_prompt_key(s, key);
		return true;
	}
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
		screen_make_table(s);
		screen_place_cursor(s);
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
		screen_show(s);
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

	top->has_screen = true;
	screen_begin();
	run(&s, signals);
	endwin();
	close(signals);
	top_table_free(&s.table);
	return 0;
}
