// SPDX-License-Identifier: GPL-2.0
/*
 * Is a hypercall found where it was made? Each is made between two readings of
 * CLOCK_MONOTONIC, on every CPU in turn, and its ns must lie between them, give
 * or take the uncertainty that the device states.
 *
 *   when COUNT call|member
 *
 * Xen records no time with a PVH domain's own calls, but it does with calls inside
 * a multicall: "member" makes each the only one of a multicall.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "privcmd.h"
#include "ring.h"
#include "show.h"

struct call {
	uint64_t before_ns, after_ns;
	struct xen_hctrace_call found;
};

struct calls {
	struct call *list;
	unsigned long count, found;
	int members;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Nobody else makes this call. */
static void take(const struct xen_hctrace_sample *sample, void *arg)
{
	struct calls *calls = arg;
	bool is_member = sample->call.kind == XEN_HCTRACE_KIND_MEMBER;

	if (calls->members != is_member)
		return;
	if (calls->found < calls->count)
		calls->list[calls->found].found = sample->call;
	calls->found++;
}

/* How far outside its interval; all ones if the call has no time. */
static uint64_t error_ns(const struct call *call)
{
	uint64_t ns = call->found.ns;

	if (call->found.flags & (XEN_HCTRACE_F_NO_NS | XEN_HCTRACE_F_NO_TSC))
		return UINT64_MAX;
	if (ns < call->before_ns)
		return call->before_ns - ns;
	return ns > call->after_ns ? ns - call->after_ns : 0;
}

static void complain(unsigned long nr, const struct call *call)
{
	fprintf(stderr, "call %lu: %llu to %llu, found at %llu, flags %#x\n", nr,
		(unsigned long long)call->before_ns, (unsigned long long)call->after_ns,
		(unsigned long long)call->found.ns, call->found.flags);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t median_width_ns(const struct calls *calls)
{
	uint64_t *width = calloc(calls->count, sizeof(*width)), median;
	unsigned long i;

	if (!width)
		err(1, "memory");
	for (i = 0; i < calls->count; i++)
		width[i] = calls->list[i].after_ns - calls->list[i].before_ns;
	qsort(width, calls->count, sizeof(*width), compare);
	median = width[calls->count / 2];
	free(width);
	return median;
}

int main(int argc, char **argv)
{
	struct calls calls = { .count = argc == 3 ? strtoul(argv[1], NULL, 0) : 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t uncertainty_ns, worst_ns = 0;
	unsigned long i, outside = 0, inside = 0;
	struct xen_hctrace_info info;
	struct ring ring;
	int privcmd;

	if (!calls.count)
		errx(2, "usage: when COUNT call|member");
	calls.members = !strcmp(argv[2], "member");
	calls.list = calloc(calls.count, sizeof(*calls.list));
	if (!calls.list)
		err(1, "memory");
	privcmd = privcmd_open();
	ring_open(&ring, 64, 1ull << OP_VM_ASSIST);
	/* The clock needs to be known; each INFO waits for two rounds. */
	for (i = 0; ring_info(&ring).uncertainty_ns == UINT64_MAX; i++)
		if (i == 1000)
			errx(1, "ns is never known");

	for (i = 0; i < calls.count; i++) {
		struct timespec pause = { .tv_nsec = 3000000 };

		move_to(i % cpus);
		calls.list[i].before_ns = now_ns();
		if (calls.members)
			quiet_member(privcmd);
		else
			quiet_call(privcmd);
		calls.list[i].after_ns = now_ns();
		/* Over many rounds, or a clock that drifts would not be seen. */
		nanosleep(&pause, NULL);
	}
	info = ring_info(&ring);
	uncertainty_ns = info.uncertainty_ns;
	ring_read(&ring, take, &calls);
	show("made", calls.count);
	show("found", calls.found);
	show("lost", ring.lost);
	if (calls.found != calls.count)
		return 1;

	for (i = 0; i < calls.count; i++) {
		uint64_t off_ns = error_ns(&calls.list[i]);

		inside += off_ns == 0;
		outside += off_ns > uncertainty_ns;
		worst_ns = off_ns > worst_ns ? off_ns : worst_ns;
		if (off_ns > uncertainty_ns)
			complain(i, &calls.list[i]);
	}
	show("uncertainty_ns", uncertainty_ns);
	show("median_width_ns", median_width_ns(&calls));
	show("inside", inside);
	show("worst_ns", worst_ns);
	show("outside", outside);
	return outside != 0;
}
