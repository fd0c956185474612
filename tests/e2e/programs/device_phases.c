// SPDX-License-Identifier: GPL-2.0
/*
 * PAUSE_OUTPUT, DISABLE, ENABLE and RESET divide the calls before them from those
 * behind, to the last one, as they would on a perf event.
 */
#include "device.h"

static void pause_output(const struct ring *ring, unsigned long on)
{
	if (ioctl(ring->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, on))
		err(1, "PAUSE_OUTPUT");
}

static void reset(const struct ring *ring)
{
	must(device_ioctl(ring->fd, PERF_EVENT_IOC_RESET, NULL), "RESET");
}

/* No INFO comes between: each call itself knows what was before it. */
static void phases(int privcmd)
{
	struct ring ring;

	direct_open(&ring, 64);
	make_calls(privcmd, 100);
	pause_output(&ring, 1);
	make_calls(privcmd, 200);
	pause_output(&ring, 0);
	make_calls(privcmd, 50);
	disable(ring.fd);
	make_calls(privcmd, 70);
	enable(ring.fd);
	make_calls(privcmd, 30);
	ledger_is(&ring, 380, 180, 0, 200, "paused for 200, disabled for 70");
	is(direct_read(&ring), 180, "found");
	is(ring.lost, 0, "told of losses");

	make_calls(privcmd, 5);
	reset(&ring);
	ledger_is(&ring, 0, 0, 0, 0, "RESET after 5");
	is(direct_read(&ring), 5, "what is in the ring outlives it");
	make_calls(privcmd, 10);
	ledger_is(&ring, 10, 10, 0, 0, "10 after RESET");
	is(direct_read(&ring), 10, "found");
	ring_close(&ring);
}

static void one_at_a_time(int privcmd)
{
	struct xen_hctrace_attr attr = direct_attr();
	const unsigned int room = 16 * PAGE_BYTES / SAMPLE_BYTES;
	struct ring ring;

	attr.flags = XEN_HCTRACE_ATTR_DISABLED;
	reader_open(&ring, 16, &attr);
	make_calls(privcmd, 11);
	ledger_is(&ring, 0, 0, 0, 0, "disabled by its attr");
	enable(ring.fd);
	enable(ring.fd);
	make_calls(privcmd, 40);
	disable(ring.fd);
	is(direct_read(&ring), 40, "found when DISABLE returns");
	disable(ring.fd);
	make_calls(privcmd, 12);
	ledger_is(&ring, 40, 40, 0, 0, "disabled again");
	enable(ring.fd);
	make_calls(privcmd, 20);
	pause_output(&ring, 1);
	is(direct_read(&ring), 20, "found when PAUSE_OUTPUT returns");
	make_calls(privcmd, 13);
	pause_output(&ring, 0);
	ledger_is(&ring, 73, 60, 0, 13, "paused and resumed");
	is(direct_read(&ring), 0, "found of them");

	/* A ring that was full tells its losses after a pause, not in it. */
	make_calls(privcmd, 1000);
	ledger_is(&ring, 1073, 60 + room, 1000 - room, 13, "full");
	pause_output(&ring, 1);
	is(direct_read(&ring), room, "paused: found");
	make_calls(privcmd, 1);
	ring_info(&ring);
	is(direct_read(&ring) + ring.lost, 0, "paused: found and told of");
	pause_output(&ring, 0);
	ring_info(&ring);
	is(direct_read(&ring), 0, "resumed: found");
	is(ring.lost, 1000 - room, "resumed: told of losses");
	ring_close(&ring);
}

int main(void)
{
	int privcmd = privcmd_open();

	tap_begin();
	phases(privcmd);
	one_at_a_time(privcmd);
	close(privcmd);
	return 0;
}
