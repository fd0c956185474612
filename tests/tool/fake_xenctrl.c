// SPDX-License-Identifier: GPL-2.0
/*
 * A libxenctrl for tests: what Xen says is in files below $FAKE_XENCTRL, and without them
 * there is no Xen.
 *
 *   domains	ID FLAGS EMULATION VCPUS UUID, numbers as C has them; a line each
 *   scheduler	its number
 *   idle	seconds of each pCPU
 *   log	of Xen
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xenctrl.h>

static FILE *open_file(const char *name)
{
	char path[500];

	snprintf(path, sizeof(path), "%s/%s", getenv("FAKE_XENCTRL"), name);
	return fopen(path, "r");
}

xc_interface *xc_interface_open(xentoollog_logger *logger, xentoollog_logger *dombuild_logger,
				unsigned int flags)
{
	(void)logger;
	(void)dombuild_logger;
	(void)flags;
	if (getenv("FAKE_XENCTRL"))
		return calloc(1, 1);
	fprintf(stderr, "xencall: error: Could not obtain handle\n");
	return NULL;
}

int xc_interface_close(xc_interface *xch)
{
	free(xch);
	return 0;
}

static void set_handle(xc_domaininfo_t *info, const char *uuid)
{
	unsigned int i, byte;

	for (i = 0; i < sizeof(info->handle); uuid++) {
		if (*uuid == '-')
			continue;
		if (sscanf(uuid, "%2x", &byte) != 1)
			return;
		info->handle[i++] = byte;
		uuid++;
	}
}

int xc_domain_getinfolist(xc_interface *xch, uint32_t first, unsigned int room,
			  xc_domaininfo_t *info)
{
	FILE *file = open_file("domains");
	int domid, flags, emulation, vcpus;
	unsigned int nr = 0;
	char uuid[40];

	(void)xch;
	while (file && nr < room && fscanf(file, "%i %i %i %i %39s", &domid, &flags, &emulation,
					   &vcpus, uuid) == 5) {
		if (domid < (int)first)
			continue;
		memset(&info[nr], 0, sizeof(*info));
		info[nr].domain = domid;
		info[nr].flags = flags;
		info[nr].nr_online_vcpus = vcpus;
		info[nr].arch_config.emulation_flags = emulation;
		set_handle(&info[nr++], uuid);
	}
	if (!file)
		return -1;
	fclose(file);
	return nr;
}

int xc_sched_id(xc_interface *xch, int *sched_id)
{
	FILE *file = open_file("scheduler");
	int rc = !file || fscanf(file, "%i", sched_id) != 1;

	(void)xch;
	if (file)
		fclose(file);
	return rc ? -1 : 0;
}

int xc_getcpuinfo(xc_interface *xch, int max_cpus, xc_cpuinfo_t *info, int *nr_cpus)
{
	FILE *file = open_file("idle");
	double seconds;

	(void)xch;
	*nr_cpus = 0;
	while (file && *nr_cpus < max_cpus && fscanf(file, "%lf", &seconds) == 1)
		info[(*nr_cpus)++].idletime = seconds * 1e9;
	if (!file)
		return -1;
	fclose(file);
	return 0;
}

/* In small pieces, as a ring of any size may come. */
int xc_readconsolering(xc_interface *xch, char *buffer, unsigned int *pnr_chars, int clear,
		       int incremental, uint32_t *pindex)
{
	FILE *file = open_file("log");

	(void)xch;
	(void)clear;
	(void)incremental;
	if (!file)
		return -1;
	fseek(file, *pindex, SEEK_SET);
	*pnr_chars = fread(buffer, 1, *pnr_chars < 100 ? *pnr_chars : 100, file);
	*pindex += *pnr_chars;
	fclose(file);
	return 0;
}
