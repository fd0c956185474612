/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seam: all that the module asks of the hypervisor. Linked with the rest of this
 * folder it is Xen; a test build links a stand-in and runs on a machine without Xen.
 *
 * Everything here is called in process context, by one caller at a time.
 */
#ifndef HCT_HYPERVISOR_H
#define HCT_HYPERVISOR_H

#include <linux/types.h>

/**
 * struct hct_hyp - what we run on
 * @major: Xen's version
 * @minor: Xen's version
 * @extra: what follows in Xen's version, such as ".5"
 * @sysctl_version: the version of the sysctl interface it answers to
 * @pv: whether dom0 is a PV domain, else it is PVH
 * @nr_pcpus: physical CPUs online in Xen
 * @nr_pcpu_ids: numbers of physical CPUs are below this
 * @sched_gran: the scheduler's granularity, as Xen's command line has it
 */
struct hct_hyp {
	u32 major;
	u32 minor;
	char extra[16];
	u32 sysctl_version;
	bool pv;
	u32 nr_pcpus;
	u32 nr_pcpu_ids;
	char sched_gran[16];
};

/**
 * struct hct_tbuf_info - state of Xen's trace buffers
 * @evt_mask: events that are traced
 * @tinfo_mfn: first frame of t_info, 0 if there are no buffers
 * @tinfo_bytes: length of t_info
 */
struct hct_tbuf_info {
	u32 evt_mask;
	u64 tinfo_mfn;
	u32 tinfo_bytes;
};

/**
 * struct hct_hyp_domain - what tells a domain from the next one with its id
 * @handle: its UUID, from whoever made it; all 0: not known
 * @cpu_ns: for how long its vCPUs have run, which only grows; 0: not known
 */
struct hct_hyp_domain {
	u8 handle[16];
	u64 cpu_ns;
};

/**
 * struct hct_map - frames of the hypervisor mapped into the kernel
 * @va: where, virtually contiguous
 * @nr: number of frames
 * @pages: pages that lend their place in the physical map (auto-translated
 *	dom0), or one page that held the place of all (PV)
 */
struct hct_map {
	void *va;
	u32 nr;
	struct page **pages;
};

/**
 * hct_hyp_init() - find out whether and how the hypervisor can be asked
 * @hyp: filled in
 * @sysctl_version: use this version of the interface; 0: probe
 *
 * Harmless: nothing is changed in Xen. Return: 0; -ENODEV if this is not the
 * initial domain of a Xen host; -EACCES if no known version is answered or a
 * policy forbids it; -EOPNOTSUPP if Xen is built without trace buffers; -EPERM.
 */
int hct_hyp_init(struct hct_hyp *hyp, u32 sysctl_version);

/* The sub-operations of XEN_SYSCTL_tbuf_op. Return: 0 or Xen's error. */
int hct_hyp_get_info(struct hct_tbuf_info *info);
int hct_hyp_set_evt_mask(u32 mask);
int hct_hyp_set_all_cpus(void);
int hct_hyp_set_size(u32 pages);
int hct_hyp_enable(void);

/**
 * hct_hyp_disable() - nothing is traced any more
 *
 * Forgets how many records were lost since the last one. Asks first whether there
 * are buffers, and touches nothing if not: then nothing is traced.
 * Return: 0 or Xen's error.
 */
int hct_hyp_disable(void);

/**
 * hct_hyp_cpu_idle() - for how long each physical CPU was idle
 * @idle_ns: filled in, by Xen's CPU id: since it first came up; 0: it is offline
 * @max: entries of @idle_ns
 * @nr: filled in: how many there are
 *
 * Return: 0 or Xen's error.
 */
int hct_hyp_cpu_idle(u64 *idle_ns, u32 max, u32 *nr);

/**
 * hct_hyp_domain() - look at a domain
 * @domid: its id
 * @domain: filled in
 *
 * Return: 0; -ESRCH if there is none that could make a call; or Xen's error.
 */
int hct_hyp_domain(u16 domid, struct hct_hyp_domain *domain);

/**
 * hct_hyp_mark() - make a harmless call that can be found in the trace
 * @cookie: from 8192 on, no vCPU number of anybody's
 *
 * A multicall of one vcpu_op(is_up, @cookie): the member is recorded with its
 * arguments for PV and PVH domains alike. Return: 0, or why there was no such call.
 */
int hct_hyp_mark(u32 cookie);

/** hct_hyp_tsc() - the time stamp counter as this domain reads it, in order with what is around */
u64 hct_hyp_tsc(void);

/** hct_hyp_tsc_khz() - its rate, as the kernel believes; 0: the kernel does not know */
u32 hct_hyp_tsc_khz(void);

/**
 * hct_hyp_map() - map frames that belong to the hypervisor
 * @map: filled in
 * @mfns: the frames
 * @nr: how many, at least 1
 * @writable: false for t_info: Xen refuses a writable mapping (PV) or would
 *	suffer from a stray write to it (PVH)
 *
 * Return: 0, -ENOMEM or Xen's error; then nothing is left behind.
 */
int hct_hyp_map(struct hct_map *map, const u32 *mfns, u32 nr, bool writable);

/** hct_hyp_unmap() - undo hct_hyp_map(); does nothing on an empty map */
void hct_hyp_unmap(struct hct_map *map);

/**
 * hct_hyp_claim() - become the consumer of the trace buffers
 * @wake: called from hard interrupt context when a ring gets half full
 *
 * Return: 0; -EBUSY if another consumer holds the buffers, which is left alone.
 */
int hct_hyp_claim(void (*wake)(void));

/** hct_hyp_release() - let others have the buffers; @wake is not called any more */
void hct_hyp_release(void);

#endif /* HCT_HYPERVISOR_H */
