// SPDX-License-Identifier: GPL-2.0
/* See input.h. Files are read, not mapped: one that shrinks meanwhile must not kill us. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "input.h"

static int fail(const struct input *in, int error)
{
	fprintf(stderr, "hctrace: %s: %s\n", in->name, strerror(error));
	return -1;
}

/* --- Ctrl-C ----------------------------------------------------------------- */

#define PATIENCE_NS	2000000000ull

static u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void watch_interrupts(struct input *in)
{
	struct sigaction action;
	sigset_t set;

	in->interrupts = -1;
	/* A background process of a script is not meant by Ctrl-C. */
	if (sigaction(SIGINT, NULL, &action) || action.sa_handler == SIG_IGN)
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	in->interrupts = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (in->interrupts >= 0)
		sigprocmask(SIG_BLOCK, &set, &in->signals);
}

/* From here on Ctrl-C is what it was; one that has come already was for the pipe. */
static void unwatch_interrupts(struct input *in)
{
	struct signalfd_siginfo info;

	if (in->interrupts < 0)
		return;
	while (read(in->interrupts, &info, sizeof(info)) > 0)
		;
	close(in->interrupts);
	in->interrupts = -1;
	sigprocmask(SIG_SETMASK, &in->signals, NULL);
}

/* Wait until there is something in a pipe. Return: false: it ends here, by Ctrl-C. */
static bool wait_for_pipe(struct input *in)
{
	for (;;) {
		struct pollfd fds[] = { { in->fd, POLLIN, 0 }, { in->interrupts, POLLIN, 0 } };
		u64 now = in->until_ns ? now_ns() : 0;
		int timeout_ms = -1;

		if (in->until_ns) {
			if (now >= in->until_ns)
				return false;
			timeout_ms = (in->until_ns - now) / 1000000 + 1;
		}
		/* A descriptor of -1 is passed over. */
		if (poll(fds, ARRAY_SIZE(fds), timeout_ms) < 0 && errno != EINTR)
			return true;
		if (fds[1].revents) {
			in->until_ns = now_ns() + PATIENCE_NS;
			unwatch_interrupts(in);
		} else if (fds[0].revents) {
			return true;
		}
	}
}

/* --- open and close --------------------------------------------------------- */

int input_open(struct input *in, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat stat;

	memset(in, 0, sizeof(*in));
	in->interrupts = -1;
	in->name = is_stdin ? "standard input" : path;
	in->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0 || fstat(in->fd, &stat))
		return fail(in, errno);
	if (S_ISDIR(stat.st_mode)) {
		close(in->fd);
		return fail(in, EISDIR);
	}

	/* Standard input may be a file that somebody else has read a part of. */
	in->is_pipe = is_stdin || !S_ISREG(stat.st_mode);
	in->size = in->is_pipe ? ~0ull : (u64)stat.st_size;
	if (in->is_pipe) {
		/* Only what is used of it takes memory. */
		in->kept = mmap(NULL, INPUT_KEPT_BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (in->kept == MAP_FAILED)
			return fail(in, ENOMEM);
		watch_interrupts(in);
	} else {
		posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	return 0;
}

void input_close(struct input *in)
{
	unwatch_interrupts(in);
	if (in->kept)
		munmap(in->kept, INPUT_KEPT_BYTES);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
}

/* --- reading ---------------------------------------------------------------- */

/* One read() that is not interrupted; 0 at the end, and on errors, which are kept. */
static size_t read_some(struct input *in, u64 at, void *to, size_t bytes)
{
	ssize_t got;

	if (in->is_pipe && !wait_for_pipe(in))
		return 0;
	do {
		got = in->is_pipe ? read(in->fd, to, bytes) : pread(in->fd, to, bytes, at);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		in->error = errno;
		return 0;
	}
	return got;
}

static size_t read_all(struct input *in, u64 at, u8 *to, size_t bytes)
{
	size_t done = 0;
	size_t got;

	while (done < bytes) {
		got = read_some(in, at + done, to + done, bytes - done);
		if (!got)
			break;
		done += got;
	}
	return done;
}

/* Bytes at @at that lie in one piece, at most @bytes. */
static size_t piece(u64 at, u64 bytes)
{
	size_t to_end = INPUT_KEPT_BYTES - at % INPUT_KEPT_BYTES;

	return bytes < to_end ? bytes : to_end;
}

/* Read on until @end is loaded. Return: whether there was room for it. */
static bool load(struct input *in, u64 end)
{
	while (in->loaded < end && in->size == ~0ull) {
		u64 room = in->base + INPUT_KEPT_BYTES - in->loaded;
		size_t got;

		if (!room)
			return false;
		got = read_some(in, in->loaded, in->kept + in->loaded % INPUT_KEPT_BYTES,
				piece(in->loaded, room));
		if (!got) {
			in->size = in->loaded;
			unwatch_interrupts(in);
		}
		in->loaded += got;
	}
	return true;
}

static ssize_t read_pipe(struct input *in, u64 at, u8 *to, size_t bytes)
{
	size_t done = 0;
	size_t part;

	if (!load(in, at + bytes))
		return INPUT_FULL;
	if (at >= in->loaded)
		return 0;
	if (bytes > in->loaded - at)
		bytes = in->loaded - at;
	for (; done < bytes; done += part) {
		part = piece(at + done, bytes - done);
		memcpy(to + done, in->kept + (at + done) % INPUT_KEPT_BYTES, part);
	}
	return bytes;
}

ssize_t input_read(struct input *in, u64 at, void *to, size_t bytes)
{
	return in->is_pipe ? read_pipe(in, at, to, bytes) : (ssize_t)read_all(in, at, to, bytes);
}

void input_release(struct input *in, u64 base)
{
	if (base > in->base)
		in->base = base;
}
