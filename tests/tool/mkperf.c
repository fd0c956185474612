// SPDX-License-Identifier: GPL-2.0
/*
 * Write a perf.data file of ours from words on standard input, a record a line:
 *
 *   name DOMID VCPU NAME
 *   rename NS DOMID VCPU NAME
 *   uuid UUID
 *   call NS PCPU DOMID VCPU KIND OP [FLAGS [A1 [BATCH [A0]]]]
 *   lost NS WHICH COUNT
 *   created NS DOMID
 *   destroyed NS DOMID
 *
 * A UUID is of the domains that are named from there on; a NAME may have bytes as \xNN.
 * DOMID and VCPU 65535: not known. WHICH is 0 for the ring, 1 + pCPU for Xen.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../../tools/hctrace/formats/perfdata.h"

static bool put_call(struct perfdata_writer *w, const char *line)
{
	struct xen_hctrace_call call = { .subop = XEN_HCTRACE_NO_SUBOP };
	u16 kind;
	int nr = sscanf(line, "call %llu %hu %hu %hu %hu %u %hi %u %u %u", &call.ns, &call.pcpu,
			&call.domid, &call.vcpu, &kind, &call.op, &call.flags, &call.a1,
			&call.batch, &call.a0);

	if (nr < 6)
		return false;
	call.tsc = call.ns;
	call.kind = kind;
	call.args = (nr > 7 ? 2 : 0) | (nr > 9);
	return !perfdata_put_call(w, PERFDATA_TRACEPOINT_ID, &call);
}

static struct domname what = { .name = "", .type = "-" };

/* Bytes as \xNN, in place. */
static char *unescape(char *text)
{
	char *from, *to;

	for (from = text, to = text; *from; to++) {
		unsigned int byte;

		if (sscanf(from, "\\x%2x", &byte) == 1) {
			*to = byte;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return text;
}

static bool put_name(struct perfdata_writer *w, u16 domid, u16 vcpu, char *name, u64 ns)
{
	what.name = unescape(name);
	return !perfdata_put_comm(w, domid, vcpu, what.name, &what, ns);
}

static bool put_line(struct perfdata_writer *w, const char *line)
{
	char name[5000];
	u16 domid, vcpu;
	u64 ns, which, count;

	if (sscanf(line, "uuid %4999s", name) == 1)
		return domname_set_uuid(&what, name);
	if (sscanf(line, "name %hu %hu %4999[^\n]", &domid, &vcpu, name) == 3)
		return put_name(w, domid, vcpu, name, 0);
	if (sscanf(line, "rename %llu %hu %hu %4999[^\n]", &ns, &domid, &vcpu, name) == 4)
		return put_name(w, domid, vcpu, name, ns);
	if (sscanf(line, "created %llu %hu", &ns, &domid) == 2)
		return !perfdata_put_domain(w, domid, true, ns, 1);
	if (sscanf(line, "destroyed %llu %hu", &ns, &domid) == 2)
		return !perfdata_put_domain(w, domid, false, ns, 1);
	if (sscanf(line, "lost %llu %llu %llu", &ns, &which, &count) == 3)
		return !perfdata_put_lost(w, which, count, ns);
	return put_call(w, line);
}

int main(int argc, char **argv)
{
	static struct perfdata_writer w;
	struct perfdata_intro intro = {
		.tracepoint_id = PERFDATA_TRACEPOINT_ID, .argc = argc, .argv = argv,
	};
	char *format = NULL;
	char line[5200];
	size_t size;
	FILE *to = open_memstream(&format, &size);

	perfdata_format(to, PERFDATA_TRACEPOINT_ID);
	fclose(to);
	intro.format = format;
	if (perfdata_begin(&w, STDOUT_FILENO, &intro))
		return 1;
	while (fgets(line, sizeof(line), stdin)) {
		if (!put_line(&w, line)) {
			fprintf(stderr, "mkperf: %s", line);
			return 1;
		}
	}
	free(format);
	return perfdata_end(&w) ? 1 : 0;
}
