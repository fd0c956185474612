// SPDX-License-Identifier: GPL-2.0
/* See input.h. Files are read, not mapped: one that shrinks meanwhile must not kill us. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"

#define SMALL_BYTES	(INPUT_BLOCK_BYTES / 2)

static int fail(const struct input *in, int error)
{
	fprintf(stderr, "hctrace: %s: %s\n", in->name, strerror(error));
	return -1;
}

static int keep_blocks(struct input *in)
{
	u8 *bytes = malloc(INPUT_BLOCKS * INPUT_BLOCK_BYTES);
	unsigned int i;

	if (!bytes)
		return -1;
	for (i = 0; i < INPUT_BLOCKS; i++)
		in->blocks[i].bytes = bytes + i * INPUT_BLOCK_BYTES;
	return 0;
}

int input_open(struct input *in, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat stat;

	memset(in, 0, sizeof(*in));
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
	} else {
		if (keep_blocks(in))
			return fail(in, ENOMEM);
		posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	return 0;
}

void input_close(struct input *in)
{
	free(in->blocks[0].bytes);
	if (in->kept)
		munmap(in->kept, INPUT_KEPT_BYTES);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
}

/* One read() that is not interrupted; 0 at the end, and on errors, which are kept. */
static size_t read_some(struct input *in, u64 at, void *to, size_t bytes)
{
	ssize_t got;

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

/* The block that has all of these bytes. */
static const struct input_block *find_block(const struct input *in, u64 at, size_t bytes)
{
	const struct input_block *block;

	for (block = in->blocks; block < in->blocks + INPUT_BLOCKS; block++) {
		if (at >= block->at && at + bytes <= block->at + block->have)
			return block;
	}
	return NULL;
}

static const struct input_block *read_block(struct input *in, u64 at)
{
	struct input_block *block = &in->blocks[in->oldest];

	in->oldest = (in->oldest + 1) % INPUT_BLOCKS;
	block->at = at;
	block->have = read_all(in, at, block->bytes, INPUT_BLOCK_BYTES);
	return block;
}

/* A small piece close behind the last one is the first of many: read them all at once. */
static ssize_t read_file(struct input *in, u64 at, u8 *to, size_t bytes)
{
	const struct input_block *block = find_block(in, at, bytes);
	bool is_small = bytes <= SMALL_BYTES;

	if (!block && is_small && at - in->last <= SMALL_BYTES)
		block = read_block(in, at);
	if (is_small)
		in->last = at + bytes;
	if (!block)
		return read_all(in, at, to, bytes);
	if (bytes > block->have)
		bytes = block->have;
	memcpy(to, block->bytes + (at - block->at), bytes);
	return bytes;
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
		if (!got)
			in->size = in->loaded;
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
	return in->is_pipe ? read_pipe(in, at, to, bytes) : read_file(in, at, to, bytes);
}

void input_release(struct input *in, u64 base)
{
	if (base > in->base)
		in->base = base;
}
