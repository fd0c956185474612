// SPDX-License-Identifier: GPL-2.0
/* See target.h. */
#define _GNU_SOURCE	/* mkostemp() */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exit.h"
#include "target.h"

static int complain(const char *name)
{
	fprintf(stderr, "hctrace record: %s: %s\n", name, strerror(errno));
	return EXIT_TROUBLE;
}

static int open_temporary(struct target *target)
{
	mode_t mask = umask(0);

	umask(mask);
	snprintf(target->temporary, sizeof(target->temporary), "%s.XXXXXX", target->place);
	target->fd = mkostemp(target->temporary, O_CLOEXEC);
	if (target->fd < 0) {
		*target->temporary = '\0';
		return complain(target->name);
	}
	if (!fchmod(target->fd, 0644 & ~mask))
		return 0;
	complain(target->name);
	target_drop(target);
	return EXIT_TROUBLE;
}

int target_open(struct target *target, const char *path)
{
	struct stat stat_buf;

	target->name = path;
	*target->temporary = '\0';
	if (!strcmp(path, "-")) {
		target->fd = STDOUT_FILENO;
		if (!isatty(STDOUT_FILENO))
			return 0;
		fprintf(stderr, "hctrace record: '-' is a terminal: use a pipe\n");
		return EXIT_USAGE;
	}
	if (stat(path, &stat_buf)) {
		if (strlen(path) >= sizeof(target->place)) {
			errno = ENAMETOOLONG;
			return complain(path);
		}
		strcpy(target->place, path);
		return open_temporary(target);
	}
	if (S_ISREG(stat_buf.st_mode)) {
		/* A link goes on to lead there. */
		if (!realpath(path, target->place))
			return complain(path);
		/* As if it were written to: who may not do that may not replace it either. */
		return access(path, W_OK) ? complain(path) : open_temporary(target);
	}
	target->fd = open(path, O_RDWR | O_CLOEXEC);
	return target->fd < 0 ? complain(path) : 0;
}

int target_place(struct target *target)
{
	char old[PATH_MAX + 4];
	struct stat stat_buf;

	if (!*target->temporary)
		return 0;
	snprintf(old, sizeof(old), "%s.old", target->place);
	/* An empty one is not worth the loss of the last that was kept. */
	if (!stat(target->place, &stat_buf) && S_ISREG(stat_buf.st_mode) && stat_buf.st_size &&
	    rename(target->place, old))
		return complain(old);
	if (rename(target->temporary, target->place))
		return complain(target->name);
	*target->temporary = '\0';
	return 0;
}

void target_drop(struct target *target)
{
	if (*target->temporary)
		unlink(target->temporary);
	*target->temporary = '\0';
}
