// SPDX-License-Identifier: GPL-2.0
/* Names of hypercalls and of their sub-operations, known numbers and others. */
#include "rig.h"

#define NOWHERE	0xffffffffu
#define WALK	5000u		/* beyond the highest sub-operation, domctl's 1003 */

/* What Xen's headers say, written down once more: the ends of each family, and a gap. */
static const struct {
	u32 op;
	u32 first;
	const char *first_name;
	u32 last;
	const char *last_name;
	u32 gap;
	unsigned int nr;
} families[] = {
	{ HCT_OP_grant_table_op, 0, "map_grant_ref", 12, "cache_flush", NOWHERE, 13 },
	{ HCT_OP_vcpu_op, 0, "initialise", 15, "register_vcpu_time_phys_area", NOWHERE, 16 },
	{ HCT_OP_sched_op, 0, "yield", 7, "pin_override", NOWHERE, 8 },
	{ HCT_OP_mmuext_op, 0, "pin_l1_table", 20, "unmark_super", 14, 20 },
	{ HCT_OP_memory_op, 0, "increase_reservation", 28, "acquire_resource", 8, 28 },
	{ HCT_OP_event_channel_op, 0, "bind_interdomain", 14, "reset_cont", NOWHERE, 15 },
	{ HCT_OP_physdev_op, 5, "irq_status_query", 32, "pci_device_reset", 18, 26 },
	{ HCT_OP_xen_version, 0, "version", 14, "commandline2", NOWHERE, 15 },
	{ HCT_OP_console_io, 0, "write", 1, "read", NOWHERE, 2 },
	{ HCT_OP_vm_assist, 0, "enable", 1, "disable", NOWHERE, 2 },
	{ HCT_OP_nmi_op, 0, "register_callback", 1, "unregister_callback", NOWHERE, 2 },
	{ HCT_OP_callback_op, 0, "register", 1, "unregister", NOWHERE, 2 },
	{ HCT_OP_hvm_op, 0, "set_param", 25, "altp2m", NOWHERE, 26 },
	{ HCT_OP_dm_op, 1, "create_ioreq_server", 20, "nr_vcpus", NOWHERE, 20 },
	{ HCT_OP_kexec_op, 0, "kexec", 6, "status", NOWHERE, 7 },
	{ HCT_OP_argo_op, 1, "register_ring", 4, "notify", NOWHERE, 4 },
	{ HCT_OP_xenpmu_op, 0, "mode_get", 7, "flush", NOWHERE, 8 },
	{ HCT_OP_hypfs_op, 0, "get_version", 2, "write_contents", NOWHERE, 3 },
	{ HCT_OP_mca, 1, "fetch", 6, "inject_v2", NOWHERE, 6 },
	{ HCT_OP_tmem_op, 0, "control", 102, "restore_new", 11, 13 },
	{ HCT_OP_xsm_op, 1, "load", 25, "devicetree_label", NOWHERE, 25 },
	{ HCT_OP_platform_op, 17, "settime32", 66, "microcode_update2", 34, 25 },
	{ HCT_OP_sysctl, 1, "readconsole", 30, "dt_overlay", 13, 29 },
	{ HCT_OP_domctl, 1, "createdomain", 1003, "gdbsx_domstatus", 76, 90 },
};

/* The tables as they are, to find what a look-up would hide: a number given twice. */
struct subop {
	u32 cmd;
	const char *name;
};

#define X(nr, name) { nr, #name },
#define F(op, OPS) { HCT_OP_##op, (const struct subop[]){ OPS(X) { 0, NULL } } },
static const struct {
	u32 op;
	const struct subop *subops;
} tables[] = { HCT_SUBOP_FAMILIES(F) };
#undef F
#undef X

/* Numbers that Xen gives to no hypercall. */
static const u32 unnamed_ops[] = { 11, 43, 44, 45, 46, 47, 50, 51, 55, 56, 62, 63 };

static void test_ends_of_families(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		u32 op = families[i].op;

		assert_string_equal(hct_subop_name(op, families[i].first), families[i].first_name);
		assert_string_equal(hct_subop_name(op, families[i].last), families[i].last_name);
		if (families[i].first)
			assert_null(hct_subop_name(op, families[i].first - 1));
		assert_null(hct_subop_name(op, families[i].last + 1));
		assert_null(hct_subop_name(op, families[i].gap));
		assert_null(hct_subop_name(op, 0x7fffffff));
		assert_null(hct_subop_name(op, 0xffffffff));
	}
}

/* As many names as there should be, and none beyond the last, not even around a wrap. */
static void test_size_of_families(void **state)
{
	unsigned int i;
	u32 cmd;

	(void)state;
	assert_int_equal(ARRAY_SIZE(families), ARRAY_SIZE(tables));
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		u32 op = families[i].op;
		unsigned int nr = 0;

		for (cmd = 0; cmd < WALK; cmd++)
			nr += cmd == hct_subop_cmd(op, cmd) && hct_subop_name(op, cmd);
		for (cmd = -WALK; cmd; cmd++)
			nr += cmd == hct_subop_cmd(op, cmd) && hct_subop_name(op, cmd);
		assert_int_equal(nr, families[i].nr);
	}
}

/* Within a family no number and no name stands twice; each pair is found again. */
static void test_unique_subops(void **state)
{
	unsigned int i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		const struct subop *a;
		const struct subop *b;

		for (a = tables[i].subops; a->name; a++) {
			assert_string_equal(hct_subop_name(tables[i].op, a->cmd), a->name);
			for (b = tables[i].subops; b != a; b++) {
				assert_int_not_equal(a->cmd, b->cmd);
				assert_string_not_equal(a->name, b->name);
			}
		}
		/* Each hypercall has one table. */
		for (j = 0; j < i; j++)
			assert_int_not_equal(tables[i].op, tables[j].op);
	}
}

/* Far from their neighbours. */
static void test_sparse_subops(void **state)
{
	(void)state;
	assert_string_equal(hct_subop_name(HCT_OP_domctl, 90), "get_domain_state");
	assert_null(hct_subop_name(HCT_OP_domctl, 0));
	assert_null(hct_subop_name(HCT_OP_domctl, 30));
	assert_null(hct_subop_name(HCT_OP_domctl, 32));
	assert_null(hct_subop_name(HCT_OP_domctl, 91));
	assert_null(hct_subop_name(HCT_OP_domctl, 999));
	assert_string_equal(hct_subop_name(HCT_OP_domctl, 1000), "gdbsx_guestmemio");
	assert_null(hct_subop_name(HCT_OP_domctl, 1004));
	assert_string_equal(hct_subop_name(HCT_OP_tmem_op, 10), "xchg");
	assert_null(hct_subop_name(HCT_OP_tmem_op, 100));
	assert_string_equal(hct_subop_name(HCT_OP_tmem_op, 101), "auth");
	assert_null(hct_subop_name(HCT_OP_platform_op, 18));
	assert_string_equal(hct_subop_name(HCT_OP_platform_op, 35), "microcode_update");
	assert_null(hct_subop_name(HCT_OP_platform_op, 47));
}

/* The bits in which a preempted call keeps its place are no part of the command. */
static void test_continued_commands(void **state)
{
	(void)state;
	assert_string_equal(hct_subop_name(HCT_OP_memory_op, 6 | 0x1234 << 6), "populate_physmap");
	assert_string_equal(hct_subop_name(HCT_OP_memory_op, 0xffffffc0), "increase_reservation");
	assert_null(hct_subop_name(HCT_OP_memory_op, 29 | 5 << 6));
	assert_string_equal(hct_subop_name(HCT_OP_grant_table_op, 12 | 7 << 12), "cache_flush");
	assert_null(hct_subop_name(HCT_OP_grant_table_op, 13 | 7 << 12));
	/* Nowhere else. */
	assert_null(hct_subop_name(HCT_OP_vcpu_op, 0x1000));
	assert_null(hct_subop_name(HCT_OP_sched_op, 0x1000));
	assert_null(hct_subop_name(HCT_OP_event_channel_op, 0x40));

	assert_int_equal(hct_subop_cmd(HCT_OP_memory_op, 0xffffffff), 0x3f);
	assert_int_equal(hct_subop_cmd(HCT_OP_grant_table_op, 0xffffffff), 0xfff);
	assert_int_equal(hct_subop_cmd(HCT_OP_domctl, 0xffffffff), 0xffffffff);
	assert_int_equal(hct_subop_cmd(0xffffffff, 0xffffffff), 0xffffffff);
}

/* Hypercalls without sub-operations, and numbers that are none. */
static void test_no_family(void **state)
{
	unsigned int i;
	u32 op;

	(void)state;
	assert_null(hct_subop_name(HCT_OP_iret, 0));
	assert_null(hct_subop_name(HCT_OP_multicall, 0));
	assert_null(hct_subop_name(HCT_NR_OPS, 0));
	assert_null(hct_subop_name(NOWHERE, 0));
	assert_null(hct_subop_name(NOWHERE, NOWHERE));
	for (op = 0; op < HCT_NR_OPS; op++) {
		bool has_family = false;

		for (i = 0; i < ARRAY_SIZE(families); i++)
			has_family |= families[i].op == op;
		if (!has_family)
			assert_null(hct_subop_name(op, 0));
		else
			assert_non_null(hct_op_name(op));
	}
}

/* The recorded families index the cells: no gaps, and as many as there were. */
static void test_recorded_families(void **state)
{
	u32 cmd;

	(void)state;
	assert_int_equal(HCT_NR_GRANT_OPS, 13);
	assert_int_equal(HCT_NR_VCPU_OPS, 16);
	assert_int_equal(HCT_NR_SCHED_OPS, 8);
	for (cmd = 0; cmd < HCT_NR_GRANT_OPS; cmd++)
		assert_non_null(hct_subop_name(HCT_OP_grant_table_op, cmd));
	for (cmd = 0; cmd < HCT_NR_VCPU_OPS; cmd++)
		assert_non_null(hct_subop_name(HCT_OP_vcpu_op, cmd));
	for (cmd = 0; cmd < HCT_NR_SCHED_OPS; cmd++)
		assert_non_null(hct_subop_name(HCT_OP_sched_op, cmd));
}

static void test_ops(void **state)
{
	static const struct {
		u32 op;
		const char *name;
	} some[] = {
		{ 0, "set_trap_table" }, { 1, "mmu_update" }, { 10, "update_descriptor" },
		{ 12, "memory_op" }, { 23, "iret" }, { 42, "hypfs_op" }, { 48, "mca" },
		{ 49, "paging_domctl_cont" },
	};
	unsigned int nr = 0;
	unsigned int i;
	u32 op;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(some); i++)
		assert_string_equal(hct_op_name(some[i].op), some[i].name);

	for (op = 0; op < WALK; op++) {
		const char *name = hct_op_name(op);

		if (!name)
			continue;
		nr++;
		assert_in_range(op, 0, HCT_NR_OPS - 1);
		/* The first of its name, so no name stands twice. */
		assert_int_equal(hct_op_by_name(name, strlen(name)), op);
	}
	assert_int_equal(nr, 44);

	for (i = 0; i < ARRAY_SIZE(unnamed_ops); i++)
		assert_null(hct_op_name(unnamed_ops[i]));
	assert_null(hct_op_name(HCT_NR_OPS));
	assert_null(hct_op_name(0xfffff));
	assert_null(hct_op_name(NOWHERE));
}

/* A name is looked up in whole: neither its beginning nor more than it will do. */
static void test_op_by_name(void **state)
{
	static const char *const none[] = { "", "i", "ire", "irett", "IRET", " iret", "23" };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(none); i++)
		assert_int_equal(hct_op_by_name(none[i], strlen(none[i])), -1);
	assert_int_equal(hct_op_by_name("iret", 4), HCT_OP_iret);
	assert_int_equal(hct_op_by_name("iret,mca", 4), HCT_OP_iret);
	assert_int_equal(hct_op_by_name("sched_op", 8), HCT_OP_sched_op);
	assert_int_equal(hct_op_by_name("sched_op_compat", 15), HCT_OP_sched_op_compat);
	assert_int_equal(hct_op_by_name("iret", 5), -1);
}

/* Rows of numbers without a name show the number. */
static void test_unnamed_cells(void **state)
{
	char want[16];
	char name[64];
	unsigned int i;
	u32 op;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(unnamed_ops); i++) {
		snprintf(want, sizeof(want), "%u", unnamed_ops[i]);
		assert_string_equal(hct_cell_name(unnamed_ops[i], name, sizeof(name)), want);
	}
	for (op = 0; op < HCT_NR_OPS; op++) {
		if (hct_op_name(op))
			assert_string_equal(hct_cell_name(op, name, sizeof(name)), hct_op_name(op));
	}
	assert_string_equal(hct_cell_name(HCT_CELL_OTHER, name, sizeof(name)), "other");
}

static void test_kinds(void **state)
{
	unsigned int i, j;

	(void)state;
	for (i = 0; i < HCT_NR_KINDS; i++) {
		for (j = 0; j < i; j++)
			assert_string_not_equal(hct_kind_name(i), hct_kind_name(j));
		assert_string_not_equal(hct_kind_name(i), "?");
	}
	assert_string_equal(hct_kind_name(HCT_KIND_CALL), "call");
	assert_string_equal(hct_kind_name(HCT_NR_KINDS), "?");
	assert_string_equal(hct_kind_name(NOWHERE), "?");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_of_families),
		cmocka_unit_test(test_size_of_families),
		cmocka_unit_test(test_unique_subops),
		cmocka_unit_test(test_sparse_subops),
		cmocka_unit_test(test_continued_commands),
		cmocka_unit_test(test_no_family),
		cmocka_unit_test(test_recorded_families),
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_op_by_name),
		cmocka_unit_test(test_unnamed_cells),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
