/* SPDX-License-Identifier: GPL-2.0 */
/* What xentrace makes of fake rings: the file that the tool reads. */
#ifndef FAKEXEN_XENTRACE_H
#define FAKEXEN_XENTRACE_H

#include <stdio.h>

#include "producer.h"

/**
 * fx_xentrace_pass() - go over all pCPUs once, as xentrace's monitor_tbufs() does
 * @rings: one a pCPU, emptied
 * @nr: how many; ids are their indices
 * @to: gets a window for each ring that has something
 *
 * Return: bytes written.
 */
u64 fx_xentrace_pass(struct fx_ring *rings, u32 nr, FILE *to);

#endif /* FAKEXEN_XENTRACE_H */
