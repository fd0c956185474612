/* SPDX-License-Identifier: GPL-2.0 */
/* What the formats that a recording can be turned into have in common. */
#ifndef HCTRACE_EXPORT_FORMAT_H
#define HCTRACE_EXPORT_FORMAT_H

#include <stdio.h>
#include <sys/types.h>

#include "recording/options.h"
#include "show/counts.h"

/**
 * struct export - an export under way
 * @opt: what is wanted
 * @rec: the recording, if it is of one
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
 * @print: it is of totals, and this writes them; else it is of events
 * @type: its media type, for HTTP
 * @readable: who has to be able to read the file
 * @needs_time: it has times, and cycles will not do
 * @sink: gets the events, with the &struct export as ctx
 * @begin: before the first event, with the &struct export as ctx
 * @end: after the last one
 *
 * @begin and @end return 0 or an exit status, after saying why.
 */
struct export_format {
	const char *name;
	const char *help;
	void (*print)(FILE *out, const struct counts *counts);
	const char *type;
	mode_t readable;
	bool needs_time;
	struct hct_sink sink;
	int (*begin)(void *ctx);
	int (*end)(struct export *e);
};

extern const struct export_format export_openmetrics;
extern const struct export_format export_prometheus;
extern const struct export_format export_json;
extern const struct export_format export_folded;
extern const struct export_format export_perfetto;
extern const struct export_format export_perf;

/** export_ns() - the time of an event in nanoseconds */
u64 export_ns(const struct export *e, u64 tsc, u64 ns);

#endif /* HCTRACE_EXPORT_FORMAT_H */
