// SPDX-License-Identifier: GPL-2.0
/* --domain and --op: the grammar, and what it compiles to. */
#include <stdlib.h>

#include "../../tools/hctrace/base/filter.h"
#include "rig.h"

#define UUID		"6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5f"
#define LONG_NAME	"production-0123456789012345678901234567890123456789012345678901234567890123456789"

static struct filter *filter_new(void)
{
	struct filter *filter = calloc(1, sizeof(*filter));

	assert_non_null(filter);
	return filter;
}

static void filter_end(struct filter *filter)
{
	filter_clear_domains(filter);
	free(filter);
}

static bool wants(const struct filter *filter, const char *label, const char *name)
{
	const struct domname what = { .name = name, .uuid = UUID };
	struct dom_id dom;

	assert_true(dom_id_parse(label, &dom));
	return filter_wants_domain(filter, &dom, *name ? &what : &domname_unknown);
}

static void test_nothing_is_asked_for(void **state)
{
	struct filter *filter = filter_new();
	u64 ops;

	(void)state;
	assert_true(wants(filter, "d?", ""));
	assert_true(wants(filter, "d32751#7", ""));
	assert_true(filter_wants_op(filter, "*"));
	assert_true(filter_wants_cell(filter, HCT_CELL_VIRIDIAN));
	assert_true(filter_names_id(filter, 3));
	assert_false(filter_op_bits(filter, &ops));
	filter_end(filter);
}

static void test_domains(void **state)
{
	static const struct {
		const char *list;
		const char *label;
		const char *name;
		bool wanted;
	} cases[] = {
		{ "3", "d3", "", true }, { "3", "d3#2", "", true }, { "3", "d33", "", false },
		{ "d3", "d3#2", "web1", true }, { "3", "d?", "", false },
		{ "0-2", "d0", "", true }, { "0-2", "d2#9", "", true },
		{ "d0-d2", "d3", "", false },
		{ "0-d2", "d1", "", true }, { "32751", "d32751", "", true },
		{ "d3#2", "d3#2", "", true }, { "d3#2", "d3", "", false },
		{ "3#1", "d3", "", true },
		{ "d?", "d?", "", true }, { "d?", "d3", "", false },
		{ "d[gone]", "d[gone]", "", true }, { "d[gone]", "d[more]", "", false },
		{ "web1", "d3", "web1", true }, { "web1", "d3", "", false },
		{ "web1", "d3", "web11", false }, { "web", "d3", "web1", false },
		/* Whole names, however long: no other begins like it */
		{ LONG_NAME "1", "d3", LONG_NAME "1", true },
		{ LONG_NAME "1", "d3", LONG_NAME "2", false },
		{ LONG_NAME "1", "d3", LONG_NAME, false },
		{ "财务", "d3", "财务", true }, { "财务", "d3", "人事", false },
		/* The one of those that have the name */
		{ "web1(d3)", "d3", "web1", true }, { "web1(d3)", "d5", "web1", false },
		{ "web1(d3#2)", "d3#2", "web1", true }, { "web1(d3)", "d3#2", "web1", false },
		{ "web1(d3)", "d5", "web1(d3)", true }, { "d5(d3)", "d3", "d5", true },
		{ "web1(d3", "d3", "web1", false }, { "web1(d3)x", "d3", "web1", false },
		{ "(d3)", "d3", "", false },
		/* As it was escaped: for JSON, a stack, a terminal */
		{ "a\\xff", "d3", "a\xff", true }, { "a\\x3bb", "d3", "a;b", true },
		{ "a\\x1bb(d3)", "d3", "a\033b", true }, { "a\\x1b", "d3", "a", false },
		{ UUID, "d3", "web1", true }, { UUID, "d3", "", false },
		{ "6F1D2C0E-3A51-4F0E-9D6B-0A1B2C3D4E5F", "d3", "web1", true },
		{ "6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e50", "d3", "web1", false },
		{ "all", "d?", "", true }, { "7,all", "d3", "", true },
		{ " 7 , web1 ", "d3", "web1", true }, { "a b", "d3", "a b", true },
		{ "\"all\"", "d3", "", false }, { "\"all\"", "d3", "all", true },
		{ "\"3\"", "d3", "", false }, { "\"3\"", "d4", "3", true },
		{ "\"a, b\",7", "d3", "a, b", true }, { "\"a, b\" ,7", "d7", "", true },
		{ "\"\"\"\"", "d3", "\"", true }, { "\"a\"\"\"\"b\"", "d3", "a\"\"b", true },
		{ "\" web1\"", "d3", " web1", true }, { "we\"b", "d3", "we\"b", true },
		{ "3com", "d3", "3com", true }, { "3com", "d3", "", false },
		{ "1-2-3", "d2", "1-2-3", true }, { "d3v1", "d3", "d3v1", true },
		{ "d3#", "d3", "d3#", true }, { "d[IDLE]", "d3", "d[IDLE]", true },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct filter *filter = filter_new();

		assert_null(filter_domains(filter, cases[i].list));
		assert_int_equal(wants(filter, cases[i].label, cases[i].name), cases[i].wanted);
		filter_end(filter);
	}
}

static void test_ops(void **state)
{
	static const struct {
		const char *list;
		const char *op;
		bool wanted;
	} cases[] = {
		{ "vcpu_op", "vcpu_op/is_up", true }, { "vcpu_op", "vcpu_op", true },
		{ "24", "vcpu_op/other", true }, { "vcpu_op/is_up", "vcpu_op/is_up", true },
		{ "vcpu_op/is_up", "vcpu_op/up", false }, { "vcpu_op/up", "vcpu_op", false },
		{ "iret,1", "mmu_update", true }, { "sched_op", "sched_op_compat", false },
		{ "sched_op_compat", "sched_op/yield", false }, { "iret", "*", false },
		{ "other", "other", true }, { "malformed,viridian", "viridian", true },
		{ "63", "63", true }, { "40", "xenpmu_op", true }, { "xenpmu_op", "40", true },
		{ "all", "*", true }, { "iret,all", "multicall", true },
		{ "\"iret\"", "iret", true },
	};
	unsigned int i, cell;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct filter *filter = filter_new();
		char name[64];

		assert_null(filter_ops(filter, cases[i].list));
		assert_int_equal(filter_wants_op(filter, cases[i].op), cases[i].wanted);
		/* A cell and the row that it becomes are wanted alike. */
		for (cell = 0; cell < HCT_NR_CELLS; cell++)
			assert_int_equal(filter_wants_cell(filter, cell),
					 filter_wants_op(filter, hct_cell_name(cell, name,
									       sizeof(name))));
		filter_end(filter);
	}
}

static void test_what_is_wrong(void **state)
{
	static const char *const domains[] = {
		"", ",", "3,", ",3", "1,,2", " ", "\"\"", "\"web1", "\"web1\"\"", "\"a\"b", "32752",
		"d4294967296", "0-32752", "7-5", "d3#0", "99999999999999999999999",
	};
	static const char *const ops[] = {
		"", "iret,", "bogus", "64", "-1", "vcpu_op/", "vcpu_op/bogus", "24/up", "d3", "*",
		"iret/up", "mmu", "\"iret",
	};
	struct filter *filter = filter_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(domains); i++) {
		assert_non_null(filter_domains(filter, domains[i]));
		filter_clear_domains(filter);
	}
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		assert_non_null(filter_ops(filter, ops[i]));
		filter_clear_ops(filter);
	}
	for (i = 0; i < FILTER_MAX; i++) {
		assert_null(filter_domains(filter, "3"));
		assert_null(filter_ops(filter, "iret"));
	}
	assert_non_null(filter_domains(filter, "3"));
	assert_non_null(filter_ops(filter, "iret"));
	/* Nothing is left of it. */
	filter_clear_domains(filter);
	filter_clear_ops(filter);
	assert_true(wants(filter, "d4", ""));
	assert_true(filter_wants_op(filter, "multicall"));
	assert_null(filter_ops(filter, "multicall"));
	assert_false(filter_wants_cell(filter, HCT_OP_iret));
	filter_end(filter);
}

static void test_settings(void **state)
{
	struct filter *filter = filter_new();
	struct hct_settings set;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_ALL);
	assert_null(filter_domains(filter, "web1,4-5,d7#2"));
	assert_null(filter_ops(filter, "vcpu_op/is_up,63"));
	filter_settings(filter, &set);
	assert_false(set.all_domains);
	assert_false(hct_settings_wants_domain(&set, 3));
	assert_true(hct_settings_wants_domain(&set, 4));
	assert_true(hct_settings_wants_domain(&set, 5));
	assert_true(hct_settings_wants_domain(&set, 7));
	assert_true(hct_settings_wants_op(&set, HCT_OP_vcpu_op));
	assert_true(hct_settings_wants_op(&set, 63));
	assert_false(hct_settings_wants_op(&set, HCT_OP_iret));
	assert_true(filter_names_id(filter, 7));
	assert_false(filter_names_id(filter, 3));
	/* What is of any domain, and of any op */
	assert_null(filter_domains(filter, "d[gone]"));
	assert_null(filter_ops(filter, "other"));
	filter_settings(filter, &set);
	assert_true(hct_settings_wants_domain(&set, 3));
	assert_true(hct_settings_wants_op(&set, 64));
	filter_end(filter);
}

static void test_names(void **state)
{
	const struct domname web1 = { .name = "web1" };
	const struct dom_id d3 = { .label = "d3", .domid = 3, .generation = 1 };
	struct filter *filter = filter_new();
	struct domname what;

	(void)state;
	assert_null(filter_domains(filter, "3,web1"));
	assert_true(filter_is_name(filter, 1, &d3, &web1));
	assert_false(filter_is_name(filter, 0, &d3, &web1));
	assert_false(filter_is_name(filter, 1, &d3, &domname_unknown));
	filter_end(filter);
	assert_true(domname_set_uuid(&what, "6F1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5f"));
	assert_string_equal(what.uuid, UUID);
	assert_false(domname_set_uuid(&what, "6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5"));
	assert_false(domname_set_uuid(&what, "6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5f0"));
	assert_false(domname_set_uuid(&what, "6f1d2c0e03a51-4f0e-9d6b-0a1b2c3d4e5f"));
	assert_false(domname_set_uuid(&what, "6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5g"));
	assert_false(domname_set_uuid(&what, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_asked_for),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_what_is_wrong),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
