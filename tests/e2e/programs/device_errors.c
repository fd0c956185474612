// SPDX-License-Identifier: GPL-2.0
/*
 * Whatever is asked of /dev/xen/hctrace wrongly has its error, and changes nothing.
 *
 *   device_errors PAGES     pages that all rings may have together, 2100 to 3000
 */
#include "device.h"

#define RW	(PROT_READ | PROT_WRITE)

static int try_map(int fd, unsigned int pages, int prot, int flags, off_t offset)
{
	void *map = mmap(NULL, pages * PAGE_BYTES, prot, flags, fd, offset);

	if (map == MAP_FAILED)
		return errno;
	munmap(map, pages * PAGE_BYTES);
	return 0;
}

static void wrong_mappings(void)
{
	int fd = device_open();
	int read_only;

	is_error(try_map(fd, 0, RW, MAP_SHARED, 0), EINVAL, "mmap of nothing");
	is_error(try_map(fd, 1, RW, MAP_SHARED, 0), EINVAL, "mmap of 1 page");
	is_error(try_map(fd, 1 + 3, RW, MAP_SHARED, 0), EINVAL, "mmap of 1+3 pages");
	is_error(try_map(fd, 1 + 2, RW, MAP_SHARED, PAGE_BYTES), EINVAL, "mmap from page 1 on");
	is_error(try_map(fd, 1 + 2, RW, MAP_PRIVATE, 0), EINVAL, "mmap, private");
	is_error(try_map(fd, 1 + 2, RW | PROT_EXEC, MAP_SHARED, 0), EINVAL, "mmap, executable");
	is_error(try_map(fd, 1 + 2, PROT_READ, MAP_SHARED, 0), EACCES, "mmap, read-only");
	is_error(try_map(fd, 1 + 2048, RW, MAP_SHARED, 0), EINVAL, "mmap of 1+2048 pages");

	read_only = open(XEN_HCTRACE_DEVICE, O_RDONLY | O_CLOEXEC);
	is_error(try_map(read_only, 1 + 2, RW, MAP_SHARED, 0), EACCES, "mmap, opened read-only");
	close(read_only);

	is_error(try_map(fd, 1 + 1024, RW, MAP_SHARED, 0), 0, "mmap of 1+1024 pages after that");
	close(fd);
}

static void second_mappings(void)
{
	int fd = device_open();
	char *map = mmap(NULL, 5 * PAGE_BYTES, RW, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		err(1, "mmap");
	is_error(try_map(fd, 1 + 2, RW, MAP_SHARED, 0), EINVAL, "second mapping, smaller");
	is_error(try_map(fd, 1 + 8, RW, MAP_SHARED, 0), EINVAL, "second mapping, larger");
	is_error(try_map(fd, 1 + 4, RW, MAP_SHARED, 0), 0, "second mapping, the same size");
	is_error(mprotect(map, PAGE_BYTES, RW | PROT_EXEC) ? errno : 0, EACCES,
		 "making it executable");
	is_error(mremap(map, 5 * PAGE_BYTES, 9 * PAGE_BYTES, MREMAP_MAYMOVE) == MAP_FAILED ?
		 errno : 0, EFAULT, "making it larger");
	munmap(map, 5 * PAGE_BYTES);
	is_error(try_map(fd, 1 + 2, RW, MAP_SHARED, 0), EINVAL, "another size after munmap");
	is_error(try_map(fd, 1 + 4, RW, MAP_SHARED, 0), 0, "the same size after munmap");
	close(fd);
}

/* Two of the largest rings are 2050 pages. The refusal is logged, so there is only one. */
static void total_memory(unsigned int pages)
{
	unsigned int over = 1;
	struct ring rings[3];

	while (2050 + 1 + over <= pages)
		over *= 2;
	direct_open(&rings[0], 1024);
	direct_open(&rings[1], 1024);
	direct_open(&rings[2], 0);
	is_error(ring_map(&rings[2], over), ENOMEM, "mmap of 1+%u pages more than there are",
		 over);
	is_error(ring_map(&rings[2], over / 2), 0, "mmap of 1+%u pages in its place",
		 over / 2);
	ring_close(&rings[2]);
	ring_close(&rings[0]);
	direct_open(&rings[0], 1024);
	ok(1, "what was closed can be had again");
	ring_close(&rings[0]);
	ring_close(&rings[1]);
}

static int set_attr(int fd, const void *attr)
{
	return device_ioctl(fd, XEN_HCTRACE_IOC_SET_ATTR, attr);
}

/* WRONG is an assignment to a member. */
#define ATTR_IS(fd, wanted, wrong) do {					\
	struct xen_hctrace_attr attr = direct_attr();			\
									\
	attr.wrong;							\
	is_error(set_attr(fd, &attr), wanted, "attr, %s", #wrong);	\
} while (0)

static void wrong_values(int fd)
{
	ATTR_IS(fd, EINVAL, flags = 8);
	ATTR_IS(fd, EINVAL, flags = 1ull << 32);
	ATTR_IS(fd, EINVAL, kinds = 0);
	ATTR_IS(fd, EINVAL, kinds = 1 << (XEN_HCTRACE_KIND_DRAFT + 1));
	ATTR_IS(fd, EINVAL, kinds = ~0u);
	ATTR_IS(fd, EINVAL, sample_type = 0);
	ATTR_IS(fd, EINVAL, sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME);
	ATTR_IS(fd, EINVAL, sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);
	ATTR_IS(fd, EINVAL, sample_type = PERF_SAMPLE_RAW | 1ull << 63);
	ATTR_IS(fd, EINVAL, reserved = 1);
	/* A list of none is nowhere. */
	ATTR_IS(fd, EINVAL, domains = (uintptr_t)&attr);
	ATTR_IS(fd, EINVAL, pcpus = (uintptr_t)&attr);
	/* What they cannot be is less of it: half the ring, and a tenth of a millisecond. */
	ATTR_IS(fd, 0, wakeup_watermark = ~0u);
	ATTR_IS(fd, 0, max_latency_us = ~0u);
}

static void wrong_raw_values(int fd)
{
	/* Whatever it says of calls has no meaning for it. */
	static const struct xen_hctrace_attr raw = {
		.size = sizeof(raw), .sample_type = PERF_SAMPLE_RAW, .raw_mask = 0x00201000,
	};
	static const __u16 domain;
	struct xen_hctrace_attr attr = raw;

	attr.kinds = 1;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with kinds");
	attr = raw;
	attr.ops = 1;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with ops");
	attr = raw;
	attr.domains = (uintptr_t)&domain;
	attr.nr_domains = 1;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with domains");
	attr = raw;
	attr.sample_type |= PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with ids");
	attr = raw;
	attr.flags = XEN_HCTRACE_ATTR_DOMAINS;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode that tells of domains");
	attr = raw;
	attr.flags = XEN_HCTRACE_ATTR_KNOWN_ONLY;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode of known domains");
	attr = raw;
	attr.pcpus = (uintptr_t)&domain;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with a list of no pCPUs");
	attr = raw;
	attr.raw_mask |= 0x08000000;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with the guests' own class");
	attr.raw_mask = 0x0800f000;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with nothing but the guests' own class");
	attr.raw_mask = 0x00200000;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode without a sub-class");
	attr.raw_mask = 0x0000f000;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode without a class");
	attr.raw_mask = 0x0020100d;
	is_error(set_attr(fd, &attr), EINVAL, "raw mode with an event for a mask");
	is_error(set_attr(fd, &raw), 0, "raw mode as it should be");
}

/* As a caller of another version has it */
struct long_attr {
	struct xen_hctrace_attr attr;
	unsigned char tail[5000];
};

static void sizes(int fd)
{
	static struct long_attr attr;

	attr.attr = direct_attr();
	attr.attr.size = 0;
	is_error(set_attr(fd, &attr), EINVAL, "attr of size 0");
	attr.attr.size = sizeof(attr.attr) - 1;
	is_error(set_attr(fd, &attr), EINVAL, "attr that is a byte short");
	attr.attr.size = sizeof(attr.attr) + 8;
	is_error(set_attr(fd, &attr), 0, "longer attr with nothing in the tail");
	attr.tail[7] = 1;
	is_error(set_attr(fd, &attr), E2BIG, "longer attr with something in the tail");
	attr.attr.size = sizeof(attr.attr);
	is_error(set_attr(fd, &attr), 0, "the same without its tail");
	attr.tail[7] = 0;
	attr.attr.size = 4096;
	is_error(set_attr(fd, &attr), 0, "attr of a page with nothing in the tail");
	attr.attr.size = 4097;
	is_error(set_attr(fd, &attr), E2BIG, "attr of more than a page");
	attr.attr.size = ~0u;
	is_error(set_attr(fd, &attr), E2BIG, "attr of 4 GiB");
}

/* A page with none behind it */
static char *last_page(void)
{
	char *page = mmap(NULL, 2 * PAGE_BYTES, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || munmap(page + PAGE_BYTES, PAGE_BYTES))
		err(1, "a page");
	return page;
}

static void lists(int fd)
{
	static __u16 many[XEN_HCTRACE_ATTR_MAX_LIST + 1];
	struct xen_hctrace_attr attr = direct_attr();
	char *page = last_page();

	attr.domains = (uintptr_t)many;
	attr.nr_domains = XEN_HCTRACE_ATTR_MAX_LIST + 1;
	is_error(set_attr(fd, &attr), E2BIG, "%u domains", attr.nr_domains);
	attr.nr_domains--;
	is_error(set_attr(fd, &attr), 0, "%u domains", attr.nr_domains);
	attr.pcpus = (uintptr_t)many;
	attr.nr_pcpus = XEN_HCTRACE_ATTR_MAX_LIST + 1;
	is_error(set_attr(fd, &attr), E2BIG, "%u pCPUs", attr.nr_pcpus);
	attr.nr_pcpus--;
	is_error(set_attr(fd, &attr), 0, "%u pCPUs", attr.nr_pcpus);
	attr.pcpus = 0;
	is_error(set_attr(fd, &attr), EFAULT, "pCPUs nowhere");
	attr.nr_pcpus = 0;
	attr.nr_pcpus = 1;
	attr.pcpus = 0xffffffff80000000;
	is_error(set_attr(fd, &attr), EFAULT, "pCPUs in the kernel");
	attr.pcpus = 0;
	attr.nr_pcpus = 0;
	attr.domains = (uintptr_t)page + PAGE_BYTES - 2;
	attr.nr_domains = 1;
	is_error(set_attr(fd, &attr), 0, "a domain at the end of the memory");
	attr.nr_domains = 2;
	is_error(set_attr(fd, &attr), EFAULT, "domains beyond the end of the memory");
	attr.domains = 0xffffffff80000000;
	is_error(set_attr(fd, &attr), EFAULT, "domains in the kernel");
	attr = direct_attr();
	is_error(set_attr(fd, NULL), EFAULT, "attr nowhere");
	memcpy(page + PAGE_BYTES - 8, &attr, 8);
	is_error(set_attr(fd, page + PAGE_BYTES - 8), EFAULT, "attr beyond the end of the memory");
	munmap(page, PAGE_BYTES);
}

/* attr says what a ring is made for, so it comes first. */
static void order_of_calls(void)
{
	struct xen_hctrace_attr attr = direct_attr();
	struct ring ring;

	direct_open(&ring, 1);
	is_error(set_attr(ring.fd, &attr), EBUSY, "attr after mmap");
	disable(ring.fd);
	is_error(set_attr(ring.fd, &attr), EBUSY, "attr after mmap and DISABLE");
	ring_unmap(&ring);
	is_error(set_attr(ring.fd, &attr), EBUSY, "attr after munmap");
	close(ring.fd);

	direct_open(&ring, 0);
	is_error(set_attr(ring.fd, &attr), 0, "attr after attr");
	enable(ring.fd);
	is_error(set_attr(ring.fd, &attr), EBUSY, "attr after ENABLE");
	disable(ring.fd);
	is_error(set_attr(ring.fd, &attr), 0, "attr after DISABLE");
	close(ring.fd);
}

/* As a caller of another version has it */
struct long_info {
	struct xen_hctrace_info info;
	unsigned char tail[8192];
};

static int get_info(int fd, struct long_info *info, __u32 size)
{
	memset(info, 0x5a, sizeof(*info));
	info->info.size = size;
	return device_ioctl(fd, XEN_HCTRACE_IOC_INFO, info);
}

/* Bytes behind what is filled in that read 0 */
static unsigned int zeroes(const struct long_info *info)
{
	unsigned int nr = 0;

	while (nr < sizeof(info->tail) && !info->tail[nr])
		nr++;
	return nr;
}

static void info_sizes(int fd)
{
	const unsigned int end = XEN_HCTRACE_INFO_SIZE_VER0;
	static struct long_info info;
	char *page = last_page();
	__u32 size;

	is_error(get_info(fd, &info, 0), EINVAL, "INFO of size 0");
	is_error(get_info(fd, &info, end - 1), EINVAL, "INFO, too small");
	is_error(get_info(fd, &info, PAGE_BYTES + 1), E2BIG, "INFO of more than a page");
	is_error(get_info(fd, &info, ~0u), E2BIG, "INFO of 4 GiB");
	is_error(get_info(fd, &info, end), 0, "INFO as it was at first");
	is(info.info.size, end, "INFO as it was at first: bytes filled in");
	is(((unsigned char *)&info)[end], 0x5a, "INFO as it was at first: the byte behind them");
	is_error(get_info(fd, &info, sizeof(info.info) + 96), 0, "INFO, larger than ours");
	is(info.info.size, sizeof(info.info), "INFO, larger: bytes filled in");
	is(zeroes(&info), 96, "INFO, larger: the others read 0");
	is_error(get_info(fd, &info, PAGE_BYTES), 0, "INFO of a page");
	is(zeroes(&info), PAGE_BYTES - sizeof(info.info), "INFO of a page: the others read 0");

	is_error(device_ioctl(fd, XEN_HCTRACE_IOC_INFO, NULL), EFAULT, "INFO nowhere");
	size = sizeof(info.info);
	memcpy(page + PAGE_BYTES - size, &size, sizeof(size));
	is_error(device_ioctl(fd, XEN_HCTRACE_IOC_INFO, page + PAGE_BYTES - size), 0,
		 "INFO at the end of the memory");
	size += 8;
	memcpy(page + PAGE_BYTES - size + 8, &size, sizeof(size));
	is_error(device_ioctl(fd, XEN_HCTRACE_IOC_INFO, page + PAGE_BYTES - size + 8), EFAULT,
		 "INFO, larger, beyond the end of the memory");
	munmap(page, PAGE_BYTES);
}

static void other_calls(int fd)
{
	char byte = 0;

	is_error(device_ioctl(fd, _IO('$', 0x7f), NULL), ENOTTY, "unknown call");
	is_error(device_ioctl(fd, _IO('$', 0x80), NULL), ENOTTY, "SET_ATTR without its size");
	is_error(device_ioctl(fd, PERF_EVENT_IOC_REFRESH, NULL), ENOTTY, "REFRESH");
	is_error(device_ioctl(fd, PERF_EVENT_IOC_SET_FILTER, &byte), ENOTTY, "SET_FILTER");
	is_error(read(fd, &byte, 1) < 0 ? errno : 0, EINVAL, "read");
	is_error(write(fd, &byte, 1) < 0 ? errno : 0, EINVAL, "write");
	is_error(lseek(fd, 0, SEEK_SET) < 0 ? errno : 0, ESPIPE, "lseek");
}

/* What was refused has not taken the place of what was accepted before. */
static void nothing_changed(void)
{
	struct xen_hctrace_attr wrong = direct_attr();
	int privcmd = privcmd_open();
	struct ring ring;

	direct_open(&ring, 0);
	wrong.ops = 1;
	wrong.reserved = 1;
	is_error(set_attr(ring.fd, &wrong), EINVAL, "a wrong attr after a right one");
	reader_map(&ring, 8);
	make_calls(privcmd, 100);
	ledger_is(&ring, 100, 100, 0, 0, "the right one holds");
	ring_close(&ring);
	close(privcmd);
}

int main(int argc, char **argv)
{
	int fd;

	tap_begin();
	if (argc != 2)
		errx(2, "usage: device_errors PAGES");
	wrong_mappings();
	second_mappings();
	total_memory(atoi(argv[1]));
	fd = device_open();
	wrong_values(fd);
	wrong_raw_values(fd);
	sizes(fd);
	lists(fd);
	info_sizes(fd);
	other_calls(fd);
	close(fd);
	order_of_calls();
	nothing_changed();
	return 0;
}
