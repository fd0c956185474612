// SPDX-License-Identifier: GPL-2.0
/*
 * What real Xen wrote: each capture in tests/data goes through the pipeline, in
 * the order of time, and must give its golden table, which was counted by other
 * means. See tests/data/README.md.
 *
 * A file of xentrace is a row of windows: a CPU_CHANGE record {cpu, bytes}, then
 * so many bytes from the ring of that pCPU.
 */
#include <glob.h>
#include <stdlib.h>

#include "rig.h"

#define CAPTURES	"tests/data/*.xentrace.xz"
#define TRUNCATIONS	100

static glob_t captures;

/* One pCPU's records, as indices into the file's words. */
struct stream {
	u32 *at;
	u32 nr;
	u32 next;
	u64 tsc;
};

struct file {
	u32 *words;
	u32 nr;
	u32 nr_records;
	bool has_runstates;
	bool is_whole;
	struct stream streams[RIG_MAX_RINGS];
};

static void *must_alloc(void *old, size_t size)
{
	void *mem = realloc(old, size);

	assert_non_null(mem);
	return mem;
}

/* --- reading ---------------------------------------------------------------- */

static void read_file(struct file *file, const char *path)
{
	char command[300];
	size_t room = 1 << 16;
	size_t nr = 0;
	FILE *pipe;

	memset(file, 0, sizeof(*file));
	snprintf(command, sizeof(command), "xz -dc '%s'", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	file->words = must_alloc(NULL, room * sizeof(u32));
	while (!feof(pipe) && !ferror(pipe)) {
		nr += fread(file->words + nr, sizeof(u32), room - nr, pipe);
		if (nr == room) {
			room *= 2;
			file->words = must_alloc(file->words, room * sizeof(u32));
		}
	}
	assert_int_equal(pclose(pipe), 0);
	assert_true(nr > 0);
	file->nr = nr;
}

static void free_file(struct file *file)
{
	u32 cpu;

	for (cpu = 0; cpu < RIG_MAX_RINGS; cpu++)
		free(file->streams[cpu].at);
	free(file->words);
}

/* The records of one window, up to @end. Return: whether it is whole. */
static bool walk_window(struct file *file, struct stream *stream, u32 at, u32 end)
{
	while (at < end) {
		u32 header = file->words[at];
		u32 event = xen_trc_event(header);

		if (xen_trc_words(header) > end - at)
			return false;
		if ((event & ~0xff0u) == RUNSTATE(RUNNING, RUNNING))
			file->has_runstates = true;
		stream->at[stream->nr++] = at;
		file->nr_records++;
		at += xen_trc_words(header);
	}
	return true;
}

/* Find all records. What a truncated file has before its end is taken. */
static void walk(struct file *file)
{
	u32 at = 0;
	u32 cpu;

	for (cpu = 0; cpu < RIG_MAX_RINGS; cpu++)
		file->streams[cpu].at = must_alloc(NULL, (file->nr + 1) * sizeof(u32));
	while (file->nr - at >= 3 && xen_trc_event(file->words[at]) == XEN_TRC_CPU_CHANGE) {
		u32 window = file->words[at + 2] / 4;
		bool cut;

		cpu = file->words[at + 1];
		at += 3;
		if (cpu >= RIG_MAX_RINGS)
			return;
		cut = window > file->nr - at;
		if (cut)
			window = file->nr - at;
		if (!walk_window(file, &file->streams[cpu], at, at + window) || cut)
			return;
		at += window;
	}
	file->is_whole = at == file->nr;
}

/* --- feeding ---------------------------------------------------------------- */

/* Time of a stream's next record; those without one are as old as the one before. */
static u64 next_tsc(const struct file *file, const struct stream *stream)
{
	const u32 *rec = &file->words[stream->at[stream->next]];

	return xen_trc_has_tsc(rec[0]) ? (u64)rec[2] << 32 | rec[1] : stream->tsc;
}

static struct stream *oldest(struct file *file)
{
	struct stream *found = NULL;
	u32 cpu;

	for (cpu = 0; cpu < RIG_MAX_RINGS; cpu++) {
		struct stream *stream = &file->streams[cpu];

		if (stream->next < stream->nr &&
		    (!found || next_tsc(file, stream) < next_tsc(file, found)))
			found = stream;
	}
	return found;
}

static struct rig *feed(struct file *file)
{
	struct rig *rig = rig_new(RIG_MAX_RINGS, 1);
	struct stream *stream;

	/* Without runstates, switches are the authority. */
	rig_restart(rig, file->has_runstates ? HCT_PROFILE_ALL : HCT_PROFILE_HVM);
	while ((stream = oldest(file))) {
		u32 at = stream->at[stream->next];

		stream->tsc = next_tsc(file, stream);
		stream->next++;
		hct_pipeline_feed(&rig->p, &rig->rings[stream - file->streams], &file->words[at],
				  xen_trc_words(file->words[at]));
	}
	rig_check(rig);
	assert_int_equal(rig_total(rig).consumed, file->nr_records);
	return rig;
}

/* --- comparing -------------------------------------------------------------- */

static unsigned int kind_by_name(const char *name)
{
	unsigned int kind;

	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		if (!strcmp(name, hct_kind_name(kind)))
			return kind;
	}
	fail_msg("golden table: no kind \"%s\"", name);
	return 0;
}

/* The row of a domain, dead ones included; domid -1: calls of nobody known. */
static const struct hct_domain *row_of(const struct rig *rig, int domid)
{
	const struct hct_account *acct = rig->p.acct;
	u32 i;

	if (domid < 0)
		return &acct->special[HCT_ROW_UNATTRIBUTED];
	for (i = 0; i < acct->nr; i++) {
		if (acct->domains[i].used && acct->domains[i].domid == domid)
			return &acct->domains[i];
	}
	fail_msg("d%d has no row", domid);
	return NULL;
}

/* One line of a golden table: d1 call 24/8 40 0 0 */
static void compare_line(const struct rig *rig, const char *line)
{
	char dom[16], kind[16];
	char op[16], *cmd;
	uintmax_t calls, cont, units;
	struct hct_call call = { 0 };
	const struct hct_domain *row;
	const struct hct_cell *cell;

	if (sscanf(line, "d%15s %15s %15s %ju %ju %ju", dom, kind, op, &calls, &cont, &units) != 6)
		fail_msg("golden table: what is \"%s\"?", line);
	call.kind = kind_by_name(kind);
	call.op = strtoul(op, &cmd, 10);
	if (*cmd == '/') {
		call.has_arg = 1;
		call.args[0] = strtoul(cmd + 1, NULL, 10);
	}
	row = row_of(rig, *dom == '?' ? -1 : atoi(dom));
	cell = &row->cells[call.kind][hct_account_cell(&call)];
	if (cell->calls != calls || cell->cont != cont || cell->units != units)
		fail_msg("calls %ju cont %ju units %ju, golden is %s", (uintmax_t)cell->calls,
			 (uintmax_t)cell->cont, (uintmax_t)cell->units, line);
}

static u32 nr_cells_used(const struct hct_domain *rows, u32 nr)
{
	u32 used = 0;
	unsigned int kind, i;

	for (; nr; nr--, rows++) {
		for (kind = 0; kind < HCT_NR_KINDS; kind++) {
			for (i = 0; i < HCT_NR_CELLS; i++)
				used += rows->cells[kind][i].calls || rows->cells[kind][i].cont;
		}
	}
	return used;
}

/* Each line is in the tables, and nothing else is. */
static void compare(const struct rig *rig, const char *capture)
{
	const struct hct_account *acct = rig->p.acct;
	char path[300], line[100];
	u32 nr_lines = 0;
	FILE *golden;

	snprintf(path, sizeof(path), "%.*s.golden", (int)(strstr(capture, ".xentrace") - capture),
		 capture);
	golden = fopen(path, "r");
	if (!golden)
		fail_msg("%s is missing", path);
	while (fgets(line, sizeof(line), golden)) {
		if (*line == '#')
			continue;
		compare_line(rig, line);
		nr_lines++;
	}
	fclose(golden);
	assert_true(nr_lines > 0);
	assert_int_equal(nr_cells_used(acct->special, HCT_NR_SPECIAL_ROWS) +
			 nr_cells_used(acct->domains, acct->nr), nr_lines);
}

/* Whose time it was, likewise: a line says "d1 4711", "idle 4711", "all 4711". */
static void compare_times(const struct rig *rig, const char *capture)
{
	const struct hct_account *acct = rig->p.acct;
	char path[300], line[100], whose[16];
	uintmax_t golden, cycles;
	u64 sum = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%.*s.cputime",
		 (int)(strstr(capture, ".xentrace") - capture), capture);
	file = fopen(path, "r");
	if (!file)
		fail_msg("%s is missing", path);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		if (sscanf(line, "%15s %ju", whose, &golden) != 2)
			fail_msg("golden times: what is \"%s\"?", line);
		if (!strcmp(whose, "all"))
			cycles = hct_cpu_observed(acct);
		else if (!strcmp(whose, "idle"))
			cycles = acct->idle_cycles;
		else
			cycles = row_of(rig, whose[1] == '?' ? -1 : atoi(whose + 1))->cycles;
		if (cycles != golden)
			fail_msg("%ju cycles, golden is %s", cycles, line);
		sum += strcmp(whose, "all") ? golden : 0;
	}
	fclose(file);
	assert_int_equal(sum, hct_cpu_observed(acct));
}

/* --- tests ------------------------------------------------------------------ */

static void test_golden(void **state)
{
	const char *capture = *state;
	struct hct_counters total;
	struct file file;
	struct rig *rig;
	u32 cpu;

	read_file(&file, capture);
	walk(&file);
	assert_true(file.is_whole);

	rig = feed(&file);
	compare(rig, capture);
	hct_pipeline_settle(&rig->p);
	compare_times(rig, capture);
	total = rig_total(rig);
	assert_int_equal(total.undecodable, 0);
	assert_int_equal(total.malformed, 0);
	assert_int_equal(total.lost, 0);
	assert_int_equal(total.late, 0);
	for (cpu = 0; cpu < RIG_MAX_RINGS; cpu++)
		assert_int_equal(rig->rings[cpu].attr.contradictions, 0);
	rig_free(rig);
	free_file(&file);
}

/* Cut off anywhere, also inside a word: what is there is taken, nothing is read beyond. */
static void test_truncated(void **state)
{
	struct file file, cut;
	u32 i;

	read_file(&file, *state);
	for (i = 0; i < TRUNCATIONS; i++) {
		size_t bytes = (size_t)file.nr * 4 / TRUNCATIONS * i + i % 40;

		memset(&cut, 0, sizeof(cut));
		cut.nr = bytes / 4;
		cut.words = must_alloc(NULL, cut.nr * sizeof(u32) + 1);
		memcpy(cut.words, file.words, cut.nr * sizeof(u32));
		walk(&cut);
		rig_free(feed(&cut));
		free_file(&cut);
	}
	free_file(&file);
}

int main(void)
{
	struct CMUnitTest *tests;
	size_t i;

	if (glob(CAPTURES, 0, NULL, &captures)) {
		fprintf(stderr, "no captures: run this in the top folder\n");
		return 1;
	}
	tests = calloc(2 * captures.gl_pathc, sizeof(*tests));
	if (!tests)
		return 1;
	for (i = 0; i < captures.gl_pathc; i++) {
		char *name = captures.gl_pathv[i] + strlen("tests/data/");

		tests[2 * i] = (struct CMUnitTest){
			.name = name, .test_func = test_golden,
			.initial_state = captures.gl_pathv[i],
		};
		tests[2 * i + 1] = (struct CMUnitTest){
			.name = "... truncated", .test_func = test_truncated,
			.initial_state = captures.gl_pathv[i],
		};
	}
	return _cmocka_run_group_tests("captures", tests, 2 * captures.gl_pathc, NULL, NULL);
}
