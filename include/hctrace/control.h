/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the statistics count, and the grammar in which a user says so.
 *
 *   start | stop | reset
 *   profile pv|hvm|all
 *   calls|members|hvm|draft on|off
 *   domains all | 0,3,5-7     (d0,d3 is understood too)
 *   ops all | iret,mmu_update,40
 *   poll_ms 1..1000
 *   breaker on|off
 *
 * One setting a line (or between ';'). A text is taken whole or not at all. The
 * file reads back in the same grammar, its first line saying whether we trace.
 */
#ifndef HCTRACE_CONTROL_H
#define HCTRACE_CONTROL_H

#include <hctrace/decode.h>
#include <hctrace/names.h>

#define HCT_POLL_MS_DEFAULT	100
#define HCT_POLL_MS_MAX		1000

/** enum hct_profile - which of Xen's events are asked for */
enum hct_profile {
	HCT_PROFILE_PV,
	HCT_PROFILE_HVM,
	HCT_PROFILE_ALL,
	HCT_NR_PROFILES,
};

/* What to do besides changing settings. */
#define HCT_VERB_START	0x1u
#define HCT_VERB_STOP	0x2u
#define HCT_VERB_RESET	0x4u

/**
 * struct hct_settings - what is traced and what the statistics count
 * @profile: &enum hct_profile
 * @kinds: by &enum hct_kind; v1 follows calls
 * @all_domains: count every domain, @domains is not looked at
 * @all_ops: count every op, @ops is not looked at
 * @poll_ms: longest time between two looks at the rings, 1 to 1000
 * @breaker: tracing pauses when a domain makes Xen log warnings, see breaker.h
 * @ops: bit n set: count op n; numbers from 64 on count only with @all_ops
 * @domains: bit n set: count domain n
 */
struct hct_settings {
	u8 profile;
	bool kinds[HCT_NR_KINDS];
	bool all_domains;
	bool all_ops;
	u32 poll_ms;
	bool breaker;
	u64 ops;
	u8 domains[XEN_DOMID_FIRST_RESERVED / 8];
};

/** hct_settings_init() - the settings of a fresh load, in the given profile */
void hct_settings_init(struct hct_settings *set, enum hct_profile profile);

/** hct_profile_name() - "pv", "hvm" or "all" */
const char *hct_profile_name(unsigned int profile);

/** hct_settings_mask() - Xen's event mask for these settings */
u32 hct_settings_mask(const struct hct_settings *set);

/**
 * hct_kinds_mask() - Xen's event mask for some kinds of call, and for who makes them
 * @kinds: bit &enum hct_kind set: these, at least one
 * @pv: dom0 is a PV domain, else PVH
 *
 * Members alone are had in the way that dom0's own profile has them.
 */
u32 hct_kinds_mask(u32 kinds, bool pv);

/** hct_settings_wants_domain() - whether a domain is counted; @domid below 0x7ff0 */
bool hct_settings_wants_domain(const struct hct_settings *set, u16 domid);

/** hct_settings_wants_op() - whether an op is counted, any number */
bool hct_settings_wants_op(const struct hct_settings *set, u32 op);

/**
 * hct_settings_wants_call() - whether calls of this form are counted, whoever makes them
 * @set: the settings
 * @kind: &enum hct_kind
 * @op: any number
 */
bool hct_settings_wants_call(const struct hct_settings *set, u8 kind, u32 op);

/**
 * hct_control_parse() - understand what was written to the control file
 * @text: what was written; any bytes
 * @len: length of @text
 * @set: the settings, changed only if the whole text is good
 * @verbs: filled in: HCT_VERB_*
 * @err: filled in on failure: in words, what was wrong, with its line
 * @err_size: room in @err
 * @scratch: room for a second set of settings (they are too large for a kernel stack)
 *
 * Return: 0, or -1 with nothing but @err and @scratch changed.
 */
int hct_control_parse(const char *text, size_t len, struct hct_settings *set, u32 *verbs,
		      char *err, size_t err_size, struct hct_settings *scratch);

/**
 * hct_control_format() - the settings in the same grammar
 * @set: the settings
 * @tracing: whether tracing is on
 * @buf: filled in, terminated
 * @size: room in @buf; 32 KiB hold any settings that a text of 4 KiB can make
 *
 * Return: length of the text.
 */
size_t hct_control_format(const struct hct_settings *set, bool tracing, char *buf, size_t size);

#endif /* HCTRACE_CONTROL_H */
