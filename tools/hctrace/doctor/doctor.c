// SPDX-License-Identifier: GPL-2.0
/* hctrace doctor: why does it not work here, and what to type next. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/options.h"
#include "doctor.h"
#include "live/domnames.h"
#include "live/host.h"
#include "live/statusfile.h"
#include "load.h"
#include "look.h"
#include "say.h"
#include "xen.h"

#define CONTROL		HOST_DEBUGFS "/control"
#define PARAMETER	"/sys/module/" MODULE "/parameters/control"
#define FEATURE_DOM0	0x800	/* XENFEAT_dom0 in Xen's features.h */
#define NAMES_WAIT_MS	500
#define MODPROBE_CONF	"/etc/modprobe.d/xen-hctrace.conf"

static bool check_xen(void)
{
	if (doctor_file_has("/sys/hypervisor/type", "xen")) {
		doctor_ok("this runs under Xen");
		return true;
	}
	doctor_trouble("this does not run under Xen",
		       "There is no hypervisor here whose calls could be traced.",
		       "apt-get install xen-system-amd64 && reboot   into Xen");
	return false;
}

/* xenfs may not be mounted; sysfs has the same as a bit. */
static bool is_dom0(void)
{
	char *features;
	bool dom0;

	if (host_exists("/proc/xen/capabilities"))
		return doctor_file_has("/proc/xen/capabilities", "control_d");
	features = host_read("/sys/hypervisor/properties/features", NULL);
	dom0 = features && strtoul(features, NULL, 16) & FEATURE_DOM0;
	free(features);
	return dom0;
}

static bool check_dom0(void)
{
	if (is_dom0()) {
		doctor_ok("this is the dom0");
		return true;
	}
	doctor_trouble("this is a guest, not the dom0",
		       "Only the dom0 may read Xen's trace buffers, and it sees all guests.",
		       "ssh HOST hctrace doctor   on the host of this guest");
	return false;
}

static bool is_root(void)
{
	char *text;
	bool root;

	if (!getenv("HCTRACE_ROOT"))
		return !geteuid();
	text = host_read("/euid", NULL);
	root = !text || !atoi(text);
	free(text);
	return root;
}

static bool check_root(void)
{
	if (is_root())
		return true;
	doctor_trouble("you are not root", "The figures are for root alone.",
		       "sudo hctrace doctor");
	return false;
}

static bool check_loaded(void)
{
	if (doctor_file_has("/proc/modules", MODULE " ")) {
		doctor_ok("the module is loaded");
		return true;
	}
	doctor_explain_load();
	return false;
}

static bool check_debugfs(void)
{
	if (doctor_file_has("/proc/mounts", " /sys/kernel/debug "))
		return true;
	if (doctor_file_has("/proc/cmdline", "debugfs=off"))
		doctor_trouble("debugfs is switched off",
			       "The kernel's command line has debugfs=off.",
			       "editor /etc/default/grub && update-grub && reboot");
	else
		doctor_trouble("debugfs is not mounted", "The module shows its figures there.",
			       "mount -t debugfs none /sys/kernel/debug");
	return false;
}

static bool check_status(struct status *status)
{
	char lockdown[32];
	char err[200];

	errno = 0;
	if (status_read(status, err, sizeof(err))) {
		doctor_ok("its figures can be read");
		return true;
	}
	if (status->text)
		doctor_trouble("the module and this tool do not fit", err,
			       "modinfo -F version " MODULE "   and install both of one version");
	else if (errno == EPERM)
		doctor_trouble("the kernel's lockdown keeps us out", err,
			       "cat /sys/kernel/security/lockdown   (it is %s)",
			       doctor_lockdown(lockdown, sizeof(lockdown)));
	else if (errno == EACCES)
		doctor_trouble("you may not read the figures", err, "sudo hctrace doctor");
	else
		doctor_trouble("the module's files are not there", err,
			       "rmmod " MODULE " && modprobe " MODULE);
	return false;
}

/* What to type to make the module do @verb. */
static void control_next(const char *what, const char *why, const char *verb)
{
	char lockdown[32];

	/* Lockdown forbids to write to debugfs. */
	doctor_trouble(what, why, "echo %s >%s", verb,
		       strcmp(doctor_lockdown(lockdown, sizeof(lockdown)), "none") ? PARAMETER :
										     CONTROL);
}

/* It traces, but for a pause that the breaker has made. */
static void check_breaker(const struct status *status)
{
	const char *who = status_value(status, "paused_for");
	const char *left = status_value(status, "pause_left_ms");
	char why[160], how_long[32] = "until it is gone";

	if (left && strcmp(left, "until_gone"))
		scnprintf(how_long, sizeof(how_long), "for another %llu s",
			  strtoull(left, NULL, 10) / 1000);
	scnprintf(why, sizeof(why),
		  "%s made malformed hypercalls, each a warning in Xen's log. It stays off %s.",
		  who && strcmp(who, "d?") ? who : "Some domain", how_long);
	control_next("the breaker has switched tracing off", why, "breaker off");
}

static void check_tracing(const struct status *status)
{
	const char *state = status_value(status, "state");
	const char *error = status_value(status, "last_error");
	char comm[32];
	int pid;

	if (state && !strcmp(state, "tracing")) {
		doctor_ok("it traces, Xen %s, %s dom0, profile %s", status_value(status, "xen"),
			  status_value(status, "dom0"), status_value(status, "profile"));
		return;
	}
	if (state && !strcmp(state, "paused")) {
		check_breaker(status);
		return;
	}
	pid = doctor_find_consumer(comm, sizeof(comm));
	if (state && !strcmp(state, "waiting")) {
		if (pid)
			doctor_trouble("somebody waits, and another program has the trace buffers",
				       "A reader or tracepoint wants events; it gets them once that ends.",
				       "kill %d   (it is %s)", pid, comm);
		else
			control_next("somebody waits for events that cannot be had",
				     status_value(status, "waiting") ?: "The kernel log says why.",
				     "start");
		return;
	}
	if (pid)
		doctor_trouble("tracing is stopped, and another program has the trace buffers",
			       "Xen has one set of them for one consumer at a time.",
			       "kill %d && echo start >" CONTROL "   (it is %s)", pid, comm);
	else
		control_next("tracing is stopped", error && strcmp(error, "none") ? error :
			     "Somebody stopped it, or it was loaded with autostart=0.", "start");
}

/* Whether a line of status names pCPUs. */
static bool is_list(const char *value)
{
	return value && isdigit((unsigned char)*value);
}

static void check_rings(const struct status *status)
{
	u64 rings = status_number(status, "pcpus_with_ring");
	u64 online = status_number(status, "pcpus_online");
	u64 resyncs = status_number(status, "resyncs");
	const char *silent = status_value(status, "pcpus_silent");
	const char *ringless = status_value(status, "pcpus_no_ring");
	const char *selftest = status_value(status, "selftest");
	char why[160];

	if (!rings)
		return;
	if (status->bad_rings)
		doctor_trouble("some rings cannot be read",
			       "Their indices or records are impossible; the others go on.",
			       "rmmod " MODULE " && modprobe " MODULE);
	if (resyncs) {
		scnprintf(why, sizeof(why),
			  "%llu times another program moved their cons, or wrote to them: only one may read them.",
			  resyncs);
		doctor_trouble("rings were disturbed, and what was in them was passed over", why,
			       "dmesg | grep " MODULE "   says which; then end it and echo reset >"
			       CONTROL);
	}
	if (is_list(silent)) {
		scnprintf(why, sizeof(why),
			  "They were offline, and Xen has forgotten their trace buffers: pCPU %s.",
			  silent);
		doctor_trouble("some pCPUs are silent", why,
			       "reboot   and take no pCPU offline");
	}
	if (is_list(ringless) || rings < online)
		doctor_trouble("some pCPUs are not traced",
			       "They came online after Xen had made its trace buffers.",
			       "reboot   with all pCPUs online (%llu of %llu are traced)", rings,
			       online);
	if (selftest && strstr(selftest, "FAILED"))
		doctor_trouble("a call of our own was not recorded",
			       "Xen traces, but not what it was asked to.",
			       "dmesg | grep " MODULE);
}

static void check_attribution(const struct status *status)
{
	const char *attribution = status_value(status, "attribution");
	const char *gran = status_value(status, "sched_gran");

	if (!attribution || !strcmp(attribution, "ok"))
		return;
	if (gran && strcmp(gran, "cpu"))
		doctor_trouble("which domain calls cannot be told for certain",
			       "With this granularity Xen does not record who runs.",
			       "editor /etc/default/grub   sched-gran=%s must go", gran);
	else
		doctor_trouble("which domain calls cannot be told for certain",
			       "Records of who runs where have contradicted each other.",
			       "echo reset >" CONTROL "   and look again (it is %s)", attribution);
}

static void check_losses(const struct status *status)
{
	const char *coverage = status_value(status, "coverage");
	u64 lost = status_number(status, "lost");
	char why[160];

	if (!lost)
		return;
	scnprintf(why, sizeof(why),
		  "%s of the records arrived, %llu did not. Buffers of %llu pages a pCPU stay until a reboot.",
		  coverage ? coverage : "?", lost, status_number(status, "tbuf_pages"));
	doctor_trouble("records were lost", why,
		       "echo options " MODULE " tbuf_pages=%llu >" MODPROBE_CONF " && reboot",
		       4 * status_number(status, "tbuf_pages"));
}

static void note_rest(const struct status *status)
{
	struct domnames *names = domnames_start();
	struct dom_id dom0 = { .domid = 0, .generation = 1 };
	u64 malformed = status_number(status, "malformed");
	u64 changes = status_number(status, "mask_changes");
	u64 found_off = status_number(status, "found_off");

	if (malformed)
		doctor_note("%llu calls were malformed: a guest's doing", malformed);
	if (found_off)
		doctor_note("tracing was found switched off %llu times, and switched on again",
			    found_off);
	if (changes)
		doctor_note("another program changed Xen's event mask %llu times; it was set back",
			    changes);
	domnames_wait(names, NAMES_WAIT_MS);
	if (*domnames_of(names, &dom0)->name)
		doctor_ok("xenstore tells the names of domains");
	else
		doctor_note("domains have no names: no libxenstore, or no answer from xenstored");
	domnames_stop(names);
}

static const char doc[] =
	"Says why hypercalls cannot be traced here, or not well, and what to type next.\n\n"
	"  hctrace doctor\n"
	"\vThe exit status is 0 only if all is well.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == ARGP_KEY_ARG)
		argp_error(state, "it takes no arguments");
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = { NULL, parse, NULL, doc, NULL, NULL, NULL };

int verb_doctor(int argc, char **argv)
{
	struct status status = { 0 };

	options_parse(&argp, "doctor", argc, argv, 0, NULL);
	if (check_xen() && check_dom0() && check_root() && check_loaded() && check_debugfs() &&
	    check_status(&status)) {
		check_tracing(&status);
		check_rings(&status);
		check_attribution(&status);
		check_losses(&status);
		note_rest(&status);
		doctor_note_xen();
	}
	status_free(&status);
	if (doctor_troubles())
		return EXIT_TROUBLE;
	printf("All is well.\n");
	return 0;
}
