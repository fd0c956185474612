// SPDX-License-Identifier: GPL-2.0
/*
 * A libxenstore for tests. Its nodes are the files below $FAKE_XENSTORE, a watch fires
 * when the file "changed" is there; with a file "hang" no connection ever comes about.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xenstore.h>

static int fds[2];

static const char *path_of(const char *node, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", getenv("FAKE_XENSTORE"), node);
	return buf;
}

struct xs_handle *xs_open(unsigned long flags)
{
	char path[500];

	(void)flags;
	if (!getenv("FAKE_XENSTORE") || pipe(fds))
		return NULL;
	while (!access(path_of("/hang", path, sizeof(path)), F_OK))
		pause();
	return (struct xs_handle *)fds;
}

void *xs_read(struct xs_handle *h, xs_transaction_t t, const char *node, unsigned int *len)
{
	char *text = calloc(1, 4096);
	char path[500];
	FILE *file;

	(void)h;
	(void)t;
	file = fopen(path_of(node, path, sizeof(path)), "r");
	if (!file)
		return NULL;
	*len = fread(text, 1, 4095, file);
	fclose(file);
	return text;
}

/* One block: the pointers, then the names. */
char **xs_directory(struct xs_handle *h, xs_transaction_t t, const char *node, unsigned int *num)
{
	char **list = calloc(1, 65536);
	char *names = (char *)list + 32768;
	struct dirent *entry;
	char path[500];
	DIR *dir;

	(void)h;
	(void)t;
	*num = 0;
	dir = opendir(path_of(node, path, sizeof(path)));
	if (!dir)
		return NULL;
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		list[(*num)++] = strcpy(names, entry->d_name);
		names += strlen(names) + 1;
	}
	closedir(dir);
	return list;
}

/* The pipe gets readable with the file "changed", and never otherwise. */
bool xs_watch(struct xs_handle *h, const char *node, const char *token)
{
	char path[500];

	(void)h;
	(void)token;
	if (strcmp(node, "@introduceDomain"))
		return true;
	if (fork())
		return true;
	while (access(path_of("/changed", path, sizeof(path)), F_OK)) {
		if (getppid() == 1)
			_exit(0);
		usleep(10000);
	}
	_exit(write(fds[1], "x", 1) != 1);
}

int xs_fileno(struct xs_handle *h)
{
	(void)h;
	return fds[0];
}

char **xs_check_watch(struct xs_handle *h)
{
	char byte;

	(void)h;
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	return read(fds[0], &byte, 1) == 1 ? calloc(1, sizeof(char *)) : NULL;
}
