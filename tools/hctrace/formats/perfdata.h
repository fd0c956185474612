/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf.data, as far as a recording of ours needs it (Linux's
 * tools/perf/Documentation/perf.data-file-format.txt). A file is
 *
 *   header | attr | contents of the features | records | table of the features
 *
 * and a pipe is a short header and records, the first of which are what a file has
 * in front. The one event is the tracepoint xen_hctrace:hct_hypercall. A vCPU is a
 * thread: its process id is the domain, its thread id XEN_HCTRACE_TID().
 */
#ifndef HCTRACE_PERFDATA_H
#define HCTRACE_PERFDATA_H

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/uio.h>

#include <hctrace/types.h>
#include <uapi/xen_hctrace.h>

#include "base/domname.h"

#define PERFDATA_MAGIC		"PERFILE2"
#define PERFDATA_EVENT_NAME	"xen_hctrace:hct_hypercall"
#define PERFDATA_ATTR_BYTES	PERF_ATTR_SIZE_VER5	/* any perf there is understands it */
#define PERFDATA_MAX_CPUS	0xffffu	/* the last one is XEN_HCTRACE_UNKNOWN */
#define PERFDATA_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
				 PERF_SAMPLE_RAW)

/* The tracepoint's id in files that were not recorded from the running kernel. */
#define PERFDATA_TRACEPOINT_ID	1000

/* Records that perf adds to those of the kernel. */
enum {
	PERFDATA_HEADER_ATTR = 64,
	PERFDATA_HEADER_TRACING_DATA = 66,
	PERFDATA_FINISHED_ROUND = 68,
	PERFDATA_HEADER_FEATURE = 80,
};

/* Features, by their bit in the header. */
enum {
	PERFDATA_TRACING_DATA = 1,
	PERFDATA_HOSTNAME = 3,
	PERFDATA_OSRELEASE = 4,
	PERFDATA_VERSION = 5,
	PERFDATA_ARCH = 6,
	PERFDATA_NRCPUS = 7,
	PERFDATA_CPUDESC = 8,
	PERFDATA_CMDLINE = 11,
	PERFDATA_EVENT_DESC = 12,
	PERFDATA_NR_FEATURES = 13,
};

/**
 * struct perfdata_origin - where something was recorded
 * @hostname: its name; NULL: not known, as of all these
 * @release: the kernel of its dom0
 * @cpudesc: its processors
 * @nr_cpus: the host's pCPUs, of which dom0 may have fewer; 0: not known
 */
struct perfdata_origin {
	const char *hostname;
	const char *release;
	const char *cpudesc;
	u32 nr_cpus;
};

/**
 * struct perfdata_intro - what stands before the records
 * @tracepoint_id: of xen_hctrace:hct_hypercall, as in the samples
 * @format: that tracepoint's format file
 * @origin: where they were recorded, which need not be here
 * @argc: number of words in @argv
 * @argv: the command line, to be kept in the file
 */
struct perfdata_intro {
	u32 tracepoint_id;
	const char *format;
	struct perfdata_origin origin;
	int argc;
	char **argv;
};

/** struct perfdata_section - a part of a file */
struct perfdata_section {
	u64 offset;
	u64 size;
};

/** struct perfdata_header - the head of a file; of a pipe only @magic and @size */
struct perfdata_header {
	char magic[8];
	u64 size;
	u64 attr_size;
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types;
	u64 features[4];
};

#define PERFDATA_PIPE_HEADER_BYTES	16

#define PERFDATA_MOST_PARTS	2	/* of a ring: its end and its begin */

/** struct perfdata_sample_id - what stands behind every record that is no sample */
struct perfdata_sample_id {
	u32 pid;
	u32 tid;
	u64 time;
	u32 cpu;
	u32 reserved;
};

/* The payload stands on a multiple of four. */
#pragma pack(push, 4)
/**
 * struct perfdata_sample - PERF_RECORD_SAMPLE of PERFDATA_SAMPLE_TYPE
 * @raw_size: bytes from @raw on, those that fill it up included
 */
struct perfdata_sample {
	struct perf_event_header header;
	struct perfdata_sample_id id;
	u32 raw_size;
	struct xen_hctrace_sample raw;
	u32 fill;
};

#pragma pack(pop)

/** struct perfdata_lost - PERF_RECORD_LOST; @which is XEN_HCTRACE_LOST_* */
struct perfdata_lost {
	struct perf_event_header header;
	u64 which;
	u64 lost;
	struct perfdata_sample_id id;
};

/**
 * struct perfdata_comm - how PERF_RECORD_COMM begins
 *
 * Then come strings, filled up to a multiple of eight, and &struct perfdata_sample_id. The
 * first is what a vCPU is called, and all that perf takes. We may have two more: the UUID of
 * its domain, and the name of that if it is not the first one; neither has to be known.
 */
struct perfdata_comm {
	struct perf_event_header header;
	u32 pid;
	u32 tid;
};

/**
 * struct perfdata_task - PERF_RECORD_FORK: domain @pid is created, _EXIT: it is destroyed
 * @tid: XEN_HCTRACE_TID_UNKNOWN(), which no vCPU has
 */
struct perfdata_task {
	struct perf_event_header header;
	u32 pid;
	u32 ppid;
	u32 tid;
	u32 ptid;
	u64 time;
	struct perfdata_sample_id id;
};

_Static_assert(sizeof(struct perfdata_header) == 104, "as in perf");
_Static_assert(sizeof(struct perfdata_sample) == 104, "a multiple of 8");
_Static_assert(offsetof(struct perfdata_sample, raw) == 36, "no padding");
_Static_assert(sizeof(struct perfdata_lost) == 48, "no padding");
_Static_assert(sizeof(struct perfdata_comm) == 16, "no padding");
_Static_assert(sizeof(struct perfdata_task) == 56, "no padding");

/**
 * struct perfdata_writer - a file or pipe being written
 * @fd: where to
 * @is_pipe: it cannot be written in another order
 * @error: errno of the first write that failed; nothing is written after it
 * @at: bytes written, of a file its length
 * @data_at: where the records begin
 * @round_end: where the last complete round ends
 * @sections: contents of the features
 * @has_feature: which there are
 * @nr_cpus: pCPUs that are known of, see perfdata_saw_cpu()
 * @told_cpus: so many are in the file
 * @len: bytes in @buf
 * @buf: what is not written yet
 */
struct perfdata_writer {
	int fd;
	bool is_pipe;
	int error;
	u64 at;
	u64 data_at;
	u64 round_end;
	struct perfdata_section sections[PERFDATA_NR_FEATURES];
	bool has_feature[PERFDATA_NR_FEATURES];
	u32 nr_cpus;
	u32 told_cpus;
	size_t len;
	u8 buf[65536];
};

/**
 * perfdata_begin() - write what comes before the records
 * @w: filled in
 * @fd: one that perfdata_refuses() nothing against
 * @intro: what the file says of itself
 *
 * Return: 0, or -1 with @w->error set.
 */
int perfdata_begin(struct perfdata_writer *w, int fd, const struct perfdata_intro *intro);

/** perfdata_refuses() - why nothing can be written to @fd, no pipe nor file of its own; or NULL */
const char *perfdata_refuses(int fd);

/**
 * perfdata_saw_cpu() - there are records of this pCPU
 *
 * perf takes those of a pCPU beyond the number in the file's head for another's. A pipe's
 * head is past changing, and tells the greatest number there can be where none is known.
 */
static inline void perfdata_saw_cpu(struct perfdata_writer *w, u32 cpu)
{
	if (cpu >= w->nr_cpus && cpu < PERFDATA_MAX_CPUS)
		w->nr_cpus = cpu + 1;
}

/** perfdata_put_call() - write a sample. Its time is @call->ns. Return: 0 or -1 */
int perfdata_put_call(struct perfdata_writer *w, u32 tracepoint_id,
		      const struct xen_hctrace_call *call);

/**
 * perfdata_put_comm() - name a vCPU
 * @w: the writer
 * @domid: its domain
 * @vcpu: the vCPU
 * @shown: what it is called
 * @what: its domain
 * @ns: from then on; 0: from the begin on
 *
 * Return: 0 or -1.
 */
int perfdata_put_comm(struct perfdata_writer *w, u16 domid, u16 vcpu, const char *shown,
		      const struct domname *what, u64 ns);

/** perfdata_put_domain() - a domain came or went on @pcpu. Return: 0 or -1 */
int perfdata_put_domain(struct perfdata_writer *w, u16 domid, bool created, u64 ns, u16 pcpu);

/** perfdata_put_lost() - @lost records are missing before @ns. Return: 0 or -1 */
int perfdata_put_lost(struct perfdata_writer *w, u64 which, u64 lost, u64 ns);

/**
 * perfdata_put_round() - what was written so far can be sorted
 * @w: the writer
 *
 * Due every second or so: perf keeps in memory what stands between two of them.
 * All that is written is then on its way, and the file is valid. Return: 0 or -1.
 */
int perfdata_put_round(struct perfdata_writer *w);

/**
 * perfdata_put_records() - write whole records that are made already, and end a round
 * @w: the writer
 * @records: where they stand; they are not copied
 * @nr: of parts, %PERFDATA_MOST_PARTS at most
 *
 * As perfdata_put_round() otherwise. Return: 0 or -1.
 */
int perfdata_put_records(struct perfdata_writer *w, const struct iovec *records, int nr);

/**
 * perfdata_end() - complete the file
 * @w: the writer
 *
 * If the disk is full, the last records give way to what makes the file valid.
 * Return: 0; -1 if something is missing, see @w->error.
 */
int perfdata_end(struct perfdata_writer *w);

/** perfdata_feature() - print what stands under a feature in the file; nothing for those unknown */
void perfdata_feature(FILE *to, unsigned int feature, const struct perfdata_intro *intro);

/** perfdata_attr() - the event, as the file has it */
void perfdata_attr(struct perf_event_attr *attr, u32 tracepoint_id);

/** perfdata_format() - print the tracepoint's format file, as this header tells it */
void perfdata_format(FILE *to, u32 tracepoint_id);

/**
 * enum perfdata_layout - where a recording has the fields of its samples
 * @PERFDATA_LAYOUT_UNKNOWN: it does not say
 * @PERFDATA_LAYOUT_OURS: as &struct xen_hctrace_sample, with more behind it perhaps
 * @PERFDATA_LAYOUT_OLD: as schema version 1, up to @subop
 * @PERFDATA_LAYOUT_OTHER: elsewhere
 */
enum perfdata_layout {
	PERFDATA_LAYOUT_UNKNOWN,
	PERFDATA_LAYOUT_OURS,
	PERFDATA_LAYOUT_OLD,
	PERFDATA_LAYOUT_OTHER,
};

/** perfdata_layout() - what the format of hct_hypercall says, wherever it stands in @text */
enum perfdata_layout perfdata_layout(const char *text, size_t bytes);

#endif /* HCTRACE_PERFDATA_H */
