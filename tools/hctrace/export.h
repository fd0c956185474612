/* SPDX-License-Identifier: GPL-2.0 */
/* What the formats that a recording can be turned into have in common. */
#ifndef HCTRACE_EXPORT_H
#define HCTRACE_EXPORT_H

#include <stdio.h>

#include "recording_options.h"

/**
 * struct export - an export under way
 * @opt: what is wanted of the recording
 * @rec: the recording
 * @out: where to
 * @argc: the command line
 * @argv: the command line
 * @private: the format's own
 */
struct export {
	struct recording_options opt;
	struct recording rec;
	FILE *out;
	int argc;
	char **argv;
	void *private;
};

/**
 * struct export_format - a format
 * @name: of its option
 * @help: of its option
 * @needs_time: it has times, and cycles will not do
 * @sink: gets the events, with the &struct export as ctx; all NULL: only tables count
 * @begin: before the recording is read; may be NULL
 * @end: afterwards
 *
 * Both return 0 or an exit status, after saying why.
 */
struct export_format {
	const char *name;
	const char *help;
	bool needs_time;
	struct hct_sink sink;
	int (*begin)(struct export *e);
	int (*end)(struct export *e);
};

extern const struct export_format export_openmetrics;
extern const struct export_format export_prometheus;
extern const struct export_format export_json;
extern const struct export_format export_folded;
extern const struct export_format export_perfetto;
extern const struct export_format export_perf;

/** export_name() - "web1", or "d3" if it has no name, into @buf, which is returned */
const char *export_name(const struct export *e, const struct hct_domain *dom, char *buf,
			size_t size);

/**
 * export_rows() - every cell that has calls
 * @e: the export
 * @emit: gets each; the cells of nobody known included
 */
void export_rows(struct export *e,
		 void (*emit)(struct export *e, const struct hct_domain *dom, u8 kind, u8 cell));

/** export_domains() - every domain, and the rows that stand for none */
void export_domains(struct export *e,
		    void (*emit)(struct export *e, const struct hct_domain *dom));

/** export_ns() - the time of an event in nanoseconds */
u64 export_ns(const struct export *e, u64 tsc, u64 ns);

#endif /* HCTRACE_EXPORT_H */
