/* SPDX-License-Identifier: GPL-2.0 */
/* What a domain is besides an id: its name, which others may have too, its type, its UUID. */
#ifndef HCTRACE_DOMNAME_H
#define HCTRACE_DOMNAME_H

#include "dom_id.h"

#define DOMNAME_UUID_BYTES	37

/**
 * struct domname - what a domain is
 * @name: as it was given, with whatever bytes; "" if unknown. See text.h
 * @type: "PV", "PVH", "HVM", or "-" if unknown
 * @vcpus: that are online, 0 if unknown
 * @uuid: as 6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5f, "" if unknown
 */
struct domname {
	const char *name;
	char type[4];
	u32 vcpus;
	char uuid[DOMNAME_UUID_BYTES];
};

/** domname_unknown - nothing is known */
extern const struct domname domname_unknown;

/**
 * domname_is() - whether a user means this domain
 * @what: the domain
 * @dom: its label; NULL if it has none
 * @text: as typed: the name, the name as tables and stacks escape it, NAME(LABEL), or the UUID
 */
bool domname_is(const struct domname *what, const struct dom_id *dom, const char *text);

/** domname_set_uuid() - take a UUID, in small letters. Return: whether it is one */
bool domname_set_uuid(struct domname *what, const char *text);

#endif /* HCTRACE_DOMNAME_H */
