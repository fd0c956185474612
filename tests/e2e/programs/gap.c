// SPDX-License-Identifier: GPL-2.0
/* Wait for a gap in the stream, and tell of it: its reason, what INFO says then, the ledger. */
#include <stdlib.h>

#include "privcmd.h"
#include "ring.h"
#include "show.h"

#define GENEROUS_MS	30000

static void ignore(const struct xen_hctrace_sample *sample, void *arg)
{
	(void)sample;
	(void)arg;
}

int main(void)
{
	struct xen_hctrace_info info;
	struct ring ring;

	ring_open(&ring, 8, 1ull << OP_VM_ASSIST);
	show("ready", 1);
	fflush(stdout);
	while (!ring.gaps) {
		ring_wait(&ring, GENEROUS_MS);
		if (!ring_read(&ring, ignore, NULL) && !ring.gaps)
			errx(1, "no gap in half a minute");
	}
	info = ring_info(&ring);
	show("gaps", ring.gaps);
	show("reason", ring.gap_id - XEN_HCTRACE_LOST_GAP(0));
	show("lost", ring.lost);
	show("xen_lost", info.xen_lost);
	show("tracing", !!(info.flags & XEN_HCTRACE_INFO_TRACING));
	show("breaker", !!(info.flags & XEN_HCTRACE_INFO_BREAKER));
	return 0;
}
