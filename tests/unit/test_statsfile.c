// SPDX-License-Identifier: GPL-2.0
/* The module's files as the tool reads them, and what happened between two readings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../tools/hctrace/live/statsdiff.h"
#include "../../tools/hctrace/live/statusfile.h"

#define COLUMNS "dom       kind    op                   calls     cont        units     per_s  acc\n"
#define HEADER(traced, lost) \
	"# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   " \
	"tracing " traced " s   pcpus 2/2\n" \
	"# coverage 99.9987% of records   lost " lost "   malformed 2   " \
	"attribution ok   rate window 1002 ms\n" \
	"# note HVM/PVH guests: only multicall members are traced\n" COLUMNS

static const char stats_text[] =
	HEADER("51.2", "7")
	"d1        call    *                     30        1            -       100  ~\n"
	"d?        -       *                     64        -            -         0  =\n"
	"d1        call    mmu_update            20        1           40        99  =\n"
	"d1        call    grant_table_op/copy   10        0          300         1  ~\n"
	"d3#2      member  vm_assist              5        -            -         0  =\n";

/* What the first modules wrote, without a column of records, is good for as much. */
static const char text_with_records[] =
	"# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing 51.2 s   pcpus 2/2\n"
	"dom     kind   op                      records      calls   cont     units    per_s  acc\n"
	"d1      call   *                            31         30      1         -      100  ~\n"
	"d?      -      *                            64         64      -         -        0  =\n"
	"d1      call   mmu_update                   21         20      1        40       99  =\n"
	"d1      call   grant_table_op/copy          10         10      0       300        1  ~\n"
	"d3#2    member vm_assist                     5          5      -         -        0  =\n";

static const char multicalls_text[] =
	"# xen-hctrace multicalls 1   members on   buckets end at the number shown (32 = 17..32)\n"
	"dom           batches    split   short    lost     declared         seen     mean      max\n"
	"d0                126       24       1       2        50191        50190    398.3      500\n"
	"d7                  -        -       -       -            -          114        -        -  no parent\n"
	"# sizes\n"
	"dom              1        2        4        8       16       32       64      128     more\n"
	"d0               0       15        0        3        2        6        0        0      100\n"
	"# members\n"
	"dom       op                                          members  re-exec  per_batch\n"
	"d0        update_va_mapping                               124        0       0.98\n";

/* Parsers cut their text up. */
static bool parse(const char *text, struct stats *stats, char *err)
{
	char *copy = strdup(text);
	bool good = stats_parse(copy, stats, err, 200);

	free(copy);
	return good;
}

static void test_coverage_unknown(void **state)
{
	struct stats stats;
	char text[16];
	char err[200];

	(void)state;
	assert_true(parse("# xen-hctrace stats 1   xen 4.17.7\n"
			  "# coverage unknown   lost 7   suspected 816 bytes   malformed 2\n",
			  &stats, err));
	assert_int_equal(stats.coverage, STATS_COVERAGE_UNKNOWN);
	assert_int_equal(stats.lost, 7);
	assert_int_equal(stats.malformed, 2);
	assert_string_equal(stats_coverage(&stats, text, sizeof(text)), "unknown");
	stats.coverage = 999987;
	assert_string_equal(stats_coverage(&stats, text, sizeof(text)), "99.9987%");
	stats_free(&stats);
}

static void test_stats(void **state)
{
	struct stats stats;
	char err[200];

	(void)state;
	assert_true(parse(stats_text, &stats, err));
	assert_string_equal(stats.xen, "4.17.7");
	assert_string_equal(stats.dom0, "PV");
	assert_string_equal(stats.profile, "pv");
	assert_string_equal(stats.pcpus, "2/2");
	assert_string_equal(stats.attribution, "ok");
	assert_true(stats.tracing);
	assert_int_equal(stats.traced_ms, 51200);
	assert_int_equal(stats.coverage, 999987);
	assert_int_equal(stats.lost, 7);
	assert_int_equal(stats.malformed, 2);
	assert_int_equal(stats.nr_notes, 1);
	assert_int_equal(stats.nr_rows, 5);
	assert_int_equal(stats.bad_rows, 0);

	assert_int_equal(stats.rows[1].dom.domid, -1);
	assert_false(stats.rows[1].has_cont);
	assert_int_equal(stats.rows[1].calls, 64);
	assert_string_equal(stats.rows[3].op, "grant_table_op/copy");
	assert_true(stats.rows[3].bound);
	assert_true(stats.rows[3].has_units);
	assert_int_equal(stats.rows[3].units, 300);
	assert_int_equal(stats.rows[4].dom.domid, 3);
	assert_int_equal(stats.rows[4].dom.generation, 2);
	assert_string_equal(stats.rows[4].kind, "member");
	stats_free(&stats);
}

static void test_records(void **state)
{
	static const u64 wanted[] = { 31, 64, 21, 10, 5 };
	struct stats before, now;
	char err[200];
	size_t i;

	(void)state;
	assert_true(parse(stats_text, &before, err));
	assert_true(parse(text_with_records, &now, err));
	assert_int_equal(now.nr_rows, ARRAY_SIZE(wanted));
	assert_int_equal(now.bad_rows, 0);
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		assert_int_equal(now.rows[i].records, wanted[i]);
		assert_memory_equal(&now.rows[i], &before.rows[i], sizeof(now.rows[i]));
	}
	stats_free(&before);
	stats_free(&now);

	assert_true(parse("# xen-hctrace stats 1   colour blue\n"
			  "dom kind op records calls cont units acc\n"
			  "d0 call iret - 12 - - ~\n"
			  "d0 call iret many 12 - - ~\n"
			  "d0 call iret 99 12 - - ~\n", &now, err));
	assert_int_equal(now.bad_rows, 2);
	assert_int_equal(now.rows[0].records, 99);
	stats_free(&now);
}

static void test_stopped(void **state)
{
	struct stats stats;
	char err[200];

	(void)state;
	assert_true(parse("# xen-hctrace stats 1   dom0 PVH   stopped after 3.4 s\n", &stats, err));
	assert_false(stats.tracing);
	assert_int_equal(stats.traced_ms, 3400);
	stats_free(&stats);
}

static void test_version(void **state)
{
	static const char *const bad[] = {
		"", "\n", "# xen-hctrace stats 2   xen 4.17\n", "# xen-hctrace stats\n",
		"# xen-hctrace stats x\n", "# xen-hctrace status 1\n", "# xen-hctrace stats 1.5\n",
		"# xen-hctrace stats 10\n",
	};
	struct stats stats;
	char err[200];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err[0] = '\0';
		assert_false(parse(bad[i], &stats, err));
		assert_true(err[0]);
		stats_free(&stats);
	}
}

/* Columns of a later module, and lines that make no sense. */
static void test_robust(void **state)
{
	struct stats stats;
	char err[200];

	(void)state;
	assert_true(parse("# xen-hctrace stats 1   colour blue\n"
			  "# what is this\n"
			  "dom new op kind calls cont units acc\n"
			  "d0  7   iret call 12 - - ~\n"
			  "\n"
			  "d0  7   iret call twelve - - =\n"
			  "d0  7\n"
			  "x   7   iret call 12 - - =\n"
			  "d99999 7 iret call 12 - - =\n"
			  "d0  7   iret call 99999999999999999999999 - - =\n"
			  "d0  7   iret call 1 - - =", &stats, err));
	assert_int_equal(stats.nr_rows, 2);
	assert_int_equal(stats.bad_rows, 5);
	assert_int_equal(stats.rows[0].calls, 12);
	assert_true(stats.rows[0].bound);
	assert_int_equal(stats.rows[1].calls, 1);
	stats_free(&stats);
}

/* Cut at each byte: the version, then whatever rows are whole. */
static void test_cut(void **state)
{
	size_t whole = strlen(stats_text);
	struct stats stats;
	char err[200];
	size_t len;

	(void)state;
	for (len = 0; len <= whole; len++) {
		char *text = strndup(stats_text, len);

		assert_int_equal(stats_parse(text, &stats, err, sizeof(err)), len >= 21);
		free(text);
		stats_free(&stats);
	}
}

static void test_multicalls(void **state)
{
	char *text = strdup(multicalls_text);
	struct multicalls mc;
	char err[200];

	(void)state;
	assert_true(multicalls_parse(text, &mc, err, sizeof(err)));
	assert_int_equal(mc.nr_rows, 2);
	assert_int_equal(mc.bad_rows, 0);
	assert_true(mc.rows[0].has_batches);
	assert_int_equal(mc.rows[0].batches, 126);
	assert_int_equal(mc.rows[0].cut_short, 1);
	assert_int_equal(mc.rows[0].lost, 2);
	assert_int_equal(mc.rows[0].declared, 50191);
	assert_int_equal(mc.rows[0].seen, 50190);
	assert_int_equal(mc.rows[0].max, 500);
	assert_int_equal(mc.rows[0].sizes[1], 15);
	assert_int_equal(mc.rows[0].sizes[8], 100);
	assert_false(mc.rows[1].has_batches);
	assert_int_equal(mc.rows[1].seen, 114);
	multicalls_free(&mc);
	free(text);
}

static void test_status(void **state)
{
	char *text = strdup("# xen-hctrace status 1\n"
			    "state            tracing\n"
			    "mask             0x00263000\n"
			    "last_error       line 1, \"x\": unknown key\n"
			    "lost             12\n"
			    "# pcpu     consumed       events   unattrib       lost    peak  ring         runs\n"
			    "0                22           11          0          0      1%  ok           d0v1\n"
			    "1                22           11          0          0      1%  bad_index    d?\n");
	struct status status;
	char err[200];

	(void)state;
	assert_true(status_parse(text, &status, err, sizeof(err)));
	assert_string_equal(status_value(&status, "state"), "tracing");
	assert_string_equal(status_value(&status, "last_error"), "line 1, \"x\": unknown key");
	assert_null(status_value(&status, "nothing"));
	assert_int_equal(status_number(&status, "mask"), 0x263000);
	assert_int_equal(status_number(&status, "lost"), 12);
	assert_int_equal(status.bad_rings, 1);
	status_free(&status);
}

static void reading(struct reading *reading, const char *stats, const char *multicalls)
{
	char *copy = strdup(multicalls);
	char err[200];

	assert_true(parse(stats, &reading->stats, err));
	assert_true(multicalls_parse(copy, &reading->multicalls, err, sizeof(err)));
	free(copy);
}

static const struct stats_row *row(const struct stats_diff *diff, const char *dom, const char *op)
{
	size_t i;

	for (i = 0; i < diff->nr_rows; i++) {
		if (!strcmp(diff->rows[i].dom.label, dom) && !strcmp(diff->rows[i].op, op))
			return &diff->rows[i];
	}
	return NULL;
}

#define MULTICALLS "# xen-hctrace multicalls 1\n"

/* One domain comes, one goes into d[gone] with what it had before, one stays as it was. */
static void test_diff(void **state)
{
	struct reading before = { 0 };
	struct reading after = { 0 };
	struct stats_diff diff;

	(void)state;
	reading(&before, HEADER("10.0", "3")
		"d0  call  *      100  5    -  0  =\n"
		"d0  call  iret   100  5    -  0  =\n"
		"d1  call  iret    40  0    -  0  =\n"
		"d2  call  iret     7  0    -  0  =\n"
		"d?  -     *        9  -    -  0  =\n", MULTICALLS);
	reading(&after, HEADER("12.0", "8")
		"d0       call  *     150  4    -  0  =\n"
		"d0       call  iret  150  4    -  0  =\n"
		"d2       call  iret    7  0    -  0  =\n"
		"d3       call  iret   11  0    -  0  =\n"
		"d[gone]  call  iret   42  0    -  0  =\n"
		"d?       -     *       9  -    -  0  =\n", MULTICALLS);
	before.stats.taken_ns = 1000000000;
	after.stats.taken_ns = 3000000000;

	assert_true(stats_diff(&before, &after, &diff));
	assert_false(diff.reset);
	assert_int_equal(diff.lost, 5);
	assert_int_equal(diff.nr_rows, 3);
	assert_int_equal(row(&diff, "d0", "iret")->calls, 50);
	assert_int_equal(row(&diff, "d0", "iret")->cont, 0);
	assert_int_equal(row(&diff, "d3", "iret")->calls, 11);
	assert_int_equal(row(&diff, "d[gone]", "iret")->calls, 2);
	assert_null(row(&diff, "d0", "*"));
	assert_int_equal(diff.calls, 63);
	assert_true(per_second(&diff, diff.calls) == 31.5);
	stats_diff_free(&diff);
	reading_free(&before);
	reading_free(&after);
}

/* Its time is a domain's once, however many sums it has, and d[gone] has that of the dead. */
static void test_cpu(void **state)
{
	static const char columns[] =
		"# xen-hctrace stats 1   xen 4.17.7\n"
		"# cpu_ms 12345.678   idle_ms 1000.5   unknown_ms 0.001   filtered_ms 0.000\n"
		"dom  kind  op  records  calls  cont  units  per_s  acc  cpu_ms\n";
	struct reading before = { 0 };
	struct reading after = { 0 };
	struct stats_diff diff;
	char text[1000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", columns,
		 "d0  call    *      1 1 0 - 0 = 1000.250\n"
		 "d1  call    *      1 1 0 - 0 = 7.000\n"
		 "d1  call    iret   1 1 0 - 0 = -\n");
	reading(&before, text, MULTICALLS);
	snprintf(text, sizeof(text), "%s%s", columns,
		 "d0       call    *      1 1 0 - 0 = 1234.567\n"
		 "d0       member  *      1 1 0 - 0 = 1234.567\n"
		 "d5       -       *      0 0 - - 0 = 3.001\n"
		 "d[gone]  call    *      1 1 0 - 0 = 9.5\n"
		 "d?       -       *      0 0 - - 0 = 0.001\n"
		 "d6       call    *      1 1 0 - 0 = -\n");
	reading(&after, text, MULTICALLS);
	assert_int_equal(after.stats.bad_rows, 0);
	assert_int_equal(after.stats.idle_us, 1000500);
	assert_true(stats_diff(&before, &after, &diff));
	assert_int_equal(diff.nr_cpus, 4);
	assert_int_equal(cpu_find(diff.cpus, diff.nr_cpus, "d0")->us, 234317);
	assert_int_equal(cpu_find(diff.cpus, diff.nr_cpus, "d5")->us, 3001);
	assert_int_equal(cpu_find(diff.cpus, diff.nr_cpus, "d[gone]")->us, 2500);
	assert_int_equal(cpu_find(diff.cpus, diff.nr_cpus, "d?")->us, 1);
	assert_null(cpu_find(diff.cpus, diff.nr_cpus, "d6"));
	stats_diff_free(&diff);
	/* A module that knows of no time says nothing of it. */
	stats_free(&before.stats);
	assert_true(parse(stats_text, &before.stats, text));
	assert_int_equal(before.stats.nr_cpus, 0);
	reading_free(&before);
	reading_free(&after);
}

static void check_reset(const char *before_text, const char *after_text, bool reset, u64 calls)
{
	struct reading before = { 0 };
	struct reading after = { 0 };
	struct stats_diff diff;

	reading(&before, before_text, MULTICALLS);
	reading(&after, after_text, MULTICALLS);
	assert_true(stats_diff(&before, &after, &diff));
	assert_int_equal(diff.reset, reset);
	assert_int_equal(diff.calls, calls);
	stats_diff_free(&diff);
	reading_free(&before);
	reading_free(&after);
}

static void test_reset(void **state)
{
	(void)state;
	/* By the time traced, by a figure, by a row of one who cannot die. */
	check_reset(HEADER("10.0", "0") "d0 call iret 5 0 - 0 =\n",
		    HEADER("1.0", "0") "d0 call iret 8 0 - 0 =\n", true, 8);
	check_reset(HEADER("1.0", "0") "d0 call iret 5 0 - 0 =\n",
		    HEADER("1.5", "0") "d0 call iret 4 0 - 0 =\n", true, 4);
	check_reset(HEADER("1.0", "0") "d0 call iret 5 0 - 0 =\n",
		    HEADER("1.5", "0") "d1 call iret 4 0 - 0 =\n", true, 4);
	check_reset(HEADER("1.0", "6") "d0 call iret 5 0 - 0 =\n",
		    HEADER("1.5", "5") "d0 call iret 6 0 - 0 =\n", true, 6);
	check_reset(HEADER("1.0", "6") "d0 call iret 5 0 - 0 =\n",
		    HEADER("1.5", "6") "d0 call iret 6 0 - 0 =\n", false, 1);
}

static void test_diff_batches(void **state)
{
	struct reading before = { 0 };
	struct reading after = { 0 };
	struct stats_diff diff;

	(void)state;
	reading(&before, stats_text, multicalls_text);
	reading(&after, stats_text, MULTICALLS
		"dom           batches    split   short    lost     declared         seen     mean      max\n"
		"d0                130       24       1       5        50200        50199    398.3      500\n"
		"# sizes\n"
		"d0               0       19        0        3        2        6        0        0      100\n");
	assert_true(stats_diff(&before, &after, &diff));
	assert_int_equal(diff.nr_rows, 0);
	assert_int_equal(diff.nr_batches, 1);
	assert_int_equal(diff.batches[0].batches, 4);
	assert_int_equal(diff.batches[0].lost, 3);
	assert_int_equal(diff.batches[0].declared, 9);
	assert_int_equal(diff.batches[0].sizes[1], 4);
	assert_int_equal(diff.batches[0].sizes[8], 0);
	stats_diff_free(&diff);
	reading_free(&before);
	reading_free(&after);
}

static void test_dom_id(void **state)
{
	static const struct {
		const char *label;
		bool good;
		int domid;
		u32 generation;
	} cases[] = {
		{ "d0", true, 0, 1 }, { "17", true, 17, 1 }, { "d3#2", true, 3, 2 },
		{ "d?", true, -1, 0 }, { "d[gone]", true, -1, 0 }, { "d32751", true, 32751, 1 },
		{ "d32752", false, 0, 0 }, { "web1", false, 0, 0 }, { "d", false, 0, 0 },
		{ "", false, 0, 0 }, { "d1x", false, 0, 0 }, { "d1#", false, 0, 0 },
		{ "?", false, 0, 0 },
	};
	struct dom_id dom;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(dom_id_parse(cases[i].label, &dom), cases[i].good);
		if (!cases[i].good)
			continue;
		assert_int_equal(dom.domid, cases[i].domid);
		assert_int_equal(dom.generation, cases[i].generation);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_coverage_unknown),
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_robust),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_multicalls),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_diff_batches),
		cmocka_unit_test(test_dom_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
