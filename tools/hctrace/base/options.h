/* SPDX-License-Identifier: GPL-2.0 */
/* What the verbs' command lines have in common. */
#ifndef HCTRACE_OPTIONS_H
#define HCTRACE_OPTIONS_H

#include <argp.h>

#include "filter.h"

/* What record writes to and others read if no file is said */
#define RECORDING_FILE	"hctrace.data"

/* Keys of --domain and --op, for verbs that take them. */
#define KEY_DOMAIN	0x101
#define KEY_OP		0x102

/* Lists as in filter.h */
#define FILTER_OPTIONS \
	{ "domain", KEY_DOMAIN, "LIST", 0, "Only these domains: web1,3,d0-d2,d3#2,d?", 0 }, \
	{ "op", KEY_OP, "LIST", 0, "Only these hypercalls: mmu_update,vcpu_op/up,40", 0 }

/** option_filter() - if @key is one of the above, do what it says; else false */
bool option_filter(struct filter *filter, int key, const char *arg, struct argp_state *state);

/** option_seconds() - a time such as "0.5" of at least @least_ms, in milliseconds; ends on error */
unsigned int option_seconds(const char *arg, unsigned int least_ms, struct argp_state *state);

/** option_number() - a number of at least @least; ends on error */
unsigned int option_number(const char *arg, unsigned int least, struct argp_state *state);

/** options_parse() - argp_parse() for the verb called @name; ends with EXIT_USAGE on error */
void options_parse(const struct argp *argp, const char *name, int argc, char **argv,
		   unsigned int flags, void *input);

#endif /* HCTRACE_OPTIONS_H */
