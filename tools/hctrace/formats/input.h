/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is read from: bytes at offsets, of a file or of a pipe. A pipe keeps the
 * last part of what went through it, so that one may look ahead and come back. A
 * file is read ahead by the kernel.
 *
 * Ctrl-C ends a pipe, and not us: what its writer still has to say, who got it too, is
 * read, but no longer than two seconds. The next one ends us.
 */
#ifndef HCTRACE_INPUT_H
#define HCTRACE_INPUT_H

#include <signal.h>

#include <hctrace/types.h>

#define INPUT_KEPT_BYTES	(32u << 20)	/* of a pipe; a power of two */

#define INPUT_FULL		(-1)	/* a pipe can keep no more: release something */

/**
 * struct input - an open file or pipe
 * @name: for messages
 * @fd: its descriptor
 * @is_pipe: it cannot be read anew
 * @size: its length in bytes; of a pipe all ones until its end is seen
 * @error: errno of a failed read, which otherwise looks like the end; 0: none
 * @kept: of a pipe: the bytes at offsets @base to @loaded, at offset % INPUT_KEPT_BYTES
 * @interrupts: of a pipe: a descriptor that tells of Ctrl-C; -1: it is nothing special
 * @signals: of a pipe: signals that were blocked before
 * @until_ns: of a pipe: when Ctrl-C ends it; 0: nobody has typed that
 * @base: of a pipe: what lies before is gone
 * @loaded: of a pipe: bytes read from it so far
 */
struct input {
	const char *name;
	int fd;
	bool is_pipe;
	u64 size;
	int error;
	u8 *kept;
	int interrupts;
	sigset_t signals;
	u64 until_ns;
	u64 base;
	u64 loaded;
};

/**
 * input_open() - open a file for reading
 * @in: filled in
 * @path: "-" is standard input
 *
 * Return: 0, or -1 after saying why not.
 */
int input_open(struct input *in, const char *path);

/** input_close() - give everything back */
void input_close(struct input *in);

/**
 * input_read() - get the bytes at an offset
 * @in: the input
 * @at: not before what was released
 * @to: filled in
 * @bytes: how many are wanted
 *
 * Return: how many there are, fewer than @bytes only at the end; or %INPUT_FULL.
 */
ssize_t input_read(struct input *in, u64 at, void *to, size_t bytes);

/** input_release() - what lies before @base will not be asked for again */
void input_release(struct input *in, u64 base);

#endif /* HCTRACE_INPUT_H */
