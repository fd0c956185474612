// SPDX-License-Identifier: GPL-2.0
/* What perf.data says of itself besides its records; see perfdata.h. */
#include <string.h>

#include <hctrace/version.h>

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

void perfdata_attr(struct perf_event_attr *attr, u32 tracepoint_id)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->size = PERFDATA_ATTR_BYTES;
	attr->config = tracepoint_id;
	attr->sample_period = 1;
	attr->sample_type = PERFDATA_SAMPLE_TYPE;
	attr->sample_id_all = 1;
}

/* Not somebody else's. perf's converter to JSON, up to 6.1, does not bear that it is missing. */
static void put_known(FILE *to, const char *text)
{
	put_string(to, text ? text : "unknown");
}

/* The one event, and no ids that would tell it from others. */
static void put_event_desc(FILE *to, u32 tracepoint_id)
{
	struct perf_event_attr attr;

	perfdata_attr(&attr, tracepoint_id);
	put_u32(to, 1);
	put_u32(to, PERFDATA_ATTR_BYTES);
	fwrite(&attr, PERFDATA_ATTR_BYTES, 1, to);
	put_u32(to, 0);
	put_string(to, PERFDATA_EVENT_NAME);
}

void perfdata_feature(FILE *to, unsigned int feature, const struct perfdata_intro *intro)
{
	const struct perfdata_origin *origin = &intro->origin;
	int i;

	switch (feature) {
	case PERFDATA_TRACING_DATA:
		put_tracing_data(to, intro->format);
		break;
	case PERFDATA_HOSTNAME:
		put_known(to, origin->hostname);
		break;
	case PERFDATA_OSRELEASE:
		put_known(to, origin->release);
		break;
	case PERFDATA_VERSION:
		put_string(to, "xen-hctrace " HCT_VERSION);
		break;
	case PERFDATA_ARCH:
		/* There is no other dom0 that these records come from. */
		put_string(to, "x86_64");
		break;
	case PERFDATA_NRCPUS:
		/* That are there, and of them online. */
		put_u32(to, origin->nr_cpus);
		put_u32(to, origin->nr_cpus);
		break;
	case PERFDATA_CPUDESC:
		put_known(to, origin->cpudesc);
		break;
	case PERFDATA_CMDLINE:
		put_u32(to, intro->argc);
		for (i = 0; i < intro->argc; i++)
			put_string(to, intro->argv[i]);
		break;
	case PERFDATA_EVENT_DESC:
		put_event_desc(to, intro->tracepoint_id);
		break;
	}
}
