// SPDX-License-Identifier: GPL-2.0
/* See xenctrl.h. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <hctrace/xen_trace.h>

#include "xenctrl.h"

#ifdef XENCTRL_SONAME

#include <xenctrl.h>

#define DOMAINS_AT_ONCE	256
#define LOG_BYTES	0x100000	/* Xen keeps 16 to 128 kB */

/* The library's functions, and our connection */
struct xenctrl {
	void *lib;
	xc_interface *xch;
	typeof(xc_interface_open) *open;
	typeof(xc_interface_close) *close;
	typeof(xc_domain_getinfolist) *getinfolist;
	typeof(xc_sched_id) *sched_id;
	typeof(xc_getcpuinfo) *getcpuinfo;
	typeof(xc_readconsolering) *readconsolering;
};

static bool load_library(struct xenctrl *ctl)
{
	ctl->lib = dlopen(XENCTRL_SONAME, RTLD_NOW | RTLD_LOCAL);
	if (!ctl->lib)
		return false;
	ctl->open = dlsym(ctl->lib, "xc_interface_open");
	ctl->close = dlsym(ctl->lib, "xc_interface_close");
	ctl->getinfolist = dlsym(ctl->lib, "xc_domain_getinfolist");
	ctl->sched_id = dlsym(ctl->lib, "xc_sched_id");
	ctl->getcpuinfo = dlsym(ctl->lib, "xc_getcpuinfo");
	ctl->readconsolering = dlsym(ctl->lib, "xc_readconsolering");
	return ctl->open && ctl->close && ctl->getinfolist && ctl->sched_id &&
	       ctl->getcpuinfo && ctl->readconsolering;
}

/* The library complains on standard error where there is no Xen, which is no fault. */
static xc_interface *open_silently(struct xenctrl *ctl)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int saved = dup(STDERR_FILENO);
	xc_interface *xch;

	if (null >= 0 && saved >= 0)
		dup2(null, STDERR_FILENO);
	xch = ctl->open(NULL, NULL, 0);
	if (null >= 0 && saved >= 0)
		dup2(saved, STDERR_FILENO);
	close(null);
	close(saved);
	return xch;
}

struct xenctrl *xenctrl_open(void)
{
	struct xenctrl *ctl = calloc(1, sizeof(*ctl));

	if (!ctl)
		return NULL;
	if (load_library(ctl))
		ctl->xch = open_silently(ctl);
	if (ctl->xch)
		return ctl;
	if (ctl->lib)
		dlclose(ctl->lib);
	free(ctl);
	return NULL;
}

void xenctrl_close(struct xenctrl *ctl)
{
	if (!ctl)
		return;
	ctl->close(ctl->xch);
	dlclose(ctl->lib);
	free(ctl);
}

/* A PVH guest is an HVM guest for Xen, but one without a board: power management say. */
static const char *type_of(const xc_domaininfo_t *info)
{
	if (!(info->flags & XEN_DOMINF_hvm_guest))
		return "PV";
	return info->arch_config.emulation_flags & XEN_X86_EMU_PM ? "HVM" : "PVH";
}

/* Without one, as dom0 is, the handle is all zeros. */
static void set_uuid(struct domname *what, const u8 *handle)
{
	size_t len = 0;
	bool any = false;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		any |= handle[i];
		len += scnprintf(what->uuid + len, sizeof(what->uuid) - len, "%s%02x",
				 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", handle[i]);
	}
	if (!any)
		what->uuid[0] = '\0';
}

static bool add_domain(struct xenctrl_domain **list, size_t *nr, const xc_domaininfo_t *info)
{
	struct xenctrl_domain *more = realloc(*list, (*nr + 1) * sizeof(*more));

	if (!more)
		return false;
	*list = more;
	more += (*nr)++;
	more->domid = info->domain;
	more->what = domname_unknown;
	scnprintf(more->what.type, sizeof(more->what.type), "%s", type_of(info));
	more->what.vcpus = info->nr_online_vcpus;
	set_uuid(&more->what, info->handle);
	return true;
}

struct xenctrl_domain *xenctrl_domains(const struct xenctrl *ctl, size_t *nr)
{
	struct xenctrl_domain *list = NULL;
	xc_domaininfo_t info[DOMAINS_AT_ONCE];
	u32 first = 0;
	int got, i;

	*nr = 0;
	if (!ctl)
		return NULL;
	do {
		got = ctl->getinfolist(ctl->xch, first, DOMAINS_AT_ONCE, info);
		for (i = 0; i < got && i < DOMAINS_AT_ONCE; i++) {
			/* By id, each once, or this would have no end. */
			if (info[i].domain < first || info[i].domain >= XEN_DOMID_FIRST_RESERVED ||
			    !add_domain(&list, nr, &info[i]))
				return list;
			first = info[i].domain + 1;
		}
	} while (got == DOMAINS_AT_ONCE);
	return list;
}

const char *xenctrl_scheduler(const struct xenctrl *ctl)
{
	static const char *const names[] = {
		[XEN_SCHEDULER_CREDIT] = "credit", [XEN_SCHEDULER_CREDIT2] = "credit2",
		[XEN_SCHEDULER_ARINC653] = "arinc653", [XEN_SCHEDULER_RTDS] = "rtds",
		[XEN_SCHEDULER_NULL] = "null",
	};
	int id;

	if (!ctl || ctl->sched_id(ctl->xch, &id) || id < 0 || id >= (int)ARRAY_SIZE(names))
		return NULL;
	return names[id];
}

size_t xenctrl_idle(const struct xenctrl *ctl, u64 *idle_ns, size_t room)
{
	xc_cpuinfo_t *info = calloc(room, sizeof(*info));
	int nr = 0;
	int i;

	if (!ctl || !info || ctl->getcpuinfo(ctl->xch, room, info, &nr) || nr < 0)
		nr = 0;
	if ((size_t)nr > room)
		nr = room;
	for (i = 0; i < nr; i++)
		idle_ns[i] = info[i].idletime;
	free(info);
	return nr;
}

char *xenctrl_log(const struct xenctrl *ctl)
{
	char *text = ctl ? malloc(LOG_BYTES + 1) : NULL;
	unsigned int len = 0, got;
	u32 index = 0;

	if (!text)
		return NULL;
	/* Each call goes on where the last one ended. */
	do {
		got = LOG_BYTES - len;
		if (ctl->readconsolering(ctl->xch, text + len, &got, 0, 1, &index) ||
		    got > LOG_BYTES - len)
			got = 0;
		len += got;
	} while (got && len < LOG_BYTES);
	text[len] = '\0';
	return text;
}

#else /* no libxenctrl */

struct xenctrl *xenctrl_open(void)
{
	return NULL;
}

void xenctrl_close(struct xenctrl *ctl)
{
	(void)ctl;
}

struct xenctrl_domain *xenctrl_domains(const struct xenctrl *ctl, size_t *nr)
{
	(void)ctl;
	*nr = 0;
	return NULL;
}

const char *xenctrl_scheduler(const struct xenctrl *ctl)
{
	(void)ctl;
	return NULL;
}

size_t xenctrl_idle(const struct xenctrl *ctl, u64 *idle_ns, size_t room)
{
	(void)ctl;
	(void)idle_ns;
	(void)room;
	return 0;
}

char *xenctrl_log(const struct xenctrl *ctl)
{
	(void)ctl;
	return NULL;
}

#endif
