/* SPDX-License-Identifier: GPL-2.0 */
/* Xen's trace buffers: found, checked and mapped. Called under ctl. */
#ifndef HCT_TBUF_H
#define HCT_TBUF_H

#include <hctrace/pipeline.h>

#include "xen/hypervisor.h"

/**
 * struct hct_tbuf - the mapped buffers
 * @rings: one entry per pCPU that has one
 * @maps: where they are mapped, in the same order
 * @nr: number of rings
 * @pages: pages per ring
 */
struct hct_tbuf {
	struct hct_ring *rings;
	struct hct_map *maps;
	u32 nr;
	u32 pages;
};

/**
 * hct_tbuf_attach() - find, check and map the buffers, and empty them
 * @tbuf: filled in
 * @want_pages: size to ask for if there are none yet
 *
 * Tracing must be off. Return: 0 or an error that has been logged.
 */
int hct_tbuf_attach(struct hct_tbuf *tbuf, u32 want_pages);

/** hct_tbuf_detach() - unmap everything; for a tbuf that was never attached, nothing */
void hct_tbuf_detach(struct hct_tbuf *tbuf);

#endif /* HCT_TBUF_H */
