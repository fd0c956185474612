// SPDX-License-Identifier: GPL-2.0
/* A call that proves that calls are traced. */
#include <asm/xen/hypercall.h>
#include <xen/interface/vcpu.h>
#include <xen/interface/xen.h>

#include "hypervisor.h"

int hct_hyp_mark(u32 cookie)
{
	/* Xen writes the member's result to it. */
	static struct multicall_entry entry;

	entry.op = __HYPERVISOR_vcpu_op;
	entry.args[0] = VCPUOP_is_up;
	entry.args[1] = cookie;
	/* The member itself fails: there is no such vCPU. */
	return HYPERVISOR_multicall(&entry, 1);
}
