/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixed-width types for code that is compiled into the module, the tool, the
 * tests and the fuzzers alike. Nothing else of the kernel reaches module/core.
 */
#ifndef HCTRACE_TYPES_H
#define HCTRACE_TYPES_H

#ifdef __KERNEL__

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#ifndef static_assert	/* Linux 5.1 has it */
#define static_assert(what)	_Static_assert(what, #what)
#endif

#else /* user space */

#include <assert.h>
#include <linux/types.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef __s8 s8;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

/* The kernel's: number of the highest bit that is set, from 1 on; 0: none is. */
static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

/* The kernel's scnprintf(): returns what was written, not what would have been. */
static inline int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, size, fmt, args);
	va_end(args);
	if (len < 0 || !size)
		return 0;
	return (size_t)len < size ? len : (int)size - 1;
}

#endif /* __KERNEL__ */

#endif /* HCTRACE_TYPES_H */
