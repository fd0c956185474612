// SPDX-License-Identifier: GPL-2.0
/* hctrace record: keep every event of a time, or of a command's life, in a file. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <hctrace/control.h>

#include "base/exit.h"
#include "base/options.h"
#include "formats/perfdata.h"
#include "live/command.h"
#include "live/host.h"
#include "record.h"
#include "recorder.h"
#include "target.h"

#define DEFAULT_PAGES	1024		/* 4 MiB */
#define MAX_PAGES	1024
#define STEP_BYTES	65536		/* what a full disk or a kill may cost */
#define PROGRESS_NS	1000000000ull

/**
 * struct record_run - one run
 * @rec: the file
 * @format: its format
 * @kinds: bits of &enum xen_hctrace_kind, 0: those of this dom0's profile
 * @mask: of Xen's events, for xentrace's format; 0: those of this dom0's profile
 * @pages: of the ring
 * @duration_ms: end after so long; 0: with the command or on Ctrl-C
 * @path: of the file; NULL: the format's own
 * @target: the file
 * @command: what to run, if anything
 * @quiet: no word of how it goes
 * @signals: a descriptor that they can be read from
 * @over: the command has ended, or somebody asked for the end
 */
struct record_run {
	struct recorder rec;
	const struct record_format *format;
	u32 kinds;
	u32 mask;
	unsigned int pages;
	unsigned int duration_ms;
	const char *path;
	struct target target;
	struct command command;
	bool quiet;
	int signals;
	bool over;
};

static const char doc[] =
	"Records every hypercall of all domains during a time, or while COMMAND runs.\n\n"
	"  hctrace record -d 10                      for ten seconds, to hctrace.data\n"
	"  hctrace report                            what that adds up to\n"
	"  perf script -i hctrace.data               what perf makes of it\n"
	"  hctrace record -o x --domain web1 -- COMMAND\n"
	"  hctrace record --format xentrace -o - | hctrace report -\n"
	"\vThe file can be read by perf, or in xentrace's format by xenalyze, and by\n"
	"hctrace report and hctrace script. Losses are counted, and shown at the end.";

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "Write to FILE, '-': to a pipe; else to hctrace.data", 0 },
	{ "format", 'f', "FORMAT", 0, "perf (the default) or xentrace", 0 },
	{ "duration", 'd', "SECONDS", 0, "End after that time", 0 },
	{ "kind", 'k', "LIST", 0, "Only these: call,member,hvm", 0 },
	{ "mask", 'e', "MASK", 0, "Xen's event mask, for xentrace's format", 0 },
	{ "mmap-pages", 'm', "PAGES", 0, "Size of the ring, a power of two up to 1024", 0 },
	{ "quiet", 'q', NULL, 0, "Do not say how it goes", 0 },
	FILTER_OPTIONS,
	{ 0 }
};

static u32 parse_kinds(char *list, struct argp_state *state)
{
	static const char *const names[] = { "call", "member", "hvm" };
	u32 kinds = 0;
	char *item;
	size_t i;

	for (item = strtok(list, ","); item; item = strtok(NULL, ",")) {
		for (i = 0; i < ARRAY_SIZE(names) && strcmp(item, names[i]); i++)
			;
		if (i == ARRAY_SIZE(names))
			argp_error(state, "--kind: '%s' is none of call, member, hvm", item);
		kinds |= 1u << i;
	}
	return kinds;
}

static u32 parse_mask(const char *arg, struct argp_state *state)
{
	char *end;
	unsigned long mask = strtoul(arg, &end, 0);

	if (end == arg || *end || mask > 0xffffffff || !(mask & XEN_TRC_CLASSES) ||
	    !(mask & XEN_TRC_SUBCLASSES) || mask & XEN_TRC_CLS_GUEST)
		argp_error(state, "--mask: '%s' is no mask of classes and sub-classes, as 0x20f000",
			   arg);
	return mask;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_run *run = state->input;
	const struct filter *filter = &run->rec.wanted.filter;

	if (option_filter(&run->rec.wanted.filter, key, arg, state))
		return 0;
	switch (key) {
	case 'o':
		run->path = arg;
		return 0;
	case 'f':
		run->format = strcmp(arg, "xentrace") ? &record_perf : &record_xentrace;
		if (strcmp(arg, run->format->name))
			argp_error(state, "--format: perf or xentrace, not '%s'", arg);
		return 0;
	case 'd':
		run->duration_ms = option_seconds(arg, 1, state);
		return 0;
	case 'k':
		run->kinds = parse_kinds(arg, state);
		return 0;
	case 'e':
		run->mask = parse_mask(arg, state);
		return 0;
	case 'm':
		run->pages = option_number(arg, 1, state);
		if (run->pages > MAX_PAGES || run->pages & (run->pages - 1))
			argp_error(state, "--mmap-pages: a power of two up to %u", MAX_PAGES);
		return 0;
	case 'q':
		run->quiet = true;
		return 0;
	case ARGP_KEY_ARGS:
		run->command.argv = state->argv + state->next;
		return 0;
	case ARGP_KEY_END:
		if (run->format->raw &&
		    (filter_has_domains(filter) || filter_has_ops(filter) || run->kinds))
			argp_error(state, "xentrace's format has all domains and ops: %s",
				   "filter when you read it, as hctrace report --domain");
		if (!run->format->raw && run->mask)
			argp_error(state, "--mask is for --format xentrace");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = { options, parse, "[-- COMMAND...]", doc, NULL, NULL, NULL };

/* What this dom0's profile would have the module ask for: told by the device's default. */
static bool is_pv(void)
{
	struct reader reader = { .fd = open(XEN_HCTRACE_DEVICE, O_RDWR | O_CLOEXEC) };
	struct xen_hctrace_info info;

	if (reader.fd < 0)
		return true;
	info = reader_info(&reader);
	close(reader.fd);
	return info.flags & XEN_HCTRACE_INFO_DOM0_PV;
}

static int open_ring(struct record_run *run)
{
	struct xen_hctrace_attr attr = {
		.sample_type = run->format->sample_type,
		.flags = run->format->flags,
	};
	bool pv = is_pv();
	char err[200];
	int rc;

	rc = wanted_ask(&run->rec.wanted, run->rec.names, &attr);
	if (rc)
		return rc;
	if (run->format->raw)
		attr.raw_mask = run->mask ? run->mask : pv ? XEN_TRC_MASK_PV_MEMBERS :
			XEN_TRC_MASK_HVM;
	else
		attr.kinds = run->kinds ? run->kinds : 1u << XEN_HCTRACE_KIND_MEMBER |
			1u << (pv ? XEN_HCTRACE_KIND_CALL : XEN_HCTRACE_KIND_HVM);
	if (!reader_open(&run->rec.reader, &attr, run->pages, err, sizeof(err)))
		return 0;
	fprintf(stderr, "hctrace record: %s\n", err);
	return EXIT_TROUBLE;
}

static int open_file(struct record_run *run)
{
	int rc = target_open(&run->target, run->path ? run->path : run->format->file);
	const char *why;

	run->rec.fd = run->target.fd;
	/* A row of xentrace's windows may go on where another ends. */
	why = rc || run->format->raw ? NULL : perfdata_refuses(run->rec.fd);
	if (why) {
		fprintf(stderr, "hctrace record: standard output: %s\n", why);
		return EXIT_USAGE;
	}
	return rc;
}

static void show_progress(const struct record_run *run, const char *end)
{
	const struct record_tally *tally = &run->rec.tally;

	fprintf(stderr, "%shctrace record: %llu %s, %llu kB, ",
		isatty(STDERR_FILENO) ? "\r" : "", tally->records,
		run->format->raw ? "records" : "events", tally->bytes / 1000);
	fprintf(stderr, "lost %llu in the ring and %llu inside Xen", tally->ring_lost,
		tally->xen_lost);
	if (tally->gaps)
		fprintf(stderr, ", gaps %llu", tally->gaps);
	fputs(end, stderr);
}

static void show_end(const struct record_run *run)
{
	show_progress(run, "");
	if (strcmp(run->target.name, "-"))
		fprintf(stderr, ", in %s", run->target.name);
	fputc('\n', stderr);
}

static void take_signals(struct record_run *run)
{
	struct signalfd_siginfo info;

	while (read(run->signals, &info, sizeof(info)) == sizeof(info))
		run->over |= command_ends_by(&run->command, info.ssi_signo);
}

static int poll_timeout_ms(const struct record_run *run, u64 end_ns)
{
	u64 now_ns = host_now_ns();
	u64 left_ns = PROGRESS_NS;

	if (end_ns && end_ns < now_ns + left_ns)
		left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
	return run->over ? 0 : (left_ns + 999999) / 1000000;
}

/* Until it is over. Return: 0 or a negative errno of the file. */
static int copy(struct record_run *run)
{
	struct recorder *rec = &run->rec;
	struct pollfd fds[] = {
		{ .fd = rec->reader.fd, .events = POLLIN },
		{ .fd = run->signals, .events = POLLIN },
	};
	u64 shown_ns = host_now_ns();
	u64 end_ns = run->duration_ms ? shown_ns + run->duration_ms * 1000000ull : 0;
	int rc = 0;

	while (!run->over && !rc) {
		u64 now_ns;

		poll(fds, 2, poll_timeout_ms(run, end_ns));
		take_signals(run);
		now_ns = host_now_ns();
		if (end_ns && now_ns >= end_ns)
			run->over = true;
		domnames_poll(rec->names);
		if (reader_look(&rec->reader, STEP_BYTES))
			rc = run->format->take(rec);
		if (!run->quiet && isatty(STDERR_FILENO) && now_ns - shown_ns >= PROGRESS_NS) {
			show_progress(run, " ");
			shown_ns = now_ns;
		}
	}
	return rc;
}

/* All that was recorded until now comes with it. */
static int copy_rest(struct record_run *run)
{
	char err[200];
	int rc = 0;

	if (reader_enable(&run->rec.reader, false, err, sizeof(err))) {
		fprintf(stderr, "hctrace record: %s\n", err);
		return -EIO;
	}
	/* Losses are told as soon as there is room for them. */
	while (!rc && reader_look(&run->rec.reader, STEP_BYTES)) {
		rc = run->format->take(&run->rec);
		reader_info(&run->rec.reader);
	}
	return rc;
}

static int record(struct record_run *run, const sigset_t *mask)
{
	char err[200];
	int error, rc = 0;

	error = run->format->begin(&run->rec);
	if (!error) {
		if (reader_enable(&run->rec.reader, true, err, sizeof(err))) {
			fprintf(stderr, "hctrace record: %s\n", err);
			return EXIT_TROUBLE;
		}
		if (run->command.argv)
			rc = command_start(&run->command, "record", mask);
		if (rc)
			return rc;
		rc = target_place(&run->target);
		if (!rc)
			error = copy(run);
		if (!rc && !error)
			error = copy_rest(run);
	}
	if (run->rec.private) {
		int last = run->format->end(&run->rec);

		error = error ? error : last;
	}
	if (!run->quiet)
		show_end(run);
	if (error) {
		fprintf(stderr, "hctrace record: %s: %s\n", run->target.name, strerror(-error));
		rc = EXIT_TROUBLE;
	}
	command_wait(&run->command, mask);
	return rc ? rc : command_exit_status(&run->command);
}

static int catch_signals(struct record_run *run, sigset_t *mask)
{
	sigset_t set;

	command_block_signals(&set, mask);
	/* A pipe that nobody reads is an error to tell, not a death. */
	signal(SIGPIPE, SIG_IGN);
	run->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return run->signals < 0 ? EXIT_TROUBLE : 0;
}

int verb_record(int argc, char **argv)
{
	static struct record_run run = {
		.rec = { .reader = { .fd = -1 } },
		.format = &record_perf,
		.pages = DEFAULT_PAGES,
	};
	sigset_t mask;
	int rc;

	run.rec.argc = argc;
	run.rec.argv = argv;
	options_parse(&argp, "record", argc, argv, ARGP_IN_ORDER, &run);
	run.rec.names = domnames_start();
	domnames_wait_for(run.rec.names, filter_has(&run.rec.wanted.filter, FILTER_NAME));
	rc = catch_signals(&run, &mask);
	if (!rc)
		rc = open_ring(&run);
	if (!rc)
		rc = open_file(&run);
	if (!rc)
		rc = record(&run, &mask);
	target_drop(&run.target);
	reader_close(&run.rec.reader);
	domnames_stop(run.rec.names);
	return rc;
}
