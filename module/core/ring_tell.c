// SPDX-License-Identifier: GPL-2.0
/* See ring_tell.h. */
#include <hctrace/ring_put.h>
#include <hctrace/ring_tell.h>

struct lost {
	struct perf_event_header header;
	u64 id;
	u64 count;
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT, in perf's words: a process of our own numbers. */
struct task {
	struct perf_event_header header;
	u32 pid;
	u32 ppid;
	u32 tid;
	u32 ptid;
	u64 time;
};

static u32 ids_bytes(const struct hct_out *out)
{
	return out->cfg.with_ids ? sizeof(struct hct_out_ids) : 0;
}

static u32 lost_bytes(const struct hct_out *out)
{
	return sizeof(struct lost) + ids_bytes(out);
}

static bool put_lost(struct hct_out *out, u64 id, u16 pcpu, u64 count)
{
	const struct lost lost = {
		.header = { .type = PERF_RECORD_LOST, .size = lost_bytes(out) },
		.id = id,
		.count = count,
	};
	/* Nobody's; not before any other record, or perf could not sort them. */
	const struct hct_out_ids ids = {
		.pid = XEN_HCTRACE_UNKNOWN,
		.tid = XEN_HCTRACE_TID_UNKNOWN(XEN_HCTRACE_UNKNOWN),
		.time = out->last_ns,
		.cpu = pcpu,
	};

	return hct_out_put(out, &lost, lost.header.size, &ids);
}

/* Gaps in the order in which they came. Return: whether all of them could be told. */
static bool tell_gaps(struct hct_out *out)
{
	u32 told, i;

	for (told = 0; told < out->nr_gaps_due; told++) {
		const u8 gap = out->gaps_due[told];

		if (!put_lost(out, XEN_HCTRACE_LOST_GAP(gap), out->gap_pcpus[gap], 0))
			break;
	}
	out->nr_gaps_due -= told;
	for (i = 0; i < out->nr_gaps_due; i++)
		out->gaps_due[i] = out->gaps_due[told + i];
	return !out->nr_gaps_due;
}

/*
 * Tell what was lost, if there is room for all of it and a sample behind, or half the
 * ring: one that is read in small steps would fill with LOST records alone. Return:
 * whether nothing is left to be told.
 */
static bool tell_losses(struct hct_out *out, u32 sample_bytes)
{
	const u64 due = out->nr_xen_due + out->nr_gaps_due + !!out->lost_due;
	u64 need = due * lost_bytes(out) + sample_bytes;

	if (!due)
		return true;
	if (need > out->size / 2)
		need = out->size / 2;
	if (!hct_out_has_room(out, need))
		return false;
	if (out->lost_due) {
		put_lost(out, XEN_HCTRACE_LOST_RING, out->last_pcpu, out->lost_due);
		out->lost_due = 0;
	}
	while (out->nr_xen_due) {
		u16 pcpu = out->xen_due_pcpus[out->nr_xen_due - 1];

		if (!put_lost(out, XEN_HCTRACE_LOST_XEN(pcpu), pcpu, out->xen_due[pcpu]))
			return false;
		out->xen_due[pcpu] = 0;
		out->nr_xen_due--;
	}
	return tell_gaps(out);
}

static bool put_domain(struct hct_out *out, u16 domid, bool created)
{
	const struct task task = {
		.header = {
			.type = created ? PERF_RECORD_FORK : PERF_RECORD_EXIT,
			.size = sizeof(task) + ids_bytes(out),
		},
		.pid = domid,
		.tid = XEN_HCTRACE_TID_UNKNOWN(domid),
		.time = out->last_ns,
	};
	const struct hct_out_ids ids = {
		.pid = domid,
		.tid = XEN_HCTRACE_TID_UNKNOWN(domid),
		.time = out->last_ns,
		.cpu = out->last_pcpu,
	};

	return hct_out_put(out, &task, task.header.size, &ids);
}

static bool tell_domains(struct hct_out *out)
{
	u32 domid;

	for (domid = 0; out->nr_doms_due && domid < XEN_DOMID_FIRST_RESERVED; domid++) {
		/* Most of a set is empty, and this may be asked for at each call that is lost. */
		if (!out->doms_due[domid / 64])
			domid |= 63;
		if (!hct_set_has(out->doms_due, domid))
			continue;
		if (!put_domain(out, domid, hct_set_has(out->doms_new, domid)))
			return false;
		hct_set_del(out->doms_due, domid);
		out->nr_doms_due--;
	}
	return true;
}

bool hct_out_tell_all(struct hct_out *out, u32 sample_bytes)
{
	return tell_losses(out, sample_bytes) && tell_domains(out);
}
