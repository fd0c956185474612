// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "host.h"
#include "statsfile.h"
#include "statsline.h"

/* Columns by their name in the line above them; a later module may have more. */
enum {
	STATS_DOM, STATS_KIND, STATS_OP, STATS_RECORDS, STATS_CALLS, STATS_CONT, STATS_UNITS,
	STATS_ACC, STATS_CPU_MS,
};

static const char *const stats_columns[] = {
	[STATS_DOM] = "dom", [STATS_KIND] = "kind", [STATS_OP] = "op",
	[STATS_RECORDS] = "records", [STATS_CALLS] = "calls", [STATS_CONT] = "cont",
	[STATS_UNITS] = "units", [STATS_ACC] = "acc", [STATS_CPU_MS] = "cpu_ms",
};

enum {
	BATCH_BATCHES, BATCH_SPLIT, BATCH_SHORT, BATCH_LOST, BATCH_DECLARED, BATCH_SEEN, BATCH_MAX,
};

static const char *const batch_columns[] = {
	[BATCH_BATCHES] = "batches", [BATCH_SPLIT] = "split", [BATCH_SHORT] = "short",
	[BATCH_LOST] = "lost", [BATCH_DECLARED] = "declared", [BATCH_SEEN] = "seen",
	[BATCH_MAX] = "max",
};

/* Where those of one file stand; at %MAX_COLUMNS: nowhere */
struct columns {
	unsigned int at[MAX_COLUMNS];
};

static void find_columns(struct columns *columns, const struct words *names,
			 const char *const *wanted, unsigned int nr)
{
	unsigned int i;
	unsigned int at;

	for (i = 0; i < nr; i++) {
		for (at = 0; at < names->nr && strcmp(names->word[at], wanted[i]); at++)
			;
		columns->at[i] = at < names->nr ? at : MAX_COLUMNS;
	}
}

/* The word in a column, or "" if there is none. */
static const char *column(const struct columns *columns, const struct words *line,
			  unsigned int which)
{
	unsigned int at = columns->at[which];

	return at < line->nr ? line->word[at] : "";
}

static bool parse_number(const char *word, u64 *value)
{
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	errno = 0;
	*value = strtoull(word, &end, 10);
	return !errno && !*end;
}

/* A figure that may not apply. Return: whether it is one or "-". */
static bool parse_optional(const char *word, u64 *value, bool *applies)
{
	*value = 0;
	*applies = false;
	if (!strcmp(word, "-"))
		return true;
	*applies = parse_number(word, value);
	return *applies;
}

static void copy(char *to, size_t size, const char *from)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
}

/* "100.0000% of records" in millionths, "51.2 s" in thousands: @digits behind the point. */
static u64 parse_fixed(const char *word, unsigned int digits)
{
	char *end;
	u64 value = strtoull(word, &end, 10);

	if (*end == '.')
		end++;
	for (; digits; digits--)
		value = 10 * value + (isdigit((unsigned char)*end) ? *end++ - '0' : 0);
	return value;
}

static void header_field(struct stats *stats, const char *key, const char *value)
{
	if (!strcmp(key, "xen")) {
		copy(stats->xen, sizeof(stats->xen), value);
	} else if (!strcmp(key, "dom0")) {
		copy(stats->dom0, sizeof(stats->dom0), value);
	} else if (!strcmp(key, "profile")) {
		copy(stats->profile, sizeof(stats->profile), value);
	} else if (!strcmp(key, "pcpus")) {
		copy(stats->pcpus, sizeof(stats->pcpus), value);
	} else if (!strcmp(key, "attribution")) {
		copy(stats->attribution, sizeof(stats->attribution), value);
	} else if (!strcmp(key, "tracing")) {
		stats->tracing = true;
		stats->traced_ms = parse_fixed(value, 3);
	} else if (!strcmp(key, "stopped")) {
		value += strcspn(value, "0123456789");
		stats->traced_ms = parse_fixed(value, 3);
	} else if (!strcmp(key, "coverage")) {
		stats->coverage = isdigit((unsigned char)*value) ? parse_fixed(value, 4) :
								   STATS_COVERAGE_UNKNOWN;
	} else if (!strcmp(key, "lost")) {
		stats->lost = strtoull(value, NULL, 10);
	} else if (!strcmp(key, "malformed")) {
		stats->malformed = strtoull(value, NULL, 10);
	} else if (!strcmp(key, "idle_ms")) {
		stats->idle_us = parse_fixed(value, 3);
	}
}

/* "xen 4.17.7   dom0 PV   ...": three blanks between fields, one behind the key. */
static void header_line(struct stats *stats, char *line)
{
	char *field;
	char *end;

	while (*(line += strspn(line, " "))) {
		field = line;
		end = strstr(line, "   ");
		line = end ? end : line + strlen(line);
		if (*line)
			*line++ = '\0';
		end = strchr(field, ' ');
		if (!end)
			continue;
		*end++ = '\0';
		header_field(stats, field, end);
	}
}

static void comment_line(struct stats *stats, char *line)
{
	static const char note[] = "# note ";

	if (strncmp(line, note, strlen(note)))
		header_line(stats, line + 1);
	else if (stats->nr_notes < STATS_NOTES)
		copy(stats->notes[stats->nr_notes++], sizeof(stats->notes[0]),
		     line + strlen(note));
}

/* A row more in an array of @nr; NULL if there is no memory. */
static void *add_row(void **rows, size_t nr, size_t size)
{
	void *more;

	/* Twice as many whenever the number is a power of two. */
	if (!(nr & (nr - 1))) {
		more = realloc(*rows, (nr ? 2 * nr : 1) * size);
		if (!more)
			return NULL;
		*rows = more;
	}
	memset((char *)*rows + nr * size, 0, size);
	return (char *)*rows + nr * size;
}

/* The first modules had no such column: it is what two others make together. */
static bool parse_records(const char *word, struct stats_row *row)
{
	if (*word)
		return parse_number(word, &row->records);
	row->records = row->calls + row->cont;
	return true;
}

static bool parse_stats_row(const struct columns *columns, const struct words *line,
			    struct stats_row *row)
{
	const char *op = column(columns, line, STATS_OP);
	const char *kind = column(columns, line, STATS_KIND);

	if (!*op || !*kind || strlen(op) >= sizeof(row->op) || strlen(kind) >= sizeof(row->kind))
		return false;
	copy(row->kind, sizeof(row->kind), kind);
	copy(row->op, sizeof(row->op), op);
	row->bound = !strcmp(column(columns, line, STATS_ACC), "~");
	return dom_id_parse(column(columns, line, STATS_DOM), &row->dom) &&
	       parse_number(column(columns, line, STATS_CALLS), &row->calls) &&
	       parse_optional(column(columns, line, STATS_CONT), &row->cont, &row->has_cont) &&
	       parse_optional(column(columns, line, STATS_UNITS), &row->units, &row->has_units) &&
	       parse_records(column(columns, line, STATS_RECORDS), row);
}

const struct cpu_row *cpu_find(const struct cpu_row *rows, size_t nr, const char *label)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!strcmp(rows[i].dom.label, label))
			return &rows[i];
	}
	return NULL;
}

/* Each sum of a domain has its time. Return: false if there is no memory. */
static bool cpu_line(struct stats *stats, const char *cpu_ms, const struct stats_row *row)
{
	struct cpu_row *cpu;

	if (!isdigit((unsigned char)*cpu_ms) || strcmp(row->op, "*") ||
	    cpu_find(stats->cpus, stats->nr_cpus, row->dom.label))
		return true;
	cpu = add_row((void **)&stats->cpus, stats->nr_cpus, sizeof(*cpu));
	if (!cpu)
		return false;
	cpu->dom = row->dom;
	cpu->us = parse_fixed(cpu_ms, 3);
	stats->nr_cpus++;
	return true;
}

static bool stats_line(struct stats *stats, const struct columns *columns,
		       const struct words *line)
{
	struct stats_row *row = add_row((void **)&stats->rows, stats->nr_rows, sizeof(*row));

	if (!row)
		return false;
	if (!parse_stats_row(columns, line, row)) {
		stats->bad_rows++;
		return true;
	}
	stats->nr_rows++;
	return cpu_line(stats, column(columns, line, STATS_CPU_MS), row);
}

bool stats_parse(char *text, struct stats *stats, char *err, size_t err_size)
{
	struct words words = { .nr = 0 };
	struct columns columns;
	char *line;

	memset(stats, 0, sizeof(*stats));
	find_columns(&columns, &words, stats_columns, ARRAY_SIZE(stats_columns));
	line = line_check_version(line_next(&text), "stats", err, err_size);
	if (!line)
		return false;
	header_line(stats, line);

	while ((line = line_next(&text))) {
		if (*line == '#') {
			comment_line(stats, line);
			continue;
		}
		line_split(line, &words);
		if (words.nr && !strcmp(words.word[0], "dom")) {
			find_columns(&columns, &words, stats_columns, ARRAY_SIZE(stats_columns));
		} else if (words.nr && !stats_line(stats, &columns, &words)) {
			scnprintf(err, err_size, "no memory");
			return false;
		}
	}
	return true;
}

static struct batch_row *batch_row_of(struct multicalls *mc, const struct dom_id *dom)
{
	struct batch_row *row;
	size_t i;

	for (i = 0; i < mc->nr_rows; i++) {
		if (!strcmp(mc->rows[i].dom.label, dom->label))
			return &mc->rows[i];
	}
	row = add_row((void **)&mc->rows, mc->nr_rows, sizeof(*row));
	if (!row)
		return NULL;
	row->dom = *dom;
	mc->nr_rows++;
	return row;
}

static bool batches_line(const struct columns *columns, const struct words *line,
			 struct batch_row *row)
{
	bool applies;

	return parse_optional(column(columns, line, BATCH_BATCHES), &row->batches,
			      &row->has_batches) &&
	       parse_optional(column(columns, line, BATCH_SPLIT), &row->split, &applies) &&
	       parse_optional(column(columns, line, BATCH_SHORT), &row->cut_short, &applies) &&
	       parse_optional(column(columns, line, BATCH_LOST), &row->lost, &applies) &&
	       parse_optional(column(columns, line, BATCH_DECLARED), &row->declared, &applies) &&
	       parse_optional(column(columns, line, BATCH_SEEN), &row->seen, &applies) &&
	       parse_optional(column(columns, line, BATCH_MAX), &row->max, &applies);
}

static bool sizes_line(const struct words *line, struct batch_row *row)
{
	unsigned int i;

	/* Buckets are told by their place: the names are their ends. */
	for (i = 0; i < HCT_NR_SIZES; i++) {
		if (i + 1 >= line->nr || !parse_number(line->word[i + 1], &row->sizes[i]))
			return false;
	}
	return true;
}

/* Return: false if there is no memory. */
static bool multicalls_line(struct multicalls *mc, const char *section,
			    const struct columns *columns, const struct words *line)
{
	struct batch_row *row;
	struct dom_id dom;
	bool good = false;

	if (dom_id_parse(line->word[0], &dom)) {
		row = batch_row_of(mc, &dom);
		if (!row)
			return false;
		good = !strcmp(section, "sizes") ? sizes_line(line, row) :
						   batches_line(columns, line, row);
	}
	mc->bad_rows += !good;
	return true;
}

bool multicalls_parse(char *text, struct multicalls *mc, char *err, size_t err_size)
{
	const char *section = "batches";
	struct words words = { .nr = 0 };
	struct columns columns;
	char *line;

	memset(mc, 0, sizeof(*mc));
	find_columns(&columns, &words, batch_columns, ARRAY_SIZE(batch_columns));
	if (!line_check_version(line_next(&text), "multicalls", err, err_size))
		return false;

	while ((line = line_next(&text))) {
		if (*line == '#') {
			section = line + 1 + strspn(line + 1, " ");
			continue;
		}
		line_split(line, &words);
		if (!words.nr)
			continue;
		if (!strcmp(words.word[0], "dom")) {
			find_columns(&columns, &words, batch_columns, ARRAY_SIZE(batch_columns));
		} else if ((!strcmp(section, "batches") || !strcmp(section, "sizes")) &&
			   !multicalls_line(mc, section, &columns, &words)) {
			scnprintf(err, err_size, "no memory");
			return false;
		}
	}
	return true;
}

bool stats_read(struct stats *stats, char *err, size_t err_size)
{
	char *text = line_read_file(HOST_DEBUGFS "/stats", err, err_size);
	u64 now = host_now_ns();
	bool good;

	memset(stats, 0, sizeof(*stats));
	if (!text)
		return false;
	good = stats_parse(text, stats, err, err_size);
	stats->taken_ns = now;
	free(text);
	return good;
}

bool multicalls_read(struct multicalls *mc, char *err, size_t err_size)
{
	char *text = line_read_file(HOST_DEBUGFS "/multicalls", err, err_size);
	bool good;

	memset(mc, 0, sizeof(*mc));
	if (!text)
		return false;
	good = multicalls_parse(text, mc, err, err_size);
	free(text);
	return good;
}

const char *stats_coverage(const struct stats *stats, char *buf, size_t size)
{
	if (stats->coverage == STATS_COVERAGE_UNKNOWN)
		scnprintf(buf, size, "unknown");
	else
		scnprintf(buf, size, "%u.%04u%%", stats->coverage / 10000,
			  stats->coverage % 10000);
	return buf;
}

void stats_free(struct stats *stats)
{
	free(stats->rows);
	free(stats->cpus);
	memset(stats, 0, sizeof(*stats));
}

void multicalls_free(struct multicalls *mc)
{
	free(mc->rows);
	memset(mc, 0, sizeof(*mc));
}
