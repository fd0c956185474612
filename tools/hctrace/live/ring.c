// SPDX-License-Identifier: GPL-2.0
/* Reading the ring; see ring.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"
#include "ring.h"

/* What went wrong, and what to do about it. */
static int say(char *err, size_t err_size, const char *what)
{
	const char *advice = strerror(errno);

	switch (errno) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		advice = "the module is not loaded; hctrace doctor says why it may not";
		break;
	case EACCES:
	case EPERM:
		advice = "not permitted; it takes root, or CAP_PERFMON and the file's group";
		break;
	case EBUSY:
		advice = "another program holds Xen's trace buffers (xentrace?): end it first";
		break;
	case ENFILE:
	case EMFILE:
		advice = "there are as many readers as may be; the kernel log says of which limit";
		break;
	case ENOMEM:
		advice = "no memory, or no more pages (the kernel log tells): try a smaller -m";
		break;
	}
	scnprintf(err, err_size, "%s: %s", what, advice);
	return -1;
}

/* The module refused to deliver that: it may be too old for it. */
static void say_refused(const struct reader *reader, char *err, size_t err_size)
{
	int refused = errno;
	u32 theirs = reader_info(reader).api_version;

	if ((refused == EINVAL || refused == E2BIG) && theirs && theirs < XEN_HCTRACE_API_VERSION) {
		scnprintf(err, err_size,
			  "the module is too old for this: its interface has version %u, that of this hctrace %u",
			  theirs, XEN_HCTRACE_API_VERSION);
		return;
	}
	errno = refused;
	say(err, err_size, "what is to be delivered");
}

/* Whether the module's events are those that we know. */
static bool fits(const struct reader *reader, char *err, size_t err_size)
{
	u32 theirs = reader_info(reader).schema_version;

	if (!theirs || theirs == XEN_HCTRACE_SCHEMA_VERSION)
		return true;
	scnprintf(err, err_size,
		  "%s is too old for the other: the module's events have version %u, those of this hctrace %u",
		  theirs > XEN_HCTRACE_SCHEMA_VERSION ? "hctrace" : "the module", theirs,
		  XEN_HCTRACE_SCHEMA_VERSION);
	return false;
}

int reader_open(struct reader *reader, const struct xen_hctrace_attr *attr, u32 pages,
		char *err, size_t err_size)
{
	struct xen_hctrace_attr disabled = *attr;
	size_t page_bytes = sysconf(_SC_PAGESIZE);
	char path[HOST_PATH_MAX];
	void *map;

	memset(reader, 0, sizeof(*reader));
	reader->fd = open(host_path(XEN_HCTRACE_DEVICE, path), O_RDWR | O_CLOEXEC);
	if (reader->fd < 0)
		return say(err, err_size, XEN_HCTRACE_DEVICE);
	disabled.size = sizeof(disabled);
	disabled.flags |= XEN_HCTRACE_ATTR_DISABLED;
	if (ioctl(reader->fd, XEN_HCTRACE_IOC_SET_ATTR, &disabled)) {
		say_refused(reader, err, err_size);
		goto err_open;
	}
	/* Xen's own records have nothing of our making in them. */
	if (!attr->raw_mask && !fits(reader, err, err_size))
		goto err_open;
	map = mmap(NULL, (1 + pages) * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		   reader->fd, 0);
	if (map == MAP_FAILED) {
		say(err, err_size, "the ring");
		goto err_open;
	}
	reader->page = map;
	reader->data = (const u8 *)map + page_bytes;
	reader->size = pages * page_bytes;
	return 0;

err_open:
	close(reader->fd);
	reader->fd = -1;
	return -1;
}

void reader_close(struct reader *reader)
{
	if (reader->page)
		munmap(reader->page, reader->size + sysconf(_SC_PAGESIZE));
	if (reader->fd >= 0)
		close(reader->fd);
	reader->page = NULL;
	reader->fd = -1;
}

int reader_enable(struct reader *reader, bool on, char *err, size_t err_size)
{
	if (ioctl(reader->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE))
		return say(err, err_size, on ? "beginning to trace" : "ceasing to trace");
	return 0;
}

struct xen_hctrace_info reader_info(const struct reader *reader)
{
	struct xen_hctrace_info info = { .size = sizeof(info) };

	if (ioctl(reader->fd, XEN_HCTRACE_IOC_INFO, &info))
		memset(&info, 0, sizeof(info));
	return info;
}

u64 reader_look(struct reader *reader, u64 most)
{
	u64 head = __atomic_load_n(&reader->page->data_head, __ATOMIC_ACQUIRE);
	const struct perf_event_header *header;
	u64 at = reader->tail;

	if (head - at > most) {
		do {
			header = reader_at(reader, at);
			at += header->size;
		} while (at - reader->tail < most);
		head = at;
	}
	reader->head = head;
	return head - reader->tail;
}

int reader_span(const struct reader *reader, u64 position, u64 bytes, struct iovec span[2])
{
	u64 offset = position & (reader->size - 1);
	u64 first = reader->size - offset;

	span[0].iov_base = (void *)(reader->data + offset);
	span[0].iov_len = bytes < first ? bytes : first;
	if (bytes <= first)
		return 1;
	span[1].iov_base = (void *)reader->data;
	span[1].iov_len = bytes - first;
	return 2;
}

void reader_done(struct reader *reader, u64 position)
{
	reader->tail = position;
	__atomic_store_n(&reader->page->data_tail, position, __ATOMIC_RELEASE);
}
