/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that is there as a whole or as it was before: written beside its place and
 * renamed, so that nobody ever reads a half of it.
 */
#ifndef HCTRACE_OUTFILE_H
#define HCTRACE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/**
 * outfile_open() - begin to write
 * @path: where it is to be; NULL or "-": standard output. What is there and is no plain
 *	file, a pipe or a device, is written to as it is
 * @least: who may read it in any case, as far as the umask lets them; else a file
 *	that is there keeps its rights
 *
 * One at a time. Return: the stream, or NULL after saying why not.
 */
FILE *outfile_open(const char *path, mode_t least);

/**
 * outfile_close() - end it
 * @to: the stream
 * @keep: put it in place; else what was there before stays
 *
 * Return: 0, or -1 after saying why it could not be written; then nothing is in place.
 */
int outfile_close(FILE *to, bool keep);

/**
 * outfile_at_exit() - whoever writes to standard output need not look whether he could
 *
 * However we end, what could not be written is told then, and ends us with EXIT_TROUBLE.
 */
void outfile_at_exit(void);

#endif /* HCTRACE_OUTFILE_H */
