// SPDX-License-Identifier: GPL-2.0
/* See xentrace.h. */
#include <stdlib.h>

#include "xentrace.h"

static void put(const void *data, size_t bytes, FILE *to)
{
	if (bytes && fwrite(data, bytes, 1, to) != 1) {
		perror("fake xentrace");
		exit(1);
	}
}

/* @bytes from index @at on, in two pieces if they go around the end. */
static void put_window(const struct fx_ring *ring, u32 at, u32 bytes, FILE *to)
{
	u32 offset = at < ring->data_size ? at : at - ring->data_size;
	u32 first = ring->data_size - offset;

	if (first > bytes)
		first = bytes;
	put(fx_ring_data(ring) + offset, first, to);
	put(fx_ring_data(ring), bytes - first, to);
}

u64 fx_xentrace_pass(struct fx_ring *rings, u32 nr, FILE *to)
{
	u64 written = 0;
	u32 cpu;

	for (cpu = 0; cpu < nr; cpu++) {
		u32 header[3] = { XEN_TRC_CPU_CHANGE | 2u << 28, cpu, fx_ring_used(&rings[cpu]) };

		if (!header[2])
			continue;
		put(header, sizeof(header), to);
		put_window(&rings[cpu], fx_ring_cons(&rings[cpu]), header[2], to);
		__atomic_store_n(&rings[cpu].mem[0], fx_ring_prod(&rings[cpu]), __ATOMIC_RELEASE);
		written += sizeof(header) + header[2];
	}
	return written;
}
