/* SPDX-License-Identifier: GPL-2.0 */
/* What a test program found, a "key value" a line, for figure() of dom0/lib.sh. */
#ifndef E2E_SHOW_H
#define E2E_SHOW_H

#include <stdint.h>
#include <stdio.h>

static inline void show(const char *key, uint64_t value)
{
	printf("%s %llu\n", key, (unsigned long long)value);
}

#endif /* E2E_SHOW_H */
