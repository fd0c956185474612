// SPDX-License-Identifier: GPL-2.0
/*
 * A test for the Xen Test Framework: an exact number of hypercalls, for whoever reads Xen's trace
 * buffers meanwhile. docs/xen.md says what they must show. It goes to tests/trace-calls/ of XTF.
 */
#include <xtf.h>

#define CALLS	1000	/* x vm_assist(~0, 0), which changes nothing and nobody else calls */
#define BATCHES	10	/* x multicall of */
#define MEMBERS	71	/* the same */

const char test_title[] = "A number of hypercalls for trace buffers";

static multicall_entry_t list[MEMBERS];

/* The list is made anew each time: a Xen with assertions spoils it. */
static long make_multicall(void)
{
	unsigned int i;

	for (i = 0; i < MEMBERS; i++)
		list[i] = (multicall_entry_t){ .op = __HYPERVISOR_vm_assist, .args = { ~0U, 0 } };
	return hypercall_multicall(list, MEMBERS);
}

void test_main(void)
{
	unsigned int i, member;
	long answer, rc;

	/* Which error it is depends on the type of guest. */
	answer = hypercall_vm_assist(~0U, 0);
	if (answer >= 0)
		return xtf_error("Error: vm_assist(~0) answers %ld\n", answer);
	for (i = 1; i < CALLS; i++) {
		rc = hypercall_vm_assist(~0U, 0);
		if (rc != answer)
			return xtf_failure("Fail: call %u answers %ld, not %ld\n", i, rc, answer);
	}
	for (i = 0; i < BATCHES; i++) {
		rc = make_multicall();
		if (rc == -ENOSYS && !i)
			return xtf_skip("Skip: no multicall for this type of guest\n");
		if (rc)
			return xtf_failure("Fail: multicall %u answers %ld\n", i, rc);
		for (member = 0; member < MEMBERS; member++) {
			rc = list[member].result;
			if (rc != answer)
				return xtf_failure("Fail: member %u of multicall %u answers %ld, not %ld\n",
						   member, i, rc, answer);
		}
	}
	xtf_success("%u x vm_assist, %u x multicall of %u\n", CALLS, BATCHES, MEMBERS);
}
