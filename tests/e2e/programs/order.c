// SPDX-License-Identifier: GPL-2.0
/*
 * Does one stream come in the order of time, while every CPU makes calls in
 * bursts? Reads all events while a child on each CPU makes its calls.
 *
 *   order CALLS-PER-CPU
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "privcmd.h"
#include "ring.h"
#include "show.h"

#define BURST		50
#define MAX_PCPUS	64

struct stream {
	__u64 last_tsc;
	unsigned long events, ours, late, inversions;
	unsigned long of_pcpu[MAX_PCPUS];
};

static void look(const struct xen_hctrace_sample *sample, void *arg)
{
	const struct xen_hctrace_call *call = &sample->call;
	struct stream *stream = arg;

	stream->events++;
	if (call->op == OP_VM_ASSIST) {
		stream->ours++;
		if (call->pcpu < MAX_PCPUS)
			stream->of_pcpu[call->pcpu]++;
	}
	if (call->flags & XEN_HCTRACE_F_LATE)
		stream->late++;
	if (call->tsc < stream->last_tsc) {
		stream->inversions++;
		fprintf(stderr, "event %lu: tsc %llu after %llu, pcpu %u, flags %#x\n",
			stream->events, call->tsc, stream->last_tsc, call->pcpu, call->flags);
	} else {
		stream->last_tsc = call->tsc;
	}
}

static void make_calls(unsigned int cpu, unsigned long calls)
{
	struct timespec pause = { .tv_nsec = 1000000 * (1 + cpu) };
	int privcmd = privcmd_open();
	unsigned long i;

	move_to(cpu);
	for (i = 0; i < calls; i++) {
		quiet_call(privcmd);
		if (i % BURST == BURST - 1)
			nanosleep(&pause, NULL);
	}
}

int main(int argc, char **argv)
{
	unsigned long calls = argc == 2 ? strtoul(argv[1], NULL, 0) : 0;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), running = cpus, i;
	struct xen_hctrace_info info;
	struct stream stream = { 0 };
	int pcpus = 0, status;
	struct ring ring;

	if (!calls)
		errx(2, "usage: order CALLS-PER-CPU");
	ring_open(&ring, 1024, 0);
	for (i = 0; i < cpus; i++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid) {
			make_calls(i, calls);
			_exit(0);
		}
	}
	while (running) {
		ring_wait(&ring, 100);
		ring_read(&ring, look, &stream);
		while (waitpid(-1, &status, WNOHANG) > 0) {
			if (status)
				errx(1, "a child ended with status %#x", status);
			running--;
		}
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	info = ring_info(&ring);
	ring_read(&ring, look, &stream);
	for (i = 0; i < MAX_PCPUS; i++)
		pcpus += stream.of_pcpu[i] != 0;
	show("made", calls * cpus);
	show("found", stream.ours);
	show("pcpus", pcpus);
	show("events", stream.events);
	show("inversions", stream.inversions);
	show("late", stream.late);
	show("info_late", info.late);
	show("lost", ring.lost);
	show("info_lost", info.lost + info.xen_lost);
	return 0;
}
