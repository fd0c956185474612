/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that is recorded to. It is written beside its place until it is certain that
 * there is something to record; then what was there before is kept as FILE.old.
 */
#ifndef HCTRACE_RECORD_TARGET_H
#define HCTRACE_RECORD_TARGET_H

#include <limits.h>

/**
 * struct target - the file
 * @name: as the user calls it
 * @fd: to write to
 * @place: where it belongs
 * @temporary: where it is until then; "": it is in place
 */
struct target {
	const char *name;
	int fd;
	char place[PATH_MAX];
	char temporary[PATH_MAX + 8];
};

/**
 * target_open() - begin a file
 * @target: filled in
 * @path: where it is to be; "-": standard output. What is there and is no plain file, a pipe
 *	or a device, is written to as it is
 *
 * Return: 0, or an exit status after saying why not.
 */
int target_open(struct target *target, const char *path);

/** target_place() - put it in place. Return: 0, or an exit status after saying why not */
int target_place(struct target *target);

/** target_drop() - if it is not in place, it never was; what was there before stays */
void target_drop(struct target *target);

#endif /* HCTRACE_RECORD_TARGET_H */
