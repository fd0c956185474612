// SPDX-License-Identifier: GPL-2.0
/* The tables: which cell, which row, rates, and domains that come and go. */
#include "rig.h"

#define CALL	HCT_KIND_CALL

/* A record of one iret by a domain, drained at once. */
static void iret_by(struct rig *rig, u16 domid)
{
	rig_run(rig, 0, domid, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
}

/* Xen ends a domain when none of its vCPUs runs any more. */
static void dies(struct rig *rig, u32 domid)
{
	const struct hct_vcpu_id *last = &rig->xen[0].current_vcpu;

	if (rig->busy[0] && last->domid == domid)
		rig_stop(rig, 0, domid, last->vcpu, XEN_RUNSTATE_OFFLINE);
	rig_put(rig, 0, XEN_TRC_DOM_REM, domid);
	rig_drain(rig);
}

static unsigned int dead_rows(const struct rig *rig)
{
	unsigned int nr = 0;
	u32 i;

	for (i = 0; i < rig->p.acct->nr; i++)
		nr += rig->p.acct->domains[i].dead;
	return nr;
}

static void test_death(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	iret_by(rig, 5);
	iret_by(rig, 5);
	assert_int_equal(rig_row(rig, 5)->generation, 1);
	dies(rig, 5);
	assert_int_equal(rig->p.acct->nr, 1);
	assert_int_equal(dead_rows(rig), 1);

	iret_by(rig, 5);
	assert_int_equal(rig->p.acct->nr, 2);
	assert_int_equal(rig_row(rig, 5)->generation, 2);
	assert_cell(rig, 5, CALL, HCT_OP_iret, 1, 0, 0);

	/* A new domain under this id, though we did not see the old one die. */
	rig_put(rig, 0, XEN_TRC_DOM_ADD, 5);
	iret_by(rig, 5);
	assert_int_equal(rig_row(rig, 5)->generation, 3);
	assert_cell(rig, 5, CALL, HCT_OP_iret, 1, 0, 0);
	assert_int_equal(dead_rows(rig), 2);

	/* Deaths of nobody we know. */
	dies(rig, 6);
	dies(rig, 0x7fff);
	dies(rig, 0x7ff0);
	dies(rig, 0xffff);
	assert_int_equal(dead_rows(rig), 2);
	iret_by(rig, 6);
	assert_int_equal(rig_row(rig, 6)->generation, 1);
	rig_free(rig);
}

static void test_first_and_last_domid(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	iret_by(rig, 0);
	iret_by(rig, XEN_DOMID_FIRST_RESERVED - 1);
	assert_cell(rig, XEN_DOMID_FIRST_RESERVED - 1, CALL, HCT_OP_iret, 1, 0, 0);
	dies(rig, XEN_DOMID_FIRST_RESERVED - 1);
	iret_by(rig, XEN_DOMID_FIRST_RESERVED - 1);
	assert_int_equal(rig_row(rig, XEN_DOMID_FIRST_RESERVED - 1)->generation, 2);
	rig_free(rig);
}

/* Guests that come and go for ever: the oldest dead are folded, nothing is lost. */
static void test_folding(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u32 i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		iret_by(rig, 1 + i);
		rig_call(rig, 0, WORD_MMU_UPDATE, 3);
		rig_call(rig, 0, WORD_MMU_UPDATE, 2 | PREEMPTED);
		dies(rig, 1 + i);
	}
	assert_int_equal(rig->p.acct->nr, HCT_MAX_DOMAINS);
	assert_int_equal(dead_rows(rig), HCT_MAX_DOMAINS);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_iret, 1000 - HCT_MAX_DOMAINS, 0, 0);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_mmu_update, 1000 - HCT_MAX_DOMAINS,
		       1000 - HCT_MAX_DOMAINS, 3 * (1000 - HCT_MAX_DOMAINS));
	/* The first of those still there is the first that died after the folded ones. */
	for (i = 0; i < HCT_MAX_DOMAINS; i++)
		assert_true(rig->p.acct->domains[i].domid > 1000 - HCT_MAX_DOMAINS);
	rig_free(rig);
}

/* In the order of dying, not of appearing; a living row is never touched. */
static void test_folding_order(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u32 i;

	(void)state;
	for (i = 0; i < HCT_MAX_DOMAINS; i++)
		iret_by(rig, i);
	dies(rig, 200);
	dies(rig, 100);
	iret_by(rig, 500);
	assert_int_equal(dead_rows(rig), 1);
	for (i = 0; i < HCT_MAX_DOMAINS; i++)
		assert_int_not_equal(rig->p.acct->domains[i].domid, 200);
	iret_by(rig, 501);
	assert_int_equal(dead_rows(rig), 0);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_iret, 2, 0, 0);
	iret_by(rig, 99);
	assert_cell(rig, 99, CALL, HCT_OP_iret, 2, 0, 0);
	rig_free(rig);
}

/* More living domains than rows. */
static void test_more(void **state)
{
	struct rig *rig = rig_new(1, 1);
	u32 i;

	(void)state;
	for (i = 0; i < 400; i++)
		iret_by(rig, i);
	assert_int_equal(rig->p.acct->nr, HCT_MAX_DOMAINS);
	assert_special(rig, HCT_ROW_MORE, CALL, HCT_OP_iret, 400 - HCT_MAX_DOMAINS, 0, 0);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_iret, 0, 0, 0);

	/* One without a row dies: no row changes. One with a row: there is room again. */
	dies(rig, 399);
	assert_int_equal(dead_rows(rig), 0);
	dies(rig, 7);
	iret_by(rig, 398);
	assert_cell(rig, 398, CALL, HCT_OP_iret, 1, 0, 0);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_iret, 1, 0, 0);
	assert_special(rig, HCT_ROW_MORE, CALL, HCT_OP_iret, 400 - HCT_MAX_DOMAINS, 0, 0);
	rig_free(rig);
}

/* Names like d5.2 stay unique over a reset. */
static void test_reset(void **state)
{
	struct rig *rig = rig_new(1, 1);

	(void)state;
	iret_by(rig, 5);
	dies(rig, 5);
	iret_by(rig, 5);
	hct_pipeline_reset(&rig->p);
	assert_int_equal(rig->p.acct->nr, 0);
	assert_int_equal(rig_total(rig).consumed, 0);
	/* Who runs is known nevertheless. */
	rig_call(rig, 0, HCT_OP_iret);
	rig_drain(rig);
	assert_cell(rig, 5, CALL, HCT_OP_iret, 1, 0, 0);
	assert_int_equal(rig_row(rig, 5)->generation, 2);
	rig_free(rig);
}

static void test_rates(void **state)
{
	struct rig *rig = rig_new(1, 1);
	const struct hct_cell *cell;

	(void)state;
	rig_call(rig, 0, HCT_OP_iret);
	iret_by(rig, 5);
	iret_by(rig, 5);
	rig_call(rig, 0, WORD_MMU_UPDATE, 5 | PREEMPTED);
	rig_drain(rig);
	cell = &rig_row(rig, 5)->cells[CALL][HCT_OP_iret];
	assert_int_equal(cell->rate, 0);
	hct_account_tick(rig->p.acct, 990);
	assert_int_equal(rig->p.acct->window_ms, 990);
	assert_int_equal(cell->rate, 2);
	assert_int_equal(cell->window, 0);
	/* Continuations are no calls, but records, of which the rate is. */
	assert_int_equal(rig_row(rig, 5)->cells[CALL][HCT_OP_mmu_update].rate, 1);
	assert_int_equal(rig_special(rig, HCT_ROW_UNATTRIBUTED, CALL, HCT_OP_iret)->rate, 1);
	hct_account_tick(rig->p.acct, 1000);
	assert_int_equal(cell->rate, 0);
	assert_int_equal(cell->calls, 2);
	rig_free(rig);
}

/* Sub-operations have cells of their own, also those with unknown numbers. */
static void test_subop_cells(void **state)
{
	static const struct {
		u32 word, cmd;
		const char *name;
	} cases[] = {
		{ WORD_GRANT, 0, "grant_table_op/map_grant_ref" },
		{ WORD_GRANT, 12, "grant_table_op/cache_flush" },
		{ WORD_GRANT, 12 | 7 << 12, "grant_table_op/cache_flush" },
		{ WORD_GRANT, 13, "grant_table_op/other" },
		{ WORD_GRANT, 14, "grant_table_op/other" },
		{ WORD_GRANT, 0xffffffff, "grant_table_op/other" },
		{ WORD_VCPU_OP, 0, "vcpu_op/initialise" },
		{ WORD_VCPU_OP, 15, "vcpu_op/register_vcpu_time_phys_area" },
		{ WORD_VCPU_OP, 16, "vcpu_op/other" },
		{ WORD_VCPU_OP, 17, "vcpu_op/other" },
		{ WORD_VCPU_OP, 0x1008, "vcpu_op/other" },
		{ WORD_SCHED_OP, 0, "sched_op/yield" },
		{ WORD_SCHED_OP, 7, "sched_op/pin_override" },
		{ WORD_SCHED_OP, 8, "sched_op/other" },
		{ WORD_SCHED_OP, 9, "sched_op/other" },
		{ HCT_OP_sched_op, 0, "sched_op" },
		{ HCT_OP_grant_table_op, 0, "grant_table_op" },
		{ HCT_OP_iret, 0, "iret" },
		{ 11, 0, "11" },
		{ 63, 0, "63" },
		{ 64, 0, "other" },
		{ 0xfffff, 0, "other" },
		{ 0xfff00000, 0, "malformed" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		/* As many words as the tags promise; a reserved one counts for nothing. */
		bool forged = cases[i].word >> 20 == 0xfff;
		u32 nr = 1 + (forged ? 0 : __builtin_popcount(cases[i].word >> 20));
		const u32 words[] = { XEN_TRC_PV_HYPERCALL_V2 | nr << 28, cases[i].word,
				      cases[i].cmd, 1 };
		struct hct_record rec;
		char name[64];

		assert_int_equal(hct_decode(words, 1 + nr, false, &rec), 0);
		assert_string_equal(hct_cell_name(hct_account_cell(&rec.call), name, sizeof(name)),
				    cases[i].name);
	}
}

/* No two cells share a name, and every name fits. */
static void test_cell_names(void **state)
{
	static char names[HCT_NR_CELLS][64];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < HCT_NR_CELLS; i++) {
		assert_ptr_equal(hct_cell_name(i, names[i], sizeof(names[i])), names[i]);
		assert_in_range(strlen(names[i]), 1, 62);
		for (j = 0; j < i; j++)
			assert_string_not_equal(names[i], names[j]);
	}
}

static void test_op_names(void **state)
{
	u32 op;

	(void)state;
	for (op = 0; op < HCT_NR_OPS; op++) {
		const char *name = hct_op_name(op);

		if (name)
			assert_int_equal(hct_op_by_name(name, strlen(name)), op);
	}
	assert_null(hct_op_name(11));
	assert_null(hct_op_name(64));
	assert_null(hct_op_name(~0u));
	assert_string_equal(hct_op_name(48), "mca");
	assert_int_equal(hct_op_by_name("iretx", 4), 23);
	assert_int_equal(hct_op_by_name("iretx", 5), -1);
	assert_int_equal(hct_op_by_name("", 0), -1);
	assert_null(hct_subop_name(HCT_OP_mmu_update, 0));
	assert_null(hct_subop_name(HCT_OP_vcpu_op, 16));
	assert_string_equal(hct_subop_name(HCT_OP_sched_op, 1), "block");
}

static void test_units(void **state)
{
	static const struct {
		u32 word, a, b;
		u64 units;
	} cases[] = {
		{ WORD_MMU_UPDATE, 5, 0, 5 },
		{ WORD_MMU_UPDATE, 5 | PREEMPTED, 0, 5 },
		{ WORD_MMUEXT, 0x7fffffff, 0, 0x7fffffff },
		{ WORD_MULTICALL, 0xffffffff, 0, 0xffffffff },
		{ WORD_GRANT, 5, 9, 9 },
		{ WORD_VCPU_OP, 8, 9, 0 },
		{ WORD_SCHED_OP, 3, 0, 0 },
		{ 0xfff00001, 7, 7, 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const u32 words[] = { XEN_TRC_PV_HYPERCALL_V2 | 3u << 28, cases[i].word,
				      cases[i].a, cases[i].b };
		struct hct_record rec;

		assert_int_equal(hct_decode(words, 4, false, &rec), 0);
		assert_int_equal(hct_account_units(&rec.call), cases[i].units);
	}
}

/* A guest may announce 2^32 of anything in each call: the sum stays at its end. */
static void test_units_without_end(void **state)
{
	struct rig *rig = rig_new(1, 1);
	struct hct_cell *cells;
	u32 i;

	(void)state;
	rig_run(rig, 0, 5, 0);
	rig_call(rig, 0, WORD_MULTICALL, ~0u);
	rig_call(rig, 0, WORD_GRANT, 0, ~0u);
	rig_drain(rig);
	cells = rig->p.acct->domains[0].cells[CALL];
	assert_int_equal(cells[HCT_OP_multicall].units, ~0u);
	assert_int_equal(rig->p.acct->domains[0].batches.max, ~0u);
	assert_int_equal(rig->p.acct->domains[0].batches.sizes[HCT_NR_SIZES - 1], 1);
	cells[HCT_OP_multicall].units = ~0ull - 7;
	cells[HCT_CELL_GRANT].units = ~0ull - ~0u;
	rig_call(rig, 0, WORD_MULTICALL, 8);
	rig_call(rig, 0, WORD_GRANT, 0, ~0u);
	rig_drain(rig);
	assert_cell(rig, 5, CALL, HCT_OP_multicall, 2, 0, ~0ull);
	assert_cell(rig, 5, CALL, HCT_CELL_GRANT, 2, 0, ~0ull);

	/* And so it stays when the row is folded into another. */
	dies(rig, 5);
	rig->p.acct->special[HCT_ROW_GONE].cells[CALL][HCT_CELL_GRANT].units = 1;
	for (i = 0; i < HCT_MAX_DOMAINS; i++)
		iret_by(rig, 300 + i);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_OP_multicall, 2, 0, ~0ull);
	assert_special(rig, HCT_ROW_GONE, CALL, HCT_CELL_GRANT, 2, 0, ~0ull);
	rig_free(rig);
}

/* Counts that hide continuations are bounds: the ops whose continuations bear no mark. */
static void test_bounds(void **state)
{
	static struct hct_domain dom;
	char name[64];
	unsigned int i;

	(void)state;
	for (i = 0; i < HCT_NR_CELLS; i++) {
		hct_cell_name(i, name, sizeof(name));
		assert_true(hct_cell_is_bound(&dom, HCT_KIND_HVM, i, true));
		if (i == HCT_OP_multicall) {
			assert_false(hct_cell_is_bound(&dom, CALL, i, true));
			assert_true(hct_cell_is_bound(&dom, CALL, i, false));
			continue;
		}
		assert_int_equal(hct_cell_is_bound(&dom, CALL, i, true),
				 hct_cell_is_bound(&dom, CALL, i, false));
	}
	assert_false(hct_cell_is_bound(&dom, CALL, HCT_OP_iret, true));
	assert_false(hct_cell_is_bound(&dom, CALL, HCT_OP_mmu_update, true));
	assert_true(hct_cell_is_bound(&dom, CALL, HCT_CELL_GRANT + 12, true));
	assert_true(hct_cell_is_bound(&dom, CALL, HCT_CELL_GRANT, true));
	assert_true(hct_cell_is_bound(&dom, CALL, HCT_OP_memory_op, true));
	assert_true(hct_cell_is_bound(&dom, CALL, HCT_OP_domctl, true));
	assert_true(hct_cell_is_bound(&dom, CALL, HCT_CELL_VCPU, true));

	/* One mark that was not believed, and nobody can tell any more. */
	dom.doubted[CALL] = 1 << HCT_MARKED_MMU_UPDATE;
	dom.doubted[HCT_KIND_MEMBER] = 1 << HCT_MARKED_MMUEXT_OP;
	assert_true(hct_cell_is_bound(&dom, CALL, HCT_OP_mmu_update, true));
	assert_false(hct_cell_is_bound(&dom, CALL, HCT_OP_mmuext_op, true));
	assert_true(hct_cell_is_bound(&dom, HCT_KIND_MEMBER, HCT_OP_mmuext_op, true));
	assert_false(hct_cell_is_bound(&dom, HCT_KIND_DRAFT, HCT_OP_mmu_update, true));

	assert_true(hct_cell_has_units(HCT_OP_multicall));
	assert_true(hct_cell_has_units(HCT_CELL_GRANT_OTHER));
	assert_false(hct_cell_has_units(HCT_CELL_VCPU));
	assert_false(hct_cell_has_units(HCT_OP_iret));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_first_and_last_domid),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_folding_order),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_subop_cells),
		cmocka_unit_test(test_cell_names),
		cmocka_unit_test(test_op_names),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_units_without_end),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
