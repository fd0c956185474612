/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Xen's shared trace memory: t_info, which says where each pCPU's ring lies,
 * and the cursor that walks one ring. Layout and rules: Xen's public/trace.h
 * (struct t_info, struct t_buf) and common/trace.c.
 *
 *   ring:  byte 0 u32 cons | byte 4 u32 prod | byte 8... data, X bytes
 *
 * cons and prod run from 0 to 2X - 1, so that empty (0) differs from full (X);
 * X is no power of two. A record never straddles the end of the data, Xen pads
 * with a WRAP record, but it may straddle pages: the pages are mapped in one
 * virtual range.
 *
 * cons is the only word that a consumer may write, and a wrong one switches
 * tracing off for the whole host or makes Xen overwrite unread records.
 */
#ifndef HCTRACE_TBUF_H
#define HCTRACE_TBUF_H

#include <hctrace/types.h>
#include <hctrace/xen_trace.h>

#define HCT_XEN_PAGE_SIZE	4096u
#define HCT_TINFO_MAX_BYTES	(512u << 10)	/* u16 offsets + u16 pages, in words of 4 bytes */

/* What Xen writes at once at most: padding, a report of losses, padding again, a record. */
#define HCT_RING_MOST_BYTES	(36u + 28 + 36 + 40)

/* Records that are looked at to see whether a place in a ring is where one begins. */
#define HCT_RESYNC_RECORDS	1024

/**
 * struct hct_tinfo - a checked t_info area
 * @base: the mapped area
 * @size: its length in bytes, as Xen reported it
 * @pages: pages in each ring, from the area itself
 * @first: index of the first word behind the offset table
 * @nr_cpus: number of entries in the offset table; ids may be sparse
 */
struct hct_tinfo {
	const void *base;
	u32 size;
	u32 pages;
	u32 first;
	u32 nr_cpus;
};

/**
 * hct_tinfo_check() - check the fixed part of a t_info area
 * @base: mapped area, 4-byte aligned
 * @size: its length in bytes, a multiple of the page size
 * @ti: filled in
 *
 * Return: NULL if the area is sound, else in a few words what is wrong.
 */
const char *hct_tinfo_check(const void *base, u32 size, struct hct_tinfo *ti);

/**
 * hct_tinfo_mfns() - the frames of one pCPU's ring
 * @ti: a checked area
 * @cpu: Xen's CPU id, below @ti->nr_cpus
 * @mfns: room for @ti->pages frame numbers
 *
 * Return: 1 if the ring exists, 0 if this pCPU has none (it was not online when
 * Xen allocated the buffers), -1 if its entry points outside the area.
 */
int hct_tinfo_mfns(const struct hct_tinfo *ti, u32 cpu, u32 *mfns);

/**
 * enum hct_ring_fault - why a ring cannot be read on from where we are
 * @HCT_RING_OK: it can
 * @HCT_RING_BAD_INDEX: cons or prod unaligned, out of range or too far apart
 * @HCT_RING_FOREIGN_CONS: somebody else moved cons
 * @HCT_RING_BAD_RECORD: a record runs past prod or past the end of the data
 */
enum hct_ring_fault {
	HCT_RING_OK,
	HCT_RING_BAD_INDEX,
	HCT_RING_FOREIGN_CONS,
	HCT_RING_BAD_RECORD,
};

/**
 * struct hct_cursor - our place in one ring
 * @ring: the mapped ring, virtually contiguous
 * @data_size: X, bytes of data
 * @cons: index of the next record, 0 to 2X - 1; may be ahead of the shared one
 * @published: the value last stored to the shared cons
 * @pos: bytes consumed or passed over since hct_cursor_attach(), free running
 * @end: what @pos will be when the last snapshot is consumed
 * @full_at: where Xen stood when there last may have been no room for a record
 */
struct hct_cursor {
	void *ring;
	u32 data_size;
	u32 cons;
	u32 published;
	u64 pos;
	u64 end;
	u64 full_at;
};

/**
 * hct_ring_used() - bytes between cons and prod, checked
 * @cons: consumer index
 * @prod: producer index
 * @data_size: X
 * @used: filled in, 0 to X
 *
 * Return: whether both indices are possible.
 */
bool hct_ring_used(u32 cons, u32 prod, u32 data_size, u32 *used);

/**
 * hct_cursor_attach() - start reading a ring at its end
 * @cur: initialised here
 * @ring: mapped ring
 * @pages: its length in pages, at least 1
 *
 * Sets the shared cons to prod: what is in the ring was recorded for another
 * reader. Only to be called while Xen does not write. Return: %HCT_RING_OK; else
 * nothing was written, and hct_cursor_resync() may help later.
 */
enum hct_ring_fault hct_cursor_attach(struct hct_cursor *cur, void *ring, u32 pages);

/**
 * hct_cursor_snapshot() - see how far Xen has written
 * @cur: the cursor
 *
 * Reads both shared indices once and moves @cur->end. Return: %HCT_RING_OK,
 * %HCT_RING_BAD_INDEX or %HCT_RING_FOREIGN_CONS, then nothing has moved.
 */
enum hct_ring_fault hct_cursor_snapshot(struct hct_cursor *cur);

/**
 * hct_cursor_peek() - copy the next record out without consuming it
 * @cur: the cursor
 * @words: room for XEN_TRC_MAX_WORDS words
 *
 * Return: number of words, 0 at the end of the snapshot, -1 if what is there
 * cannot be a record (%HCT_RING_BAD_RECORD).
 */
int hct_cursor_peek(const struct hct_cursor *cur, u32 *words);

/**
 * hct_cursor_skip() - consume a record returned by hct_cursor_peek()
 * @cur: the cursor
 * @nr_words: its length
 */
void hct_cursor_skip(struct hct_cursor *cur, unsigned int nr_words);

/**
 * hct_cursor_publish() - tell Xen that everything up to here may be overwritten
 * @cur: the cursor
 *
 * Stores cons only where the value still stands that we left there, which is looked
 * at in the same instant. Return: %HCT_RING_OK; %HCT_RING_FOREIGN_CONS with nothing
 * written.
 */
enum hct_ring_fault hct_cursor_publish(struct hct_cursor *cur);

/**
 * hct_cursor_resync() - go on after a fault
 * @cur: the cursor
 * @skipped: filled in: bytes that were passed over, as far as that can be told
 *
 * At the cons that somebody else has set, if that lies between our place and prod and
 * a record begins there: he has let Xen overwrite what lies before. Else at prod.
 * Tried once, so that whoever moves cons all the time cannot keep us here. Return:
 * %HCT_RING_OK; %HCT_RING_BAD_INDEX while prod is impossible and
 * %HCT_RING_FOREIGN_CONS if cons moved meanwhile, with nothing written.
 */
enum hct_ring_fault hct_cursor_resync(struct hct_cursor *cur, u32 *skipped);

/** hct_cursor_prod() - where Xen stands, as it says itself: to be compared and no more */
u32 hct_cursor_prod(const struct hct_cursor *cur);

/** hct_cursor_is_full() - whether Xen may have no room for a record now */
bool hct_cursor_is_full(const struct hct_cursor *cur);

/**
 * hct_cursor_may_have_lost() - whether Xen may have lost records that no record tells of
 * @cur: the cursor; tracing is off
 *
 * Xen reports losses ahead of the next record that fits, and forgets them when tracing
 * is switched off. So there may have been some if no record came since the ring was
 * so full that one may not have fitted.
 */
bool hct_cursor_may_have_lost(const struct hct_cursor *cur);

#endif /* HCTRACE_TBUF_H */
