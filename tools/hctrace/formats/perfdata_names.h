/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which vCPUs have their names in a perf.data file: each gets one before its first sample.
 * perf takes vCPUs of the same name for the same, so a name that another domain of the file
 * has, or that reads like an id, is followed by the id: web1(d5).
 */
#ifndef HCTRACE_PERFDATA_NAMES_H
#define HCTRACE_PERFDATA_NAMES_H

#include "perfdata.h"

/**
 * struct perfdata_names - what is named so far
 * @named: by domain, bit vCPU
 * @lives: by domain, how many others had the id before, and were named
 * @again: by domain, the id was another domain's before
 * @shown: by domain, what its vCPUs are called, as far as that is settled
 * @taken: all that ever was, by what it is called
 */
struct perfdata_names {
	u8 *named[0x10000];
	u32 lives[0x10000];
	bool again[0x10000];
	const char *shown[0x10000];
	void *taken;
};

/** perfdata_is_named() - whether a vCPU has its name. From now on it has */
bool perfdata_is_named(struct perfdata_names *names, u16 domid, u16 vcpu);

/**
 * perfdata_name() - name a vCPU
 * @names: where its domain came from
 * @w: the file
 * @domid: its domain
 * @vcpu: the vCPU
 * @what: its domain; NULL, or without a name: it is called by its id
 * @ns: time of its first sample
 */
void perfdata_name(struct perfdata_names *names, struct perfdata_writer *w, u16 domid,
		   u16 vcpu, const struct domname *what, u64 ns);

/** perfdata_forget_names() - this id is another domain's from here on */
void perfdata_forget_names(struct perfdata_names *names, u16 domid);

/** perfdata_free_names() - all of them; not @names itself */
void perfdata_free_names(struct perfdata_names *names);

#endif /* HCTRACE_PERFDATA_NAMES_H */
