/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader is told besides what it asked for: losses, and domains that come and
 * go. All of it waits until there is room. For ring.c alone.
 */
#ifndef HCTRACE_RING_TELL_H
#define HCTRACE_RING_TELL_H

#include <hctrace/ring.h>

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
