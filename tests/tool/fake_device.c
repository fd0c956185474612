// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/xen/hctrace for a program that has this in LD_PRELOAD: the module's own ring, and
 * a thread in the place of the drain that writes to it in rounds. It begins with ENABLE,
 * and after its last call it sends the program SIGTERM.
 *
 *   FAKE_DEVICE_CALLS	so many, in raw mode records
 *   FAKE_DEVICE_PER_S	at that pace; 0: as fast as they are read, so that none is lost
 *   FAKE_DEVICE_PIN	not empty: the program on CPU 0, the thread on CPU 1
 *   FAKE_DEVICE_GUESTS	not empty: calls of several guests and of nobody known, with sub-ops,
 *			and in the middle domain 3 is destroyed and another one created
 *   FAKE_DEVICE_API	a module of that version of the interface; 1 refuses everything
 *   FAKE_DEVICE_SCHEMA	and its events say to be of that version
 *   FAKE_DEVICE_LEDGER	a file for the ledger, and for the time that the program took
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <hctrace/attr.h>
#include <hctrace/names.h>
#include <hctrace/ring.h>
#include <hctrace/shared_mem.h>

#define CHUNK		256u		/* records between two flushes, as in the drain */
#define MOST_BYTES	128u		/* of a record in the ring, and of a LOST behind it */
#define ROUND_NS	2000000ull
#define NS_PER_S	1000000000ull
#define LATENCY_NS	100000000ull	/* what a reader gets that does not say */
#define NR_PCPUS	4
#define RUN		8		/* records of one pCPU in a row */

/* What it is in place of */
static struct {
	typeof(open) *open;
	typeof(ioctl) *ioctl;
	typeof(mmap) *mmap;
	typeof(munmap) *munmap;
	typeof(poll) *poll;
} libc;

/**
 * struct usage - of the program, without our thread
 * @wall_ns: CLOCK_MONOTONIC
 * @user_us: in user mode
 * @system_us: in the kernel
 */
struct usage {
	u64 wall_ns;
	u64 user_us;
	u64 system_us;
};

/**
 * struct device - one open file of it; a second one takes the first one's place
 * @fd: an eventfd, which wakes who polls it; -1: it is not open
 * @lock: of @out, as pipe in the module
 * @out: the reader's output
 * @due: of @out, what is yet to be told
 * @domains: of its filter
 * @writer: the thread
 * @is_writing: it was started
 * @change_at: the number of the call before which domain 3 is another one; 0: no guests
 * @from: when the program enabled the device
 * @to: when it disabled it
 */
static struct device {
	int fd;
	pthread_mutex_t lock;
	struct hct_out out;
	void *due;
	u64 domains[HCT_SET_WORDS];
	pthread_t writer;
	bool is_writing;
	u64 change_at;
	struct usage from;
	struct usage to;
} device = { .fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER };

static u64 setting(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : 0;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static u64 microseconds(struct timeval tv)
{
	return tv.tv_sec * 1000000ull + tv.tv_usec;
}

static struct usage usage_now(void)
{
	struct rusage rusage;

	getrusage(RUSAGE_THREAD, &rusage);
	return (struct usage){
		.wall_ns = now_ns(),
		.user_us = microseconds(rusage.ru_utime),
		.system_us = microseconds(rusage.ru_stime),
	};
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (*(getenv("FAKE_DEVICE_PIN") ?: "") &&
	    pthread_setaffinity_np(pthread_self(), sizeof(set), &set))
		fprintf(stderr, "fake device: there is no CPU %d, figures mean little\n", cpu);
}

/* --- the writer ----------------------------------------------------------------- */

/* A number in a row: of a call its first argument, of a record its time. */
static bool write_call(u64 i, u64 ns)
{
	static const u8 ops[RUN] = {
		HCT_OP_iret, HCT_OP_iret, HCT_OP_iret, HCT_OP_mmu_update, HCT_OP_update_va_mapping,
		HCT_OP_event_channel_op, HCT_OP_set_segment_base, HCT_OP_stack_switch,
	};
	const u16 pcpu = i / RUN % NR_PCPUS;
	const struct xen_hctrace_call call = {
		.tsc = i, .ns = ns, .a0 = i, .args = 1, .op = ops[i % RUN],
		.subop = XEN_HCTRACE_NO_SUBOP, .domid = i / RUN % 3, .vcpu = pcpu % 2, .pcpu = pcpu,
	};

	return hct_out_call(&device.out, &call);
}

/* Domains and ops for filters: eight of them over and over */
static bool write_guests_call(u64 i, u64 ns)
{
	static const struct {
		u16 domid;
		u8 op;
		u8 subop;
	} calls[] = {
		{ 0, HCT_OP_iret, 0 }, { 0, HCT_OP_vcpu_op, HCT_VCPU_up },
		{ 2, HCT_OP_vcpu_op, HCT_VCPU_up }, { 3, HCT_OP_iret, 0 },
		{ 3, HCT_OP_vcpu_op, HCT_VCPU_is_up }, { 3, HCT_OP_vcpu_op, HCT_VCPU_up },
		{ XEN_HCTRACE_UNKNOWN, HCT_OP_iret, 0 }, { 7, HCT_OP_mmu_update, 0 },
	};
	const typeof(*calls) *made = &calls[i % ARRAY_SIZE(calls)];
	const bool has_subop = made->op == HCT_OP_vcpu_op;
	const struct xen_hctrace_call call = {
		.tsc = i, .ns = ns, .op = made->op, .a0 = made->subop, .args = has_subop,
		.subop = has_subop ? made->subop : XEN_HCTRACE_NO_SUBOP, .domid = made->domid,
		.vcpu = made->domid == XEN_HCTRACE_UNKNOWN ? XEN_HCTRACE_UNKNOWN : 0,
	};

	return hct_out_call(&device.out, &call);
}

/* Another domain gets the id 3. */
static bool write_change(u64 i, u64 ns)
{
	struct hct_domain_event domain = { .at = { .tsc = i, .ns = ns }, .domid = 3 };
	bool wanted = hct_out_domain(&device.out, &domain);

	domain.created = true;
	return hct_out_domain(&device.out, &domain) || wanted;
}

static bool write_event(u64 i, u64 ns)
{
	bool wanted;

	if (!device.change_at)
		return write_call(i, ns);
	wanted = i == device.change_at && write_change(i, ns);
	return write_guests_call(i, ns) || wanted;
}

static bool write_record(u64 i)
{
	const u64 tsc = i + 1;
	const u32 words[] = {
		XEN_TRC_PV_HYPERCALL_V2 | 1u << 28 | 1u << 31, tsc, tsc >> 32, HCT_OP_iret,
	};

	return hct_out_record(&device.out, i / RUN % NR_PCPUS, words, ARRAY_SIZE(words));
}

static void wake(void)
{
	const u64 one = 1;

	if (write(device.fd, &one, sizeof(one)) != sizeof(one))
		abort();
}

/* As the drain does: a chunk, the flush, then others get a chance. */
static void write_round(u64 first, u64 end)
{
	u64 i = first;

	while (i < end) {
		u64 ns = now_ns();
		bool wanted = false;

		pthread_mutex_lock(&device.lock);
		do {
			wanted |= device.out.cfg.raw_mask ? write_record(i) : write_event(i, ns);
		} while (++i < end && i % CHUNK);
		wanted |= hct_out_flush(&device.out, ns);
		pthread_mutex_unlock(&device.lock);
		if (wanted)
			wake();
	}
}

/* For a chunk, whatever it has */
static bool has_room(const struct hct_out *out)
{
	u64 tail = hct_shared_load_acquire(&out->page->data_tail);

	return out->head - tail + CHUNK * MOST_BYTES <= out->size;
}

static void wait_for_room(void)
{
	pthread_mutex_lock(&device.lock);
	while (device.out.page && !has_room(&device.out)) {
		pthread_mutex_unlock(&device.lock);
		wake();
		sched_yield();
		pthread_mutex_lock(&device.lock);
	}
	pthread_mutex_unlock(&device.lock);
}

/* Until the next round. Who is late has no more to write for it. */
static void sleep_until(u64 *next_ns)
{
	struct timespec until;
	u64 now = now_ns();

	*next_ns += ROUND_NS;
	if (*next_ns < now)
		*next_ns = now;
	until.tv_sec = *next_ns / NS_PER_S;
	until.tv_nsec = *next_ns % NS_PER_S;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void *write_all(void *unused)
{
	const u64 calls = setting("FAKE_DEVICE_CALLS");
	const u64 per_s = setting("FAKE_DEVICE_PER_S");
	const u64 per_round = per_s ? per_s * ROUND_NS / NS_PER_S : CHUNK;
	u64 next_ns = now_ns();
	u64 i, end;

	(void)unused;
	pin(1);
	if (*(getenv("FAKE_DEVICE_GUESTS") ?: ""))
		device.change_at = calls / 2;
	for (i = 0; i < calls; i = end) {
		end = i + per_round < calls ? i + per_round : calls;
		if (!per_s)
			wait_for_room();
		write_round(i, end);
		if (per_s)
			sleep_until(&next_ns);
	}
	kill(getpid(), SIGTERM);
	return NULL;
}

/* --- calls ---------------------------------------------------------------------- */

static int set_attr(const struct xen_hctrace_attr *attr)
{
	const u16 *domains = (const u16 *)(uintptr_t)attr->domains;
	const struct hct_out_config cfg = {
		.filter = {
			.kinds = attr->kinds,
			.ops = attr->ops,
			.domains = attr->nr_domains ? device.domains : NULL,
		},
		.raw_mask = attr->raw_mask,
		.common_type = 1000,
		.nr_pcpus = NR_PCPUS,
		.with_ids = attr->sample_type & PERF_SAMPLE_TIME,
		.with_domains = attr->flags & XEN_HCTRACE_ATTR_DOMAINS,
		.watermark_bytes = attr->wakeup_watermark,
		.max_latency_ns = attr->max_latency_us ? attr->max_latency_us * 1000ull :
			LATENCY_NS,
	};
	u32 i;

	if (!hct_attr_is_valid(attr) || setting("FAKE_DEVICE_API") == 1) {
		errno = EINVAL;
		return -1;
	}
	memset(device.domains, 0, sizeof(device.domains));
	for (i = 0; i < attr->nr_domains; i++)
		hct_set_add(device.domains, domains[i]);
	free(device.due);
	device.due = malloc(hct_out_due_bytes(&cfg));
	if (!device.due)
		return -1;
	hct_out_init(&device.out, &cfg, !(attr->flags & XEN_HCTRACE_ATTR_DISABLED), device.due);
	return 0;
}

static int enable(bool on)
{
	if (!on) {
		device.to = usage_now();
	} else {
		pin(0);
		device.from = usage_now();
	}
	hct_out_enable(&device.out, on);
	hct_out_flush(&device.out, now_ns());
	if (on && !device.is_writing)
		device.is_writing = !pthread_create(&device.writer, NULL, write_all, NULL);
	return 0;
}

static int info(struct xen_hctrace_info *info)
{
	const struct hct_out_counters *count = &device.out.count;

	/* As the rounds that the module waits for */
	hct_out_flush(&device.out, now_ns());
	*info = (struct xen_hctrace_info){
		.size = sizeof(*info),
		.api_version = setting("FAKE_DEVICE_API") ?: XEN_HCTRACE_API_VERSION,
		.schema_version = setting("FAKE_DEVICE_SCHEMA") ?: XEN_HCTRACE_SCHEMA_VERSION,
		.flags = XEN_HCTRACE_INFO_TRACING | XEN_HCTRACE_INFO_DOM0_PV,
		.xen_major = 4, .xen_minor = 17, .tracepoint_id = 1000, .nr_pcpus = NR_PCPUS,
		.tsc_khz = 1000000, .matched = count->matched, .written = count->written,
		.lost = count->lost, .paused = count->paused, .wakeups = count->wakeups,
	};
	return 0;
}

static int call(unsigned long request, void *arg)
{
	switch (request) {
	case XEN_HCTRACE_IOC_SET_ATTR:
		return set_attr(arg);
	case XEN_HCTRACE_IOC_INFO:
		return info(arg);
	case PERF_EVENT_IOC_ENABLE:
		return enable(true);
	case PERF_EVENT_IOC_DISABLE:
		return enable(false);
	}
	errno = ENOTTY;
	return -1;
}

/* --- in place of the C library's -------------------------------------------------- */

static void __attribute__((constructor)) begin(void)
{
	libc.open = dlsym(RTLD_NEXT, "open");
	libc.ioctl = dlsym(RTLD_NEXT, "ioctl");
	libc.mmap = dlsym(RTLD_NEXT, "mmap");
	libc.munmap = dlsym(RTLD_NEXT, "munmap");
	libc.poll = dlsym(RTLD_NEXT, "poll");
}

static void __attribute__((destructor)) end(void)
{
	const struct hct_out_counters *count = &device.out.count;
	const char *path = getenv("FAKE_DEVICE_LEDGER");
	FILE *to = device.is_writing && path ? fopen(path, "w") : NULL;

	if (!to)
		return;
	fprintf(to, "matched %ju\nwritten %ju\nlost %ju\npaused %ju\nwakeups %ju\n",
		(uintmax_t)count->matched, (uintmax_t)count->written, (uintmax_t)count->lost,
		(uintmax_t)count->paused, (uintmax_t)count->wakeups);
	fprintf(to, "wall_us %ju\nuser_us %ju\nsystem_us %ju\n",
		(uintmax_t)(device.to.wall_ns - device.from.wall_ns) / 1000,
		(uintmax_t)(device.to.user_us - device.from.user_us),
		(uintmax_t)(device.to.system_us - device.from.system_us));
	fclose(to);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	/* A test may have a root of its own. */
	if (strlen(path) >= strlen(XEN_HCTRACE_DEVICE) &&
	    !strcmp(path + strlen(path) - strlen(XEN_HCTRACE_DEVICE), XEN_HCTRACE_DEVICE)) {
		device.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		return device.fd;
	}
	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, mode_t);
	va_end(args);
	return libc.open(path, flags, mode);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;
	int rc;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd != device.fd)
		return libc.ioctl(fd, request, arg);
	pthread_mutex_lock(&device.lock);
	rc = call(request, arg);
	pthread_mutex_unlock(&device.lock);
	return rc;
}

void *mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	void *ring;

	if (fd < 0 || fd != device.fd)
		return libc.mmap(addr, bytes, prot, flags, fd, offset);
	/* The module's are there from the beginning too. */
	ring = libc.mmap(NULL, bytes, prot, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (ring == MAP_FAILED)
		return ring;
	pthread_mutex_lock(&device.lock);
	hct_out_map(&device.out, ring, bytes / HCT_OUT_PAGE_BYTES - 1);
	pthread_mutex_unlock(&device.lock);
	return ring;
}

int munmap(void *addr, size_t bytes)
{
	pthread_mutex_lock(&device.lock);
	if (addr == device.out.page)
		hct_out_unmap(&device.out);
	pthread_mutex_unlock(&device.lock);
	return libc.munmap(addr, bytes);
}

/* glibc's header has it that poll() does not read @fds. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	struct pollfd *ours = NULL;
	nfds_t i;
	u64 wakes;
	int rc;

	for (i = 0; i < nr; i++) {
		if (device.fd >= 0 && fds[i].fd == device.fd)
			ours = &fds[i];
	}
	if (!ours)
		return libc.poll(fds, nr, timeout);
	rc = libc.poll(fds, nr, hct_out_readable(&device.out) ? 0 : timeout);
	if (rc < 0)
		return rc;
	if (ours->revents && read(device.fd, &wakes, sizeof(wakes)) != sizeof(wakes))
		abort();
	rc -= !!ours->revents;
	ours->revents = hct_out_readable(&device.out) ? POLLIN : 0;
	return rc + !!ours->revents;
}
