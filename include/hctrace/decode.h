/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the words of one trace record to what it says. A pure function of its
 * input: no state, no globals, nothing read beyond the words given.
 *
 * The record of a hypercall (V2), and of a call inside a multicall (SUBCALL):
 *
 *   word     0        1        2         3            4...
 *        +--------+--------+---------+------------+----------------+
 *        | header | TSC lo | TSC hi  | op word    | arguments      |
 *        +--------+--------+---------+------------+----------------+
 *
 *   op word  31  29  27  25  23  21  19                          0
 *           +---+---+---+---+---+---+-----------------------------+
 *           |A5 |A4 |A3 |A2 |A1 |A0 | hypercall number            |
 *           +---+---+---+---+---+---+-----------------------------+
 *
 * Each two-bit tag says how argument i is present: 0 not, 1 as one word, 2 as
 * two words (low first), 3 reserved. Source: Xen's __trace_hypercall() in
 * arch/x86/pv or common/trace.c.
 *
 * The number comes straight from a guest register since Xen 4.17, and from
 * guest memory in a multicall at all times, so a guest can make it look like
 * tags with no words behind them. It can never make Xen append words that the
 * tags of a real call do not promise. Hence the rule: tags and word count must
 * agree, else the whole op word is a bogus number and belongs to no op.
 */
#ifndef HCTRACE_DECODE_H
#define HCTRACE_DECODE_H

#include <hctrace/types.h>
#include <hctrace/xen_trace.h>

#define HCT_OP_MASK		0x000fffffu
#define HCT_NR_ARGS		6

/**
 * enum hct_rec_type - what a record is to us
 * @HCT_REC_SKIP: no concern of ours, skipped by its size
 * @HCT_REC_WRAP: padding at the end of a ring; its payload is stale memory
 * @HCT_REC_BAD: an event we know, with a payload that cannot be right
 * @HCT_REC_CALL: a hypercall record of any kind, see &enum hct_kind
 * @HCT_REC_RUNSTATE: a vCPU changes its runstate
 * @HCT_REC_CONTINUE: the scheduler lets the running vCPU go on
 * @HCT_REC_SWITCH: the scheduler switches from one vCPU to another
 * @HCT_REC_LOST: Xen lost records and names the vCPU running now
 * @HCT_REC_DOM_ADD: a domain was created
 * @HCT_REC_DOM_REM: a domain was destroyed
 * @HCT_REC_CPU_CHANGE: file marker of xentrace, not in live rings
 */
enum hct_rec_type {
	HCT_REC_SKIP,
	HCT_REC_WRAP,
	HCT_REC_BAD,
	HCT_REC_CALL,
	HCT_REC_RUNSTATE,
	HCT_REC_CONTINUE,
	HCT_REC_SWITCH,
	HCT_REC_LOST,
	HCT_REC_DOM_ADD,
	HCT_REC_DOM_REM,
	HCT_REC_CPU_CHANGE,
};

/**
 * enum hct_kind - how a hypercall came to be recorded
 * @HCT_KIND_CALL: PV_HYPERCALL_V2, a PV guest's own call
 * @HCT_KIND_MEMBER: PV_SUBCALL, a call inside a multicall, of any guest type
 * @HCT_KIND_HVM: HVM_VMMCALL, an HVM or PVH guest's own call
 * @HCT_KIND_V1: the format of Xen up to 4.2, with the guest's instruction pointer
 * @HCT_KIND_DRAFT: the format of the first public patch
 * @HCT_NR_KINDS: number of kinds
 */
enum hct_kind {
	HCT_KIND_CALL,
	HCT_KIND_MEMBER,
	HCT_KIND_HVM,
	HCT_KIND_V1,
	HCT_KIND_DRAFT,
	HCT_NR_KINDS,
};

/**
 * enum hct_bad - why a record is undecodable
 * @HCT_BAD_NONE: it is not
 * @HCT_BAD_SHORT: fewer words than the event must have
 * @HCT_BAD_NO_OP: a hypercall record without its op word
 * @HCT_BAD_LOST: LOST_RECORDS with other than four words
 */
enum hct_bad {
	HCT_BAD_NONE,
	HCT_BAD_SHORT,
	HCT_BAD_NO_OP,
	HCT_BAD_LOST,
};

/* Findings about a hypercall record. */
#define HCT_CALL_BAD_TAG	0x01u	/* malformed: a tag has the reserved value 3 */
#define HCT_CALL_TRUNCATED	0x02u	/* malformed: tags promise words that are not there */
#define HCT_CALL_SURPLUS	0x04u	/* more words than tags: a future format, op is good */
#define HCT_CALL_ARGS_MISSING	0x08u	/* an op that is recorded with arguments came without */
#define HCT_CALL_VIRIDIAN	0x10u	/* a VMMCALL to Hyper-V's interface, not Xen's */
#define HCT_CALL_MALFORMED	(HCT_CALL_BAD_TAG | HCT_CALL_TRUNCATED)

/**
 * struct hct_call - a decoded hypercall record
 * @kind: &enum hct_kind
 * @flags: HCT_CALL_*; with HCT_CALL_MALFORMED set, @op and @args mean nothing
 * @has_arg: bit i set if argument i was recorded
 * @op_word: word 0 of the payload as it came
 * @op: hypercall number, guest controlled: 0 to 0xfffff (32 bits for VMMCALL, v1, draft)
 * @args: the recorded arguments (Xen only ever records A0 to A2, in 32 bits);
 *        a draft record's count is argument 1
 * @ip: v1 only: the guest's instruction pointer
 */
struct hct_call {
	u8 kind;
	u8 flags;
	u8 has_arg;
	u32 op_word;
	u32 op;
	u64 args[HCT_NR_ARGS];
	u64 ip;
};

/**
 * struct hct_vcpu_id - a domain's vCPU as records name it
 * @domid: domain id; 0x7fff is Xen's idle domain
 * @vcpu: vCPU number (of the idle domain: the pCPU)
 */
struct hct_vcpu_id {
	u16 domid;
	u16 vcpu;
};

/** hct_vcpu_is_same() - whether two records name the same vCPU */
static inline bool hct_vcpu_is_same(const struct hct_vcpu_id *a, const struct hct_vcpu_id *b)
{
	return a->domid == b->domid && a->vcpu == b->vcpu;
}

/**
 * struct hct_record - a decoded trace record
 * @type: &enum hct_rec_type, selects the member of the union
 * @bad: &enum hct_bad, for %HCT_REC_BAD
 * @has_tsc: whether the record has a time stamp of its own
 * @size: bytes, 4 to 40
 * @event: 28-bit event id
 * @tsc: raw host TSC of the pCPU, if @has_tsc
 */
struct hct_record {
	u8 type;
	u8 bad;
	bool has_tsc;
	u8 size;
	u32 event;
	u64 tsc;
	union {
		struct hct_call call;
		struct {
			struct hct_vcpu_id who;
			u8 old;
			u8 new;
		} run;		/* RUNSTATE; CONTINUE and INFCONT use who only */
		struct {
			struct hct_vcpu_id prev;
			struct hct_vcpu_id next;
		} sw;
		struct {
			struct hct_vcpu_id who;
			u32 count;
			u64 first_tsc;
		} lost;
		u16 domid;	/* DOM_ADD, DOM_REM */
		struct {
			u32 cpu;
			u32 window;	/* bytes */
		} cpu_change;
	};
};

/**
 * hct_event_is_noise() - whether no record of an event is ever more than %HCT_REC_SKIP
 * @event: 28-bit event id
 *
 * A quick look for what is the greater part of some recordings. Return: false, too,
 * for some events that are skipped all the same.
 */
static inline bool hct_event_is_noise(u32 event)
{
	u32 sub = event & XEN_TRC_SUBCLASSES;
	u32 minor = event & 0xfff;

	switch (event & XEN_TRC_CLASSES) {
	case XEN_TRC_CLS_SCHED:
		if (sub == 0x8000)
			return event != XEN_TRC_SCHED_SWITCH && event != XEN_TRC_SCHED_INFCONT;
		return sub != 0x1000 && sub != 0xf000;
	case XEN_TRC_CLS_PV:
		return minor != 0x001 && minor != 0x101 && minor != 0x00d && minor != 0x00e;
	case XEN_TRC_CLS_HVM:
		return event != XEN_TRC_HVM_VMMCALL;
	default:
		return false;
	}
}

/**
 * hct_decode() - decode one trace record
 * @words: the record, copied out of shared memory
 * @nr_words: words that may be read; at least xen_trc_words(words[0])
 * @draft: whether to take event 0x0020f00e for a hypercall of the draft format
 * @rec: filled in
 *
 * Any context, any input. Return: 0, or -1 if the record runs past @nr_words
 * (@rec then holds only event and size).
 */
int hct_decode(const u32 *words, unsigned int nr_words, bool draft, struct hct_record *rec);

#endif /* HCTRACE_DECODE_H */
