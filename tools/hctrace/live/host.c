// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

#define MAX_BYTES	(64u << 20)	/* no file we read is anywhere near that */

const char *host_path(const char *path, char *buf)
{
	const char *root = getenv("HCTRACE_ROOT");

	scnprintf(buf, HOST_PATH_MAX, "%s%s", root ? root : "", path);
	return buf;
}

/* A signal may interrupt the open of a debugfs file, which waits for the drain. */
static int open_patiently(const char *path)
{
	int fd;

	do {
		fd = open(path, O_RDONLY | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* Return: the text so far and what follows, or NULL after freeing it. */
static char *read_all(int fd, size_t *len)
{
	size_t room = 16 << 10;
	char *text = malloc(room);
	ssize_t got;

	*len = 0;
	while (text) {
		got = read(fd, text + *len, room - *len - 1);
		if (!got) {
			text[*len] = '\0';
			return text;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		*len += got;
		if (room - *len > 1)
			continue;
		if (room >= MAX_BYTES) {
			errno = EFBIG;
			break;
		}
		room *= 2;
		text = realloc(text, room);	/* what it was is lost with the process */
	}
	free(text);
	return NULL;
}

char *host_read(const char *path, size_t *len)
{
	char where[HOST_PATH_MAX];
	size_t got;
	char *text;
	int error;
	int fd;

	fd = open_patiently(host_path(path, where));
	if (fd < 0)
		return NULL;
	text = read_all(fd, &got);
	error = errno;
	close(fd);
	errno = error;
	if (text && len)
		*len = got;
	return text;
}

bool host_exists(const char *path)
{
	char where[HOST_PATH_MAX];

	return !access(host_path(path, where), F_OK);
}

u64 host_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}
