// SPDX-License-Identifier: GPL-2.0
/* Print Xen's log, as xl dmesg does, where there is no xl. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "privcmd.h"

#define OP_SYSCTL	35
#define READCONSOLE	1
#define MAX_BYTES	(256 << 10)

/* Xen's public/sysctl.h: struct xen_sysctl with its member readconsole */
struct sysctl {
	uint32_t cmd;
	uint32_t version;
	uint8_t clear;
	uint8_t incremental;
	uint16_t pad;
	uint32_t index;
	uint64_t buffer;
	uint32_t count;
	uint8_t rest[136 - 28];
};

_Static_assert(sizeof(struct sysctl) == 136, "as Xen copies it");

int main(void)
{
	/* Xen writes there without faulting it in. */
	char *text = mmap(NULL, MAX_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	int privcmd = privcmd_open();
	int rc = -EACCES;
	struct sysctl op;
	uint32_t version;

	if (text == MAP_FAILED)
		err(1, "%d bytes", MAX_BYTES);
	for (version = 0x13; rc == -EACCES && version <= 0x20; version++) {
		struct privcmd_hypercall call = {
			.op = OP_SYSCTL, .arg = { (uintptr_t)&op },
		};

		op = (struct sysctl){
			.cmd = READCONSOLE, .version = version,
			.buffer = (uintptr_t)text, .count = MAX_BYTES,
		};
		rc = privcmd_call(privcmd, &call);
	}
	if (rc)
		errx(1, "sysctl: %d", rc);
	fwrite(text, 1, op.count, stdout);
	return 0;
}
