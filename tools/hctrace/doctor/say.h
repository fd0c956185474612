/* SPDX-License-Identifier: GPL-2.0 */
/* How doctor tells what it finds. */
#ifndef HCTRACE_DOCTOR_SAY_H
#define HCTRACE_DOCTOR_SAY_H

#define __printf(fmt, first)	__attribute__((__format__(printf, fmt, first)))

#define MODULE		"xen_hctrace"

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

/** doctor_troubles() - how many there were */
unsigned int doctor_troubles(void);

#endif /* HCTRACE_DOCTOR_SAY_H */
