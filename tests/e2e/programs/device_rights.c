// SPDX-License-Identifier: GPL-2.0
/* Who may open the device: the mode of the file and CAP_PERFMON decide. */
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "device.h"

#define TRACER	1234	/* uid and gid, of nobody */

static int privcmd;

/* Keep these capabilities and no others. */
static void set_capabilities(uint64_t caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	if (syscall(SYS_capset, &header, data))
		err(1, "capset");
}

static void become(unsigned int id, uint64_t caps)
{
	if (id && (setgroups(0, NULL) || setgid(id) || prctl(PR_SET_KEEPCAPS, 1) || setuid(id)))
		err(1, "uid %u", id);
	set_capabilities(caps);
}

/* In a child: what open says to whoever we have become, and if it works, so does the rest. */
static int try_open(void)
{
	int fd = open(XEN_HCTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	struct ring ring;

	if (fd < 0)
		return errno;
	close(fd);
	direct_open(&ring, 8);
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "who can open it can read");
	is(direct_read(&ring), 10, "found");
	ring_close(&ring);
	return 0;
}

static void opens(unsigned int id, uint64_t caps, int wanted, const char *what)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		become(id, caps);
		_exit(try_open());
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		errx(1, "the child did not end as it should");
	is_error(WEXITSTATUS(status), wanted, "%s", what);
}

int main(void)
{
	const uint64_t perfmon = 1ull << CAP_PERFMON;
	struct stat stat_buf;

	tap_begin();
	privcmd = privcmd_open();
	if (stat(XEN_HCTRACE_DEVICE, &stat_buf))
		err(1, XEN_HCTRACE_DEVICE);
	is(stat_buf.st_mode & 07777, 0600, "mode");
	is(stat_buf.st_uid + stat_buf.st_gid, 0, "owner and group");

	opens(0, ~0ull >> (63 - CAP_LAST_CAP), 0, "root");
	opens(0, perfmon, 0, "root with CAP_PERFMON alone");
	opens(0, 1ull << CAP_SYS_ADMIN, 0, "root with CAP_SYS_ADMIN alone");
	opens(0, 0, EPERM, "root without capabilities");
	opens(TRACER, 0, EACCES, "another user, mode 0600");
	opens(TRACER, perfmon, EACCES, "another user with CAP_PERFMON, mode 0600");

	/* What a udev rule for a group of tracers does */
	if (chown(XEN_HCTRACE_DEVICE, 0, TRACER) || chmod(XEN_HCTRACE_DEVICE, 0660))
		err(1, XEN_HCTRACE_DEVICE);
	opens(TRACER, 0, EPERM, "a member of its group, mode 0660");
	opens(TRACER, perfmon, 0, "a member of its group with CAP_PERFMON, mode 0660");
	opens(TRACER + 1, perfmon, EACCES, "no member of its group with CAP_PERFMON");
	if (chown(XEN_HCTRACE_DEVICE, 0, 0) || chmod(XEN_HCTRACE_DEVICE, 0600))
		err(1, XEN_HCTRACE_DEVICE);
	return 0;
}
