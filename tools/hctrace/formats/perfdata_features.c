// SPDX-License-Identifier: GPL-2.0
/* What perf.data says of itself besides its records; see perfdata.h. */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "perfdata.h"

#define STRING_ALIGN	64

/* perf's strings: their length, filled up with zeros, and so many bytes. */
static void put_string(FILE *to, const char *text)
{
	u32 len = (strlen(text) + STRING_ALIGN) / STRING_ALIGN * STRING_ALIGN;
	u32 i;

	fwrite(&len, sizeof(len), 1, to);
	fputs(text, to);
	for (i = strlen(text); i < len; i++)
		fputc(0, to);
}

static void put_u32(FILE *to, u32 value)
{
	fwrite(&value, sizeof(value), 1, to);
}

static void put_u64(FILE *to, u64 value)
{
	fwrite(&value, sizeof(value), 1, to);
}

/* A part of the tracing data: its length in 64 bits, and its text. */
static void put_text(FILE *to, const char *text)
{
	put_u64(to, strlen(text));
	fputs(text, to);
}

/*
 * What perf and trace-cmd call tracing data: how to read the kernel's ring (which
 * we have none of), and the format of each event.
 */
static void put_tracing_data(FILE *to, const char *format)
{
	static const char magic[] = "\027\010\104tracing0.6";

	fwrite(magic, sizeof(magic), 1, to);
	fputc(0, to);		/* little endian */
	fputc(8, to);		/* bytes of a long */
	put_u32(to, 4096);	/* and of a page */
	fwrite("header_page", 12, 1, to);
	put_text(to,
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	fwrite("header_event", 13, 1, to);
	put_text(to, "# none\n");
	put_u32(to, 0);		/* events of ftrace itself */
	put_u32(to, 1);		/* systems */
	fwrite("xen_hctrace", 12, 1, to);
	put_u32(to, 1);		/* events of that */
	put_text(to, format);
	put_u32(to, 0);		/* bytes of kernel symbols */
	put_u32(to, 0);		/* of formats of trace_printk() */
	put_u64(to, 0);		/* of names of processes */
}

static void put_cpudesc(FILE *to)
{
	char line[256] = "unknown";
	FILE *cpuinfo = fopen("/proc/cpuinfo", "re");
	char *colon = NULL;

	while (cpuinfo && !colon && fgets(line, sizeof(line), cpuinfo)) {
		if (strncmp(line, "model name", 10))
			continue;
		line[strcspn(line, "\n")] = 0;
		colon = strstr(line, ": ");
	}
	if (cpuinfo)
		fclose(cpuinfo);
	put_string(to, colon ? colon + 2 : "unknown");
}

void perfdata_feature(FILE *to, unsigned int feature, const char *format, int argc, char **argv)
{
	struct utsname uts;
	int i;

	uname(&uts);
	switch (feature) {
	case PERFDATA_TRACING_DATA:
		put_tracing_data(to, format);
		break;
	case PERFDATA_HOSTNAME:
		put_string(to, uts.nodename);
		break;
	case PERFDATA_OSRELEASE:
		put_string(to, uts.release);
		break;
	case PERFDATA_VERSION:
		put_string(to, "xen-hctrace");
		break;
	case PERFDATA_ARCH:
		put_string(to, uts.machine);
		break;
	case PERFDATA_NRCPUS:
		put_u32(to, sysconf(_SC_NPROCESSORS_CONF));
		put_u32(to, sysconf(_SC_NPROCESSORS_ONLN));
		break;
	case PERFDATA_CPUDESC:
		put_cpudesc(to);
		break;
	case PERFDATA_CMDLINE:
		put_u32(to, argc);
		for (i = 0; i < argc; i++)
			put_string(to, argv[i]);
		break;
	}
}
