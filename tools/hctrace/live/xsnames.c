// SPDX-License-Identifier: GPL-2.0
/*
 * Asks xenstored, by way of libxenstore, which is looked for at run time. The type is
 * what libxl keeps in /libxl/ID/type. (libxenctrl could tell it of any toolstack's
 * domains, but its soname and its structures change with every release of Xen.)
 */
#include <ctype.h>
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <hctrace/types.h>

#include "xsnames.h"

#ifdef HAVE_XENSTORE

#include <xenstore.h>

/* Introductions and releases come as watches; a change of name does not. */
#define RENAMED_MS	30000

/* The library's functions and our connection */
static struct {
	typeof(xs_open) *open;
	typeof(xs_directory) *directory;
	typeof(xs_read) *read;
	typeof(xs_watch) *watch;
	typeof(xs_check_watch) *check_watch;
	typeof(xs_fileno) *fileno;
	struct xs_handle *handle;
} xs;

static bool load_library(void)
{
	/* The newer ones first; the interface in use here is the same in all of them. */
	static const char *const sonames[] = { "libxenstore.so.4", "libxenstore.so.3.0" };
	void *lib = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sonames) && !lib; i++)
		lib = dlopen(sonames[i], RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return false;
	xs.open = dlsym(lib, "xs_open");
	xs.directory = dlsym(lib, "xs_directory");
	xs.read = dlsym(lib, "xs_read");
	xs.watch = dlsym(lib, "xs_watch");
	xs.check_watch = dlsym(lib, "xs_check_watch");
	xs.fileno = dlsym(lib, "xs_fileno");
	return xs.open && xs.directory && xs.read && xs.watch && xs.check_watch && xs.fileno;
}

static char *read_node(const char *fmt, const char *domid)
{
	char path[80];
	unsigned int len;

	scnprintf(path, sizeof(path), fmt, domid);
	return xs.read(xs.handle, XBT_NULL, path, &len);
}

static const char *type_of(const char *domid, char *buf, size_t size)
{
	char *type = read_node("/libxl/%s/type", domid);
	size_t i;

	scnprintf(buf, size, "-");
	if (type && (!strcmp(type, "pv") || !strcmp(type, "pvh") || !strcmp(type, "hvm"))) {
		for (i = 0; i <= strlen(type); i++)
			buf[i] = toupper((unsigned char)type[i]);
	}
	free(type);
	return buf;
}

static bool tell_domain(FILE *to, const char *domid)
{
	char *name = read_node("/local/domain/%s/name", domid);
	char type[8];

	if (name)
		fprintf(to, "%s %s%c%s%c", domid, type_of(domid, type, sizeof(type)), 0, name, 0);
	free(name);
	return !ferror(to);
}

static bool tell_all(FILE *to)
{
	char **domids;
	unsigned int nr;
	unsigned int i;

	domids = xs.directory(xs.handle, XBT_NULL, "/local/domain", &nr);
	if (!domids)
		return false;
	for (i = 0; i < nr && tell_domain(to, domids[i]); i++)
		;
	free(domids);
	fputc('\0', to);
	return !fflush(to);
}

/* Return: false if the connection is gone. */
static bool wait_for_change(void)
{
	struct pollfd pfd = { .fd = xs.fileno(xs.handle), .events = POLLIN };
	char **event;

	if (poll(&pfd, 1, RENAMED_MS) < 0)
		return false;
	if (pfd.revents & ~POLLIN)
		return false;
	/* One answer for all that has happened. */
	while ((event = xs.check_watch(xs.handle)))
		free(event);
	return true;
}

void xsnames_serve(int fd)
{
	FILE *to = fdopen(fd, "w");

	if (!to || !load_library())
		return;
	xs.handle = xs.open(0);
	if (!xs.handle)
		return;
	if (!xs.watch(xs.handle, "@introduceDomain", "i") ||
	    !xs.watch(xs.handle, "@releaseDomain", "r"))
		return;
	while (tell_all(to) && wait_for_change())
		;
}

#else /* no libxenstore */

void xsnames_serve(int fd)
{
	close(fd);
}

#endif
