/* SPDX-License-Identifier: GPL-2.0 */
/* What is wanted of the device, and what of that it cannot tell apart. */
#ifndef HCTRACE_WANTED_H
#define HCTRACE_WANTED_H

#include <uapi/xen_hctrace.h>

#include "base/filter.h"
#include "live/domnames.h"

/**
 * struct wanted - calls that are wanted
 * @filter: which ones
 * @domains: the ids that the filter's domains have now, for the device
 * @nr_domains: how many
 * @is_exact: the device delivers nothing else
 * @gone: by id, whether it is another domain's than when we began
 */
struct wanted {
	struct filter filter;
	u16 domains[XEN_HCTRACE_ATTR_MAX_LIST];
	unsigned int nr_domains;
	bool is_exact;
	bool gone[XEN_DOMID_FIRST_RESERVED];
};

/**
 * wanted_ask() - ask the device for no less
 * @wanted: its filter is filled in; @attr points into it
 * @names: of domains
 * @attr: its domains and ops are filled in
 *
 * Return: 0, or an exit status after saying which domain there is not.
 */
int wanted_ask(struct wanted *wanted, const struct domnames *names,
	       struct xen_hctrace_attr *attr);

/** wanted_domain_changed() - the id is another domain's from here on, or nobody's */
void wanted_domain_changed(struct wanted *wanted, u16 domid);

/** wanted_call() - whether a call that the device delivered is wanted */
bool wanted_call(const struct wanted *wanted, const struct xen_hctrace_call *call);

#endif /* HCTRACE_WANTED_H */
