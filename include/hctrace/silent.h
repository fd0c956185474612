/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pCPUs whose calls leave no records. Xen forgets the trace buffer of a pCPU that goes
 * offline, and one that comes online after the buffers were made never gets one; records
 * are then dropped and not even counted as lost. t_info keeps pointing at the dead ring.
 *
 * What tells is the time that the pCPU was idle (XEN_SYSCTL_getcpuinfo), beside its ring:
 *
 *   idle time 0                        it is offline now
 *   grows by less than time passed     somebody ran. If it was idle in that time as well,
 *                                      or offline before it, there was a switch, which is
 *                                      a record: without one the ring is dead
 *
 * A pCPU on which one vCPU runs all the time need not switch, and says nothing. Source:
 * Xen's common/sysctl.c, get_cpu_idle_time(), common/trace.c, cpu_callback().
 */
#ifndef HCTRACE_SILENT_H
#define HCTRACE_SILENT_H

#include <hctrace/types.h>

/* So far figures taken one after the other may be off, and clocks differ: 1 in 64 more. */
#define HCT_IDLE_SLACK_NS	50000000ull

/* Looks in a row without a record; one may have come too early. */
#define HCT_SILENT_LOOKS	2

/**
 * enum hct_pcpu_state - what is known of a pCPU
 * @HCT_PCPU_OK: nothing is wrong with it
 * @HCT_PCPU_OFFLINE: it is not there
 * @HCT_PCPU_SILENT: somebody ran there and its ring has no record of it
 * @HCT_PCPU_NO_RING: it is online and has no ring
 */
enum hct_pcpu_state {
	HCT_PCPU_OK,
	HCT_PCPU_OFFLINE,
	HCT_PCPU_SILENT,
	HCT_PCPU_NO_RING,
};

/**
 * struct hct_pcpu_look - a look at one pCPU
 * @before_ns: our clock before Xen was asked
 * @after_ns: and after
 * @idle_ns: for how long it was idle since it first came up, 0: it is offline
 * @has_ring: it has one
 * @is_full: Xen may have had no room in it for a record
 * @prod_before: its prod before Xen was asked
 * @prod_after: and after
 */
struct hct_pcpu_look {
	u64 before_ns;
	u64 after_ns;
	u64 idle_ns;
	bool has_ring;
	bool is_full;
	u32 prod_before;
	u32 prod_after;
};

/**
 * struct hct_pcpu - what is remembered of a pCPU
 * @state: &enum hct_pcpu_state
 * @is_watched: there was a look, and its figures follow
 * @was_offline: it was, and no record came since
 * @looks: looks since without a record
 * @prod: the ring's prod before that look
 * @since_ns: our clock after that look
 * @idle_ns: idle time at that look
 */
struct hct_pcpu {
	u8 state;
	bool is_watched;
	bool was_offline;
	u32 looks;
	u32 prod;
	u64 since_ns;
	u64 idle_ns;
};

/**
 * hct_pcpu_look() - learn from a look
 * @pcpu: zeroed at first
 * @look: what was seen
 *
 * Looks are some tenths of a second apart, with the scheduler's records in the event mask
 * and pCPUs scheduled one by one. Return: whether the state is another one than before.
 */
bool hct_pcpu_look(struct hct_pcpu *pcpu, const struct hct_pcpu_look *look);

/** hct_pcpu_forget_look() - nothing can be said of the time up to the next look */
void hct_pcpu_forget_look(struct hct_pcpu *pcpu);

#endif /* HCTRACE_SILENT_H */
