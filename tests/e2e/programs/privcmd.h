/* SPDX-License-Identifier: GPL-2.0 */
/* Hypercalls from dom0's user space, through /dev/xen/privcmd. Wants _GNU_SOURCE. */
#ifndef E2E_PRIVCMD_H
#define E2E_PRIVCMD_H

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

/* Linux's include/uapi/xen/privcmd.h */
struct privcmd_hypercall {
	uint64_t op;
	uint64_t arg[5];
};

#define IOCTL_PRIVCMD_HYPERCALL _IOC(_IOC_NONE, 'P', 0, sizeof(struct privcmd_hypercall))

/* Xen's public/xen.h */
struct multicall_entry {
	uint64_t op;
	uint64_t result;
	uint64_t args[6];
};

/* With the argument below vm_assist does nothing, and nobody else makes it. */
#define OP_MULTICALL	13
#define OP_VM_ASSIST	21
#define NO_ASSIST	0xffffffff

static inline int privcmd_open(void)
{
	int fd = open("/dev/xen/privcmd", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		err(1, "/dev/xen/privcmd");
	return fd;
}

/* What Xen returned, negative errors included. */
static inline int privcmd_call(int fd, struct privcmd_hypercall *call)
{
	int rc = ioctl(fd, IOCTL_PRIVCMD_HYPERCALL, call);

	return rc < 0 ? -errno : rc;
}

static inline int quiet_call(int fd)
{
	struct privcmd_hypercall call = { .op = OP_VM_ASSIST, .arg = { NO_ASSIST } };

	return privcmd_call(fd, &call);
}

/* The same as the only member of a multicall. Xen reads the list without faulting it in. */
static inline int quiet_member(int fd)
{
	static struct multicall_entry list[1];
	struct privcmd_hypercall call = { .op = OP_MULTICALL, .arg = { (uintptr_t)list, 1 } };

	memset(list, 0, sizeof(list));
	list[0].op = OP_VM_ASSIST;
	list[0].args[0] = NO_ASSIST;
	return privcmd_call(fd, &call);
}

/* Run on this CPU only. A dom0 has a vCPU for each pCPU, so all rings can be filled. */
static inline void move_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %u", cpu);
}

#endif /* E2E_PRIVCMD_H */
