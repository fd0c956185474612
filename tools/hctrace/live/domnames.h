/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names and types of domains, from xenstore and from Xen. A process of its own asks for
 * them, so that nobody waits when xenstored is not there or hangs; whatever is not known yet
 * is shown by its id. Names of the dead are remembered.
 */
#ifndef HCTRACE_DOMNAMES_H
#define HCTRACE_DOMNAMES_H

#include "base/domname.h"
#include "statsfile.h"

struct domnames;

/** domnames_start() - begin to ask; NULL if there is no way, which all below accept */
struct domnames *domnames_start(void);

/** domnames_dom0() - what the module knows of dom0's type */
void domnames_dom0(struct domnames *names, const char *type);

/** domnames_poll() - take in what has come, without waiting */
void domnames_poll(struct domnames *names);

/** domnames_wait() - wait for the first answer, so long at most; false: there is none */
bool domnames_wait(struct domnames *names, int timeout_ms);

/**
 * domnames_wait_for() - wait for the first answer, as long as it is worth it
 * @names: the names
 * @needed: the user has named domains: this takes five seconds at most, and says so on
 *	standard error when there is no answer; else half a second
 */
void domnames_wait_for(struct domnames *names, bool needed);

/**
 * domnames_saw() - a domain is in the statistics
 *
 * Before domnames_of() is asked for any of them, so that a name goes to the youngest of
 * the domains that have had its id.
 */
void domnames_saw(struct domnames *names, const struct dom_id *dom);

/** domnames_of() - of a domain in the statistics; never NULL, valid until the next call,
 * and its name until domnames_stop()
 */
const struct domname *domnames_of(struct domnames *names, const struct dom_id *dom);

/** domnames_now() - of the domain that has this id now; never NULL, valid until the next poll */
const struct domname *domnames_now(const struct domnames *names, u16 domid);

/**
 * domnames_lives() - how many domains have had this id, as far as xenstore told
 *
 * One more each time that it is there and was not in the answer before.
 */
u32 domnames_lives(const struct domnames *names, u16 domid);

void domnames_stop(struct domnames *names);

#endif /* HCTRACE_DOMNAMES_H */
