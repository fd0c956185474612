// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an exact number of hypercalls from dom0, through /dev/xen/privcmd.
 *
 *   hcall call OP COUNT [A0 [A1]]         COUNT calls
 *   hcall multicall OP MEMBERS COUNT [A0] COUNT multicalls of MEMBERS calls each
 *
 * Xen records a call whether it succeeds or not. Where it matters that a call
 * got through to Xen, the caller says what it must return:
 *
 *   hcall -r RESULT ...                   every call must return RESULT
 */
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "privcmd.h"

#define MAX_MEMBERS	100000

static const char usage[] =
	"usage: hcall [-r RESULT] call OP COUNT [A0 [A1]]\n"
	"       hcall [-r RESULT] multicall OP MEMBERS COUNT [A0]";

static int privcmd;
static int check_result;
static long wanted_result;

static uint64_t number(const char *s)
{
	char *end;
	uint64_t value = strtoull(s, &end, 0);

	if (!*s || *end)
		errx(2, "\"%s\" is not a number", s);
	return value;
}

static void hypercall(struct privcmd_hypercall *call)
{
	int rc = privcmd_call(privcmd, call);

	if (check_result && rc != wanted_result)
		errx(1, "hypercall %llu returned %d", (unsigned long long)call->op, rc);
}

static void calls(char **argv, int argc)
{
	struct privcmd_hypercall call = { .op = number(argv[0]) };
	uint64_t count = number(argv[1]);
	int i;

	for (i = 0; i + 2 < argc && i < 5; i++)
		call.arg[i] = number(argv[i + 2]);
	while (count--)
		hypercall(&call);
}

static void multicalls(char **argv, int argc)
{
	uint64_t op = number(argv[0]);
	uint64_t members = number(argv[1]);
	uint64_t count = number(argv[2]);
	uint64_t a0 = argc > 3 ? number(argv[3]) : 0;
	struct privcmd_hypercall call = { .op = OP_MULTICALL };
	struct multicall_entry *list;
	size_t size = members * sizeof(*list);
	uint64_t i;

	if (!members || members > MAX_MEMBERS)
		errx(2, "members: 1 to %d", MAX_MEMBERS);
	/* Xen reads the list without faulting it in. */
	list = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (list == MAP_FAILED || mlock(list, size))
		err(1, "%zu bytes of locked memory", size);

	call.arg[0] = (uintptr_t)list;
	call.arg[1] = members;
	while (count--) {
		/* Xen writes results, and a debug build spoils the arguments. */
		memset(list, 0, size);
		for (i = 0; i < members; i++) {
			list[i].op = op;
			list[i].args[0] = a0;
		}
		hypercall(&call);
	}
}

/*
 * Stay on this vCPU. While Xen has preempted a multicall of ours the kernel may move us
 * to another one, and Xen's records do not tell what goes on there from a new multicall.
 * The kernel is asked which one it is: without its rseq sched_getcpu() asks the CPU, and
 * the emulated one has named CPUs that do not exist.
 */
static void stay_here(void)
{
	unsigned int cpu;

	if (syscall(SYS_getcpu, &cpu, NULL, NULL))
		err(2, "getcpu");
	move_to(cpu);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "-r")) {
		check_result = 1;
		wanted_result = strtol(argv[2], NULL, 0);
		argc -= 2;
		argv += 2;
	}
	stay_here();
	privcmd = privcmd_open();
	if (argc >= 4 && !strcmp(argv[1], "call"))
		calls(argv + 2, argc - 2);
	else if (argc >= 5 && !strcmp(argv[1], "multicall"))
		multicalls(argv + 2, argc - 2);
	else
		errx(2, "%s", usage);
	return 0;
}
