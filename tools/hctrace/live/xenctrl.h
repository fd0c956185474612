/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What libxenctrl tells of the host, whatever toolstack it has. Its interface changes
 * with each release of Xen, so it is looked for at run time under the very soname that
 * it was built for. Where that is not, or Xen does not answer, nothing of this is known.
 */
#ifndef HCTRACE_XENCTRL_H
#define HCTRACE_XENCTRL_H

#include "base/domname.h"

struct xenctrl;

/**
 * struct xenctrl_domain - a domain that there is
 * @domid: its id
 * @what: its type, vCPUs and UUID. Its name no hypervisor knows
 */
struct xenctrl_domain {
	u16 domid;
	struct domname what;
};

/** xenctrl_open() - begin to ask; NULL: there is nobody to be asked, which all below accept */
struct xenctrl *xenctrl_open(void);
void xenctrl_close(struct xenctrl *ctl);

/** xenctrl_domains() - all of them by id, to be freed; NULL: not known, @nr is 0 */
struct xenctrl_domain *xenctrl_domains(const struct xenctrl *ctl, size_t *nr);

/** xenctrl_scheduler() - what the scheduler is called, NULL: not known */
const char *xenctrl_scheduler(const struct xenctrl *ctl);

/**
 * xenctrl_idle() - how long each pCPU has been idle since the host's boot
 * @ctl: whom to ask
 * @idle_ns: filled in
 * @room: of that
 *
 * Return: of how many pCPUs.
 */
size_t xenctrl_idle(const struct xenctrl *ctl, u64 *idle_ns, size_t room);

/** xenctrl_log() - Xen's log as far as it still has it, to be freed; NULL: not known */
char *xenctrl_log(const struct xenctrl *ctl);

#endif /* HCTRACE_XENCTRL_H */
