// SPDX-License-Identifier: GPL-2.0
/* See perfdata_names.h. */
#include <stdlib.h>

#include "perfdata_names.h"

#define MAX_VCPUS	0x2000	/* vCPUs have 13 bits in a thread id */

bool perfdata_is_named(struct perfdata_names *names, u16 domid, u16 vcpu)
{
	u8 **named = &names->named[domid];
	u8 bit = 1u << vcpu % 8;

	vcpu %= MAX_VCPUS;
	if (!*named)
		*named = calloc(1, MAX_VCPUS / 8);
	if (!*named || (*named)[vcpu / 8] & bit)
		return true;
	(*named)[vcpu / 8] |= bit;
	return false;
}

void perfdata_name(const struct perfdata_names *names, struct perfdata_writer *w, u16 domid,
		   u16 vcpu, const char *name, u64 ns)
{
	char id[24];

	if (!name || !*name) {
		scnprintf(id, sizeof(id), domid == XEN_HCTRACE_UNKNOWN ? "d?" : "d%u", domid);
		name = id;
	}
	/* Without a time it holds for what perf has not sorted yet, too. */
	perfdata_put_comm(w, domid, vcpu, name, names->again[domid] ? ns : 0);
}

void perfdata_forget_names(struct perfdata_names *names, u16 domid)
{
	free(names->named[domid]);
	names->named[domid] = NULL;
	names->again[domid] = true;
}

void perfdata_free_names(struct perfdata_names *names)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names->named); i++)
		free(names->named[i]);
}
