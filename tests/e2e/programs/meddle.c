// SPDX-License-Identifier: GPL-2.0
/*
 * Another program on the host that meddles with Xen's trace buffers while somebody else
 * has them, through /dev/xen/privcmd:
 *
 *   meddle disable              tracing off
 *   meddle mask EVENTS          another event mask
 *   meddle cpus BITS            another mask of pCPUs, the first 64 of them
 *   meddle cons PCPU HOW        move cons of a ring: to prod ("read"), one record on
 *                               ("ahead"), 4 bytes on ("between"), back ("back"), beyond
 *                               prod ("beyond"), or to what can be none ("bad")
 *
 * Never the last on a hypervisor with its assertions on: it does not survive two consumers.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <hctrace/shared_mem.h>
#include <hctrace/tbuf.h>

#include "privcmd.h"

#define OP_SYSCTL	35
#define SYSCTL_TBUF_OP	2
#define DOMID_XEN	0x7ff2

enum { GET_INFO, SET_CPU_MASK, SET_EVT_MASK, SET_SIZE, ENABLE, DISABLE };

/* Xen's public/sysctl.h, as far as tbuf_op needs it */
struct sysctl {
	uint32_t cmd;
	uint32_t version;
	uint32_t tbuf_cmd;
	uint32_t pad0;
	uint64_t cpu_bitmap;
	uint32_t cpu_nr_bits;
	uint32_t pad1;
	uint32_t evt_mask;
	uint32_t pad2;
	uint64_t buffer_mfn;
	uint32_t size;
	uint8_t rest[84];
};

_Static_assert(sizeof(struct sysctl) == 136, "Xen copies all of it");

/* Linux's include/uapi/xen/privcmd.h */
struct mmapbatch {
	unsigned int num;
	uint16_t dom;
	uint64_t addr;
	const uint64_t *frames;
	int *errors;
};

#define IOCTL_PRIVCMD_MMAPBATCH_V2 _IOC(_IOC_NONE, 'P', 4, sizeof(struct mmapbatch))

static int privcmd;

/* Xen reads and writes this without faulting it in. */
static struct sysctl op __attribute__((aligned(4096)));
static uint64_t cpu_bitmap __attribute__((aligned(4096)));

static int tbuf_op(uint32_t cmd)
{
	struct privcmd_hypercall call = { .op = OP_SYSCTL, .arg = { (uintptr_t)&op } };
	int rc;

	op.cmd = SYSCTL_TBUF_OP;
	op.tbuf_cmd = cmd;
	for (op.version = 0x20; op.version; op.version--) {
		rc = privcmd_call(privcmd, &call);
		if (rc != -EACCES)
			return rc;
	}
	return -EACCES;
}

static void must_do(uint32_t cmd)
{
	int rc = tbuf_op(cmd);

	if (rc)
		errx(1, "tbuf_op %u: error %d", cmd, rc);
}

static void *map(const uint64_t *frames, uint32_t nr, int prot)
{
	int *errors = calloc(nr, sizeof(*errors));
	void *va = mmap(NULL, nr * 4096ul, prot, MAP_SHARED, privcmd, 0);
	struct mmapbatch batch = {
		.num = nr,
		.dom = DOMID_XEN,
		.addr = (uintptr_t)va,
		.frames = frames,
		.errors = errors,
	};

	if (!errors || va == MAP_FAILED || ioctl(privcmd, IOCTL_PRIVCMD_MMAPBATCH_V2, &batch) ||
	    errors[0])
		err(1, "%u frames of Xen's", nr);
	free(errors);
	return va;
}

/* The page of a ring with both indices, and X. */
static uint32_t *map_ring(uint32_t cpu, uint32_t *data_size)
{
	uint64_t frames[HCT_TINFO_MAX_BYTES / 4096];
	uint32_t mfns[65536];
	struct hct_tinfo ti;
	const char *why;
	uint64_t first;
	uint32_t i;

	must_do(GET_INFO);
	for (i = 0; i < op.size / 4096 && i < HCT_TINFO_MAX_BYTES / 4096; i++)
		frames[i] = op.buffer_mfn + i;
	why = hct_tinfo_check(map(frames, i, PROT_READ), op.size, &ti);
	if (why)
		errx(1, "t_info: %s", why);
	if (hct_tinfo_mfns(&ti, cpu, mfns) != 1)
		errx(1, "pCPU %u has no ring", cpu);
	*data_size = ti.pages * HCT_XEN_PAGE_SIZE - 8;
	first = mfns[0];
	return map(&first, 1, PROT_READ | PROT_WRITE);
}

static void move_cons(uint32_t cpu, const char *how)
{
	uint32_t lap, to, data_size, cons, prod, header, used;
	uint32_t *ring = map_ring(cpu, &data_size);

	lap = 2 * data_size;
	do {
		cons = hct_shared_load(&ring[0]);
		prod = hct_shared_load(&ring[1]);
		if (!hct_ring_used(cons, prod, data_size, &used))
			errx(1, "cons %u and prod %u make no sense", cons, prod);
		header = cons % data_size < 4088 ?
			 hct_shared_load(&ring[2 + cons % data_size / 4]) : 0x90000000;
		if (!strcmp(how, "read"))
			to = prod;
		else if (!strcmp(how, "ahead"))
			to = (cons + 4 * xen_trc_words(header)) % lap;
		else if (!strcmp(how, "between"))
			to = (cons + 4) % lap;
		else if (!strcmp(how, "back"))
			to = (cons + lap - 64) % lap;
		else if (!strcmp(how, "beyond"))
			to = (prod + 64) % lap;
		else if (!strcmp(how, "bad"))
			to = lap + 3;
		else
			errx(2, "how?");
		/* There must be something to be passed over. */
	} while (!used || (strcmp(how, "read") && used < 64));
	hct_shared_store(&ring[0], to);
	printf("cons %u of %u prod %u\n", to, cons, prod);
}

int main(int argc, char **argv)
{
	privcmd = privcmd_open();
	if (mlock(&op, sizeof(op)) || mlock(&cpu_bitmap, sizeof(cpu_bitmap)))
		err(1, "mlock");
	if (argc == 2 && !strcmp(argv[1], "disable")) {
		must_do(DISABLE);
	} else if (argc == 3 && !strcmp(argv[1], "mask")) {
		op.evt_mask = strtoul(argv[2], NULL, 0);
		must_do(SET_EVT_MASK);
	} else if (argc == 3 && !strcmp(argv[1], "cpus")) {
		cpu_bitmap = strtoull(argv[2], NULL, 0);
		op.cpu_bitmap = (uintptr_t)&cpu_bitmap;
		op.cpu_nr_bits = 64;
		must_do(SET_CPU_MASK);
	} else if (argc == 4 && !strcmp(argv[1], "cons")) {
		move_cons(strtoul(argv[2], NULL, 0), argv[3]);
	} else {
		errx(2, "the head of meddle.c says how to call it");
	}
	return 0;
}
