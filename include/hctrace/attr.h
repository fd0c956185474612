/* SPDX-License-Identifier: GPL-2.0 */
/* What a reader may ask for; see struct xen_hctrace_attr. */
#ifndef HCTRACE_ATTR_H
#define HCTRACE_ATTR_H

#include <hctrace/types.h>
#include <uapi/xen_hctrace.h>

/**
 * hct_attr_is_valid() - whether all that an attr asks for has a meaning
 * @attr: as it was copied; its size has been dealt with, its lists are not looked at
 *
 * What has none is refused, so that it can get one some day.
 */
bool hct_attr_is_valid(const struct xen_hctrace_attr *attr);

#endif /* HCTRACE_ATTR_H */
