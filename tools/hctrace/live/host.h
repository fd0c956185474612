/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of the host: /proc, /sys and the like. Tests put a folder of their own
 * in front of all of them, in the environment variable HCTRACE_ROOT.
 */
#ifndef HCTRACE_HOST_H
#define HCTRACE_HOST_H

#include <stddef.h>

#include <hctrace/types.h>

#define HOST_PATH_MAX	512
#define HOST_DEBUGFS	"/sys/kernel/debug/xen-hctrace"

/** host_path() - where a file of the host is, into @buf of HOST_PATH_MAX bytes; returns @buf */
const char *host_path(const char *path, char *buf);

/**
 * host_read() - a whole file
 * @path: as on a host
 * @len: filled in if not NULL
 *
 * Return: its text, terminated, to be freed; NULL with errno set.
 */
char *host_read(const char *path, size_t *len);

/** host_exists() - whether there is such a file or folder */
bool host_exists(const char *path);

/** host_now_ns() - CLOCK_MONOTONIC */
u64 host_now_ns(void);

#endif /* HCTRACE_HOST_H */
