/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader is told besides what it asked for: losses, and domains that come and
 * go. All of it waits until there is room. Between ring.c and ring_tell.c alone.
 */
#ifndef HCTRACE_RING_TELL_H
#define HCTRACE_RING_TELL_H

#include <hctrace/ring.h>

/** struct hct_out_ids - what TID|TIME|CPU adds to a record, in perf's order */
struct hct_out_ids {
	u32 pid;
	u32 tid;
	u64 time;
	u32 cpu;
	u32 res;
};

/** hct_out_has_room() - whether so many bytes can be written */
bool hct_out_has_room(struct hct_out *out, u64 bytes);

/**
 * hct_out_put() - write a record, if there is room
 * @out: the reader
 * @record: begins with perf's header
 * @size: its whole size, that of @ids included if the reader wants them
 * @ids: stand behind it then
 *
 * Return: whether there was.
 */
bool hct_out_put(struct hct_out *out, const void *record, u32 size, const struct hct_out_ids *ids);

/** hct_out_tell_all() - see hct_out_tell() */
bool hct_out_tell_all(struct hct_out *out, u32 sample_bytes);

/**
 * hct_out_tell() - tell what is due, if there is room
 * @out: the reader
 * @sample_bytes: room that must be left behind losses
 *
 * Return: whether nothing is left to be told.
 */
static inline bool hct_out_tell(struct hct_out *out, u32 sample_bytes)
{
	if (!out->lost_due && !out->nr_xen_due && !out->nr_gaps_due && !out->nr_doms_due)
		return true;
	return hct_out_tell_all(out, sample_bytes);
}

#endif /* HCTRACE_RING_TELL_H */
