// SPDX-License-Identifier: GPL-2.0
/* Why the module is not loaded: the kernel's log says it, or there is none to load. */
#include <stdlib.h>
#include <sys/klog.h>

#include "base/text.h"
#include "live/host.h"
#include "load.h"
#include "look.h"
#include "say.h"

#define KLOG_READ_ALL		3
#define KLOG_SIZE		10

/**
 * struct reason - a line of the kernel's log
 * @text: what it has
 * @what: what that means
 * @why: in more words
 * @next: what to type
 */
struct reason {
	const char *text;
	const char *what;
	const char *why;
	const char *next;
};

/* The module's own lines are those of xen-hctrace(4), the others the module loader's. */
static const struct reason reasons[] = {
	{ "this is not the dom0 of a Xen host", "this is not the dom0 of a Xen host",
	  "The module asked Xen, whatever /sys says.", "xl info" },
	{ "is built without trace buffers", "this Xen has no trace buffers",
	  "The hypervisor was built without CONFIG_TRACEBUFFER.",
	  "xl info | grep -E 'xen_(version|compile)'   and install a hypervisor with that option" },
	{ "refuses every known version of its sysctl interface", "Xen refuses to be asked",
	  "This Xen is newer than the module, or a FLASK policy does not allow tbufcontrol.",
	  "modprobe " MODULE " sysctl_version=0x17   and on with 0x18 and so forth" },
	{ "refuses to tell of its trace buffers", "Xen refuses to tell of its trace buffers",
	  "A policy of the host keeps this domain from sysctl.", "xl dmesg | tail" },
	{ "could not allocate trace buffers", "Xen has no memory for trace buffers",
	  "Xen allocates them once, of the size that is asked for first.",
	  "modprobe " MODULE " tbuf_pages=8" },
	{ "description of its trace buffers makes no sense", "Xen's trace buffers make no sense",
	  "What Xen says of them contradicts itself: please report it with the lines below.",
	  "dmesg | grep " MODULE },
	{ "parameter ", "a parameter of the module is wrong",
	  "The kernel's log names it and what it takes.", "dmesg | grep " MODULE " | tail -n 1" },
	{ "version magic", "the module was built for another kernel",
	  "It has to be built again for the kernel that runs now.", "dkms autoinstall" },
	{ "disagrees about version of symbol", "the module was built for another kernel",
	  "It has to be built again for the kernel that runs now.", "dkms autoinstall" },
	{ "unsigned module loading is restricted", "lockdown keeps unsigned modules out",
	  "Secure boot locks the kernel down, and the module has no signature.",
	  "mokutil --import /var/lib/dkms/mok.pub   then reboot and enrol the key" },
	{ "of unsigned module is rejected", "the module's signature is missing",
	  "This kernel loads signed modules only.",
	  "mokutil --import /var/lib/dkms/mok.pub   then reboot and enrol the key" },
	{ "with unavailable key is rejected", "the module's signature was rejected",
	  "It is signed with a key that this machine does not know.",
	  "mokutil --import /var/lib/dkms/mok.pub   then reboot and enrol the key" },
	{ "key was rejected by service", "the module's signature was rejected",
	  "It is signed with a key that this machine does not know.",
	  "mokutil --import /var/lib/dkms/mok.pub   then reboot and enrol the key" },
};

/* The kernel's log, to be freed. */
static char *read_log(void)
{
	char *text;
	int size;
	int len;

	if (getenv("HCTRACE_ROOT"))
		return host_read("/kernel.log", NULL);
	size = klogctl(KLOG_SIZE, NULL, 0);
	if (size <= 0)
		return NULL;
	text = malloc(size + 1);
	if (!text)
		return NULL;
	len = klogctl(KLOG_READ_ALL, text, size);
	text[len > 0 ? len : 0] = '\0';
	return text;
}

/* Whether a line is about loading our module. The signature's lines name none. */
static bool is_ours(const char *line)
{
	return strstr(line, MODULE) || strstr(line, "is rejected") ||
	       strstr(line, "unsigned module loading is restricted");
}

static void drop_stamp(char *line)
{
	char *text = strstr(line, "] ");

	if ((*line == '<' || *line == '[') && text)
		memmove(line, text + 2, strlen(text + 2) + 1);
}

/* The last line about us, into @last. */
static void last_line(char *last, size_t size)
{
	char *text = read_log();
	char *rest = text;
	char *line;

	last[0] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		/* Taints are said at each load, good or bad. */
		if (is_ours(line) && !strstr(line, "taint"))
			scnprintf(last, size, "%s", line);
	}
	free(text);
	drop_stamp(last);
}

static bool explain_busy(const char *line)
{
	char comm[32];
	int pid;

	if (!strstr(line, "another program holds Xen's trace buffers"))
		return false;
	pid = doctor_find_consumer(comm, sizeof(comm));
	if (pid)
		doctor_trouble("another program holds the trace buffers",
			       "Xen has one set of them for one consumer at a time.",
			       "kill %d && modprobe " MODULE "   (it is %s)", pid, comm);
	else
		doctor_trouble("the module is not loaded",
			       "Another program held the trace buffers last time; none runs now.",
			       "modprobe " MODULE);
	return true;
}

static bool explain_log(void)
{
	char *escaped;
	char line[300];
	size_t i;

	last_line(line, sizeof(line));
	if (explain_busy(line))
		return true;
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!strstr(line, reasons[i].text))
			continue;
		doctor_trouble(reasons[i].what, reasons[i].why, "%s", reasons[i].next);
		escaped = text_escaped(line, TEXT_TERMINAL, "");
		doctor_note("the kernel said: %s", escaped ? escaped : reasons[i].text);
		free(escaped);
		return true;
	}
	return false;
}

static void explain_missing(const char *release)
{
	char path[200];

	scnprintf(path, sizeof(path), "/lib/modules/%s/build", release);
	if (!host_exists(path))
		doctor_trouble("the module is not built for this kernel",
			       "The headers it is built with are not there either.",
			       "apt-get install linux-headers-%s && dkms autoinstall", release);
	else
		doctor_trouble("the module is not built for this kernel",
			       "There is no " MODULE ".ko below /lib/modules for it.",
			       "dkms autoinstall   or, in the sources: make install && depmod");
}

void doctor_explain_load(void)
{
	char *release;
	char path[200];

	if (explain_log())
		return;
	release = host_read("/proc/sys/kernel/osrelease", NULL);
	if (release)
		release[strcspn(release, "\n")] = '\0';
	scnprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", release ? release : "");
	if (release && !doctor_file_has(path, MODULE ".ko"))
		explain_missing(release);
	else
		doctor_trouble("the module is not loaded", "It is there and fits this kernel.",
			       "modprobe " MODULE);
	free(release);
}
