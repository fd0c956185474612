// SPDX-License-Identifier: GPL-2.0
/*
 * Does the tracepoint's format describe what the device writes? The format is
 * read by libtraceevent, the layout comes from the public header, and the bytes
 * come from the device.
 *
 *   fields FORMAT-FILE COUNT		COUNT hypercalls are made
 *
 * Prints the lines that perf and trace-cmd would show for the first of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "privcmd.h"
#include "ring.h"
#include "show.h"

#define SHOWN		3

struct member {
	const char *name;
	int offset, size;
};

#define MEMBER(m) { #m, offsetof(struct xen_hctrace_sample, m), \
		    sizeof(((struct xen_hctrace_sample *)0)->m) }
#define CALL_MEMBER(m) { #m, offsetof(struct xen_hctrace_sample, call.m), \
			 sizeof(((struct xen_hctrace_sample *)0)->call.m) }

static const struct member common[] = {
	MEMBER(common_type), MEMBER(common_flags), MEMBER(common_preempt_count), MEMBER(common_pid),
};

static const struct member members[] = {
	CALL_MEMBER(tsc), CALL_MEMBER(ns), CALL_MEMBER(op), CALL_MEMBER(a0), CALL_MEMBER(a1),
	CALL_MEMBER(a2), CALL_MEMBER(batch), CALL_MEMBER(domid), CALL_MEMBER(vcpu),
	CALL_MEMBER(pcpu), CALL_MEMBER(flags), CALL_MEMBER(kind), CALL_MEMBER(args),
	CALL_MEMBER(subop), CALL_MEMBER(pid), CALL_MEMBER(target), CALL_MEMBER(reserved),
};

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct check {
	struct tep_handle *tep;
	struct tep_event *event;
	unsigned long samples, wrong;
};

static struct tep_event *parse(struct tep_handle *tep, const char *path)
{
	struct tep_event *event;
	static char text[16384];
	FILE *file = fopen(path, "r");
	size_t bytes;

	if (!file)
		err(1, "%s", path);
	bytes = fread(text, 1, sizeof(text), file);
	fclose(file);
	if (tep_parse_event(tep, text, bytes, "xen_hctrace"))
		errx(1, "%s cannot be parsed", path);
	event = tep_find_event_by_name(tep, "xen_hctrace", "hct_hypercall");
	if (!event)
		errx(1, "%s is of another event", path);
	if (event->flags & TEP_EVENT_FL_FAILED)
		errx(1, "the print format of %s cannot be parsed", path);
	return event;
}

/* The list's fields are those of the header, in this order, and leave no byte out. */
static unsigned int compare(struct tep_format_field *field, const struct member *list,
			    unsigned int nr)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < nr && field; i++, field = field->next) {
		int end = list[i].offset + list[i].size;

		if (!strcmp(field->name, list[i].name) && field->offset == list[i].offset &&
		    field->size == list[i].size && !(field->flags & TEP_FIELD_IS_ARRAY) &&
		    (i + 1 == nr || end == list[i + 1].offset))
			continue;
		fprintf(stderr, "%s at %d, size %d: the header has %s at %d, size %d\n",
			field->name, field->offset, field->size,
			list[i].name, list[i].offset, list[i].size);
		wrong++;
	}
	if (i < nr || field) {
		fprintf(stderr, "the format has %s fields than the header\n",
			field ? "more" : "fewer");
		wrong++;
	}
	return wrong;
}

static uint64_t value_of(const struct xen_hctrace_sample *sample, const struct member *member)
{
	uint64_t value = 0;

	memcpy(&value, (const char *)sample + member->offset, member->size);
	return value;
}

static unsigned int compare_values(struct tep_format_field *field,
				   const struct xen_hctrace_sample *sample)
{
	unsigned long long value;
	unsigned int i, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(members) && field; i++, field = field->next) {
		if (!tep_read_number_field(field, sample, &value) &&
		    value == value_of(sample, &members[i]))
			continue;
		fprintf(stderr, "%s: %llu and %llu\n", field->name, value,
			(unsigned long long)value_of(sample, &members[i]));
		wrong++;
	}
	return wrong;
}

static void print(const struct check *check, const struct xen_hctrace_sample *sample)
{
	struct tep_record record = {
		.data = (void *)sample,
		.size = sizeof(*sample),
		.cpu = sample->call.pcpu,
		.ts = sample->call.ns,
	};
	struct trace_seq seq;

	trace_seq_init(&seq);
	tep_print_event(check->tep, &seq, &record, "# %s %s\n", TEP_PRINT_NAME, TEP_PRINT_INFO);
	trace_seq_do_printf(&seq);
	trace_seq_destroy(&seq);
}

static void look(const struct xen_hctrace_sample *sample, void *arg)
{
	struct check *check = arg;

	check->wrong += compare_values(check->event->format.fields, sample);
	if (sample->common_type != check->event->id || sample->common_flags ||
	    sample->common_preempt_count || sample->common_pid) {
		fprintf(stderr, "common bytes: type %u, pid %d\n", sample->common_type,
			sample->common_pid);
		check->wrong++;
	}
	if (sample->call.op != OP_VM_ASSIST)
		return;
	if (check->samples < SHOWN)
		print(check, sample);
	check->samples++;
}

int main(int argc, char **argv)
{
	struct check check = { .tep = tep_alloc() };
	unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 0) : 0, i;
	struct ring ring;
	int privcmd;

	if (!count || !check.tep)
		errx(2, "usage: fields FORMAT-FILE COUNT");
	tep_set_long_size(check.tep, sizeof(long));
	check.event = parse(check.tep, argv[1]);
	check.wrong = compare(check.event->format.common_fields, common, ARRAY_SIZE(common)) +
		      compare(check.event->format.fields, members, ARRAY_SIZE(members));

	privcmd = privcmd_open();
	ring_open(&ring, 1024, 0);
	if (ring_info(&ring).tracepoint_id != (uint32_t)check.event->id) {
		fprintf(stderr, "INFO: id %u\n", ring_info(&ring).tracepoint_id);
		check.wrong++;
	}
	for (i = 0; i < count; i++)
		quiet_call(privcmd);
	ring_info(&ring);
	ring_read(&ring, look, &check);
	show("made", count);
	show("found", check.samples);
	show("wrong", check.wrong);
	tep_free(check.tep);
	return check.wrong || check.samples != count;
}
