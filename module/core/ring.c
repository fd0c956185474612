// SPDX-License-Identifier: GPL-2.0
/*
 * A reader's output; see ring.h. The drain writes, the reader's process reads, and
 * neither waits for the other:
 *
 *   drain                                  reader
 *
 *   A load data_tail, acquire  <--------.  a load data_head, acquire
 *     if there is room: write the data   \   read the data before it
 *   B store data_head, release --> a      `- b store data_tail, release
 *   C store ready_head, release --> c
 *     wake                                 c poll(): load ready_head, acquire
 *   D store page, release --> d            d poll(): load page, acquire
 *
 * A with b: what the reader has not read yet is not written over. B with a: what
 * data_head covers has been written. C with c: whoever is told that there are data
 * finds them in data_head. D with d: whoever finds the ring finds its size.
 */
#include <hctrace/ring.h>
#include <hctrace/ring_put.h>
#include <hctrace/ring_tell.h>
#include <hctrace/shared_mem.h>

/* A sample of raw mode before its words: perf's header, the size, our payload's own. */
#define RAW_PREFIX_BYTES \
	(sizeof(struct perf_event_header) + sizeof(u32) + sizeof(struct xen_hctrace_raw))

static void heard_of(struct hct_out *out, u64 ns, u16 pcpu)
{
	if (ns > out->last_ns)
		out->last_ns = ns;
	out->last_pcpu = pcpu;
}

/* The RAW part of a call: its size, the sample, four bytes to make a multiple of eight. */
#define CALL_RAW_BYTES	(sizeof(u32) + sizeof(struct xen_hctrace_sample) + 4)

u32 hct_out_call_bytes(const struct hct_out_config *cfg)
{
	u32 ids = cfg->with_ids ? sizeof(struct hct_out_ids) : 0;

	return sizeof(struct perf_event_header) + ids + CALL_RAW_BYTES;
}

static u32 call_bytes(const struct hct_out *out)
{
	return hct_out_call_bytes(&out->cfg);
}

static void ring_lose(struct hct_out *out)
{
	out->count.lost++;
	/* A reader that is behind may as well begin. */
	if (!out->lost_due++)
		hct_out_make_ready(out);
}

static bool take_wake(struct hct_out *out)
{
	bool wake = out->wake;

	out->wake = false;
	if (wake)
		out->count.wakeups++;
	return wake;
}

static u64 put_call_ids(struct hct_out *out, u64 at, const struct xen_hctrace_call *call)
{
	const bool known = call->domid != XEN_HCTRACE_UNKNOWN && call->vcpu != XEN_HCTRACE_UNKNOWN;
	const struct hct_out_ids ids = {
		.pid = call->domid,
		.tid = known ? XEN_HCTRACE_TID(call->domid, call->vcpu) :
			XEN_HCTRACE_TID_UNKNOWN(call->domid),
		.time = call->ns,
		.cpu = call->pcpu,
	};

	return hct_out_write(out, at, &ids, sizeof(ids));
}

static void put_call(struct hct_out *out, const struct xen_hctrace_call *call)
{
	const struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_HYPERVISOR,
		.size = call_bytes(out),
	};
	const struct xen_hctrace_sample sample = {
		.common_type = out->cfg.common_type,
		.call = *call,
	};
	u32 raw[CALL_RAW_BYTES / 4] = { CALL_RAW_BYTES - sizeof(u32) };
	u64 at = hct_out_write(out, out->head, &header, sizeof(header));

	if (out->cfg.with_ids)
		at = put_call_ids(out, at, call);
	memcpy(&raw[1], &sample, sizeof(sample));
	hct_out_write(out, at, raw, sizeof(raw));
	hct_out_advance(out, header.size,
			call->flags & XEN_HCTRACE_F_NO_NS ? HCT_OUT_NOT_KNOWN_NS : call->ns);
	out->count.written++;
	if (call->flags & XEN_HCTRACE_F_LATE)
		out->count.late++;
}

static bool is_paused(const struct hct_out *out)
{
	return out->paused || !out->page;
}

bool hct_out_call(struct hct_out *out, const struct xen_hctrace_call *call)
{
	if (!out->enabled || out->cfg.raw_mask || !hct_filter_call(&out->cfg.filter, call))
		return false;
	out->count.matched++;
	heard_of(out, call->flags & XEN_HCTRACE_F_NO_NS ? 0 : call->ns, call->pcpu);
	if (is_paused(out)) {
		out->count.paused++;
		return false;
	}
	if (hct_out_tell(out, call_bytes(out)) && hct_out_has_room(out, call_bytes(out)))
		put_call(out, call);
	else
		ring_lose(out);
	return take_wake(out);
}

/* Length of a sample of raw mode with so many bytes of words. */
static u32 raw_sample_bytes(u32 bytes)
{
	return (RAW_PREFIX_BYTES + bytes + 7) & ~7u;
}

/* End the open sample, if there is one: its words are in place, its begin is not. */
static void close_sample(struct hct_out *out)
{
	const u32 bytes = raw_sample_bytes(out->raw_bytes);
	const struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_HYPERVISOR,
		.size = bytes,
	};
	const u32 prefix[] = {
		bytes - sizeof(header) - sizeof(u32), out->raw_pcpu, out->raw_bytes,
	};
	const u32 pad = 0;
	u64 at;

	if (!out->raw_bytes)
		return;
	at = hct_out_write(out, out->head, &header, sizeof(header));
	at = hct_out_write(out, at, prefix, sizeof(prefix)) + out->raw_bytes;
	hct_out_write(out, at, &pad, out->head + bytes - at);
	out->raw_bytes = 0;
	hct_out_advance(out, bytes, HCT_OUT_NOT_KNOWN_NS);
}

static void put_record(struct hct_out *out, u16 pcpu, const u32 *words, u32 bytes)
{
	if (pcpu != out->raw_pcpu || out->raw_bytes + bytes > out->raw_max_bytes)
		close_sample(out);
	/* No sample is open while a loss or gap is to be told. */
	if ((!out->raw_bytes && !hct_out_tell(out, call_bytes(out))) ||
	    !hct_out_has_room(out, raw_sample_bytes(out->raw_bytes + bytes))) {
		close_sample(out);
		ring_lose(out);
		return;
	}
	hct_out_write(out, out->head + RAW_PREFIX_BYTES + out->raw_bytes, words, bytes);
	out->raw_pcpu = pcpu;
	out->raw_bytes += bytes;
	out->count.written++;
}

bool hct_out_record(struct hct_out *out, u16 pcpu, const u32 *words, unsigned int nr_words)
{
	if (!out->enabled || !out->cfg.raw_mask ||
	    !hct_filter_raw(out->cfg.raw_mask, xen_trc_event(words[0])) ||
	    !hct_filter_pcpu(&out->cfg.filter, pcpu))
		return false;
	out->count.matched++;
	if (is_paused(out)) {
		out->count.paused++;
		return false;
	}
	put_record(out, pcpu, words, 4 * nr_words);
	return take_wake(out);
}

/* A gap is due, once for each reason. */
static bool note_gap(struct hct_out *out, const struct hct_loss_event *loss)
{
	const bool everywhere = loss->at.pcpu == XEN_HCTRACE_UNKNOWN;
	u32 i;

	if (!out->enabled || loss->gap >= HCT_NR_GAPS ||
	    (!everywhere && !hct_filter_pcpu(&out->cfg.filter, loss->at.pcpu)))
		return false;
	close_sample(out);
	heard_of(out, loss->at.ns, everywhere ? out->last_pcpu : loss->at.pcpu);
	out->gap_pcpus[loss->gap] = out->last_pcpu;
	for (i = 0; i < out->nr_gaps_due; i++) {
		if (out->gaps_due[i] == loss->gap)
			return take_wake(out);
	}
	out->gaps_due[out->nr_gaps_due++] = loss->gap;
	return take_wake(out);
}

bool hct_out_loss(struct hct_out *out, const struct hct_loss_event *loss)
{
	u16 pcpu = loss->at.pcpu;

	if (loss->gap)
		return note_gap(out, loss);
	if (!out->enabled || loss->before || !loss->count ||
	    !hct_filter_pcpu(&out->cfg.filter, pcpu))
		return false;
	close_sample(out);
	heard_of(out, loss->at.ns, pcpu);
	out->count.xen_lost += loss->count;
	if (pcpu >= out->cfg.nr_pcpus)
		pcpu = out->cfg.nr_pcpus - 1;
	if (!out->xen_due[pcpu])
		out->xen_due_pcpus[out->nr_xen_due++] = pcpu;
	out->xen_due[pcpu] += loss->count;
	return take_wake(out);
}

bool hct_out_domain(struct hct_out *out, const struct hct_domain_event *domain)
{
	u16 domid = domain->domid;

	if (!out->enabled || !out->doms_due || domid >= XEN_DOMID_FIRST_RESERVED ||
	    (out->cfg.filter.domains && !hct_set_has(out->cfg.filter.domains, domid)))
		return false;
	heard_of(out, domain->at.ns, domain->at.pcpu);
	out->nr_doms_due += !hct_set_has(out->doms_due, domid);
	hct_set_add(out->doms_due, domid);
	if (domain->created)
		hct_set_add(out->doms_new, domid);
	else
		hct_set_del(out->doms_new, domid);
	if (!is_paused(out))
		hct_out_tell(out, call_bytes(out));
	return take_wake(out);
}

/* Make readable what is too old, unless the reader has taken it already. */
static void mind_latency(struct hct_out *out, u64 now_ns)
{
	if (out->ready_head == out->head)
		return;
	hct_out_load_tail(out);
	if (out->tail == out->head) {
		hct_out_set_ready(out);
		return;
	}
	/* Not known, or a clock that is ahead */
	if (out->oldest_ns > now_ns)
		out->oldest_ns = now_ns;
	if (now_ns - out->oldest_ns >= out->cfg.max_latency_ns)
		hct_out_make_ready(out);
}

bool hct_out_flush(struct hct_out *out, u64 now_ns)
{
	if (!out->page)
		return false;
	close_sample(out);
	if (!out->paused)
		hct_out_tell(out, call_bytes(out));
	hct_out_publish(out);
	mind_latency(out, now_ns);
	return take_wake(out);
}

u64 hct_out_due_ns(const struct hct_out *out)
{
	if (out->ready_head == out->head || out->oldest_ns == HCT_OUT_NOT_KNOWN_NS)
		return HCT_OUT_NOT_KNOWN_NS;
	return out->oldest_ns + out->cfg.max_latency_ns;
}

bool hct_out_readable(const struct hct_out *out)
{
	const struct perf_event_mmap_page *page = hct_shared_load_acquire(&out->page);	/* d */
	u64 ready;

	if (!page)
		return false;
	ready = hct_shared_load_acquire(&out->ready_head);		/* c */
	/* 1 to size; a reader may be ahead of what it would have been woken for. */
	return ready - hct_shared_load(&page->data_tail) - 1 < out->size;
}

static bool wants_domains(const struct hct_out_config *cfg)
{
	return cfg->with_domains && !cfg->raw_mask;
}

static u32 nr_pcpus(const struct hct_out_config *cfg)
{
	if (!cfg->nr_pcpus || cfg->nr_pcpus > HCT_OUT_MAX_PCPUS)
		return HCT_OUT_MAX_PCPUS;
	return cfg->nr_pcpus;
}

/* Sets of domains, counts and, last, numbers of pCPUs. */
size_t hct_out_due_bytes(const struct hct_out_config *cfg)
{
	return (wants_domains(cfg) ? 2 * HCT_SET_WORDS * sizeof(u64) : 0) +
	       nr_pcpus(cfg) * (sizeof(u64) + sizeof(u16));
}

void hct_out_init(struct hct_out *out, const struct hct_out_config *cfg, bool enabled, void *due)
{
	u64 *words = due;

	memset(out, 0, sizeof(*out));
	memset(due, 0, hct_out_due_bytes(cfg));
	out->cfg = *cfg;
	out->cfg.nr_pcpus = nr_pcpus(cfg);
	out->cfg.with_domains = wants_domains(cfg);
	if (out->cfg.raw_mask)
		out->cfg.with_ids = false;
	out->enabled = enabled;
	if (out->cfg.with_domains) {
		out->doms_due = words;
		out->doms_new = words + HCT_SET_WORDS;
		words += 2 * HCT_SET_WORDS;
	}
	out->xen_due = words;
	out->xen_due_pcpus = (u16 *)(words + out->cfg.nr_pcpus);
}

void hct_out_map(struct hct_out *out, struct perf_event_mmap_page *page, u32 nr_pages)
{
	u64 size = (u64)nr_pages * HCT_OUT_PAGE_BYTES;

	out->data = (u8 *)page + HCT_OUT_PAGE_BYTES;
	out->size = size;
	out->head = 0;
	out->tail = 0;
	out->published = 0;
	hct_shared_store(&out->ready_head, 0);
	out->watermark = out->cfg.watermark_bytes;
	if (!out->watermark)
		out->watermark = size / 4;
	if (out->watermark > size / 2)
		out->watermark = size / 2;
	/* So that a sample is closed, and can be read, well before the ring is full. */
	out->raw_max_bytes = size / 4 < XEN_HCTRACE_RAW_MAX_BYTES ? size / 4 :
		XEN_HCTRACE_RAW_MAX_BYTES;

	/* As perf_event_init_userpage() does: no capability, and how far the page is known. */
	page->cap_bit0_is_deprecated = 1;
	page->size = offsetof(struct perf_event_mmap_page, __reserved);
	page->data_offset = HCT_OUT_PAGE_BYTES;
	page->data_size = size;
	hct_shared_store_release(&out->page, page);			/* D */
}

void hct_out_unmap(struct hct_out *out)
{
	close_sample(out);
	hct_shared_store(&out->page, NULL);
	out->head = 0;
	hct_shared_store(&out->ready_head, 0);
	out->wake = false;
}

void hct_out_enable(struct hct_out *out, bool enabled)
{
	out->enabled = enabled;
}

void hct_out_pause(struct hct_out *out, bool paused)
{
	close_sample(out);
	out->paused = paused;
}

void hct_out_reset(struct hct_out *out)
{
	memset(&out->count, 0, sizeof(out->count));
}
