// SPDX-License-Identifier: GPL-2.0
/*
 * XEN_SYSCTL_tbuf_op from the kernel. Linux has no wrapper for sysctl and no
 * copy of its structures: the two that are needed stand here (Xen's
 * public/sysctl.h; neither has changed since 4.2).
 *
 * The interface version covers all of sysctl and is checked before anything
 * else, so a get_info with the wrong version has no effect but -EACCES.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/xen/hypercall.h>
#include <xen/interface/version.h>
#include <xen/interface/xen.h>
#include <xen/xen.h>

#include <hctrace/types.h>

#include "hypervisor.h"

#define XEN_SYSCTL_TBUF_OP	2
#define XEN_SYSCTL_PHYSINFO	3
#define XEN_SYSCTL_GETCPUINFO	8
#define XEN_SYSCTL_GETDOMAININFOLIST	6

enum tbuf_cmd {
	TBUF_GET_INFO,
	TBUF_SET_CPU_MASK,
	TBUF_SET_EVT_MASK,
	TBUF_SET_SIZE,
	TBUF_ENABLE,
	TBUF_DISABLE,
};

/* struct xen_sysctl_tbuf_op */
struct tbuf_op {
	u32 cmd;
	u32 pad0;
	u64 cpu_bitmap;		/* guest virtual address */
	u32 cpu_nr_bits;
	u32 pad1;
	u32 evt_mask;
	u32 pad2;
	u64 buffer_mfn;
	u32 size;		/* in: pages per ring; out: bytes of t_info */
	u32 pad3;
};

/* struct xen_sysctl_physinfo, as far as it is the same everywhere */
struct physinfo {
	u32 threads_per_core;
	u32 cores_per_socket;
	u32 nr_cpus;
	u32 max_cpu_id;
};

/* struct xen_sysctl_getdomaininfolist */
struct getdomaininfolist {
	u16 first_domain;
	u16 pad0;
	u32 max_domains;
	u64 buffer;		/* guest virtual address */
	u32 num_domains;	/* OUT */
	u32 pad1;
};

/*
 * struct xen_domctl_getdomaininfo, as far as it is the same in all versions of the
 * interface from 4.3 to SYSCTL_VERSION_KNOWN; its end differs, and its length.
 */
struct getdomaininfo {
	u16 domain;
	u16 pad0;
	u32 flags;
	u64 pages[5];
	u64 shared_info_frame;
	u64 cpu_time;
	u32 nr_online_vcpus;
	u32 max_vcpu_id;
	u32 ssidref;
	u8 handle[16];
};

#define XEN_DOMINF_DYING	0x1u

/* More than any Xen's structure has: it copies all of its own. */
#define DOMAININFO_MAX_BYTES	1024

/* struct xen_sysctl_getcpuinfo; each entry is one number of 64 bits, the idle time */
struct cpuinfo {
	u32 max_cpus;
	u32 pad0;
	u64 info;		/* guest virtual address */
	u32 nr_cpus;
	u32 pad1;
};

/* struct xen_sysctl: Xen copies all of it in, and all of it back */
struct sysctl {
	u32 cmd;
	u32 interface_version;
	union {
		struct tbuf_op tbuf;
		struct physinfo phys;
		struct cpuinfo cpus;
		struct getdomaininfolist list;
		u8 pad[128];
	} u;
};

static_assert(sizeof(struct tbuf_op) == 48);
static_assert(offsetof(struct tbuf_op, evt_mask) == 24);
static_assert(offsetof(struct tbuf_op, buffer_mfn) == 32);
static_assert(sizeof(struct getdomaininfolist) == 24);
static_assert(offsetof(struct getdomaininfo, cpu_time) == 56);
static_assert(offsetof(struct getdomaininfo, handle) == 76);
static_assert(offsetof(struct cpuinfo, info) == 8);
static_assert(offsetof(struct cpuinfo, nr_cpus) == 16);
static_assert(sizeof(struct sysctl) == 136);

/* Not in Linux's copy of public/version.h */
#define XENVER_COMMANDLINE	9
#define XEN_COMMANDLINE_SIZE	1024

/* More bits than any Xen has CPUs; it ignores those beyond its own. */
#define CPU_MASK_BITS		4096

/* Version per release; sparse on purpose, most did not change it. */
#define SYSCTL_VERSION_MIN	0x09	/* 4.2 */
#define SYSCTL_VERSION_KNOWN	0x16	/* 4.21, 4.22 */
#define SYSCTL_VERSION_MAX	0x20

static u32 interface_version;

static int do_sysctl(struct sysctl *op)
{
	op->interface_version = interface_version;
	return xen_single_call(__HYPERVISOR_sysctl, (unsigned long)op, 0, 0, 0, 0);
}

/* @in is copied, and filled with the answer. */
static int tbuf_op(struct tbuf_op *in)
{
	struct sysctl *op = kzalloc(sizeof(*op), GFP_KERNEL);
	int rc;

	if (!op)
		return -ENOMEM;
	op->cmd = XEN_SYSCTL_TBUF_OP;
	op->u.tbuf = *in;
	rc = do_sysctl(op);
	*in = op->u.tbuf;
	kfree(op);
	return rc;
}

static int tbuf_cmd(enum tbuf_cmd cmd)
{
	struct tbuf_op op = { .cmd = cmd };

	return tbuf_op(&op);
}

int hct_hyp_get_info(struct hct_tbuf_info *info)
{
	struct tbuf_op op = { .cmd = TBUF_GET_INFO };
	int rc = tbuf_op(&op);

	if (rc)
		return rc;
	info->evt_mask = op.evt_mask;
	info->tinfo_mfn = op.buffer_mfn;
	info->tinfo_bytes = op.size;
	return 0;
}

int hct_hyp_set_evt_mask(u32 mask)
{
	struct tbuf_op op = { .cmd = TBUF_SET_EVT_MASK, .evt_mask = mask };

	return tbuf_op(&op);
}

int hct_hyp_set_all_cpus(void)
{
	struct tbuf_op op = { .cmd = TBUF_SET_CPU_MASK, .cpu_nr_bits = CPU_MASK_BITS };
	void *bitmap = kmalloc(CPU_MASK_BITS / 8, GFP_KERNEL);
	int rc;

	if (!bitmap)
		return -ENOMEM;
	memset(bitmap, 0xff, CPU_MASK_BITS / 8);
	op.cpu_bitmap = (unsigned long)bitmap;
	rc = tbuf_op(&op);
	kfree(bitmap);
	return rc;
}

int hct_hyp_set_size(u32 pages)
{
	struct tbuf_op op = { .cmd = TBUF_SET_SIZE, .size = pages };

	return tbuf_op(&op);
}

int hct_hyp_enable(void)
{
	return tbuf_cmd(TBUF_ENABLE);
}

/*
 * Xen takes each pCPU's ring lock for it, whether or not there are rings. Until
 * they are allocated nobody has initialised those locks (xen/common/trace.c, all
 * releases), and a hypervisor with assertions dies of that.
 */
int hct_hyp_disable(void)
{
	struct hct_tbuf_info info;
	int rc = hct_hyp_get_info(&info);

	if (rc || !info.tinfo_mfn)
		return rc;
	return tbuf_cmd(TBUF_DISABLE);
}

/* The list from @domid on, of one: another one, or none, if that does not exist. */
static int get_domain(u16 domid, struct getdomaininfo *info)
{
	struct sysctl *op = kzalloc(sizeof(*op), GFP_KERNEL);
	void *buffer = kzalloc(DOMAININFO_MAX_BYTES, GFP_KERNEL);
	int rc = -ENOMEM;

	if (!op || !buffer)
		goto out;
	op->cmd = XEN_SYSCTL_GETDOMAININFOLIST;
	op->u.list.first_domain = domid;
	op->u.list.max_domains = 1;
	op->u.list.buffer = (unsigned long)buffer;
	rc = do_sysctl(op);
	if (!rc && !op->u.list.num_domains)
		rc = -ESRCH;
	memcpy(info, buffer, sizeof(*info));
out:
	kfree(buffer);
	kfree(op);
	return rc;
}

int hct_hyp_domain(u16 domid, struct hct_hyp_domain *domain)
{
	struct getdomaininfo info;
	int rc = get_domain(domid, &info);

	memset(domain, 0, sizeof(*domain));
	if (rc)
		return rc;
	if (info.domain != domid || info.flags & XEN_DOMINF_DYING)
		return -ESRCH;
	/* A newer Xen may have other things there. */
	if (interface_version <= SYSCTL_VERSION_KNOWN) {
		domain->cpu_ns = info.cpu_time;
		memcpy(domain->handle, info.handle, sizeof(domain->handle));
	}
	return 0;
}

static int try_version(u32 version)
{
	interface_version = version;
	return tbuf_cmd(TBUF_GET_INFO);
}

/* The version most likely spoken by a Xen release: saves wrong guesses only. */
static u32 guess_version(u32 major, u32 minor)
{
	if (major != 4 || minor > 20)
		return SYSCTL_VERSION_KNOWN;
	if (minor >= 17)
		return 0x15;
	if (minor == 16)
		return 0x14;
	return 0x13;
}

static int probe_version(u32 guess)
{
	int rc = try_version(guess);
	u32 v;

	for (v = SYSCTL_VERSION_KNOWN; rc == -EACCES && v >= SYSCTL_VERSION_MIN; v--)
		rc = try_version(v);
	for (v = SYSCTL_VERSION_KNOWN + 1; rc == -EACCES && v <= SYSCTL_VERSION_MAX; v++)
		rc = try_version(v);
	return rc;
}

/* Zeros if Xen does not say. */
static int count_pcpus(struct hct_hyp *hyp)
{
	struct sysctl *op = kzalloc(sizeof(*op), GFP_KERNEL);

	if (!op)
		return -ENOMEM;
	op->cmd = XEN_SYSCTL_PHYSINFO;
	if (!do_sysctl(op)) {
		hyp->nr_pcpus = op->u.phys.nr_cpus;
		hyp->nr_pcpu_ids = op->u.phys.max_cpu_id + 1;
	}
	kfree(op);
	return 0;
}

int hct_hyp_cpu_idle(u64 *idle_ns, u32 max, u32 *nr)
{
	struct sysctl *op = kzalloc(sizeof(*op), GFP_KERNEL);
	int rc;

	if (!op)
		return -ENOMEM;
	op->cmd = XEN_SYSCTL_GETCPUINFO;
	op->u.cpus.max_cpus = max;
	op->u.cpus.info = (unsigned long)idle_ns;
	rc = do_sysctl(op);
	*nr = min(op->u.cpus.nr_cpus, max);
	kfree(op);
	return rc;
}

/* What the administrator asked for; Xen itself is not asked. */
static int read_sched_gran(char *gran, size_t size)
{
	static const char key[] = "sched-gran=";
	char *line = kzalloc(XEN_COMMANDLINE_SIZE + 1, GFP_KERNEL);
	const char *value;

	if (!line)
		return -ENOMEM;
	strscpy(gran, "cpu", size);
	if (!HYPERVISOR_xen_version(XENVER_COMMANDLINE, line)) {
		value = strstr(line, key);
		if (value) {
			value += strlen(key);
			scnprintf(gran, size, "%.*s", (int)strcspn(value, " "), value);
		}
	}
	kfree(line);
	return 0;
}

int hct_hyp_init(struct hct_hyp *hyp, u32 sysctl_version)
{
	int version;
	int rc;

	memset(hyp, 0, sizeof(*hyp));
	if (!xen_domain() || !xen_initial_domain())
		return -ENODEV;

	version = HYPERVISOR_xen_version(XENVER_version, NULL);
	hyp->major = version >> 16;
	hyp->minor = version & 0xffff;
	if (HYPERVISOR_xen_version(XENVER_extraversion, hyp->extra))
		hyp->extra[0] = '\0';
	hyp->extra[sizeof(hyp->extra) - 1] = '\0';
	hyp->pv = xen_pv_domain();

	rc = sysctl_version ? try_version(sysctl_version) :
			      probe_version(guess_version(hyp->major, hyp->minor));
	if (rc == -ENOSYS)
		return -EOPNOTSUPP;
	if (rc)
		return rc;
	hyp->sysctl_version = interface_version;
	rc = count_pcpus(hyp);
	if (!rc)
		rc = read_sched_gran(hyp->sched_gran, sizeof(hyp->sched_gran));
	return rc;
}
