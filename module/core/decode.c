// SPDX-License-Identifier: GPL-2.0
/*
 * Record decoder; the layout and the rule for op words stand in decode.h.
 */
#include <hctrace/decode.h>
#include <hctrace/shape.h>

/* V2 and SUBCALL: the op word and its tagged arguments. */
static void decode_tagged(const u32 *data, unsigned int n, struct hct_call *call)
{
	unsigned int pos = 1;
	unsigned int i;
	u8 expected;
	u32 tags;

	call->op_word = data[0];
	call->op = data[0] & HCT_OP_MASK;

	/* Most calls have none. */
	for (i = 0, tags = data[0] >> 20; tags; i++, tags >>= 2) {
		unsigned int tag = tags & 3;

		if (!tag)
			continue;
		if (tag == 3) {
			call->flags |= HCT_CALL_BAD_TAG;
			return;
		}
		if (pos + tag > n) {
			call->flags |= HCT_CALL_TRUNCATED;
			return;
		}
		call->args[i] = data[pos];
		if (tag == 2)
			call->args[i] |= (u64)data[pos + 1] << 32;
		call->has_arg |= 1u << i;
		pos += tag;
	}

	expected = hct_shape_of(call->op)->args;
	if (pos < n)
		call->flags |= HCT_CALL_SURPLUS;
	else if (expected && call->has_arg != expected)
		call->flags |= HCT_CALL_ARGS_MISSING;
}

static void decode_v1(const u32 *data, unsigned int n, bool wide, struct hct_record *rec)
{
	unsigned int need = wide ? 3 : 2;

	if (n < need) {
		rec->type = HCT_REC_BAD;
		rec->bad = HCT_BAD_SHORT;
		return;
	}
	rec->type = HCT_REC_CALL;
	rec->call.kind = HCT_KIND_V1;
	rec->call.ip = data[0];
	if (wide)
		rec->call.ip |= (u64)data[1] << 32;
	rec->call.op = data[need - 1];
	rec->call.op_word = data[need - 1];
}

static void decode_pv(const u32 *data, unsigned int n, bool draft, struct hct_record *rec)
{
	u32 sub = (rec->event >> 12) & 0xf;
	u32 minor = rec->event & 0xfff;

	if (rec->event == XEN_TRC_PV_HYPERCALL_V2 || rec->event == XEN_TRC_PV_SUBCALL) {
		if (!n) {
			rec->type = HCT_REC_BAD;
			rec->bad = HCT_BAD_NO_OP;
			return;
		}
		rec->type = HCT_REC_CALL;
		rec->call.kind = rec->event == XEN_TRC_PV_SUBCALL ? HCT_KIND_MEMBER : HCT_KIND_CALL;
		decode_tagged(data, n, &rec->call);
	} else if ((minor & ~0x100u) == 1 && (sub == 1 || sub == 0xf)) {
		decode_v1(data, n, minor & 0x100, rec);
	} else if (rec->event == XEN_TRC_PV_DRAFT && draft) {
		if (!n) {
			rec->type = HCT_REC_BAD;
			rec->bad = HCT_BAD_NO_OP;
			return;
		}
		rec->type = HCT_REC_CALL;
		rec->call.kind = HCT_KIND_DRAFT;
		rec->call.op = data[0];
		rec->call.op_word = data[0];
		if (n > 1) {
			rec->call.args[1] = data[1];
			rec->call.has_arg = 0x02;
		}
	}
}

static struct hct_vcpu_id vcpu_low(u32 word)
{
	return (struct hct_vcpu_id){ .domid = word >> 16, .vcpu = word & 0xffff };
}

static struct hct_vcpu_id vcpu_high(u32 word)
{
	return (struct hct_vcpu_id){ .domid = word & 0xffff, .vcpu = word >> 16 };
}

static struct hct_vcpu_id vcpu_pair(const u32 *words)
{
	return (struct hct_vcpu_id){ .domid = words[0], .vcpu = words[1] };
}

static void decode_sched(const u32 *data, unsigned int n, struct hct_record *rec)
{
	u32 sub = (rec->event >> 12) & 0xf;
	u32 minor = rec->event & 0xfff;
	unsigned int need;

	if ((sub == 1 || sub == 0xf) && (minor & ~0x330u) == 1) {
		rec->type = HCT_REC_RUNSTATE;
		need = 1;
	} else if (rec->event == XEN_TRC_CONTINUE_RUNNING) {
		rec->type = HCT_REC_CONTINUE;
		need = 1;
	} else if (rec->event == XEN_TRC_SCHED_SWITCH) {
		rec->type = HCT_REC_SWITCH;
		need = 4;
	} else if (rec->event == XEN_TRC_SCHED_INFCONT) {
		rec->type = HCT_REC_CONTINUE;
		need = 4;
	} else {
		return;
	}

	if (n < need || (need == 4 && n != 4)) {
		rec->type = HCT_REC_BAD;
		rec->bad = HCT_BAD_SHORT;
		return;
	}

	switch (rec->event) {
	case XEN_TRC_SCHED_SWITCH:
		rec->sw.prev = vcpu_pair(data);
		rec->sw.next = vcpu_pair(data + 2);
		break;
	case XEN_TRC_SCHED_INFCONT:
		rec->run.who = vcpu_pair(data);
		break;
	default:
		rec->run.who = vcpu_low(data[0]);
		rec->run.old = (minor >> 8) & 3;
		rec->run.new = (minor >> 4) & 3;
	}
}

static void decode_gen(const u32 *data, unsigned int n, struct hct_record *rec)
{
	switch (rec->event) {
	case XEN_TRC_WRAP:
		rec->type = HCT_REC_WRAP;
		break;
	case XEN_TRC_LOST_RECORDS:
		if (n != 4) {
			rec->type = HCT_REC_BAD;
			rec->bad = HCT_BAD_LOST;
			break;
		}
		rec->type = HCT_REC_LOST;
		rec->lost.count = data[0];
		rec->lost.who = vcpu_high(data[1]);
		rec->lost.first_tsc = data[2] | (u64)data[3] << 32;
		break;
	case XEN_TRC_CPU_CHANGE:
		if (n != 2) {
			rec->type = HCT_REC_BAD;
			rec->bad = HCT_BAD_SHORT;
			break;
		}
		rec->type = HCT_REC_CPU_CHANGE;
		rec->cpu_change.cpu = data[0];
		rec->cpu_change.window = data[1];
		break;
	}
}

/* DOM_ADD, DOM_REM and VMMCALL: exactly one word each. */
static void decode_single(const u32 *data, unsigned int n, struct hct_record *rec)
{
	if (n != 1) {
		rec->type = HCT_REC_BAD;
		rec->bad = HCT_BAD_SHORT;
		return;
	}

	if (rec->event != XEN_TRC_HVM_VMMCALL) {
		rec->type = rec->event == XEN_TRC_DOM_ADD ? HCT_REC_DOM_ADD : HCT_REC_DOM_REM;
		rec->domid = data[0];
		return;
	}
	rec->type = HCT_REC_CALL;
	rec->call.kind = HCT_KIND_HVM;
	rec->call.op_word = data[0];
	rec->call.op = data[0];
	if (data[0] >> 31)
		rec->call.flags = HCT_CALL_VIRIDIAN;
}

int hct_decode(const u32 *words, unsigned int nr_words, bool draft, struct hct_record *rec)
{
	const u32 *data;
	unsigned int n;

	memset(rec, 0, sizeof(*rec));
	if (!nr_words)
		return -1;

	rec->event = xen_trc_event(words[0]);
	rec->size = 4 * xen_trc_words(words[0]);
	if (rec->size > 4 * nr_words)
		return -1;

	n = xen_trc_extra(words[0]);
	data = words + 1;
	if (xen_trc_has_tsc(words[0])) {
		rec->has_tsc = true;
		rec->tsc = words[1] | (u64)words[2] << 32;
		data += 2;
	}

	switch (rec->event) {
	case XEN_TRC_DOM_ADD:
	case XEN_TRC_DOM_REM:
	case XEN_TRC_HVM_VMMCALL:
		decode_single(data, n, rec);
		return 0;
	}

	switch (rec->event >> 16) {
	case 0x001:
		decode_gen(data, n, rec);
		break;
	case 0x002:
		decode_sched(data, n, rec);
		break;
	case 0x020:
		decode_pv(data, n, draft, rec);
		break;
	}
	return 0;
}
