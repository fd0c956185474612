// SPDX-License-Identifier: GPL-2.0
/*
 * Asks xenstored, by way of libxenstore, which is looked for at run time. The type is
 * what libxl keeps in /libxl/ID/type, and of other toolstacks' domains what Xen says;
 * which tells the UUID, too, or else the node that every toolstack writes.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <hctrace/xen_trace.h>

#include "xenctrl.h"
#include "xsnames.h"

#define CHANGED_MS	1000	/* how often to ask where nobody tells of changes */

static void tell(FILE *to, u16 domid, const struct domname *what, const char *name)
{
	fprintf(to, "%u %s %u %s%c%s%c", domid, what->type, what->vcpus,
		*what->uuid ? what->uuid : "-", 0, name, 0);
}

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

/* What libxl has in store is a guest's true type, and the UUID is of the same VM in any case. */
static void complete(struct domname *what, const char *domid)
{
	char *type = read_node("/libxl/%s/type", domid);
	char *vm = *what->uuid ? NULL : read_node("/local/domain/%s/vm", domid);
	size_t i;

	if (type && (!strcmp(type, "pv") || !strcmp(type, "pvh") || !strcmp(type, "hvm"))) {
		for (i = 0; i <= strlen(type); i++)
			what->type[i] = toupper((unsigned char)type[i]);
	}
	if (vm && !strncmp(vm, "/vm/", 4))
		domname_set_uuid(what, vm + 4);
	free(type);
	free(vm);
}

static void tell_domain(FILE *to, u16 domid, struct domname *hosts)
{
	struct domname what = *hosts->type ? *hosts : domname_unknown;
	char text[16];
	char *name;

	scnprintf(text, sizeof(text), "%u", domid);
	complete(&what, text);
	name = read_node("/local/domain/%s/name", text);
	if (!name)
		return;
	tell(to, domid, &what, name);
	hosts->type[0] = '\0';
	free(name);
}

/* Those that xenstore has, with what Xen says of them, which is taken out of @hosts. */
static bool tell_stored(FILE *to, struct domname *hosts)
{
	char **domids;
	unsigned int nr;
	unsigned int i;

	domids = xs.directory(xs.handle, XBT_NULL, "/local/domain", &nr);
	if (!domids)
		return false;
	for (i = 0; i < nr; i++) {
		unsigned long domid = strtoul(domids[i], NULL, 10);

		if (domid < XEN_DOMID_FIRST_RESERVED)
			tell_domain(to, domid, &hosts[domid]);
	}
	free(domids);
	return true;
}

static bool open_store(void)
{
	if (load_library())
		xs.handle = xs.open(0);
	return xs.handle && xs.watch(xs.handle, "@introduceDomain", "i") &&
	       xs.watch(xs.handle, "@releaseDomain", "r");
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

#else /* no libxenstore */

static bool open_store(void)
{
	return false;
}

static bool tell_stored(FILE *to, struct domname *hosts)
{
	(void)to;
	(void)hosts;
	return false;
}

static bool wait_for_change(void)
{
	return false;
}

#endif

/* An answer: all domains, each once. */
static bool tell_all(FILE *to, const struct xenctrl *ctl, bool is_stored)
{
	static struct domname hosts[XEN_DOMID_FIRST_RESERVED];
	struct xenctrl_domain *list;
	size_t nr, i;

	list = xenctrl_domains(ctl, &nr);
	for (i = 0; i < nr; i++)
		hosts[list[i].domid] = list[i].what;
	if (is_stored && !tell_stored(to, hosts)) {
		free(list);
		return false;
	}
	for (i = 0; i < nr; i++) {
		struct domname *what = &hosts[list[i].domid];

		if (*what->type)
			tell(to, list[i].domid, what, "");
		*what->type = '\0';
	}
	free(list);
	fputc('\0', to);
	return !fflush(to);
}

void xsnames_serve(int fd)
{
	FILE *to = fdopen(fd, "w");
	struct xenctrl *ctl = xenctrl_open();
	bool is_stored = open_store();

	if (!to || (!is_stored && !ctl))
		return;
	while (tell_all(to, ctl, is_stored)) {
		if (!is_stored)
			poll(NULL, 0, CHANGED_MS);
		else if (!wait_for_change())
			return;
	}
}
