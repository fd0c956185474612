// SPDX-License-Identifier: GPL-2.0
/*
 * Reads /dev/xen/hctrace through libbcc's reader of perf rings, which knows
 * nothing of it.
 *
 *   bcc PAGES default|members read|sleep COMMAND...
 *
 * With "default" no call of ours goes before the mapping, and members are not
 * delivered; "members" asks for them too. With "read" it reads while COMMAND runs,
 * with "sleep" only after it has ended, so that a small ring overflows. Prints what
 * was found, the sum of the losses that were called back, and the device's ledger.
 */
#include <bcc/perf_reader.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "ring.h"
#include "show.h"

struct found {
	uint64_t records, odd, lost;
	uint64_t of_kind[8];		/* vm_assist by dom0 */
};

static void take(void *arg, void *raw, int bytes)
{
	struct xen_hctrace_sample sample;
	struct found *found = arg;

	found->records++;
	if (bytes < (int)sizeof(sample)) {
		found->odd++;
		return;
	}
	memcpy(&sample, raw, sizeof(sample));
	if (sample.call.domid == 0 && sample.call.op == 21 && sample.call.kind < 8)
		found->of_kind[sample.call.kind]++;
}

static void count_lost(void *arg, uint64_t lost)
{
	((struct found *)arg)->lost += lost;
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	return pid;
}

int main(int argc, char **argv)
{
	struct xen_hctrace_info info;
	struct perf_reader *reader;
	struct found found = { 0 };
	struct ring ring = { 0 };
	int status, reads;
	pid_t pid;

	if (argc < 5)
		errx(2, "usage: bcc PAGES default|members read|sleep COMMAND...");
	reads = !strcmp(argv[3], "read");
	ring_open_device(&ring);
	if (!strcmp(argv[2], "members"))
		ring_set_attr(&ring, 0, 0);
	reader = perf_reader_new(take, count_lost, &found, atoi(argv[1]));
	if (!reader)
		errx(1, "perf_reader_new");
	perf_reader_set_fd(reader, ring.fd);
	if (perf_reader_mmap(reader))
		errx(1, "perf_reader_mmap");

	pid = start(argv + 4);
	if (reads)
		while (!waitpid(pid, &status, WNOHANG))
			perf_reader_poll(1, &reader, 100);
	else
		waitpid(pid, &status, 0);
	if (status)
		errx(1, "%s ended with status %#x", argv[4], status);

	/*
	 * Disabling waits for all that was recorded before. Reading then makes room,
	 * and INFO waits for the last LOST to be written there.
	 */
	if (ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0))
		err(1, "DISABLE");
	perf_reader_event_read(reader);
	info = ring_info(&ring);
	perf_reader_event_read(reader);
	show("records", found.records);
	show("odd", found.odd);
	show("call", found.of_kind[XEN_HCTRACE_KIND_CALL]);
	show("member", found.of_kind[XEN_HCTRACE_KIND_MEMBER]);
	show("hvm", found.of_kind[XEN_HCTRACE_KIND_HVM]);
	show("lost", found.lost);
	show("info_matched", info.matched);
	show("info_written", info.written);
	show("info_lost", info.lost);
	show("info_paused", info.paused);
	show("info_xen_lost", info.xen_lost);
	perf_reader_free(reader);
	return 0;
}
