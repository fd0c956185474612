// SPDX-License-Identifier: GPL-2.0
/* The reference records; see vectors.h. Their time stamp is always the same. */
#include "vectors.h"

#define T	0x0000123456789abcull
#define LO	0x56789abc
#define HI	0x00001234

#define WITH_TSC(_event, _size) \
	.has_tsc = true, .tsc = T, .event = (_event), .size = (_size)
#define NO_TSC(_event, _size) \
	.event = (_event), .size = (_size)

const struct vector vectors[NR_VECTORS] = {
	{
		.name = "01 V2 mmu_update, 1 update",
		.words = { 0xa020100d, LO, HI, 0x00400001, 0x00000001 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00400001,
				.op = 1,
				.has_arg = 0x02,
				.args = { [1] = 0x1 },
			},
		},
	},
	{
		.name = "02 V2 multicall, 32 calls",
		.words = { 0xa020100d, LO, HI, 0x0040000d, 0x00000020 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0040000d,
				.op = 13,
				.has_arg = 0x02,
				.args = { [1] = 0x20 },
			},
		},
	},
	{
		.name = "03 V2 grant_table_op map_grant_ref x4",
		.words = { 0xb020100d, LO, HI, 0x01100014, 0x00000000, 0x00000004 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020100d, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x01100014,
				.op = 20,
				.has_arg = 0x05,
				.args = { [0] = 0x0, [2] = 0x4 },
			},
		},
	},
	{
		.name = "04 V2 vcpu_op set_singleshot_timer vcpu 3",
		.words = { 0xb020100d, LO, HI, 0x00500018, 0x00000008, 0x00000003 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020100d, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00500018,
				.op = 24,
				.has_arg = 0x03,
				.args = { [0] = 0x8, [1] = 0x3 },
			},
		},
	},
	{
		.name = "05 V2 mmuext_op, 2 ops",
		.words = { 0xa020100d, LO, HI, 0x0040001a, 0x00000002 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0040001a,
				.op = 26,
				.has_arg = 0x02,
				.args = { [1] = 0x2 },
			},
		},
	},
	{
		.name = "06 V2 sched_op block",
		.words = { 0xa020100d, LO, HI, 0x0010001d, 0x00000001 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0010001d,
				.op = 29,
				.has_arg = 0x01,
				.args = { [0] = 0x1 },
			},
		},
	},
	{
		.name = "07 V2 sched_op yield (cmd value 0 is present)",
		.words = { 0xa020100d, LO, HI, 0x0010001d, 0x00000000 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0010001d,
				.op = 29,
				.has_arg = 0x01,
				.args = { [0] = 0x0 },
			},
		},
	},
	{
		.name = "08 V2 xen_version (no args recorded)",
		.words = { 0x9020100d, LO, HI, 0x00000011 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00000011,
				.op = 17,
			},
		},
	},
	{
		.name = "09 V2 iret",
		.words = { 0x9020100d, LO, HI, 0x00000017 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00000017,
				.op = 23,
			},
		},
	},
	{
		.name = "10 V2 domctl (sub-op not in record)",
		.words = { 0x9020100d, LO, HI, 0x00000024 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00000024,
				.op = 36,
			},
		},
	},
	{
		.name = "11 V2 mmu_update continuation, 5 left",
		.words = { 0xa020100d, LO, HI, 0x00400001, 0x80000005 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00400001,
				.op = 1,
				.has_arg = 0x02,
				.args = { [1] = 0x80000005 },
			},
		},
	},
	{
		.name = "12 V2 mmuext_op final continuation (0 left)",
		.words = { 0xa020100d, LO, HI, 0x0040001a, 0x80000000 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0040001a,
				.op = 26,
				.has_arg = 0x02,
				.args = { [1] = 0x80000000 },
			},
		},
	},
	{
		.name = "13 V2 grant_table_op cache_flush continuation",
		.words = { 0xb020100d, LO, HI, 0x01100014, 0x0000500c, 0x00000002 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020100d, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x01100014,
				.op = 20,
				.has_arg = 0x05,
				.args = { [0] = 0x500c, [2] = 0x2 },
			},
		},
	},
	{
		.name = "14 V2 arch_0 = mca",
		.words = { 0x9020100d, LO, HI, 0x00000030 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00000030,
				.op = 48,
			},
		},
	},
	{
		.name = "15 V2 op 63 (unassigned)",
		.words = { 0x9020100d, LO, HI, 0x0000003f },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0000003f,
				.op = 63,
			},
		},
	},
	{
		.name = "16 SUBCALL update_va_mapping",
		.words = { 0x9020200e, LO, HI, 0x0000000e },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020200e, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_MEMBER,
				.op_word = 0x0000000e,
				.op = 14,
			},
		},
	},
	{
		.name = "17 SUBCALL mmu_update, 1 update",
		.words = { 0xa020200e, LO, HI, 0x00400001, 0x00000001 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020200e, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_MEMBER,
				.op_word = 0x00400001,
				.op = 1,
				.has_arg = 0x02,
				.args = { [1] = 0x1 },
			},
		},
	},
	{
		.name = "18 SUBCALL grant_table_op copy x8",
		.words = { 0xb020200e, LO, HI, 0x01100014, 0x00000005, 0x00000008 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020200e, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_MEMBER,
				.op_word = 0x01100014,
				.op = 20,
				.has_arg = 0x05,
				.args = { [0] = 0x5, [2] = 0x8 },
			},
		},
	},
	{
		.name = "19 v1 64-bit (Xen 4.2), op 14",
		.words = { 0xb020f101, LO, HI, 0x810011ca, 0xffffffff, 0x0000000e },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020f101, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_V1,
				.op_word = 14,
				.op = 14,
				.ip = 0xffffffff810011caull,
			},
		},
	},
	{
		.name = "20 v1 32-bit (Xen 4.2), op 29",
		.words = { 0xa020f001, LO, HI, 0xc04013a7, 0x0000001d },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020f001, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_V1,
				.op_word = 29,
				.op = 29,
				.ip = 0xc04013a7ull,
			},
		},
	},
	{
		.name = "21 v1 with 4.3+ id, 64-bit (defined, never emitted)",
		.words = { 0xb0201101, LO, HI, 0x810011ca, 0xffffffff, 0x0000000e },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x00201101, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_V1,
				.op_word = 14,
				.op = 14,
				.ip = 0xffffffff810011caull,
			},
		},
	},
	{
		.name = "22 draft multicall, 32 calls",
		.words = { 0xa020f00e, LO, HI, 0x0000000d, 0x00000020 },
		.nr_words = 5,
		.draft = true,
		.want = {
			WITH_TSC(0x0020f00e, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_DRAFT,
				.op_word = 13,
				.op = 13,
				.has_arg = 0x02,
				.args = { [1] = 32 },
			},
		},
	},
	{
		.name = "23 draft xen_version",
		.words = { 0x9020f00e, LO, HI, 0x00000011 },
		.nr_words = 4,
		.draft = true,
		.want = {
			WITH_TSC(0x0020f00e, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_DRAFT,
				.op_word = 17,
				.op = 17,
			},
		},
	},
	{
		.name = "24 HVM VMMCALL sched_op (no LO, HI)",
		.words = { 0x10082012, 0x0000001d },
		.nr_words = 2,
		.want = {
			NO_TSC(0x00082012, 8),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_HVM,
				.op_word = 0x1d,
				.op = 0x1d,
			},
		},
	},
	{
		.name = "25 HVM VMMCALL viridian",
		.words = { 0x10082012, 0x80010001 },
		.nr_words = 2,
		.want = {
			NO_TSC(0x00082012, 8),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_HVM,
				.op_word = 0x80010001,
				.op = 0x80010001,
				.flags = HCT_CALL_VIRIDIAN,
			},
		},
	},
	{
		.name = "26 runstate runnable->running d1v0",
		.words = { 0x90021101, LO, HI, 0x00010000 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021101, 16),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 1, 0 },
				 .old = XEN_RUNSTATE_RUNNABLE, .new = XEN_RUNSTATE_RUNNING },
		},
	},
	{
		.name = "27 runstate running->blocked d0v3",
		.words = { 0x90021021, LO, HI, 0x00000003 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021021, 16),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 0, 3 },
				 .old = XEN_RUNSTATE_RUNNING, .new = XEN_RUNSTATE_BLOCKED },
		},
	},
	{
		.name = "28 runstate running->runnable d2v1",
		.words = { 0x90021011, LO, HI, 0x00020001 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021011, 16),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 2, 1 },
				 .old = XEN_RUNSTATE_RUNNING, .new = XEN_RUNSTATE_RUNNABLE },
		},
	},
	{
		.name = "29 runstate runnable->running idle v2",
		.words = { 0x90021101, LO, HI, 0x7fff0002 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021101, 16),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 32767, 2 },
				 .old = XEN_RUNSTATE_RUNNABLE, .new = XEN_RUNSTATE_RUNNING },
		},
	},
	{
		.name = "30 runstate blocked->runnable d4v0 (wake; no attribution)",
		.words = { 0x90021211, LO, HI, 0x00040000 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021211, 16),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 4, 0 },
				 .old = XEN_RUNSTATE_BLOCKED, .new = XEN_RUNSTATE_RUNNABLE },
		},
	},
	{
		.name = "31 runstate running->offline d6v0",
		.words = { 0x90021031, LO, HI, 0x00060000 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021031, 16),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 6, 0 },
				 .old = XEN_RUNSTATE_RUNNING, .new = XEN_RUNSTATE_OFFLINE },
		},
	},
	{
		.name = "32 continue_running d5v1",
		.words = { 0x90021002, LO, HI, 0x00050001 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00021002, 16),
			.type = HCT_REC_CONTINUE,
			.run = { .who = { 5, 1 } },
		},
	},
	{
		.name = "33 sched_switch d0v1 -> d3v2",
		.words = { 0xc002800a, LO, HI, 0x00000000, 0x00000001, 0x00000003, 0x00000002 },
		.nr_words = 7,
		.want = {
			WITH_TSC(0x0002800a, 28),
			.type = HCT_REC_SWITCH,
			.sw = { .prev = { 0, 1 }, .next = { 3, 2 } },
		},
	},
	{
		.name = "34 lost_records 7, current d3v2",
		.words = { 0xc001f001, LO, HI, 0x00000007, 0x00020003, 0x56700000, 0x00001234 },
		.nr_words = 7,
		.want = {
			WITH_TSC(0x0001f001, 28),
			.type = HCT_REC_LOST,
			.lost = { .who = { 3, 2 }, .count = 7, .first_tsc = 0x123456700000ull },
		},
	},
	{
		.name = "35 wrap, 4 bytes",
		.words = { 0x0001f002 },
		.nr_words = 1,
		.want = {
			NO_TSC(0x0001f002, 4),
			.type = HCT_REC_WRAP,
		},
	},
	{
		.name = "36 wrap, 32 bytes (7 stale words, no LO, HI)",
		.words = { 0x7001f002, 0xcccccccc, 0xcccccccc, 0xcccccccc, 0xcccccccc,
			   0xcccccccc, 0xcccccccc, 0xcccccccc },
		.nr_words = 8,
		.want = {
			NO_TSC(0x0001f002, 32),
			.type = HCT_REC_WRAP,
		},
	},
	{
		.name = "37 wrap, 36 bytes (TSC + 6 stale words)",
		.words = { 0xe001f002, LO, HI, 0xcccccccc, 0xcccccccc, 0xcccccccc, 0xcccccccc,
			   0xcccccccc, 0xcccccccc },
		.nr_words = 9,
		.want = {
			WITH_TSC(0x0001f002, 36),
			.type = HCT_REC_WRAP,
		},
	},
	{
		.name = "38 dom add d7",
		.words = { 0x90041001, LO, HI, 0x00000007 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00041001, 16),
			.type = HCT_REC_DOM_ADD,
			.domid = 7,
		},
	},
	{
		.name = "39 dom rem d7",
		.words = { 0x90041002, LO, HI, 0x00000007 },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x00041002, 16),
			.type = HCT_REC_DOM_REM,
			.domid = 7,
		},
	},
	{
		.name = "40 cpu_change (files only) cpu 2, 64 bytes",
		.words = { 0x2001f003, 0x00000002, 0x00000040 },
		.nr_words = 3,
		.want = {
			NO_TSC(0x0001f003, 12),
			.type = HCT_REC_CPU_CHANGE,
			.cpu_change = { .cpu = 2, .window = 64 },
		},
	},
	{
		.name = "41 PV page fault 64-bit (skip, 32 bytes)",
		.words = { 0xd0201104, LO, HI, 0x00000001, 0x00000002, 0x00000003, 0x00000004,
			   0x00000005 },
		.nr_words = 8,
		.want = {
			WITH_TSC(0x00201104, 32),
			.type = HCT_REC_SKIP,
		},
	},
	{
		.name = "42 credit2 schedule, SCHED_CLASS noise (skip)",
		.words = { 0xb0022215, LO, HI, 0x00010000, 0x00000000, 0x00000000 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x00022215, 24),
			.type = HCT_REC_SKIP,
		},
	},
	{
		.name = "43 BAD V2 without op word",
		.words = { 0x8020100d, LO, HI },
		.nr_words = 3,
		.want = {
			WITH_TSC(0x0020100d, 12),
			.type = HCT_REC_BAD,
			.bad = HCT_BAD_NO_OP,
		},
	},
	{
		.name = "44 BAD V2 forged: A0 flag, no arg word",
		.words = { 0x9020100d, LO, HI, 0x0010001d },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0010001d,
				.flags = HCT_CALL_TRUNCATED,
			},
		},
	},
	{
		.name = "45 BAD V2 forged: op 0xfff0000d",
		.words = { 0x9020100d, LO, HI, 0xfff0000d },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0xfff0000d,
				.flags = HCT_CALL_BAD_TAG,
			},
		},
	},
	{
		.name = "46 V2 with 64-bit A1 (legal, never emitted)",
		.words = { 0xb020100d, LO, HI, 0x00800001, 0xdeadbeef, 0x00000001 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020100d, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00800001,
				.op = 1,
				.has_arg = 0x02,
				.args = { [1] = 0x1deadbeef },
			},
		},
	},
	{
		.name = "47 BAD V2 64-bit A1, high word missing",
		.words = { 0xa020100d, LO, HI, 0x00800001, 0xdeadbeef },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00800001,
				.flags = HCT_CALL_TRUNCATED,
			},
		},
	},
	{
		.name = "48 BAD V2 reserved type 11b in A0",
		.words = { 0xa020100d, LO, HI, 0x00300020, 0x00000001 },
		.nr_words = 5,
		.want = {
			WITH_TSC(0x0020100d, 20),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00300020,
				.flags = HCT_CALL_BAD_TAG,
			},
		},
	},
	{
		.name = "49 BAD V2 reserved type in A1 after good A0",
		.words = { 0xb020100d, LO, HI, 0x00d00018, 0x00000008, 0x00000003 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020100d, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00d00018,
				.flags = HCT_CALL_BAD_TAG,
			},
		},
	},
	{
		.name = "50 V2 no LO, HI (legal header, never emitted)",
		.words = { 0x1020100d, 0x00000011 },
		.nr_words = 2,
		.want = {
			NO_TSC(0x0020100d, 8),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00000011,
				.op = 17,
			},
		},
	},
	{
		.name = "51 V2 surplus words",
		.words = { 0xb020100d, LO, HI, 0x00000011, 0xaaaaaaaa, 0xbbbbbbbb },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0020100d, 24),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x00000011,
				.op = 17,
				.flags = HCT_CALL_SURPLUS,
			},
		},
	},
	{
		.name = "52 V2 op 0xfffff (guest chosen, 4.17+)",
		.words = { 0x9020100d, LO, HI, 0x000fffff },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x000fffff,
				.op = 1048575,
			},
		},
	},
	{
		.name = "53 V2 sched_op with no A0 (rax=0x10000001d, 4.17+)",
		.words = { 0x9020100d, LO, HI, 0x0000001d },
		.nr_words = 4,
		.want = {
			WITH_TSC(0x0020100d, 16),
			.type = HCT_REC_CALL,
			.call = {
				.kind = HCT_KIND_CALL,
				.op_word = 0x0000001d,
				.op = 29,
				.flags = HCT_CALL_ARGS_MISSING,
			},
		},
	},
	{
		.name = "54 BAD lost_records with 3 words",
		.words = { 0xb001f001, LO, HI, 0x00000007, 0x00020003, 0x00000001 },
		.nr_words = 6,
		.want = {
			WITH_TSC(0x0001f001, 24),
			.type = HCT_REC_BAD,
			.bad = HCT_BAD_LOST,
		},
	},
	{
		.name = "55 BAD runstate with 0 words",
		.words = { 0x80021101, LO, HI },
		.nr_words = 3,
		.want = {
			WITH_TSC(0x00021101, 12),
			.type = HCT_REC_BAD,
			.bad = HCT_BAD_SHORT,
		},
	},
	{
		.name = "56 runstate with 5 words (old perfctr variant)",
		.words = { 0xd0021101, LO, HI, 0x00010000, 0x00000001, 0x00000000, 0x00000002,
			   0x00000000 },
		.nr_words = 8,
		.want = {
			WITH_TSC(0x00021101, 32),
			.type = HCT_REC_RUNSTATE,
			.run = { .who = { 1, 0 },
				 .old = XEN_RUNSTATE_RUNNABLE, .new = XEN_RUNSTATE_RUNNING },
		},
	},
	{
		.name = "57 BAD record runs past the window (only 2 of 5 words there)",
		.words = { 0xa020100d, 0x56789abc },
		.nr_words = 2,
		.cut_off = true,
		.want = { NO_TSC(0x0020100d, 20) },
	},
};
