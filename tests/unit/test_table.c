// SPDX-License-Identifier: GPL-2.0
/* How the statistics read: which lines, in which order, and each column of them. */
#include <stdlib.h>

#include <hctrace/table.h>

#include "rig.h"

#define MAX_LINES	64

struct lines {
	char text[MAX_LINES][HCT_LINE_BYTES];
	u32 nr;
};

/* Runs of blanks as one, so that columns can be compared without counting blanks. */
static void squeeze(char *to, const char *from)
{
	for (; *from; from++) {
		if (*from != ' ' || from[1] != ' ')
			*to++ = *from;
	}
	*to = 0;
}

static void keep(void *ctx, const char *line)
{
	struct lines *lines = ctx;

	assert_true(lines->nr < MAX_LINES);
	assert_true(strlen(line) < HCT_LINE_BYTES - 1);
	squeeze(lines->text[lines->nr++], line);
}

static void expect(const struct lines *lines, const char *const *wanted, u32 nr)
{
	u32 i;

	for (i = 0; i < nr && i < lines->nr; i++)
		assert_string_equal(lines->text[i], wanted[i]);
	assert_int_equal(lines->nr, nr);
}

static int by_row(const void *left, const void *right)
{
	return hct_row_compare(left, right);
}

static void stats_lines(struct rig *rig, bool members, u64 per_s, struct lines *lines)
{
	struct hct_row rows[MAX_LINES];
	char line[HCT_LINE_BYTES];
	u32 nr, i;

	hct_pipeline_settle(&rig->p);
	rig->p.acct->tsc_khz = 1;
	nr = hct_rows_fill(rig->p.acct, members, NULL);
	assert_true(nr <= MAX_LINES);
	assert_int_equal(hct_rows_fill(rig->p.acct, members, rows), nr);
	qsort(rows, nr, sizeof(*rows), by_row);
	lines->nr = 0;
	for (i = 0; i < nr; i++) {
		if (per_s)
			rows[i].per_s = per_s;
		keep(lines, hct_row_format(rig->p.acct, &rows[i], line, sizeof(line)));
	}
}

/* d3 calls and batches, d1 only has members, d7 dies and its id is used again. */
static struct rig *story(void)
{
	struct rig *rig = rig_new(1, 4);
	u32 i;

	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 3, 0);
	rig_call(rig, 0, WORD_MULTICALL, 3);
	for (i = 0; i < 3; i++)
		rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_call(rig, 0, WORD_MMU_UPDATE, 5);
	rig_call(rig, 0, WORD_MMU_UPDATE, 2 | PREEMPTED);
	rig_call(rig, 0, WORD_GRANT, 0, 4);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 1, 0);
	rig_member(rig, 0, HCT_OP_xen_version);
	rig_run(rig, 0, 7, 0);
	rig_call(rig, 0, WORD_VCPU_OP, 13, 0);
	rig_put(rig, 0, XEN_TRC_DOM_REM, 7);
	rig_call(rig, 0, 70);
	rig_drain(rig);
	return rig;
}

static void test_stats(void **state)
{
	static const char *const wanted[] = {
		"d3 call * 6 5 1 - 0 ~ 10.000",
		"d3 member * 3 3 - - 0 = 10.000",
		"d1 member * 1 1 - - 0 = 3.000",
		"d7 call * 1 1 0 - 0 = 0.000",
		"d7#2 call * 1 1 0 - 0 = 4.000",
		"d? - * 1 1 - - 0 = 1.000",
		"d3 member update_va_mapping 3 3 - - 0 = -",
		"d3 call mmu_update 2 1 1 5 0 = -",
		"d3 call iret 2 2 0 - 0 = -",
		"d3 call multicall 1 1 0 3 0 = -",
		"d3 call grant_table_op/map_grant_ref 1 1 0 4 0 ~ -",
		"d1 member xen_version 1 1 - - 0 = -",
		"d7 call vcpu_op/register_vcpu_time_memory_area 1 1 0 - 0 = -",
		"d7#2 call other 1 1 0 - 0 = -",
	};
	struct rig *rig = story();
	struct lines lines;

	(void)state;
	stats_lines(rig, true, 0, &lines);
	expect(&lines, wanted, ARRAY_SIZE(wanted));
	rig_free(rig);
}

/* Members off: what a multicall record is cannot be told. */
static void test_no_members(void **state)
{
	struct rig *rig = story();
	struct lines lines;

	(void)state;
	stats_lines(rig, false, 0, &lines);
	assert_string_equal(lines.text[9], "d3 call multicall 1 1 0 3 0 ~ -");
	rig_free(rig);
}

static void test_rates(void **state)
{
	struct rig *rig = story();
	struct lines lines;

	(void)state;
	hct_pipeline_tick(&rig->p, 500);
	stats_lines(rig, true, 0, &lines);
	assert_string_equal(lines.text[0], "d3 call * 6 5 1 - 12 ~ 10.000");
	assert_string_equal(lines.text[6], "d3 member update_va_mapping 3 3 - - 6 = -");
	stats_lines(rig, true, HCT_RATE_UNKNOWN, &lines);
	assert_string_equal(lines.text[0], "d3 call * 6 5 1 - - ~ 10.000");
	rig_free(rig);
}

/* What is busy now comes before what was busy. */
static void test_order(void **state)
{
	struct rig *rig = story();
	struct lines lines;

	(void)state;
	hct_pipeline_tick(&rig->p, 1000);
	rig_run(rig, 0, 1, 0);
	rig_member(rig, 0, HCT_OP_xen_version);
	rig_drain(rig);
	hct_pipeline_tick(&rig->p, 1000);
	stats_lines(rig, true, 0, &lines);
	assert_string_equal(lines.text[0], "d1 member * 2 2 - - 1 = 5.000");
	assert_string_equal(lines.text[1], "d3 call * 6 5 1 - 0 ~ 10.000");
	rig_free(rig);
}

/* Whoever makes calls look like continuations stays where the records are. */
static void test_order_by_records(void **state)
{
	struct rig *rig = rig_new(1, 1);
	struct lines lines;
	u32 i;

	(void)state;
	rig_run(rig, 0, 1, 0);
	rig_call(rig, 0, HCT_OP_iret);
	rig_call(rig, 0, HCT_OP_iret);
	rig_run(rig, 0, 2, 0);
	rig_call(rig, 0, WORD_MMU_UPDATE, 9);
	for (i = 8; i; i--)
		rig_call(rig, 0, WORD_MMU_UPDATE, i | PREEMPTED);
	rig_drain(rig);
	hct_pipeline_tick(&rig->p, 1000);
	stats_lines(rig, true, 0, &lines);
	assert_string_equal(lines.text[0], "d2 call * 9 1 8 - 9 = 10.000");
	assert_string_equal(lines.text[1], "d1 call * 2 2 0 - 2 = 3.000");
	assert_string_equal(lines.text[3], "d2 call mmu_update 9 1 8 9 9 = -");
	/* So they do when rates are as if unknown. */
	stats_lines(rig, true, HCT_RATE_UNKNOWN, &lines);
	assert_string_equal(lines.text[0], "d2 call * 9 1 8 - - = 10.000");
	rig_free(rig);
}

/* Columns end where their names do, and what is too long is made up for behind it. */
static void test_columns(void **state)
{
	static const char name[] = "vcpu_op/register_vcpu_time_memory_area";
	struct rig *rig = story();
	char heading[HCT_LINE_BYTES], line[HCT_LINE_BYTES];
	struct hct_row row = {
		.dom = rig_row(rig, 3), .cell = HCT_ALL_CELLS, .calls = 1234, .per_s = 77,
	};

	(void)state;
	hct_row_heading(heading, sizeof(heading));
	assert_int_equal(strlen(heading), 98);
	hct_row_format(rig->p.acct, &row, line, sizeof(line));
	assert_int_equal(strstr(heading, "acc") - heading, strchr(line, '=') - line);
	assert_int_equal(strlen(line), 98);
	assert_int_equal(strstr(heading, "records") + 7 - heading, strstr(line, "1234") + 4 - line);
	assert_int_equal(strstr(heading, "per_s") + 5 - heading, strstr(line, "77") + 2 - line);
	row.cell = HCT_CELL_VCPU + HCT_VCPU_register_vcpu_time_memory_area;
	hct_row_format(rig->p.acct, &row, line, sizeof(line));
	assert_memory_equal(line + 15, name, strlen(name));
	assert_int_equal(strstr(heading, "cont") + 4 - heading, strrchr(line, '0') + 1 - line);
	assert_int_equal(strstr(heading, "acc") - heading, strchr(line, '=') - line);
	/* The largest there can be fit into a line, apart from each other. */
	row.kind = HCT_KIND_MEMBER;
	row.cell = HCT_CELL_GRANT_OTHER;
	row.calls = ~0ull - 1;
	row.cont = 1;
	row.units = ~0ull;
	row.per_s = ~0ull - 1;
	hct_row_format(rig->p.acct, &row, line, sizeof(line));
	assert_string_equal(line + strlen("d3      member grant_table_op/other "),
			    "18446744073709551615 18446744073709551614 1 18446744073709551615 18446744073709551614 = -");
	rig_free(rig);
}

static void test_names(void **state)
{
	struct rig *rig = story();
	const struct hct_account *acct = rig->p.acct;
	char name[24];

	(void)state;
	assert_string_equal(hct_domain_name(acct, &acct->special[HCT_ROW_GONE], name, sizeof(name)),
			    "d[gone]");
	assert_string_equal(hct_domain_name(acct, &acct->special[HCT_ROW_MORE], name, sizeof(name)),
			    "d[more]");
	assert_int_equal(hct_row_special(acct, &acct->special[HCT_ROW_MORE]), HCT_ROW_MORE);
	assert_int_equal(hct_row_special(acct, &acct->domains[0]), -1);
	rig_free(rig);
}

static void test_multicalls(void **state)
{
	static const char *const wanted[] = {
		"# xen-hctrace multicalls 1 members on buckets end at the number shown (32 = 17..32)",
		"dom batches split short lost declared seen mean max",
		"d3 1 0 0 0 3 3 3.0 3",
		"d1 - - - - - 1 - - no parent",
		"# sizes",
		"dom 1 2 4 8 16 32 64 128 more",
		"d3 0 0 1 0 0 0 0 0 0",
		"# members",
		"dom op members re-exec per_batch",
		"d3 update_va_mapping 3 0 3.00",
		"d1 xen_version 1 0 -",
	};
	struct lines lines = { .nr = 0 };
	struct rig *rig = story();

	(void)state;
	hct_multicalls_format(rig->p.acct, true, keep, &lines);
	expect(&lines, wanted, ARRAY_SIZE(wanted));

	/* A member after its multicall was over has none to belong to. */
	rig_run(rig, 0, 3, 0);
	rig_member(rig, 0, HCT_OP_update_va_mapping);
	rig_drain(rig);
	lines.nr = 0;
	hct_multicalls_format(rig->p.acct, false, keep, &lines);
	assert_string_equal(lines.text[0],
			    "# xen-hctrace multicalls 1 members off: batches may be continuations, none is seen whole buckets end at the number shown (32 = 17..32)");
	assert_string_equal(lines.text[2], "d3 1 0 0 0 3 3 3.0 3 and 1 without parent");
	rig_free(rig);
}

static void test_coverage(void **state)
{
	struct hct_counters total = { .consumed = 0 };

	(void)state;
	assert_int_equal(hct_coverage(&total), 1000000);
	total.consumed = 2999999;
	total.lost = 1;
	assert_int_equal(hct_coverage(&total), 999999);
}

/* However long it counts: 100 % is only said if nothing was lost. */
static void test_coverage_of_years(void **state)
{
	static const struct {
		u64 consumed, lost;
		u32 coverage;
	} cases[] = {
		{ 18446744073709ull, 0, 1000000 },
		{ 18446744073710ull, 0, 1000000 },	/* times a million is beyond 64 bits */
		{ 18446744073710ull, 18446744073710ull, 500000 },
		{ 1ull << 63, 0, 1000000 },
		{ 1ull << 63, 1, 999999 },
		{ (1ull << 63) - 1, 1ull << 63, 499999 },
		{ 1ull << 63, 1ull << 63, 500000 },	/* and so is their sum */
		{ ~0ull, 0, 1000000 },
		{ ~0ull, 1, 999999 },
		{ ~0ull, ~0ull, 499999 },
		{ 1, ~0ull, 0 },
		{ 0, ~0ull, 0 },
	};
	struct hct_counters total = { .consumed = 0 };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		total.consumed = cases[i].consumed;
		total.lost = cases[i].lost;
		assert_int_equal(hct_coverage(&total), cases[i].coverage);
	}
}

static void test_mul_div(void **state)
{
	u64 random = 20261130;
	unsigned int i;

	(void)state;
	assert_int_equal(hct_add(1, ~0ull), ~0ull);
	assert_int_equal(hct_add(~0ull - 1, 1), ~0ull);
	assert_int_equal(hct_mul_div(5, 0, 3), 0);
	assert_int_equal(hct_mul_div(~0ull, ~0u, ~0ull), ~0u);
	assert_int_equal(hct_mul_div(~0ull, 2, 1), ~0ull);
	assert_int_equal(hct_mul_div(~0ull, 1, 1), ~0ull);
	assert_int_equal(hct_mul_div(1ull << 63, 1u << 31, 1ull << 62), 1ull << 32);
	assert_int_equal(hct_mul_div((1ull << 63) + 1, 10, 5), ~0ull);
	assert_int_equal(hct_mul_div((1ull << 62) + 1, 10, 5), (1ull << 63) + 2);
	/* Where a product fits the plain way is right, too. */
	for (i = 0; i < 10000; i++) {
		u64 value = rig_random(&random, ~0u);
		u64 div = rig_random(&random, ~0u) + 1ull;
		u32 mul = rig_random(&random, ~0u) >> rig_random(&random, 32);

		assert_int_equal(hct_mul_div(value, mul, div), value * mul / div);
	}
}

/* What is not known is not given as a share. */
static void test_coverage_unknown(void **state)
{
	struct hct_counters total = { .consumed = 3, .lost = 1 };
	char text[16];

	(void)state;
	assert_string_equal(hct_coverage_format(&total, text, sizeof(text)), "75.0000%");
	total.uncounted = 1;
	assert_string_equal(hct_coverage_format(&total, text, sizeof(text)), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_no_members),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_order_by_records),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_multicalls),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_coverage_of_years),
		cmocka_unit_test(test_mul_div),
		cmocka_unit_test(test_coverage_unknown),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
