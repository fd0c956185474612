// SPDX-License-Identifier: GPL-2.0
/*
 * What the module does when memory is short: each allocation in each of its calls fails
 * once, by the kernel's fault injection (Documentation/fault-injection, fail-nth), and
 * then the call has either answered with an error and changed nothing, or done all that
 * it says. Wants a kernel with CONFIG_FAILSLAB, a module that is loaded and nobody else
 * who uses it.
 */
#include "device.h"

#define FAILSLAB	"/sys/kernel/debug/failslab/"
#define MOST		2000	/* allocations in one call */

static int fail_nth;
static int control;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s", path);
	close(fd);
}

static void set_nth(unsigned int nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", nth);
	if (pwrite(fail_nth, text, strlen(text), 0) < 0)
		err(1, "fail-nth");
}

/* Whether it came to that allocation. */
static bool has_failed(void)
{
	char text[16] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) < 0)
		err(1, "fail-nth");
	set_nth(0);
	return !atoi(text);
}

static int say(const char *text)
{
	return write(control, text, strlen(text)) < 0 ? errno : 0;
}

/* A state of the session, by which one sees that nothing has changed */
struct session {
	char state[32], statistics[32], profile[32], mask[32], demands[32];
};

static struct session session(void)
{
	struct session s;

	status_value("state", s.state);
	status_value("statistics", s.statistics);
	status_value("profile", s.profile);
	status_value("mask", s.mask);
	status_value("demands", s.demands);
	return s;
}

static int is_same(const struct session *a, const struct session *b)
{
	if (!strcmp(a->state, b->state) && !strcmp(a->statistics, b->statistics) &&
	    !strcmp(a->profile, b->profile) && !strcmp(a->mask, b->mask) &&
	    !strcmp(a->demands, b->demands))
		return 1;
	printf("# %s %s %s %s %s, was %s %s %s %s %s\n", a->state, a->statistics, a->profile,
	       a->mask, a->demands, b->state, b->statistics, b->profile, b->mask, b->demands);
	return 0;
}

/* say() with each allocation failing: an error, and @from is what holds, or @to does */
static void control_fails(const char *from, const char *to)
{
	unsigned int nth, errors = 0, odd = 0;
	struct session before, after, done;
	bool failed = true;
	int rc;

	must(say(to), to);
	done = session();
	for (nth = 1; failed && nth < MOST; nth++) {
		must(say(from), from);
		before = session();
		set_nth(nth);
		rc = say(to);
		failed = has_failed();
		after = session();
		if (rc && rc != ENOMEM && rc != EINTR)
			odd++;
		if (!is_same(&after, rc ? &before : &done))
			odd++;
		errors += rc != 0;
	}
	ok(!failed && !odd, "'%s' after '%s': %u allocations fail, %u of them are told, %u odd",
	   to, from, nth - 2, errors, odd);
	must(say(to), to);
}

static int call_info(struct ring *ring)
{
	struct xen_hctrace_info info = { .size = sizeof(info) };
	int rc = device_ioctl(ring->fd, XEN_HCTRACE_IOC_INFO, &info);

	if (!rc && (!info.xen_major || !info.api_version || !info.tracepoint_id))
		errx(1, "INFO succeeds, and says nothing");
	return rc;
}

static int call_enable(struct ring *ring)
{
	return device_ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, NULL);
}

static int call_attr(struct ring *ring)
{
	static const __u16 domains[3];
	struct xen_hctrace_attr attr = direct_attr();

	attr.domains = (uintptr_t)domains;
	attr.nr_domains = 3;
	return device_ioctl(ring->fd, XEN_HCTRACE_IOC_SET_ATTR, &attr);
}

static int call_mmap(struct ring *ring)
{
	void *map = mmap(NULL, 3 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (map == MAP_FAILED)
		return errno;
	munmap(map, 3 * PAGE_BYTES);
	return 0;
}

static int call_open(struct ring *ring)
{
	int fd = open(XEN_HCTRACE_DEVICE, O_RDWR | O_CLOEXEC);

	(void)ring;
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* A file of the module's, whole: it has @line, or cannot be read. */
static int read_whole(const char *path, const char *line)
{
	static char buf[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = 0, part;
	int rc = 0;

	if (fd < 0)
		return errno;
	do {
		part = read(fd, buf + len, sizeof(buf) - 1 - len);
		if (part < 0)
			rc = errno;
		else
			len += part;
	} while (part > 0);
	close(fd);
	buf[len] = 0;
	if (!rc && !strstr(buf, line))
		errx(1, "%s: it can be read, and has no '%s'", path, line);
	return rc;
}

static int call_stats(struct ring *ring)
{
	(void)ring;
	return read_whole(FOLDER "stats", "vm_assist");
}

static int call_multicalls(struct ring *ring)
{
	(void)ring;
	return read_whole(FOLDER "multicalls", "# members");
}

static int call_status(struct ring *ring)
{
	(void)ring;
	return read_whole(FOLDER "status", "\npoll_ms ");
}

/* A call of a fresh reader with each allocation failing; then it succeeds. */
static void call_fails(const char *what, int (*call)(struct ring *), int stopped)
{
	unsigned int nth, errors = 0, odd = 0;
	bool failed = true;
	int rc;

	for (nth = 1; failed && nth < MOST; nth++) {
		struct ring ring;

		must(say(stopped ? "stop" : "start"), "control");
		ring_open_device(&ring);
		set_nth(nth);
		rc = call(&ring);
		failed = has_failed();
		if (rc && rc != ENOMEM && rc != EINTR)
			odd++;
		errors += rc != 0;
		if (call(&ring))
			odd++;
		close(ring.fd);
	}
	ok(!failed && !odd, "%s%s: %u allocations fail, %u of them are told, %u odd", what,
	   stopped ? " after a stop" : "", nth - 2, errors, odd);
}

int main(void)
{
	struct ring ring;
	int privcmd;

	tap_begin();
	put(FAILSLAB "ignore-gfp-wait", "N");
	put(FAILSLAB "verbose", "0");
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	control = open(FOLDER "control", O_WRONLY | O_CLOEXEC);
	if (fail_nth < 0 || control < 0)
		err(1, "fail-nth or control");

	must(say("start"), "start");
	control_fails("profile pv", "profile hvm");
	control_fails("profile hvm", "profile all");
	control_fails("stop", "start");
	control_fails("start", "stop");
	call_fails("open", call_open, 0);
	call_fails("SET_ATTR", call_attr, 0);
	call_fails("mmap", call_mmap, 0);
	call_fails("mmap", call_mmap, 1);
	call_fails("ENABLE", call_enable, 0);
	call_fails("ENABLE", call_enable, 1);
	call_fails("INFO", call_info, 0);
	call_fails("stats", call_stats, 0);
	call_fails("multicalls", call_multicalls, 0);
	call_fails("status", call_status, 0);

	/* And all is well. */
	must(say(is_pv() ? "start;profile pv" : "start;profile hvm"), "start");
	privcmd = privcmd_open();
	direct_open(&ring, 8);
	make_calls(privcmd, 100);
	ledger_is(&ring, 100, 100, 0, 0, "afterwards");
	ring_close(&ring);
	return 0;
}
