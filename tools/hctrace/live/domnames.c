// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "domnames.h"
#include "host.h"
#include "xsnames.h"

#define NICE_MS		500		/* what names alone are worth */
#define NEEDED_MS	5000

#define MAX_TEXT	(16u << 20)	/* of one answer; a thousand domains need 50 kB */

/**
 * struct known - a domain that was shown
 * @domid: its id
 * @generation: which domain of this id
 * @what: its name, kept when it has died
 */
struct known {
	int domid;
	u32 generation;
	struct domname what;
};

/**
 * struct domnames - names, now and before
 * @pid: the asking process
 * @fd: its answers; -1 when it has ended
 * @answered: there was a first one
 * @text: an answer as far as it has come
 * @len: of @text
 * @kept: every name that there was, once, for as long as we live
 * @known: names by domain and generation
 * @nr_known: how many
 * @dom0_type: as the module has it
 * @answers: how many there were, and one
 * @seen: by domain id, the last answer that had it
 * @lives: by domain id, see domnames_lives()
 * @now: names by domain id; they stay when a domain dies
 */
struct domnames {
	pid_t pid;
	int fd;
	bool answered;
	char *text;
	size_t len;
	void *kept;
	struct known *known;
	size_t nr_known;
	char dom0_type[4];
	u32 answers;
	u32 seen[XEN_DOMID_FIRST_RESERVED];
	u32 lives[XEN_DOMID_FIRST_RESERVED];
	struct domname now[XEN_DOMID_FIRST_RESERVED];
};

static _Noreturn void serve(int fd, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);

	/* Ctrl-C is meant for the one who asks, and so is the end of it. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	xsnames_serve(fd);
	_exit(0);
}

struct domnames *domnames_start(void)
{
	struct domnames *names = calloc(1, sizeof(*names));
	pid_t parent = getpid();
	int fds[2];

	if (!names || pipe2(fds, O_CLOEXEC)) {
		free(names);
		return NULL;
	}
	names->answers = 1;
	names->pid = fork();
	if (!names->pid)
		serve(fds[1], parent);
	close(fds[1]);
	names->fd = fds[0];
	fcntl(names->fd, F_SETFL, O_NONBLOCK);
	return names;
}

void domnames_dom0(struct domnames *names, const char *type)
{
	if (names)
		scnprintf(names->dom0_type, sizeof(names->dom0_type), "%s", type);
}

static void hang_up(struct domnames *names)
{
	close(names->fd);
	names->fd = -1;
	names->answered = true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A name that stays where it is, whoever has it. */
static const char *keep(struct domnames *names, const char *name)
{
	char **found = tfind(name, &names->kept, compare_names);
	char *copy;

	if (found)
		return *found;
	copy = strdup(name);
	if (!copy || !tsearch(copy, &names->kept, compare_names)) {
		free(copy);
		return "";
	}
	return copy;
}

/* Whether the last answer had this domain, and not another one of its id. */
static bool is_same(const struct domnames *names, int domid, const struct domname *what)
{
	const struct domname *before = &names->now[domid];

	return names->seen[domid] == names->answers - 1 &&
	       (!*what->uuid || !*before->uuid || !strcmp(what->uuid, before->uuid));
}

static void take_domain(struct domnames *names, const char *head, const char *name)
{
	struct domname what = domname_unknown;
	char uuid[DOMNAME_UUID_BYTES];
	int domid;

	if (sscanf(head, "%d %3s %u %36s", &domid, what.type, &what.vcpus, uuid) < 4 ||
	    domid < 0 || domid >= (int)XEN_DOMID_FIRST_RESERVED)
		return;
	/* "-" is none. */
	domname_set_uuid(&what, uuid);
	/* Xen still has a domain that dies when xenstore has forgotten it. */
	if (!is_same(names, domid, &what))
		names->lives[domid]++;
	else if (!*name)
		name = names->now[domid].name;
	what.name = keep(names, name);
	names->now[domid] = what;
	names->seen[domid] = names->answers;
}

/* The string behind @s, if it has come; @end: of what has come. */
static const char *behind(const char *s, const char *end)
{
	const char *zero = s < end ? memchr(s, 0, end - s) : NULL;

	return zero ? zero + 1 : NULL;
}

/* A whole answer at @text. Return: what is behind it, NULL: it has not come yet. */
static const char *end_of_answer(const char *text, const char *end)
{
	while (text < end && *text) {
		text = behind(text, end);
		text = text ? behind(text, end) : NULL;
		if (!text)
			return NULL;
	}
	return text < end ? text + 1 : NULL;
}

/* Which is whole, up to its empty string. */
static void take_answer(struct domnames *names, const char *text)
{
	names->answers++;
	while (*text) {
		const char *name = text + strlen(text) + 1;

		take_domain(names, text, name);
		text = name + strlen(name) + 1;
	}
	names->answered = true;
}

static void take_answers(struct domnames *names)
{
	const char *text = names->text;
	const char *stop = text + names->len;
	const char *end;

	while ((end = end_of_answer(text, stop))) {
		take_answer(names, text);
		text = end;
	}
	names->len = stop - text;
	memmove(names->text, text, names->len);
}

void domnames_poll(struct domnames *names)
{
	char buf[4096];
	ssize_t got;
	char *text;

	while (names && names->fd >= 0) {
		got = read(names->fd, buf, sizeof(buf));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0 || names->len + got > MAX_TEXT) {
			hang_up(names);
			return;
		}
		text = realloc(names->text, names->len + got);
		if (!text) {
			hang_up(names);
			return;
		}
		memcpy(text + names->len, buf, got);
		names->text = text;
		names->len += got;
		take_answers(names);
	}
}

bool domnames_wait(struct domnames *names, int timeout_ms)
{
	u64 end_ns = host_now_ns() + timeout_ms * 1000000ull;

	if (!names)
		return false;
	for (domnames_poll(names); !names->answered; domnames_poll(names)) {
		struct pollfd pfd = { .fd = names->fd, .events = POLLIN };
		u64 now_ns = host_now_ns();

		if (now_ns >= end_ns)
			return false;
		poll(&pfd, 1, (end_ns - now_ns) / 1000000 + 1);
	}
	return true;
}

void domnames_wait_for(struct domnames *names, bool needed)
{
	if (!domnames_wait(names, needed ? NEEDED_MS : NICE_MS) && needed)
		fprintf(stderr, "hctrace: xenstored does not answer: domains have no names yet\n");
}

static struct known *find_known(struct domnames *names, const struct dom_id *dom)
{
	struct known *more;
	size_t i;

	for (i = 0; i < names->nr_known; i++) {
		if (names->known[i].domid == dom->domid &&
		    names->known[i].generation == dom->generation)
			return &names->known[i];
	}
	if (!(names->nr_known & (names->nr_known - 1))) {
		more = realloc(names->known, (names->nr_known ? 2 * names->nr_known : 1) *
					     sizeof(*more));
		if (!more)
			return NULL;
		names->known = more;
	}
	more = &names->known[names->nr_known++];
	more->domid = dom->domid;
	more->generation = dom->generation;
	more->what = domname_unknown;
	return more;
}

/* Whether a younger domain of this id was seen: then xenstore speaks of that one. */
static bool is_outdated(const struct domnames *names, const struct dom_id *dom)
{
	size_t i;

	for (i = 0; i < names->nr_known; i++) {
		if (names->known[i].domid == dom->domid &&
		    names->known[i].generation > dom->generation)
			return true;
	}
	return false;
}

void domnames_saw(struct domnames *names, const struct dom_id *dom)
{
	if (names && dom->domid >= 0)
		find_known(names, dom);
}

const struct domname *domnames_of(struct domnames *names, const struct dom_id *dom)
{
	struct known *known;

	if (!names || dom->domid < 0)
		return &domname_unknown;
	known = find_known(names, dom);
	if (!known)
		return &domname_unknown;
	if (names->now[dom->domid].type[0] && !is_outdated(names, dom))
		known->what = names->now[dom->domid];
	if (!dom->domid && names->dom0_type[0])
		memcpy(known->what.type, names->dom0_type, sizeof(known->what.type));
	return &known->what;
}

const struct domname *domnames_now(const struct domnames *names, u16 domid)
{
	if (!names || domid >= ARRAY_SIZE(names->now) || !names->now[domid].type[0])
		return &domname_unknown;
	return &names->now[domid];
}

u32 domnames_lives(const struct domnames *names, u16 domid)
{
	return names && domid < ARRAY_SIZE(names->lives) ? names->lives[domid] : 0;
}

void domnames_stop(struct domnames *names)
{
	if (!names)
		return;
	if (names->fd >= 0)
		close(names->fd);
	if (names->pid > 0) {
		kill(names->pid, SIGKILL);
		waitpid(names->pid, NULL, 0);
	}
	tdestroy(names->kept, free);
	free(names->text);
	free(names->known);
	free(names);
}
