// SPDX-License-Identifier: GPL-2.0
/*
 * What there is for all readers, and what one user may have of it; and who is charged.
 *
 *   device_limits		for 10 readers, 4200 pages of rings, and half of it for a user
 *
 * Users are told apart by their real ids; the effective one stays root's here, so that
 * nothing but the limits is in their way.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "device.h"

#define READERS_MAX	10
#define USER_READERS	5
#define FIRST		1234	/* users, of nobody */
#define SECOND		1235
#define HAMMER		100
#define CGROUPS		"/tmp/cgroups"

static void become(unsigned int uid)
{
	if (setresuid(uid, 0, 0))
		err(1, "uid %u", uid);
}

/* Return: the file, or less than 0 and errno */
static int try_open(unsigned int uid)
{
	int fd;

	become(uid);
	fd = open(XEN_HCTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	become(0);
	return fd;
}

static int open_error(unsigned int uid)
{
	int fd = try_open(uid);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Open until it is refused, @most times at most. Return: how many could be. */
static unsigned int open_all(unsigned int uid, int *fds, unsigned int most)
{
	unsigned int nr;

	for (nr = 0; nr < most; nr++) {
		fds[nr] = try_open(uid);
		if (fds[nr] < 0)
			break;
	}
	return nr;
}

static void close_all(const int *fds, unsigned int nr)
{
	while (nr)
		close(fds[--nr]);
}

static void readers(void)
{
	int root[READERS_MAX + 1], first[READERS_MAX + 1], second;
	unsigned int i, refused = 0;

	is(open_all(0, root, READERS_MAX + 1), USER_READERS, "readers that root can have");
	is_error(open_error(0), EMFILE, "one more of root's");
	close(root[4]);
	is(open_all(FIRST, first, READERS_MAX + 1), USER_READERS, "readers that another can have");
	is_error(open_error(FIRST), EMFILE, "one more of the other's");
	root[4] = try_open(0);
	ok(root[4] >= 0, "what root closed root can open again");
	is_error(open_error(SECOND), ENFILE, "one of a third user's, when there are %u",
		 READERS_MAX);
	is_error(open_error(0), ENFILE, "one of root's then");
	close(first[0]);
	second = try_open(SECOND);
	ok(second >= 0, "what one user closed a third can open");
	first[0] = try_open(FIRST);
	is_error(first[0] < 0 ? errno : 0, ENFILE, "and has it");
	close(second);
	close_all(root, USER_READERS);
	close_all(first + 1, USER_READERS - 1);

	/* The log does not tell of each. */
	is(open_all(0, root, READERS_MAX + 1), USER_READERS, "closed, all can be had again");
	for (i = 0; i < HAMMER; i++)
		refused += open_error(0) == EMFILE;
	is(refused, HAMMER, "refused in a row");
	close_all(root, USER_READERS);
}

/* A ring of 1 + @pages. Return: 0 or the error. */
static int try_ring(struct ring *ring, unsigned int uid, unsigned int pages)
{
	int rc;

	memset(ring, 0, sizeof(*ring));
	ring->fd = try_open(uid);
	if (ring->fd < 0)
		err(1, XEN_HCTRACE_DEVICE);
	rc = ring_map(ring, pages);
	if (rc)
		close(ring->fd);
	return rc;
}

static void rings(void)
{
	struct ring root[3], first[3], second[2], none;

	is_error(try_ring(&root[0], 0, 1024), 0, "root: a ring of 1025 of 2100 pages");
	is_error(try_ring(&root[1], 0, 1024), 0, "root: another");
	is_error(try_ring(&none, 0, 64), ENOMEM, "root: 65 more, of 50");
	is_error(try_ring(&root[2], 0, 32), 0, "root: 33 more");
	is_error(try_ring(&none, 0, 32), ENOMEM, "root: 33 more, of 17");
	ring_unmap(&root[0]);
	is_error(try_ring(&none, 0, 32), ENOMEM, "root: a ring without a mapping is there still");

	is_error(try_ring(&first[0], FIRST, 1024), 0, "another: a ring of 1025 pages");
	is_error(try_ring(&first[1], FIRST, 1024), 0, "another: another");
	is_error(try_ring(&first[2], FIRST, 32), 0, "another: 33 more");
	is_error(try_ring(&none, FIRST, 32), ENOMEM, "another: 33 more, of 17");
	is_error(try_ring(&none, SECOND, 64), ENOMEM, "a third: 65 of the 34 that are left");
	is_error(try_ring(&second[0], SECOND, 32), 0, "a third: 33 of them");
	is_error(try_ring(&none, SECOND, 1), ENOMEM, "a third: 2, of 1");

	close(root[0].fd);
	is_error(try_ring(&second[1], SECOND, 1024), 0, "a third: what root has closed");
	ring_close(&root[1]);
	ring_close(&root[2]);
	ring_close(&first[0]);
	ring_close(&first[1]);
	ring_close(&first[2]);
	ring_close(&second[0]);
	ring_close(&second[1]);
	is_error(try_ring(&root[0], 0, 1024), 0, "closed, it can be had again");
	is_error(try_ring(&root[1], 0, 1024), 0, "all of it");
	ring_close(&root[0]);
	ring_close(&root[1]);
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s", path);
	close(fd);
}

/* Of the cgroup that we are in, in pages */
static long charged(void)
{
	long long bytes;
	FILE *file = fopen(CGROUPS "/reader/memory.current", "r");

	if (!file || fscanf(file, "%lld", &bytes) != 1)
		err(1, "memory.current");
	fclose(file);
	return bytes / PAGE_BYTES;
}

/*
 * Linux takes up to 64 pages ahead on each CPU, and keeps as many: nearly all of a ring
 * is seen to come, and to go.
 */
static void charges(void)
{
	const long ring = 1025, slack = 64 * sysconf(_SC_NPROCESSORS_CONF);
	struct ring opened;
	long before, with, after;

	mkdir(CGROUPS, 0700);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		err(1, "cgroup2");
	write_text(CGROUPS "/cgroup.subtree_control", "+memory");
	if (mkdir(CGROUPS "/reader", 0700))
		err(1, CGROUPS "/reader");
	write_text(CGROUPS "/reader/cgroup.procs", "0");

	before = charged();
	must(try_ring(&opened, 0, 1024), "a ring");
	with = charged() - before;
	ring_close(&opened);
	after = charged() - before;
	ok(with >= ring - slack, "a ring of 1025 pages is charged to its reader: %ld", with);
	ok(after < ring - slack, "and goes with it: %ld are left", after);

	write_text(CGROUPS "/cgroup.procs", "0");
	rmdir(CGROUPS "/reader");
	umount(CGROUPS);
}

int main(void)
{
	tap_begin();
	readers();
	rings();
	charges();
	return 0;
}
