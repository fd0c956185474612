// SPDX-License-Identifier: GPL-2.0
/*
 * Write an xentrace file of any size, made by the fake Xen, and what must come out
 * of it, in the form of rows.awk:
 *
 *   mktrace BYTES PCPUS SEED ROWS >FILE
 *
 * Guests run on pCPUs in turn and make random calls and multicalls; nothing is
 * lost and nothing preempted, so every count is known.
 */
#include <stdlib.h>

#include <hctrace/account.h>

#include "../fakexen/xentrace.h"

#define MAX_PCPUS	256
#define NR_DOMAINS	8
#define RING_PAGES	32
#define RUNSTATE(old, new)	(0x00021001u | (old) << 8 | (new) << 4)

struct pcpu {
	bool busy;
	u16 domid;
	u16 vcpu;
	u64 tsc;
};

static struct fx_ring rings[MAX_PCPUS];
static struct pcpu pcpus[MAX_PCPUS];
static struct hct_domain counts[NR_DOMAINS];
static u32 nr_pcpus;
static u64 tsc = 1ull << 40;
static u64 seed;

static u32 pick(u32 below)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return ((seed * 0x2545f4914f6cdd1dull) >> 32) % below;
}

static void put(u32 cpu, u32 event, const u32 *words, unsigned int nr)
{
	tsc += 1 + pick(200);
	if (!fx_trace(&rings[cpu], event, event != XEN_TRC_HVM_VMMCALL, tsc, words, nr)) {
		fprintf(stderr, "mktrace: a ring is full\n");
		exit(1);
	}
}

static void put_one(u32 cpu, u32 event, u32 word)
{
	put(cpu, event, &word, 1);
}

/* A call, written and counted. */
static void call(u32 cpu, u32 event, enum hct_kind kind, const u32 *words, unsigned int nr)
{
	struct hct_record rec;
	u32 record[XEN_TRC_MAX_WORDS] = { event | nr << 28 };
	struct hct_cell *cell;

	memcpy(record + 1, words, 4 * nr);
	hct_decode(record, 1 + nr, false, &rec);
	cell = &counts[pcpus[cpu].domid].cells[kind][hct_account_cell(&rec.call)];
	cell->calls++;
	cell->units += hct_account_units(&rec.call);
	put(cpu, event, words, nr);
}

static void random_call(u32 cpu, u32 event, enum hct_kind kind)
{
	static const u32 plain[] = { 23, 23, 23, 14, 3, 25, 17, 32, 12, 36 };
	u32 words[3];

	switch (pick(8)) {
	case 0:
		words[0] = HCT_OP_mmu_update | 1u << 22;
		words[1] = 1 + pick(32);
		call(cpu, event, kind, words, 2);
		break;
	case 1:
		words[0] = HCT_OP_grant_table_op | 1u << 20 | 1u << 24;
		words[1] = pick(HCT_NR_GRANT_OPS + 1);
		words[2] = pick(64);
		call(cpu, event, kind, words, 3);
		break;
	case 2:
		words[0] = HCT_OP_vcpu_op | 1u << 20 | 1u << 22;
		words[1] = pick(HCT_NR_VCPU_OPS + 1);
		words[2] = pick(8);
		call(cpu, event, kind, words, 3);
		break;
	default:
		words[0] = plain[pick(ARRAY_SIZE(plain))];
		call(cpu, event, kind, words, 1);
		break;
	}
}

static void multicall(u32 cpu)
{
	u32 words[2] = { HCT_OP_multicall | 1u << 22, 1 + pick(12) };
	u32 i;

	call(cpu, XEN_TRC_PV_HYPERCALL_V2, HCT_KIND_CALL, words, 2);
	for (i = 0; i < words[1]; i++) {
		const u32 op = HCT_OP_update_va_mapping;

		call(cpu, XEN_TRC_PV_SUBCALL, HCT_KIND_MEMBER, &op, 1);
	}
}

/* Another vCPU runs here, of a domain that no other pCPU runs. */
static void reschedule(u32 cpu)
{
	struct pcpu *pcpu = &pcpus[cpu];

	if (pcpu->busy)
		put_one(cpu, RUNSTATE(XEN_RUNSTATE_RUNNING, XEN_RUNSTATE_RUNNABLE),
			(u32)pcpu->domid << 16 | pcpu->vcpu);
	pcpu->busy = true;
	pcpu->domid = pick(NR_DOMAINS);
	pcpu->vcpu = cpu;
	put_one(cpu, RUNSTATE(XEN_RUNSTATE_RUNNABLE, XEN_RUNSTATE_RUNNING),
		(u32)pcpu->domid << 16 | pcpu->vcpu);
}

static void act(u32 cpu)
{
	const u32 eax = HCT_OP_xen_version;

	if (!pcpus[cpu].busy || !pick(20))
		reschedule(cpu);
	/* The odd domains are HVM guests. */
	if (pcpus[cpu].domid & 1)
		call(cpu, XEN_TRC_HVM_VMMCALL, HCT_KIND_HVM, &eax, 1);
	else if (!pick(10))
		multicall(cpu);
	else
		random_call(cpu, XEN_TRC_PV_HYPERCALL_V2, HCT_KIND_CALL);
}

static void write_rows(FILE *to)
{
	unsigned int domid, kind, i;
	char name[64];

	fprintf(to, "d? - * 0 0 0\n");
	for (domid = 0; domid < NR_DOMAINS; domid++) {
		for (kind = 0; kind < HCT_NR_KINDS; kind++) {
			for (i = 0; i < HCT_NR_CELLS; i++) {
				const struct hct_cell *cell = &counts[domid].cells[kind][i];

				if (!cell->calls)
					continue;
				fprintf(to, "d%u %s %s %llu 0 %llu\n", domid, hct_kind_name(kind),
					hct_cell_name(i, name, sizeof(name)), cell->calls,
					cell->units);
			}
		}
	}
}

int main(int argc, char **argv)
{
	u64 bytes, written = 0;
	FILE *rows;
	u32 i;

	if (argc != 5) {
		fprintf(stderr, "Usage: mktrace BYTES PCPUS SEED ROWS >FILE\n");
		return 2;
	}
	bytes = strtoull(argv[1], NULL, 10);
	nr_pcpus = strtoul(argv[2], NULL, 10);
	seed = strtoull(argv[3], NULL, 10) + 88172645463325252ull;
	if (!nr_pcpus || nr_pcpus > MAX_PCPUS)
		return 2;
	rows = fopen(argv[4], "w");
	if (!rows) {
		perror(argv[4]);
		return 1;
	}
	for (i = 0; i < nr_pcpus; i++)
		fx_ring_init(&rings[i], RING_PAGES, 0);

	while (written < bytes) {
		u64 left = bytes - written;

		/* At most about 64 bytes an act, and half a ring a pass. */
		for (i = 0; i < 1000 * nr_pcpus && i * 16ull < left; i++)
			act(pick(nr_pcpus));
		written += fx_xentrace_pass(rings, nr_pcpus, stdout);
	}
	write_rows(rows);
	if (fclose(rows) || fflush(stdout))
		return 1;
	for (i = 0; i < nr_pcpus; i++)
		fx_ring_free(&rings[i]);
	return 0;
}
