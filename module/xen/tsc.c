// SPDX-License-Identifier: GPL-2.0
/* The time stamp counter: Xen stamps its records with it, and domains read it as well. */
#include <asm/msr.h>
#include <asm/tsc.h>

#include "hypervisor.h"

u64 hct_hyp_tsc(void)
{
	return rdtsc_ordered();
}

u32 hct_hyp_tsc_khz(void)
{
	return tsc_khz;
}
