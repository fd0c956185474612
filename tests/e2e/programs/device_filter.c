// SPDX-License-Identifier: GPL-2.0
/* Readers of some domains or pCPUs get theirs, all of theirs and nothing else. */
#include "device.h"

#define CALLS	500	/* on each CPU */

static const __u16 dom0, dom5 = 5, both[] = { 0, 5 }, unknown = XEN_HCTRACE_UNKNOWN;
static const __u16 far_pcpu = 4095;

static struct xen_hctrace_attr of_domains(const __u16 *domains, unsigned int nr)
{
	struct xen_hctrace_attr attr = direct_attr();

	attr.domains = (uintptr_t)domains;
	attr.nr_domains = nr;
	return attr;
}

static struct xen_hctrace_attr of_pcpus(const __u16 *pcpus, unsigned int nr)
{
	struct xen_hctrace_attr attr = direct_attr();

	attr.pcpus = (uintptr_t)pcpus;
	attr.nr_pcpus = nr;
	return attr;
}

static void calls_everywhere(int privcmd, unsigned int cpus)
{
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		move_to(cpu);
		make_calls(privcmd, CALLS);
	}
}

static void domains(int privcmd, unsigned int cpus)
{
	struct xen_hctrace_attr attrs[] = {
		of_domains(&dom0, 1), of_domains(&dom5, 1), of_domains(both, 2),
		of_domains(&unknown, 1), direct_attr(),
	};
	const unsigned int n = CALLS * cpus;
	struct ring rings[5];
	unsigned int i;

	attrs[4].flags = XEN_HCTRACE_ATTR_KNOWN_ONLY;
	for (i = 0; i < 5; i++)
		reader_open(&rings[i], 128, &attrs[i]);
	calls_everywhere(privcmd, cpus);
	ledger_is(&rings[0], n, n, 0, 0, "domains {0}");
	ledger_is(&rings[1], 0, 0, 0, 0, "domains {5}");
	ledger_is(&rings[2], n, n, 0, 0, "domains {0, 5}");
	ledger_is(&rings[3], 0, 0, 0, 0, "domains {unknown}");
	ledger_is(&rings[4], n, n, 0, 0, "known domains");
	is(direct_read(&rings[0]), n, "domains {0}: found");
	for (i = 0; i < 5; i++)
		ring_close(&rings[i]);
}

static void count_pcpu(const struct xen_hctrace_sample *sample, void *arg)
{
	if (sample->call.pcpu != *(__u16 *)arg)
		errx(1, "a call on pCPU %u for a reader of %u", sample->call.pcpu, *(__u16 *)arg);
}

static void pcpus(int privcmd, unsigned int cpus)
{
	__u16 numbers[64];
	struct xen_hctrace_attr attr;
	struct ring rings[64], all, none;
	unsigned long sum = 0, busy = 0, samples;
	const unsigned int n = CALLS * cpus;
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		numbers[i] = i;
		attr = of_pcpus(&numbers[i], 1);
		reader_open(&rings[i], 128, &attr);
	}
	attr = of_pcpus(numbers, cpus);
	reader_open(&all, 128, &attr);
	attr = of_pcpus(&far_pcpu, 1);
	reader_open(&none, 128, &attr);
	calls_everywhere(privcmd, cpus);
	ledger_is(&all, n, n, 0, 0, "all pCPUs by their numbers");
	ledger_is(&none, 0, 0, 0, 0, "a pCPU that is not there");
	for (i = 0; i < cpus; i++) {
		samples = ring_read(&rings[i], count_pcpu, &numbers[i]);
		ledger_is(&rings[i], samples, samples, 0, 0, "pCPU %u", i);
		sum += samples;
		busy += samples > 0;
		ring_close(&rings[i]);
	}
	is(sum, n, "pCPUs one by one, together");
	ok(busy > 1, "calls were made on %lu pCPUs", busy);
	ring_close(&all);
	ring_close(&none);
}

int main(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int privcmd = privcmd_open();

	tap_begin();
	if (cpus < 2 || cpus > 64)
		errx(1, "%ld CPUs, 2 to 64 wanted", cpus);
	domains(privcmd, cpus);
	pcpus(privcmd, cpus);
	return 0;
}
