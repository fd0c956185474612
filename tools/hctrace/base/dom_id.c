// SPDX-License-Identifier: GPL-2.0
/* See dom_id.h. */
#include <ctype.h>
#include <stdlib.h>

#include <hctrace/xen_trace.h>

#include "dom_id.h"

bool dom_id_parse(const char *label, struct dom_id *dom)
{
	const char *s = label;
	unsigned long value;
	char *end;

	memset(dom, 0, sizeof(*dom));
	scnprintf(dom->label, sizeof(dom->label), "%s", label);
	dom->domid = -1;
	if (*s == 'd')
		s++;
	if (s > label && (*s == '?' || *s == '['))
		return strlen(label) < sizeof(dom->label);
	if (!isdigit((unsigned char)*s))
		return false;
	value = strtoul(s, &end, 10);
	if (value >= XEN_DOMID_FIRST_RESERVED)
		return false;
	dom->domid = value;
	dom->generation = 1;
	if (*end == '#' && isdigit((unsigned char)end[1]))
		dom->generation = strtoul(end + 1, &end, 10);
	return !*end;
}
