// SPDX-License-Identifier: GPL-2.0
/*
 * A reader's life in every order: munmap, whole and in parts, close, fork, exec,
 * kill -9, and attempts to unload the module under it.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "device.h"

#define FAULTED	42

static int privcmd;

static int unload(void)
{
	return syscall(SYS_delete_module, "xen_hctrace", O_NONBLOCK) ? errno : 0;
}

/* Return: the exit status, or 128 + signal. */
static int wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static pid_t fork_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	return pid;
}

static void close_first(void)
{
	struct ring ring, other;
	int fd;

	direct_open(&ring, 8);
	direct_open(&other, 8);
	close(ring.fd);
	make_calls(privcmd, 10);
	/* What one has by now, the other has too. */
	ledger_is(&other, 10, 10, 0, 0, "the file of another reader is closed");
	is(direct_read(&ring), 10, "a mapping outlives its file: found");
	ring_close(&other);
	is_error(unload(), EAGAIN, "unloading under a mapping without a file");
	ring_unmap(&ring);

	fd = device_open();
	is_error(unload(), EAGAIN, "unloading under a file without a mapping");
	close(fd);
}

static void munmap_first(void)
{
	struct ring ring;

	direct_open(&ring, 8);
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "mapped");
	ring_unmap(&ring);
	make_calls(privcmd, 20);
	ledger_is(&ring, 30, 10, 0, 20, "munmap: output is paused");
	reader_map(&ring, 8);
	is(direct_read(&ring), 0, "mapped anew: found of what was before");
	make_calls(privcmd, 5);
	ledger_is(&ring, 35, 15, 0, 20, "mapped anew");
	is(direct_read(&ring), 5, "mapped anew: found");
	ring_close(&ring);
}

static void mapped_twice(void)
{
	struct ring ring, twin;

	direct_open(&ring, 8);
	twin = ring;
	reader_map(&twin, 8);
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "mapped twice");
	is(direct_read(&twin), 10, "mapped twice: found in the second");
	ring_unmap(&ring);
	make_calls(privcmd, 10);
	ledger_is(&ring, 20, 20, 0, 0, "one of two is unmapped");
	is(direct_read(&twin), 10, "one of two is unmapped: found");
	ring_unmap(&twin);
	make_calls(privcmd, 10);
	ledger_is(&ring, 30, 20, 0, 10, "both are unmapped");
	close(ring.fd);
}

/* Pages out of the middle, then the end, then the beginning */
static void unmapped_in_parts(void)
{
	struct ring ring;
	char *at;

	direct_open(&ring, 8);
	at = (char *)ring.page;
	if (munmap(at + 4 * PAGE_BYTES, 2 * PAGE_BYTES))
		err(1, "munmap of pages in the middle");
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "two pages in the middle are unmapped");
	is(direct_read(&ring), 10, "two pages in the middle are unmapped: found");
	if (munmap(at + 6 * PAGE_BYTES, 3 * PAGE_BYTES))
		err(1, "munmap of pages at the end");
	make_calls(privcmd, 10);
	ledger_is(&ring, 20, 20, 0, 0, "those at the end are unmapped");
	is(direct_read(&ring), 10, "those at the end are unmapped: found");
	if (munmap(at, 4 * PAGE_BYTES))
		err(1, "munmap of pages at the beginning");
	make_calls(privcmd, 10);
	ledger_is(&ring, 30, 20, 0, 10, "all are unmapped");
	reader_map(&ring, 8);
	make_calls(privcmd, 10);
	ledger_is(&ring, 40, 30, 0, 10, "all are mapped anew");
	is(direct_read(&ring), 10, "all are mapped anew: found");
	ring_close(&ring);
}

static void faulted(int signal)
{
	(void)signal;
	_exit(FAULTED);
}

static void child_has_no_mapping(const struct ring *ring)
{
	pid_t pid = fork_child();

	if (!pid) {
		/* Else the kernel logs it. */
		signal(SIGSEGV, faulted);
		_exit(__atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED) != 0);
	}
	is(wait_for(pid), FAULTED, "fork: the child's access ends with");
}

static void child_uses_the_file(const struct ring *ring)
{
	pid_t pid = fork_child();
	struct ring own = *ring;

	if (!pid) {
		reader_map(&own, 8);
		make_calls(privcmd, 10);
		ledger_is(&own, 20, 20, 0, 0, "fork: the child asks, and maps the ring itself");
		is(own.page->data_head, 20 * SAMPLE_BYTES, "fork: data_head in the child");
		ring_unmap(&own);
		close(own.fd);
		_exit(0);
	}
	is(wait_for(pid), 0, "fork: the child ends with");
}

static void forked(void)
{
	struct ring ring;

	direct_open(&ring, 8);
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "fork: before");
	child_has_no_mapping(&ring);
	child_uses_the_file(&ring);
	make_calls(privcmd, 10);
	ledger_is(&ring, 30, 30, 0, 0, "fork: the parent's ring goes on");
	is(direct_read(&ring), 30, "fork: found by the parent");
	ring_close(&ring);
}

/* The other side of executed() */
static int inheritor(int fd)
{
	struct ring ring = { .fd = fd };

	make_calls(privcmd, 20);
	ledger_is(&ring, 30, 10, 0, 20, "exec: the mapping is gone, the file is not");
	reader_map(&ring, 8);
	make_calls(privcmd, 7);
	ledger_is(&ring, 37, 17, 0, 20, "exec: mapped anew");
	is(direct_read(&ring), 7, "exec: found");
	return 0;
}

static void executed(const char *self)
{
	pid_t pid = fork_child();
	struct ring ring;
	char fd[16];

	if (!pid) {
		direct_open(&ring, 8);
		make_calls(privcmd, 10);
		ledger_is(&ring, 10, 10, 0, 0, "exec: before");
		fcntl(ring.fd, F_SETFD, 0);
		snprintf(fd, sizeof(fd), "%d", ring.fd);
		execl(self, self, "inherit", fd, NULL);
		err(1, "%s", self);
	}
	is(wait_for(pid), 0, "exec: it ends with");
}

/* Reads in small sips until it is killed, and says that it has begun. */
static void read_for_ever(int started)
{
	struct ring ring;

	direct_open(&ring, 1);
	make_calls(privcmd, 200);
	if (write(started, "", 1) != 1)
		_exit(1);
	for (;;) {
		make_calls(privcmd, 20);
		ring_read(&ring, direct_check, NULL);
	}
}

static void killed(void)
{
	struct ring witness;
	struct xen_hctrace_info info;
	int i, died = 0;

	direct_open(&witness, 1024);
	for (i = 0; i < 20; i++) {
		int fds[2];
		char byte;
		pid_t pid;

		if (pipe(fds))
			err(1, "pipe");
		pid = fork_child();
		if (!pid) {
			close(witness.fd);
			read_for_ever(fds[1]);
		}
		close(fds[1]);
		if (read(fds[0], &byte, 1) != 1)
			errx(1, "the reader did not begin");
		usleep(i * 1000);
		kill(pid, SIGKILL);
		died += wait_for(pid) == 128 + SIGKILL;
		close(fds[0]);
	}
	is(died, 20, "readers killed in the middle of output");
	info = ring_info(&witness);
	is(info.written, info.matched, "their calls, all seen by another reader");
	is(direct_read(&witness), info.written, "and found by it");
	ok(info.matched >= 20 * 200, "they are %llu", (unsigned long long)info.matched);
	make_calls(privcmd, 10);
	ledger_is(&witness, info.matched + 10, info.matched + 10, 0, 0, "afterwards");
	ring_close(&witness);
}

int main(int argc, char **argv)
{
	tap_begin();
	privcmd = privcmd_open();
	if (argc == 3 && !strcmp(argv[1], "inherit"))
		return inheritor(atoi(argv[2]));
	close_first();
	munmap_first();
	mapped_twice();
	unmapped_in_parts();
	forked();
	executed(argv[0]);
	killed();
	return 0;
}
