// SPDX-License-Identifier: GPL-2.0
/* See perfdata_names.h. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "base/text.h"
#include "perfdata_names.h"

#define MAX_VCPUS	0x2000	/* vCPUs have 13 bits in a thread id */

/**
 * struct taken - who is called how
 * @shown: how
 * @uuid: of the domain, "" if unknown
 */
struct taken {
	char *shown;
	char uuid[DOMNAME_UUID_BYTES];
};

static int compare_taken(const void *a, const void *b)
{
	return strcmp(((const struct taken *)a)->shown, ((const struct taken *)b)->shown);
}

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

/*
 * Take @shown, which is ours from now on, for a domain. Return: it, or NULL if it is another
 * domain's. A guest that was rebooted is known by its UUID, and stays the same.
 */
static const char *take(struct perfdata_names *names, char *shown, const struct domname *what)
{
	struct taken key = { .shown = shown };
	struct taken **found;
	struct taken *taken;

	memcpy(key.uuid, what->uuid, sizeof(key.uuid));
	found = shown ? tfind(&key, &names->taken, compare_taken) : NULL;
	if (found) {
		free(shown);
		return *what->uuid && !strcmp((*found)->uuid, what->uuid) ? (*found)->shown : NULL;
	}
	taken = calloc(1, sizeof(*taken));
	if (taken)
		*taken = key;
	if (!shown || !taken || !tsearch(taken, &names->taken, compare_taken)) {
		free(shown);
		free(taken);
		return NULL;
	}
	return taken->shown;
}

static const char *with_id(struct perfdata_names *names, u16 domid, const struct domname *what,
			   const char *escaped, bool has_life)
{
	char life[16] = "";
	char *shown;

	if (has_life)
		scnprintf(life, sizeof(life), "#%u", 1 + names->lives[domid]);
	if (asprintf(&shown, "%s(d%u%s)", escaped, domid, life) < 0)
		return NULL;
	return take(names, shown, what);
}

/* What no other domain is called. Return: NULL: its id has to do. */
static const char *choose(struct perfdata_names *names, u16 domid, const struct domname *what)
{
	char *escaped = text_escaped(what->name, TEXT_LINE, "");
	const char *shown = NULL;
	struct dom_id id;

	if (!escaped)
		return NULL;
	if (!dom_id_parse(escaped, &id))
		shown = take(names, strdup(escaped), what);
	if (!shown)
		shown = with_id(names, domid, what, escaped, false);
	if (!shown)
		shown = with_id(names, domid, what, escaped, true);
	free(escaped);
	return shown;
}

void perfdata_name(struct perfdata_names *names, struct perfdata_writer *w, u16 domid,
		   u16 vcpu, const struct domname *what, u64 ns)
{
	const char *shown = names->shown[domid];
	char id[24];

	if (!what)
		what = &domname_unknown;
	if (!shown && *what->name) {
		shown = choose(names, domid, what);
		names->shown[domid] = shown;
	}
	if (!shown) {
		scnprintf(id, sizeof(id), domid == XEN_HCTRACE_UNKNOWN ? "d?" : "d%u", domid);
		shown = id;
	}
	/* Without a time it holds for what perf has not sorted yet, too. */
	perfdata_put_comm(w, domid, vcpu, shown, what, names->again[domid] ? ns : 0);
}

void perfdata_forget_names(struct perfdata_names *names, u16 domid)
{
	free(names->named[domid]);
	names->named[domid] = NULL;
	names->again[domid] = true;
	names->lives[domid] += !!names->shown[domid];
	names->shown[domid] = NULL;
}

static void free_taken(void *node)
{
	struct taken *taken = node;

	free(taken->shown);
	free(taken);
}

void perfdata_free_names(struct perfdata_names *names)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names->named); i++)
		free(names->named[i]);
	tdestroy(names->taken, free_taken);
}
