// SPDX-License-Identifier: GPL-2.0
/* Memory stays bounded and the sums exact, whatever domains, vCPUs and ops come along. */
#include "rig.h"

#define CALL		HCT_KIND_CALL
#define MEMBER		HCT_KIND_MEMBER
#define HVM		HCT_KIND_HVM

#define TSC_PER_MS	2000000ull	/* 2 GHz */

#define NR_BRIEF	10000u		/* domains that live for 20 ms */
#define BRIEF_STEP_MS	5
#define BRIEF_STEPS	4		/* of their lives; as many live at a time */
#define NR_BRIEF_CALLS	3

/* Calls, continuations and units of one cell in all rows. */
static struct hct_cell sum_cell(const struct rig *rig, unsigned int kind, unsigned int cell)
{
	const struct hct_account *acct = rig->p.acct;
	struct hct_cell sum = { 0 };
	u32 i;

	for (i = 0; i < HCT_NR_SPECIAL_ROWS + acct->nr; i++) {
		const struct hct_domain *row = i < HCT_NR_SPECIAL_ROWS ? &acct->special[i] :
					       &acct->domains[i - HCT_NR_SPECIAL_ROWS];

		sum.calls += row->cells[kind][cell].calls;
		sum.cont += row->cells[kind][cell].cont;
		sum.units += row->cells[kind][cell].units;
	}
	return sum;
}

static u64 calls_of(const struct hct_domain *row)
{
	unsigned int kind;
	unsigned int i;
	u64 calls = 0;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++)
			calls += row->cells[kind][i].calls;
	}
	return calls;
}

/* The row of a domain, dead or alive, that has this generation; or NULL. */
static const struct hct_domain *find_row(const struct rig *rig, u16 domid, u32 generation)
{
	u32 i;

	for (i = 0; i < rig->p.acct->nr; i++) {
		const struct hct_domain *row = &rig->p.acct->domains[i];

		if (row->used && row->domid == domid && row->generation == generation)
			return row;
	}
	return NULL;
}

static void check_bounded(const struct rig *rig)
{
	assert_true(rig->p.acct->nr <= HCT_MAX_DOMAINS);
	assert_int_equal(rig_total(rig).undecodable, 0);
	assert_int_equal(rig_total(rig).lost, 0);
}

/* A brief life between its first and its last record: three calls on a pCPU. */
static void live(struct rig *rig, u32 cpu, u16 domid, u64 *expected)
{
	static const struct {
		u32 word, arg0, arg1;
		unsigned int cell;
	} ops[] = {
		{ HCT_OP_iret, 0, 0, HCT_OP_iret },
		{ HCT_OP_xen_version, 0, 0, HCT_OP_xen_version },
		{ WORD_MMU_UPDATE, 3, 0, HCT_OP_mmu_update },
		{ WORD_VCPU_OP, HCT_VCPU_up, 0, HCT_CELL_VCPU + HCT_VCPU_up },
		{ WORD_GRANT, HCT_GRANT_copy, 5, HCT_CELL_GRANT + HCT_GRANT_copy },
		{ WORD_SCHED_OP, 999, 0, HCT_CELL_SCHED_OTHER },
		{ 0xabcde, 0, 0, HCT_CELL_OTHER },
	};
	unsigned int i;

	rig_run(rig, cpu, domid, domid % 3);
	for (i = 0; i < NR_BRIEF_CALLS; i++) {
		/* Runs through all triples of neighbours. */
		unsigned int op = (domid + i) % ARRAY_SIZE(ops);
		const u32 words[] = { ops[op].word, ops[op].arg0, ops[op].arg1 };

		rig_put_words(rig, cpu, XEN_TRC_PV_HYPERCALL_V2, words,
			      1 + __builtin_popcount(ops[op].word >> 20));
		expected[ops[op].cell]++;
	}
	rig_stop(rig, cpu, domid, domid % 3, XEN_RUNSTATE_BLOCKED);
}

/*
 * One every 5 ms, dom0 creating and destroying them on pCPU 0, for 50 seconds with
 * a rate window each second.
 */
static void test_brief_domains(void **state)
{
	static u64 expected[HCT_NR_CELLS];
	struct rig *rig = rig_new(4, 2);
	u64 calls = 0;
	unsigned int i;
	u32 step;

	(void)state;
	for (step = 1; step <= NR_BRIEF + BRIEF_STEPS; step++) {
		if (step > BRIEF_STEPS)
			rig_put(rig, 0, XEN_TRC_DOM_REM, step - BRIEF_STEPS);
		if (step <= NR_BRIEF) {
			rig_put(rig, 0, XEN_TRC_DOM_ADD, step);
			live(rig, 1 + step % 3, step, expected);
		}
		rig->now += BRIEF_STEP_MS * TSC_PER_MS;
		if (step % 20 == 0) {
			rig_drain(rig);
			check_bounded(rig);
		}
		if (step % (1000 / BRIEF_STEP_MS) == 0)
			hct_account_tick(rig->p.acct, 1000);
	}
	rig_drain(rig);
	check_bounded(rig);
	assert_int_equal(rig->p.acct->nr, HCT_MAX_DOMAINS);
	assert_int_equal(rig_total(rig).attributed, NR_BRIEF * NR_BRIEF_CALLS);

	/* d[gone] and the rows that are left make up the whole, op by op. */
	for (i = 0; i < HCT_NR_CELLS; i++) {
		struct hct_cell sum = sum_cell(rig, CALL, i);

		assert_int_equal(sum.calls, expected[i]);
		assert_int_equal(sum.cont, 0);
		calls += sum.calls;
	}
	assert_int_equal(calls, NR_BRIEF * NR_BRIEF_CALLS);
	assert_int_equal(sum_cell(rig, CALL, HCT_OP_mmu_update).units,
			 3 * expected[HCT_OP_mmu_update]);
	assert_int_equal(sum_cell(rig, CALL, HCT_CELL_GRANT + HCT_GRANT_copy).units,
			 5 * expected[HCT_CELL_GRANT + HCT_GRANT_copy]);
	assert_int_equal(calls_of(&rig->p.acct->special[HCT_ROW_GONE]),
			 (NR_BRIEF - HCT_MAX_DOMAINS) * NR_BRIEF_CALLS);
	assert_int_equal(calls_of(&rig->p.acct->special[HCT_ROW_MORE]), 0);
	assert_int_equal(calls_of(&rig->p.acct->special[HCT_ROW_UNATTRIBUTED]), 0);

	/* The last ones that lived are there by name. */
	for (i = NR_BRIEF - HCT_MAX_DOMAINS + 1; i <= NR_BRIEF; i++) {
		const struct hct_domain *row = find_row(rig, i, 1);

		assert_non_null(row);
		assert_true(row->dead);
		assert_int_equal(calls_of(row), NR_BRIEF_CALLS);
	}
	assert_null(find_row(rig, NR_BRIEF - HCT_MAX_DOMAINS, 1));
	rig_free(rig);
}

/* More at a time than there are rows, in waves: d[more] takes the rest of each. */
static void test_brief_crowds(void **state)
{
	static u64 expected[HCT_NR_CELLS];
	struct rig *rig = rig_new(2, 8);
	u64 calls = 0;
	u32 wave, i;

	(void)state;
	for (wave = 0; wave < 5; wave++) {
		for (i = 1; i <= 400; i++) {
			rig_put(rig, 0, XEN_TRC_DOM_ADD, 1000 * wave + i);
			live(rig, 1, 1000 * wave + i, expected);
			if (i % 50 == 0)
				rig_drain(rig);
		}
		for (i = 1; i <= 400; i++)
			rig_put(rig, 0, XEN_TRC_DOM_REM, 1000 * wave + i);
		rig_drain(rig);
		check_bounded(rig);
		assert_int_equal(calls_of(&rig->p.acct->special[HCT_ROW_MORE]),
				 (wave + 1) * (400 - HCT_MAX_DOMAINS) * NR_BRIEF_CALLS);
	}
	assert_int_equal(calls_of(&rig->p.acct->special[HCT_ROW_GONE]),
			 4 * HCT_MAX_DOMAINS * NR_BRIEF_CALLS);
	for (i = 0; i < HCT_NR_CELLS; i++) {
		assert_int_equal(sum_cell(rig, CALL, i).calls, expected[i]);
		calls += expected[i];
	}
	assert_int_equal(calls, 5 * 400 * NR_BRIEF_CALLS);
	rig_free(rig);
}

/* One id over and over: each life has its own name and row. */
static void test_reused_domid(void **state)
{
	static u64 expected[HCT_NR_CELLS];
	struct rig *rig = rig_new(2, 2);
	const u16 domid = 7;
	u32 life;

	(void)state;
	for (life = 1; life <= 1000; life++) {
		rig_put(rig, 0, XEN_TRC_DOM_ADD, domid);
		live(rig, 1, domid, expected);
		rig_drain(rig);
		assert_int_equal(rig_row(rig, domid)->generation, life);
		assert_int_equal(calls_of(rig_row(rig, domid)), NR_BRIEF_CALLS);
		rig->now += 20 * TSC_PER_MS;
		rig_put(rig, 0, XEN_TRC_DOM_REM, domid);
	}
	rig_drain(rig);
	check_bounded(rig);
	for (life = 1; life <= 1000; life++) {
		const struct hct_domain *row = find_row(rig, domid, life);

		if (life <= 1000 - HCT_MAX_DOMAINS) {
			assert_null(row);
			continue;
		}
		assert_non_null(row);
		assert_true(row->dead);
		assert_int_equal(calls_of(row), NR_BRIEF_CALLS);
	}
	assert_int_equal(calls_of(&rig->p.acct->special[HCT_ROW_GONE]),
			 (1000 - HCT_MAX_DOMAINS) * NR_BRIEF_CALLS);
	rig_free(rig);
}

/* An id that died more often than its counter counts: the rows that are there differ. */
static void test_generations_wrap(void **state)
{
	static bool seen[0x10002];
	struct rig *rig = rig_new(1, 2);
	u32 i;

	(void)state;
	for (i = 0; i < 0x10000 + 100; i++) {
		rig_run(rig, 0, 7, 0);
		rig_call(rig, 0, HCT_OP_iret);
		rig_put(rig, 0, XEN_TRC_DOM_REM, 7);
		if (i % 100 == 0)
			rig_drain(rig);
	}
	rig_drain(rig);
	check_bounded(rig);
	for (i = 0; i < rig->p.acct->nr; i++) {
		u32 generation = rig->p.acct->domains[i].generation;

		assert_in_range(generation, 1, 0x10001);
		assert_false(seen[generation]);
		seen[generation] = true;
	}
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_iret, 0x10000 + 100 - HCT_MAX_DOMAINS, 0, 0);
	rig_free(rig);
}

static u32 vcpus_used(const struct rig *rig, u16 domid, u16 vcpu, bool *found)
{
	u32 used = 0;
	u32 i;

	*found = false;
	for (i = 0; i < ARRAY_SIZE(rig->p.vcpus->vcpus); i++) {
		const struct hct_vcpu *entry = &rig->p.vcpus->vcpus[i];

		used += entry->used;
		*found |= entry->used && entry->who.domid == domid && entry->who.vcpu == vcpu;
	}
	return used;
}

/* Every vCPU id there can be, each in the middle of a multicall. */
static void test_all_vcpu_ids(void **state)
{
	const u16 domid = XEN_DOMID_FIRST_RESERVED - 1;
	struct rig *rig = rig_new(1, 16);
	bool found;
	u32 vcpu;

	(void)state;
	for (vcpu = 0; vcpu <= 0xffff; vcpu++) {
		rig_run(rig, 0, domid, vcpu);
		rig_call(rig, 0, WORD_MULTICALL, 5);
		rig_member(rig, 0, HCT_OP_update_va_mapping);
		rig_stop(rig, 0, domid, vcpu, XEN_RUNSTATE_RUNNABLE);
		if (vcpu % 512 == 511)
			rig_drain(rig);
	}
	check_bounded(rig);
	assert_int_equal(rig->p.acct->nr, 1);
	assert_int_equal(vcpus_used(rig, domid, 0xffff, &found), HCT_VCPU_SETS * HCT_VCPU_WAYS);
	assert_true(found);
	assert_int_equal(rig->p.vcpus->evicted, 0x10000 - HCT_VCPU_SETS * HCT_VCPU_WAYS);
	assert_cell(rig, domid, CALL, HCT_OP_multicall, 0x10000, 0, 5 * 0x10000);
	assert_cell(rig, domid, MEMBER, HCT_OP_update_va_mapping, 0x10000, 0, 0);

	/* The last one goes on with its own; the first was forgotten, so it starts anew. */
	rig_run(rig, 0, domid, 0xffff);
	rig_call(rig, 0, WORD_MULTICALL, 4);
	rig_run(rig, 0, domid, 0);
	rig_call(rig, 0, WORD_MULTICALL, 4);
	rig_drain(rig);
	assert_cell(rig, domid, CALL, HCT_OP_multicall, 0x10001, 1, 5 * 0x10000 + 4);

	/* With the domain all of them go. */
	rig_put(rig, 0, XEN_TRC_DOM_REM, domid);
	rig_drain(rig);
	assert_int_equal(vcpus_used(rig, domid, 0xffff, &found), 0);
	rig_free(rig);
}

/* The numbers worth a try up to @top: small ones, and those around each power of two. */
static u32 next_number(u32 nr, u32 top)
{
	u32 power;

	if (nr < 300)
		return nr + 1;
	for (power = 256; power && power <= top; power <<= 1) {
		if (nr < power - 1)
			return power - 1;
		if (nr <= power)
			return nr + 1;
	}
	return nr < top ? top : 0;
}

/* Op words without tags: 64 numbers have cells of their own, others share one. */
static void test_all_ops(void **state)
{
	static u64 expected[HCT_NR_CELLS];
	struct rig *rig = rig_new(1, 16);
	u64 seed = 1;
	u64 all = 0;
	u32 op = 0;
	u32 i;

	(void)state;
	rig_run(rig, 0, 3, 0);
	do {
		rig_call(rig, 0, op);
		rig_member(rig, 0, op);
		expected[op < HCT_NR_OPS ? op : HCT_CELL_OTHER]++;
		all++;
		op = next_number(op, HCT_OP_MASK);
	} while (op);
	rig_drain(rig);
	assert_true(all > 330);
	for (i = 0; i < 20000; i++) {
		rig_call(rig, 0, HCT_NR_OPS + rig_random(&seed, HCT_OP_MASK + 1 - HCT_NR_OPS));
		if (i % 1000 == 0)
			rig_drain(rig);
	}
	rig_drain(rig);
	check_bounded(rig);
	for (i = 0; i < HCT_NR_CELLS; i++) {
		u64 random = i == HCT_CELL_OTHER ? 20000 : 0;

		assert_cell(rig, 3, CALL, i, expected[i] + random, 0, 0);
		assert_cell(rig, 3, MEMBER, i, expected[i], 0, 0);
	}
	assert_int_equal(rig_total(rig).malformed, 0);
	rig_free(rig);
}

/* Any 32 bits in the place of an op word: to an op only if it has no tags. */
static void test_any_op_word(void **state)
{
	struct rig *rig = rig_new(1, 16);
	u64 calls = 0;
	u32 word = 0;

	(void)state;
	rig_run(rig, 0, 3, 0);
	do {
		rig_call(rig, 0, word);
		calls++;
		word = next_number(word, 0xffffffff);
	} while (word);
	rig_drain(rig);
	check_bounded(rig);
	assert_int_equal(calls_of(rig_row(rig, 3)), calls);
	/* 2^20 to 2^31 with their neighbours, but for 2^20 - 1, which has no tag; and all ones. */
	assert_cell(rig, 3, CALL, HCT_CELL_MALFORMED, 3 * 12, 0, 0);
	assert_int_equal(rig_total(rig).malformed, 3 * 12);
	assert_int_equal(rig->p.breaker.state, HCT_BREAKER_TRIPPED);
	rig_free(rig);
}

/* VMMCALL records 32 bits of a register: the upper half of them is Hyper-V's. */
static void test_any_vmmcall(void **state)
{
	static u64 expected[HCT_NR_CELLS];
	struct rig *rig = rig_new(1, 16);
	u32 op = 0;
	u32 i;

	(void)state;
	rig->p.settings.profile = HCT_PROFILE_ALL;
	rig_run(rig, 0, 3, 0);
	do {
		rig_put(rig, 0, XEN_TRC_HVM_VMMCALL, op);
		expected[op < HCT_NR_OPS ? op :
			 op >> 31 ? HCT_CELL_VIRIDIAN : HCT_CELL_OTHER]++;
		op = next_number(op, 0xffffffff);
	} while (op);
	rig_drain(rig);
	check_bounded(rig);
	assert_true(expected[HCT_CELL_VIRIDIAN] >= 3);
	assert_true(expected[HCT_CELL_OTHER] > 200);
	for (i = 0; i < HCT_NR_CELLS; i++)
		assert_cell(rig, 3, HVM, i, expected[i], 0, 0);
	rig_free(rig);
}

/* Sub-operations of 32 bits, in each family that is recorded. */
static void test_any_subop(void **state)
{
	static const struct {
		u32 word;
		unsigned int base, nr;
		u32 mask;
	} families[] = {
		{ WORD_GRANT, HCT_CELL_GRANT, HCT_NR_GRANT_OPS, HCT_GRANT_CMD_MASK },
		{ WORD_VCPU_OP, HCT_CELL_VCPU, HCT_NR_VCPU_OPS, ~0u },
		{ WORD_SCHED_OP, HCT_CELL_SCHED, HCT_NR_SCHED_OPS, ~0u },
	};
	static u64 expected[HCT_NR_CELLS];
	struct rig *rig = rig_new(1, 16);
	unsigned int i;
	u32 cmd;

	(void)state;
	rig_run(rig, 0, 3, 0);
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		cmd = 0;
		do {
			const u32 words[] = { families[i].word, cmd, 0 };
			u32 known = cmd & families[i].mask;

			rig_put_words(rig, 0, XEN_TRC_PV_HYPERCALL_V2, words,
				      1 + __builtin_popcount(families[i].word >> 20));
			if (known > families[i].nr)
				known = families[i].nr;
			expected[families[i].base + known]++;
			cmd = next_number(cmd, 0xffffffff);
		} while (cmd);
	}
	rig_drain(rig);
	check_bounded(rig);
	for (i = 0; i < HCT_NR_CELLS; i++) {
		const struct hct_cell *cell = &rig_row(rig, 3)->cells[CALL][i];

		assert_int_equal(cell->calls + cell->cont, expected[i]);
	}
	rig_free(rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brief_domains),
		cmocka_unit_test(test_brief_crowds),
		cmocka_unit_test(test_reused_domid),
		cmocka_unit_test(test_generations_wrap),
		cmocka_unit_test(test_all_vcpu_ids),
		cmocka_unit_test(test_all_ops),
		cmocka_unit_test(test_any_op_word),
		cmocka_unit_test(test_any_vmmcall),
		cmocka_unit_test(test_any_subop),
	};

	return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
