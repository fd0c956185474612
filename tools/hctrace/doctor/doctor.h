/* SPDX-License-Identifier: GPL-2.0 */
/* hctrace doctor: what its parts have in common. */
#ifndef HCTRACE_DOCTOR_H
#define HCTRACE_DOCTOR_H

#include <hctrace/types.h>

#include "live/host.h"

#define __printf(fmt, first)	__attribute__((__format__(printf, fmt, first)))

#define MODULE		"xen_hctrace"
#define CONTROL		HOST_DEBUGFS "/control"
#define PARAMETER	"/sys/module/" MODULE "/parameters/control"

/** doctor_ok() - say that something is as it should be */
__printf(1, 2) void doctor_ok(const char *fmt, ...);

/** doctor_note() - say something that is no trouble */
__printf(1, 2) void doctor_note(const char *fmt, ...);

/**
 * doctor_trouble() - say what is wrong, why, and what to type
 * @what: in a few words
 * @why: in a sentence or two
 * @next: a command; a format
 */
__printf(3, 4) void doctor_trouble(const char *what, const char *why, const char *next, ...);

/** doctor_explain_load() - why the module is not loaded: one trouble */
void doctor_explain_load(void);

/** doctor_find_consumer() - a running program that takes trace buffers; its pid, name in @comm */
int doctor_find_consumer(char *comm, size_t size);

/** doctor_lockdown() - "none", "integrity", "confidentiality" into @buf; returns @buf */
const char *doctor_lockdown(char *buf, size_t size);

/** doctor_file_has() - whether a file of the host has a line that contains @text */
bool doctor_file_has(const char *path, const char *text);

/** verb_doctor() - its entry; @argv[0] is the verb. Returns an exit status. */
int verb_doctor(int argc, char **argv);

#endif /* HCTRACE_DOCTOR_H */
