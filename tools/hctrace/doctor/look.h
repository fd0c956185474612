/* SPDX-License-Identifier: GPL-2.0 */
/* What doctor looks at in more than one place. */
#ifndef HCTRACE_DOCTOR_LOOK_H
#define HCTRACE_DOCTOR_LOOK_H

#include <stdbool.h>
#include <stddef.h>

/** doctor_find_consumer() - a running program that takes trace buffers; its pid, name in @comm */
int doctor_find_consumer(char *comm, size_t size);

/** doctor_lockdown() - "none", "integrity", "confidentiality" into @buf; returns @buf */
const char *doctor_lockdown(char *buf, size_t size);

/** doctor_file_has() - whether a file of the host has a line that contains @text */
bool doctor_file_has(const char *path, const char *text);

#endif /* HCTRACE_DOCTOR_LOOK_H */
