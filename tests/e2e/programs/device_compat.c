// SPDX-License-Identifier: GPL-2.0
/*
 * A reader of 32 bits, without a C library, which the build machine may not have for it.
 *
 *   device_compat pv|pvh PROGRAM [ARGUMENT...]
 *
 * Reads while PROGRAM runs, and prints what INFO and the ring say.
 */
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <linux/wait.h>

#include <uapi/xen_hctrace.h>

#define PAGES		64
#define PAGE_BYTES	4096
#define OP_VM_ASSIST	21

_Static_assert(sizeof(void *) == 4, "this is not built for 32 bits");

/* %ebp has the sixth argument, so it is set by hand. */
static long call6(long nr, long a, long b, long c, long d, long e, long f)
{
	long six[2] = { nr, f };
	long rc;

	asm volatile("pushl %%ebp\n\t"
		     "movl 4(%%eax), %%ebp\n\t"
		     "movl (%%eax), %%eax\n\t"
		     "int $0x80\n\t"
		     "popl %%ebp"
		     : "=a" (rc)
		     : "a" (six), "b" (a), "c" (b), "d" (c), "S" (d), "D" (e)
		     : "memory");
	return rc;
}

static long call3(long nr, long a, long b, long c)
{
	return call6(nr, a, b, c, 0, 0, 0);
}

static void put(const char *text)
{
	long length = 0;

	while (text[length])
		length++;
	call3(__NR_write, 1, (long)text, length);
}

/* Figures here are small. */
static void put_figure(const char *key, unsigned long value)
{
	char digits[12];
	char *at = digits + sizeof(digits) - 1;

	*at = '\0';
	do {
		*--at = '0' + value % 10;
		value /= 10;
	} while (value);
	put(key);
	put(" ");
	put(at);
	put("\n");
}

static void must(long rc, const char *what)
{
	if (rc >= 0 || rc < -4095)
		return;
	put(what);
	put_figure(": error", -rc);
	call3(__NR_exit_group, 1, 0, 0);
}

static void run(char **argv, char **envp)
{
	long pid = call3(__NR_fork, 0, 0, 0);
	int status = 0;

	must(pid, "fork");
	if (!pid) {
		must(call3(__NR_execve, (long)argv[0], (long)argv, (long)envp), argv[0]);
		call3(__NR_exit_group, 1, 0, 0);
	}
	must(call3(__NR_waitpid, pid, (long)&status, 0), "waitpid");
	put_figure("program_status", status);
}

/* Nothing wraps: the ring is large enough for all of it. */
static void count(const struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + PAGE_BYTES;
	unsigned long at = 0, head = page->data_head;
	unsigned long samples = 0, odd = 0;

	while (at < head) {
		const struct perf_event_header *header = (const void *)(data + at);
		const struct xen_hctrace_sample *sample = (const void *)(data + at + 12);

		if (!header->size)
			break;
		if (header->type == PERF_RECORD_SAMPLE && sample->call.op == OP_VM_ASSIST)
			samples++;
		else
			odd++;
		at += header->size;
	}
	put_figure("samples", samples);
	put_figure("odd", odd + (at != head));
}

static int reader(const char *dom0, char **argv, char **envp)
{
	const int is_pv = dom0[2] == '\0';
	__u16 domains[] = { 5, 0 }, pcpus[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct xen_hctrace_attr attr = {
		.size = sizeof(attr),
		.kinds = 1 << (is_pv ? XEN_HCTRACE_KIND_CALL : XEN_HCTRACE_KIND_HVM),
		.flags = XEN_HCTRACE_ATTR_DISABLED,
		.ops = 1ull << OP_VM_ASSIST,
		.sample_type = PERF_SAMPLE_RAW,
		.domains = (unsigned long)domains,
		.nr_domains = 2,
		.pcpus = (unsigned long)pcpus,
		.nr_pcpus = 8,
	};
	struct xen_hctrace_info info = { .size = sizeof(info) };
	long fd = call3(__NR_open, (long)XEN_HCTRACE_DEVICE, O_RDWR, 0);
	long map;

	must(fd, XEN_HCTRACE_DEVICE);
	must(call3(__NR_ioctl, fd, XEN_HCTRACE_IOC_SET_ATTR, (long)&attr), "SET_ATTR");
	map = call6(__NR_mmap2, 0, (1 + PAGES) * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	must(map, "mmap");
	must(call3(__NR_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0), "ENABLE");
	run(argv, envp);
	must(call3(__NR_ioctl, fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1), "PAUSE_OUTPUT");
	must(call3(__NR_ioctl, fd, XEN_HCTRACE_IOC_INFO, (long)&info), "INFO");
	put_figure("size", info.size);
	put_figure("matched", info.matched);
	put_figure("written", info.written);
	count((const struct perf_event_mmap_page *)map);
	must(call3(__NR_ioctl, fd, PERF_EVENT_IOC_RESET, 0), "RESET");
	must(call3(__NR_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0), "DISABLE");
	must(call3(__NR_ioctl, fd, XEN_HCTRACE_IOC_INFO, (long)&info), "INFO");
	put_figure("matched_after_reset", info.matched);
	put_figure("unknown_call", -call3(__NR_ioctl, fd, 0x247f, 0));
	return 0;
}

void begin(long *stack);

/* What the kernel leaves on the stack: argc, argv, NULL, envp, NULL */
void begin(long *stack)
{
	long argc = stack[0];
	char **argv = (char **)(stack + 1);

	if (argc < 3) {
		put("usage: device_compat pv|pvh PROGRAM [ARGUMENT...]\n");
		call3(__NR_exit_group, 2, 0, 0);
	}
	call3(__NR_exit_group, reader(argv[1], argv + 2, argv + argc + 1), 0, 0);
}

asm(".globl _start\n"
	"_start:\n\t"
	"xorl %ebp, %ebp\n\t"
	"movl %esp, %eax\n\t"
	"andl $-16, %esp\n\t"
	"subl $12, %esp\n\t"
	"pushl %eax\n\t"
	"call begin\n");
