/* SPDX-License-Identifier: GPL-2.0 */
/* What a domain is called in tables: the first column of the module's files, and ours. */
#ifndef HCTRACE_DOM_ID_H
#define HCTRACE_DOM_ID_H

#include <hctrace/types.h>

/**
 * struct dom_id - the first column
 * @label: as it reads: "d3", "d3#2", "d?", "d[gone]"
 * @domid: the domain, -1 if this is none
 * @generation: 1 for the first domain of this id, 0 if this is none
 */
struct dom_id {
	char label[24];
	int domid;
	u32 generation;
};

/** dom_id_parse() - understand a first column or what a user calls a domain; false: it is none */
bool dom_id_parse(const char *label, struct dom_id *dom);

#endif /* HCTRACE_DOM_ID_H */
