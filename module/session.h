/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control: what is wanted, by whom, and whether it can be had. Each of these takes ctl, if
 * nothing else is said.
 */
#ifndef HCT_SESSION_H
#define HCT_SESSION_H

#include <linux/list.h>
#include <linux/types.h>

#include "pause.h"
#include "tracing.h"
#include "watch.h"

/* Bytes of the settings as a text, and of the reason why one is refused. */
#define HCT_CONTROL_FORMAT_MAX	(32 << 10)
#define HCT_ERROR_MAX		160

/**
 * struct hct_config - module parameters
 * @tbuf_pages: pages per ring; 0: what exists, else the default
 * @sysctl_version: version of Xen's sysctl interface; 0: probe
 * @poll_ms: longest time between two rounds; 0: the default
 * @settings: control text to begin with, or NULL
 * @autostart: begin to trace; hct_session_init() sets it if @settings says start or stop
 */
struct hct_config {
	u32 tbuf_pages;
	u32 sysctl_version;
	u32 poll_ms;
	const char *settings;
	bool autostart;
};

/**
 * hct_session_init() - before any of the others
 * @config: the parameters
 *
 * Finds the hypervisor and begins to listen to the tracepoints. Return: 0 or an error
 * that has been logged, if it is not -ENOMEM.
 */
int hct_session_init(struct hct_config *config);

/** hct_session_exit() - end tracing; nobody calls any of the others any more */
void hct_session_exit(void);

/** hct_session_start() - claim the buffers and trace; an error has been logged */
int hct_session_start(void);

/**
 * hct_session_control() - do what a control text says
 * @text: the text
 * @len: its length
 *
 * Return: 0; -EINVAL if the text is refused (nothing has changed then, and the
 * status says why); what starting returned if it failed.
 */
int hct_session_control(const char *text, size_t len);

/** hct_session_format() - the settings as a control text, @size of HCT_CONTROL_FORMAT_MAX */
size_t hct_session_format(char *buf, size_t size);

/**
 * struct hct_demand - events that somebody besides the statistics wants
 * @node: in the session's list, while @mask is not 0
 * @mask: of Xen's events; 0: none
 */
struct hct_demand {
	struct list_head node;
	u32 mask;
};

/**
 * hct_session_want() - want other events than before
 * @demand: whose; all zero at first, but for its node, a list head
 * @mask: of Xen's events; 0: none any more
 *
 * Wanting anything begins to trace, even after a stop: a moment later, or when no other
 * program has the buffers any more. Takes no lock but a spinlock.
 */
void hct_session_want(struct hct_demand *demand, u32 mask);

/**
 * hct_session_want_now() - want other events than before, if they can be had at once
 * @demand: as above
 * @mask: of Xen's events, not 0
 *
 * Return: 0, Xen traces them; or why it cannot begin (it has been logged), and
 * what is wanted is as before; -EBUSY if another program has the buffers.
 */
int hct_session_want_now(struct hct_demand *demand, u32 mask);

/** hct_session_settle() - wait until what was wanted so far is traced, or waited for; no lock */
void hct_session_settle(void);

/* What is fixed for this dom0; they take no lock. */

/** hct_session_kinds_mask() - Xen's events for some kinds on this dom0, see hct_kinds_mask() */
u32 hct_session_kinds_mask(u32 kinds);

/** hct_session_pcpu_ids() - numbers of pCPUs are below this, 0: not known */
u32 hct_session_pcpu_ids(void);

/** hct_session_default_kinds() - what a reader that says nothing gets: this dom0's own calls */
u32 hct_session_default_kinds(void);

/**
 * struct hct_status - a moment of the session
 * @tracing: what Xen was told; without tracing, @tracing.asked_mask is what the statistics
 *	would ask for
 * @watch: of the pCPUs
 * @pause: of the breaker
 * @counting: whether the statistics count, else it traces for readers alone
 * @demands: readers and the like that want events
 * @wait_error: why what is wanted cannot be had yet, and is waited for; 0: it can
 * @traced_ms: for how long the statistics have counted, all starts together
 * @last_error: why the last control text was refused, empty if none was
 */
struct hct_status {
	struct hct_tracing_status tracing;
	struct hct_watch_status watch;
	struct hct_pause_status pause;
	bool counting;
	u32 demands;
	int wait_error;
	u64 traced_ms;
	char last_error[HCT_ERROR_MAX];
};

/** hct_session_status() - fill in a status */
void hct_session_status(struct hct_status *status);

#endif /* HCT_SESSION_H */
