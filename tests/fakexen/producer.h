/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Xen's side of the trace buffers in user space: rings that are filled in the
 * way of Xen's common/trace.c, and the t_info area that points at them. Byte for
 * byte what the hypervisor writes, losses and padding included, so that the
 * consumer can be tested against it, from another thread if need be.
 */
#ifndef FAKEXEN_PRODUCER_H
#define FAKEXEN_PRODUCER_H

#include <hctrace/decode.h>
#include <hctrace/tbuf.h>

#define FX_STALE	0xcc	/* what fresh ring memory is full of */

/**
 * struct fx_ring - one pCPU's ring and what Xen keeps about it
 * @mem: the shared pages
 * @mirror: the same as Xen left it, to see whether somebody else wrote there
 * @pages: length of @mem in pages
 * @data_size: X, bytes of data
 * @current_vcpu: who runs on this pCPU: LOST_RECORDS names him
 * @lost: records lost since the last report
 * @first_lost_tsc: TSC of the first of them
 * @off: an index was found impossible, and tracing went off
 * @virqs: times the fill crossed one half from below
 * @written_records: records in the ring since the start, padding and reports included
 * @written_bytes: their bytes
 * @refused: records lost since the start, reported or not
 */
struct fx_ring {
	u32 *mem;
	u32 *mirror;
	u32 pages;
	u32 data_size;
	struct hct_vcpu_id current_vcpu;
	u32 lost;
	u64 first_lost_tsc;
	bool off;
	u64 virqs;
	u64 written_records;
	u64 written_bytes;
	u64 refused;
};

/** fx_ring_init() - a ring of @pages pages whose first record will stand at index @at */
void fx_ring_init(struct fx_ring *ring, u32 pages, u32 at);

/** fx_ring_free() - give its memory back */
void fx_ring_free(struct fx_ring *ring);

/** fx_ring_cons() - the shared consumer index */
u32 fx_ring_cons(const struct fx_ring *ring);

/** fx_ring_prod() - the shared producer index */
u32 fx_ring_prod(const struct fx_ring *ring);

/** fx_ring_used() - bytes between them, as Xen computes it */
u32 fx_ring_used(const struct fx_ring *ring);

/** fx_ring_data() - the data area as bytes, behind the two indices */
const u8 *fx_ring_data(const struct fx_ring *ring);

/** fx_ring_untouched() - whether nothing but cons was written by anyone but Xen */
bool fx_ring_untouched(const struct fx_ring *ring);

/** fx_ring_poke() - overwrite a word of the ring, as a broken hypervisor would */
void fx_ring_poke(struct fx_ring *ring, u32 index, u32 value);

/**
 * fx_trace() - write a record
 * @ring: the ring of the pCPU where it happens
 * @event: 28-bit event id
 * @with_tsc: whether the record has a time stamp
 * @tsc: the time, used for reports of losses in any case
 * @extra: the payload
 * @nr_extra: its words, 0 to 7
 *
 * Return: whether it is in the ring; if not it is lost.
 */
bool fx_trace(struct fx_ring *ring, u32 event, bool with_tsc, u64 tsc, const u32 *extra,
	      unsigned int nr_extra);

/**
 * struct fx_tinfo - a t_info area
 * @area: its memory, of exactly @bytes bytes
 * @bytes: length as get_info reports it, a multiple of 4096
 * @pages: pages per ring, perhaps fewer than asked for
 */
struct fx_tinfo {
	void *area;
	u32 bytes;
	u32 pages;
};

/**
 * fx_tinfo_init() - lay out t_info
 * @ti: filled in
 * @nr_cpus_max: how many CPUs this Xen was built for
 * @nr_cpu_ids: one more than the highest possible CPU id
 * @online: bit n: CPU n is online; CPUs from 64 on are online if CPU 0 is
 * @pages: pages per ring asked for
 */
void fx_tinfo_init(struct fx_tinfo *ti, u32 nr_cpus_max, u32 nr_cpu_ids, u64 online, u32 pages);

/** fx_tinfo_free() - give its memory back */
void fx_tinfo_free(struct fx_tinfo *ti);

/** fx_tinfo_mfn() - frame of page @page of the ring of @cpu; no two follow each other */
u32 fx_tinfo_mfn(u32 cpu, u32 page);

#endif /* FAKEXEN_PRODUCER_H */
