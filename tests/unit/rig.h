/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A whole pipeline on rings of the fake Xen, with words to tell a story in:
 * who runs where, what is called, and what the statistics must say of it.
 */
#ifndef RIG_H
#define RIG_H

/* What cmocka.h wants to be included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hctrace/pipeline.h>

#include "../fakexen/producer.h"

#define RIG_MAX_RINGS	8

/* Op words: the number and the tags of the arguments that Xen records with it. */
#define TAG(arg, kind)		((u32)(kind) << (20 + 2 * (arg)))
#define WORD_MMU_UPDATE		(HCT_OP_mmu_update | TAG(1, 1))
#define WORD_MULTICALL		(HCT_OP_multicall | TAG(1, 1))
#define WORD_GRANT		(HCT_OP_grant_table_op | TAG(0, 1) | TAG(2, 1))
#define WORD_VCPU_OP		(HCT_OP_vcpu_op | TAG(0, 1) | TAG(1, 1))
#define WORD_MMUEXT		(HCT_OP_mmuext_op | TAG(1, 1))
#define WORD_SCHED_OP		(HCT_OP_sched_op | TAG(0, 1))

#define RUNSTATE(old, new) \
	(0x00021001u | XEN_RUNSTATE_##old << 8 | XEN_RUNSTATE_##new << 4)

#define PREEMPTED	XEN_MMU_PREEMPTED
#define IDLE		XEN_DOMID_IDLE

/**
 * struct rig - the pipeline, its rings, and Xen's side of them
 * @busy: a vCPU was told to run on this ring and not to stop
 * @now: TSC of the next record
 */
struct rig {
	struct hct_pipeline p;
	struct hct_ring rings[RIG_MAX_RINGS];
	struct fx_ring xen[RIG_MAX_RINGS];
	bool busy[RIG_MAX_RINGS];
	u64 now;
};

/** rig_new() - a started pipeline in the pv profile */
struct rig *rig_new(u32 nr_rings, u32 pages);

/** rig_free() - check the ledger a last time and give everything back */
void rig_free(struct rig *rig);

/** rig_restart() - start once more, after a change of the profile */
void rig_restart(struct rig *rig, enum hct_profile profile);

/* Write a record with the payload that follows; it must fit. */
void rig_put_words(struct rig *rig, u32 cpu, u32 event, const u32 *words, unsigned int nr);
#define rig_put(rig, cpu, event, ...) do {					\
	const u32 rig_words[] = { __VA_ARGS__ };				\
										\
	rig_put_words(rig, cpu, event, rig_words, ARRAY_SIZE(rig_words));	\
} while (0)

/* Calls and members: op word and arguments. */
#define rig_call(rig, cpu, ...)		rig_put(rig, cpu, XEN_TRC_PV_HYPERCALL_V2, __VA_ARGS__)
#define rig_member(rig, cpu, ...)	rig_put(rig, cpu, XEN_TRC_PV_SUBCALL, __VA_ARGS__)

/** rig_run() - runstate records: whoever runs here stops, this vCPU begins to */
void rig_run(struct rig *rig, u32 cpu, u16 domid, u16 vcpu);

/** rig_stop() - a runstate record: it stops running; @to is XEN_RUNSTATE_* */
void rig_stop(struct rig *rig, u32 cpu, u16 domid, u16 vcpu, u32 to);

/** rig_lose() - write calls until one is lost. Return: how many were not. */
u32 rig_lose(struct rig *rig, u32 cpu);

/** rig_drain() - a last round, to the end, then check the ledger */
void rig_drain(struct rig *rig);

/** rig_check() - identities that hold at all times, and the shared memory */
void rig_check(const struct rig *rig);

/** rig_total() - the ledger of all rings */
struct hct_counters rig_total(const struct rig *rig);

/** rig_row() - the row of a living domain; fails the test if there is none */
const struct hct_domain *rig_row(const struct rig *rig, u16 domid);

/** rig_special() - the cell of a row that stands for no single domain */
const struct hct_cell *rig_special(const struct rig *rig, enum hct_special_row row,
				   enum hct_kind kind, unsigned int cell);

/** assert_cell() - what a domain's cell holds */
#define assert_cell(rig, domid, kind, cell, calls, cont, units) \
	check_cell(&rig_row(rig, domid)->cells[kind][cell], calls, cont, units, __FILE__, __LINE__)

/** assert_special() - the same for a row that stands for no single domain */
#define assert_special(rig, row, kind, cell, calls, cont, units) \
	check_cell(rig_special(rig, row, kind, cell), calls, cont, units, __FILE__, __LINE__)

void check_cell(const struct hct_cell *cell, u64 calls, u64 cont, u64 units, const char *file,
		int line);

/** rig_random() - a random number below @below; @state is anything but 0 at first */
u32 rig_random(u64 *state, u32 below);

#endif /* RIG_H */
