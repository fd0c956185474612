// SPDX-License-Identifier: GPL-2.0
/*
 * Xen traces while somebody wants it: a reader from its first mmap or ENABLE to
 * its end, if no stop and no other consumer comes between. A reader that comes while
 * another consumer has the buffers waits for them. Wants the statistics off.
 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "device.h"

#define GENEROUS_MS	10000

static int privcmd;

/* What the status says of KEY, up to the first blank */
static const char *status(const char *key)
{
	static char value[32];

	status_value(key, value);
	if (!*value)
		errx(1, "no %s in the status", key);
	return value;
}

static void state_is(const char *wanted, const char *fmt, ...)
{
	const char *state = status("state");
	va_list args;

	va_start(args, fmt);
	tap_line(!strcmp(state, wanted), fmt, args);
	va_end(args);
	printf(": %s\n", state);
}

static int is_tracing(void)
{
	return !strcmp(status("state"), "tracing");
}

/* What INFO says of tracing and waiting */
static unsigned int told(const struct ring *ring)
{
	return ring_info(ring).flags & (XEN_HCTRACE_INFO_TRACING | XEN_HCTRACE_INFO_WAITING);
}

static int control(const char *text)
{
	int fd = open(FOLDER "control", O_WRONLY);
	int rc;

	if (fd < 0)
		err(1, FOLDER "control");
	rc = write(fd, text, strlen(text)) < 0 ? errno : 0;
	close(fd);
	return rc;
}

/* It stays for a while, because readers come and go. */
static void comes_to_an_end(const char *what)
{
	int ms;

	for (ms = 0; is_tracing() && ms < GENEROUS_MS; ms += 50)
		usleep(50 * 1000);
	is(is_tracing(), 0, "%s: tracing, after %d ms", what, ms);
}

static void by_mmap(void)
{
	const struct xen_hctrace_attr attr = direct_attr();
	struct ring ring;

	is(is_tracing(), 0, "nobody wants anything: tracing");
	reader_open(&ring, 0, &attr);
	is(is_tracing(), 0, "open: tracing");
	is(ring_info(&ring).flags & XEN_HCTRACE_INFO_TRACING, 0, "open: INFO says so");
	make_calls(privcmd, 10);
	ledger_is(&ring, 0, 0, 0, 0, "open");
	reader_map(&ring, 8);
	is(is_tracing(), 1, "mmap: tracing");
	is(ring_info(&ring).flags & XEN_HCTRACE_INFO_TRACING, 1, "mmap: INFO says so");
	make_calls(privcmd, 100);
	ledger_is(&ring, 100, 100, 0, 0, "mmap");
	is(direct_read(&ring), 100, "mmap: found");
	ring_close(&ring);
	comes_to_an_end("close");
}

static void by_enable(void)
{
	struct xen_hctrace_attr attr = direct_attr();
	struct ring ring;

	attr.flags = XEN_HCTRACE_ATTR_DISABLED;
	reader_open(&ring, 8, &attr);
	is(is_tracing(), 0, "mmap while disabled: tracing");
	enable(ring.fd);
	is(is_tracing(), 1, "ENABLE: tracing");
	make_calls(privcmd, 100);
	disable(ring.fd);
	is(direct_read(&ring), 100, "ENABLE: found");
	comes_to_an_end("DISABLE");
	enable(ring.fd);
	is(is_tracing(), 1, "ENABLE again: tracing");
	make_calls(privcmd, 10);
	ledger_is(&ring, 110, 110, 0, 0, "ENABLE again");
	ring_close(&ring);
	comes_to_an_end("close while enabled");

	reader_open(&ring, 0, &attr);
	enable(ring.fd);
	is(is_tracing(), 1, "ENABLE without a ring: tracing");
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 0, 0, 10, "ENABLE without a ring");
	close(ring.fd);
	comes_to_an_end("close without a ring");
}

/* Stock xentrace, when it has begun to record */
static pid_t begin_xentrace(void)
{
	static const char file[] = "/tmp/demand.bin";
	struct stat stat_buf = { 0 };
	pid_t pid;
	int ms;

	unlink(file);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execlp("xentrace", "xentrace", "-S", "256", "-e",
		       is_pv() ? "0x00263000" : "0x002aa000", "-T", "120", file, NULL);
		err(1, "xentrace");
	}
	for (ms = 0; !stat_buf.st_size && ms < GENEROUS_MS; ms += 10) {
		usleep(10 * 1000);
		stat(file, &stat_buf);
	}
	ok(stat_buf.st_size > 0, "xentrace records");
	return pid;
}

static void end_xentrace(pid_t pid)
{
	int status;

	kill(pid, SIGTERM);
	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	ok(WIFEXITED(status) && !WEXITSTATUS(status), "xentrace ends as it should");
}

/* Nothing is asked of the module meanwhile, which would make it try anew. */
static void comes_by_itself(const struct ring *ring, const char *what)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	int ms;

	for (ms = 0; ms < GENEROUS_MS; ms += 50) {
		if (__atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE) != head)
			break;
		make_calls(privcmd, 1);
		usleep(50 * 1000);
	}
	ok(ms < GENEROUS_MS, "%s: the first calls are there after %d ms", what, ms);
}

static void xentrace_first(void)
{
	struct xen_hctrace_attr attr = direct_attr();
	pid_t xentrace = begin_xentrace();
	struct ring by_mmap, by_enable;
	struct xen_hctrace_info info;

	reader_open(&by_mmap, 0, &attr);
	is(told(&by_mmap), 0, "open while xentrace records: INFO");
	is_error(ring_map(&by_mmap, 8), 0, "mmap while xentrace records");
	is(told(&by_mmap), XEN_HCTRACE_INFO_WAITING, "mmap: INFO says that it waits");
	state_is("waiting", "mmap: the status says so");
	attr.flags = XEN_HCTRACE_ATTR_DISABLED;
	reader_open(&by_enable, 8, &attr);
	is_error(device_ioctl(by_enable.fd, PERF_EVENT_IOC_ENABLE, NULL), EBUSY,
		 "ENABLE while xentrace records");
	is_error(device_ioctl(by_mmap.fd, PERF_EVENT_IOC_ENABLE, NULL), EBUSY,
		 "ENABLE of the one that waits");
	is_error(control("start"), EBUSY, "start");
	is(told(&by_mmap), XEN_HCTRACE_INFO_WAITING, "it waits on");
	is(atoi(status("demands")), 1, "and nobody else does: demands");
	make_calls(privcmd, 10);
	ledger_is(&by_mmap, 0, 0, 0, 0, "while it waits");
	end_xentrace(xentrace);
	comes_by_itself(&by_mmap, "xentrace has ended");
	is(told(&by_mmap), XEN_HCTRACE_INFO_TRACING, "INFO");
	state_is("tracing", "the status");
	info = ring_info(&by_mmap);

	make_calls(privcmd, 20);
	enable(by_enable.fd);
	make_calls(privcmd, 30);
	ledger_is(&by_enable, 30, 30, 0, 0, "ENABLE after xentrace has ended");
	ledger_is(&by_mmap, info.matched + 50, info.written + 50, 0, 0, "the one that waited");
	ring_close(&by_mmap);
	ring_close(&by_enable);
	comes_to_an_end("close of both");
}

/* A stop, or the end of who waits, ends the waiting for good. */
static void waiting_ends(void)
{
	pid_t xentrace = begin_xentrace();
	struct ring ring;

	direct_open(&ring, 8);
	is(told(&ring), XEN_HCTRACE_INFO_WAITING, "a reader waits");
	is_error(control("stop"), 0, "stop while it waits");
	is(told(&ring), 0, "stop: INFO says that it waits no more");
	state_is("stopped", "stop: the status");
	end_xentrace(xentrace);
	is(told(&ring), 0, "stop: nor does it trace when xentrace has ended");
	enable(ring.fd);
	is(told(&ring), XEN_HCTRACE_INFO_TRACING, "until it is enabled anew");
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "enabled anew");
	is_error(control("stop"), 0, "stop");
	ring_close(&ring);

	xentrace = begin_xentrace();
	direct_open(&ring, 8);
	is(told(&ring), XEN_HCTRACE_INFO_WAITING, "another reader waits");
	ring_close(&ring);
	state_is("stopped", "it has gone: the status");
	end_xentrace(xentrace);
	state_is("stopped", "and xentrace too: the status");
}

static void stopped_under_a_reader(void)
{
	struct ring ring, other;
	pid_t xentrace;

	direct_open(&ring, 8);
	make_calls(privcmd, 50);
	is_error(control("stop"), 0, "stop under a reader");
	is(is_tracing(), 0, "stop: tracing");
	xentrace = begin_xentrace();
	make_calls(privcmd, 20);
	ledger_is(&ring, 50, 50, 0, 0, "stop: INFO answers");
	is(direct_read(&ring), 50, "stop: the ring can be read");
	end_xentrace(xentrace);
	is(is_tracing(), 0, "stop: tracing after xentrace has ended");
	is_error(control("start"), 0, "start");
	is(is_tracing(), 1, "start: tracing");
	make_calls(privcmd, 30);
	ledger_is(&ring, 80, 80, 0, 0, "start: the reader goes on");
	is(direct_read(&ring), 30, "start: found");

	is_error(control("stop"), 0, "stop again");
	make_calls(privcmd, 5);
	direct_open(&other, 8);
	is(is_tracing(), 1, "another reader ends the stop: tracing");
	make_calls(privcmd, 7);
	ledger_is(&other, 7, 7, 0, 0, "another reader ends the stop");
	ledger_is(&ring, 87, 87, 0, 0, "and the first goes on");
	ring_close(&other);
	is(is_tracing(), 1, "the first is left: tracing");
	ring_close(&ring);
	/* The statistics began with the start, and end with a stop. */
	is_error(control("stop"), 0, "stop of the statistics");
}

/* Whoever had wanted events before the stop can ask anew, in each way there is. */
static void asked_anew(void)
{
	struct ring ring;

	direct_open(&ring, 8);
	is_error(control("stop"), 0, "stop");
	is(told(&ring), 0, "stop: INFO");
	enable(ring.fd);
	is(told(&ring), XEN_HCTRACE_INFO_TRACING, "ENABLE of an enabled reader: INFO");
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "ENABLE of an enabled reader");

	is_error(control("stop"), 0, "stop");
	ring_unmap(&ring);
	is(told(&ring), 0, "munmap does not ask for anything: INFO");
	is_error(ring_map(&ring, 8), 0, "mmap again");
	is(told(&ring), XEN_HCTRACE_INFO_TRACING, "mmap again: INFO");
	make_calls(privcmd, 20);
	ledger_is(&ring, 30, 30, 0, 0, "mmap again");
	is(direct_read(&ring), 20, "mmap again: found");

	is_error(control("stop"), 0, "stop");
	disable(ring.fd);
	is(told(&ring), 0, "nor does DISABLE: INFO");
	ring_close(&ring);
}

int main(void)
{
	tap_begin();
	privcmd = privcmd_open();
	by_mmap();
	by_enable();
	xentrace_first();
	waiting_ends();
	stopped_under_a_reader();
	asked_anew();
	return 0;
}
