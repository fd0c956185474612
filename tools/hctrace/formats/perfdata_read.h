/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read recordings of the tracepoint xen_hctrace:hct_hypercall in the format of
 * perf.data, our own and what `perf record` makes of that one event.
 */
#ifndef HCTRACE_PERFDATA_READ_H
#define HCTRACE_PERFDATA_READ_H

#include <hctrace/event.h>

#include "base/domname.h"
#include "xentrace_scan.h"

/**
 * struct perfdata_reader - who gets the records
 * @call: a sample. Return: whether to go on
 * @lost: @lost records are missing; @which is XEN_HCTRACE_LOST_*
 * @comm: what thread @tid is of; its name is valid during the call
 * @domain: a domain came or went. Return: whether to go on
 * @another: another recording begins in the same file
 * @at: input was read up to @offset
 * @ctx: first argument of all of these
 */
struct perfdata_reader {
	bool (*call)(void *ctx, const struct xen_hctrace_call *call);
	void (*lost)(void *ctx, u64 which, u64 lost);
	void (*comm)(void *ctx, u32 pid, u32 tid, const struct domname *what);
	bool (*domain)(void *ctx, const struct hct_domain_event *domain);
	void (*another)(void *ctx);
	void (*at)(void *ctx, u64 offset);
	void *ctx;
};

/** perfdata_is() - whether an input begins as such a file does */
bool perfdata_is(struct input *in);

/**
 * perfdata_read() - read all of an input
 * @in: just opened
 * @reader: gets everything
 * @damage: what was wrong with the input is added here
 *
 * Return: 0, or -1 after saying why this file cannot be read.
 */
int perfdata_read(struct input *in, const struct perfdata_reader *reader, struct damage *damage);

#endif /* HCTRACE_PERFDATA_READ_H */
