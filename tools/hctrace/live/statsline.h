/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files have in common that the module has in debugfs: lines of words, the
 * first of which has a format version that must be the one we know.
 */
#ifndef HCTRACE_STATSLINE_H
#define HCTRACE_STATSLINE_H

#include <stddef.h>

#define STATS_VERSION	1
#define MAX_COLUMNS	24

/**
 * struct words - a line cut at its blanks
 * @nr: how many words
 * @word: the words
 */
struct words {
	unsigned int nr;
	char *word[MAX_COLUMNS];
};

/** line_next() - cut off the first line of @rest; NULL if there is none */
char *line_next(char **rest);

/** line_split() - cut a line into words; those beyond %MAX_COLUMNS are left out */
void line_split(char *line, struct words *words);

/**
 * line_check_version() - understand "# xen-hctrace WHAT 1 ..."
 * @line: the first line, or NULL
 * @what: name of the file
 * @err: filled in on failure, in words
 * @err_size: of @err
 *
 * Return: what follows, or NULL if it is not that or of another version.
 */
char *line_check_version(char *line, const char *what, char *err, size_t err_size);

/** line_read_file() - all of a file of the host, or NULL with @err saying why, and what to do */
char *line_read_file(const char *path, char *err, size_t err_size);

#endif /* HCTRACE_STATSLINE_H */
