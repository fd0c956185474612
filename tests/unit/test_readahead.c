// SPDX-License-Identifier: GPL-2.0
/* Reading ahead: what is looked at is what the file has there, wherever it is in the ring. */
#define _GNU_SOURCE	/* memfd_create() */

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../tools/hctrace/formats/readahead.h"

#define RING_BYTES	(512u << 10)	/* without room being made */
#define MOST_BYTES	(16u << 20)
#define FILE_BYTES	(40u << 20)

static u8 *bytes;
static int fd;

static u32 pick(u32 below)
{
	static u64 seed = 20261130;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

static int make(void **state)
{
	u32 i;

	(void)state;
	bytes = malloc(FILE_BYTES);
	assert_non_null(bytes);
	for (i = 0; i < FILE_BYTES / 4; i++)
		((u32 *)bytes)[i] = pick(~0u);
	fd = memfd_create("file", 0);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, FILE_BYTES), FILE_BYTES);
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	close(fd);
	free(bytes);
	return 0;
}

static struct readahead *begin(u64 size)
{
	struct readahead *ra = readahead_new(fd, size);

	assert_non_null(ra);
	return ra;
}

/* Look at @want bytes at @at. Return: how many there were, all of them right. */
static u64 look(struct readahead *ra, u64 at, u64 want)
{
	const u8 *found;
	u64 have = 0;

	found = readahead_at(ra, at, want, &have);
	assert_non_null(found);
	assert_true(have <= want);
	assert_memory_equal(found, bytes + at, have);
	return have;
}

static void is_out_of_reach(struct readahead *ra, u64 at)
{
	u64 have;

	assert_null(readahead_at(ra, at, 1, &have));
}

/* --- tests ------------------------------------------------------------------ */

static void test_all_of_it(void **state)
{
	struct readahead *ra = begin(FILE_BYTES);
	u64 at = 0;
	u64 have;

	(void)state;
	while (at < FILE_BYTES) {
		have = look(ra, at, 1 + pick(100000));
		assert_true(have);
		at += have;
		if (pick(3))
			readahead_release(ra, at);
	}
	assert_int_equal(at, FILE_BYTES);
	is_out_of_reach(ra, FILE_BYTES);
	assert_int_equal(readahead_error(ra), 0);
	readahead_free(ra);
}

/* A piece ends where the ring turns, and goes on behind that. */
static void test_turn(void **state)
{
	struct readahead *ra = begin(FILE_BYTES);

	(void)state;
	assert_int_equal(look(ra, 0, 2 * RING_BYTES), RING_BYTES);
	readahead_release(ra, RING_BYTES / 2);
	assert_int_equal(look(ra, RING_BYTES - 10, 100), 10);
	assert_int_equal(look(ra, RING_BYTES, 100), 100);
	assert_int_equal(look(ra, RING_BYTES, RING_BYTES), RING_BYTES / 2);
	readahead_free(ra);
}

static void test_reach(void **state)
{
	struct readahead *ra = begin(FILE_BYTES);
	u64 base = 0;
	u32 i;

	(void)state;
	for (i = 0; i < 2000; i++) {
		look(ra, base + pick(RING_BYTES), 1 + pick(1000));
		is_out_of_reach(ra, base + RING_BYTES);
		is_out_of_reach(ra, ~0ull);
		if (base)
			is_out_of_reach(ra, base - 1);
		base += pick(15000);
		readahead_release(ra, base);
		readahead_release(ra, base / 2);
	}
	readahead_free(ra);
}

/* Parts that nobody looks at, smaller than the ring and larger. */
static void test_jumps(void **state)
{
	struct readahead *ra = begin(FILE_BYTES);
	u64 at;

	(void)state;
	for (at = 0; at < FILE_BYTES; at += pick(2 * RING_BYTES)) {
		readahead_release(ra, at);
		assert_int_not_equal(look(ra, at, 1 + pick(5000)), 0);
	}
	readahead_release(ra, 1ull << 60);
	is_out_of_reach(ra, FILE_BYTES - 1);
	is_out_of_reach(ra, 1ull << 60);
	readahead_free(ra);
}

static void test_room(void **state)
{
	struct readahead *ra = begin(FILE_BYTES);
	u64 base = 0;
	u64 room;

	(void)state;
	assert_false(readahead_make_room(ra, RING_BYTES / 3 * 2));
	for (room = RING_BYTES; room <= MOST_BYTES; room += room / 2) {
		base += 12345;
		readahead_release(ra, base);
		readahead_make_room(ra, room);
		assert_false(readahead_make_room(ra, room));
		assert_int_not_equal(look(ra, base, 5000), 0);
		assert_int_not_equal(look(ra, base + room - 1, 1), 0);
		assert_int_not_equal(look(ra, base + pick(room), 5000), 0);
	}
	look(ra, base + MOST_BYTES - 1, 1);
	is_out_of_reach(ra, base + MOST_BYTES);

	assert_true(readahead_make_room(ra, MOST_BYTES + 1));
	is_out_of_reach(ra, base);
	assert_false(readahead_make_room(ra, ~0ull));
	readahead_release(ra, base + 1000000);
	is_out_of_reach(ra, base + 1000000);
	readahead_free(ra);
}

/* Somebody cuts the file while it is read: what is left can be looked at, and that is all. */
static void test_shorter(void **state)
{
	struct readahead *ra = begin(FILE_BYTES + 5000);
	u64 at = 0;
	u64 have;

	(void)state;
	while ((have = look(ra, at, 10000))) {
		at += have;
		readahead_release(ra, at);
	}
	assert_int_equal(at, FILE_BYTES);
	assert_int_equal(readahead_error(ra), 0);
	readahead_free(ra);
}

static void test_error(void **state)
{
	int unreadable = open("/dev/null", O_WRONLY);
	struct readahead *ra = readahead_new(unreadable, 1000);
	u64 have = 1;

	(void)state;
	assert_non_null(ra);
	assert_non_null(readahead_at(ra, 0, 10, &have));
	assert_int_equal(have, 0);
	assert_int_equal(readahead_error(ra), EBADF);
	readahead_free(ra);
	close(unreadable);
}

static void test_ends(void **state)
{
	struct readahead *ra;
	u32 i;

	(void)state;
	for (i = 0; i < 200; i++)
		readahead_free(begin(FILE_BYTES));
	readahead_free(NULL);

	ra = begin(0);
	is_out_of_reach(ra, 0);
	readahead_free(ra);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_it),
		cmocka_unit_test(test_turn),
		cmocka_unit_test(test_reach),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_shorter),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests_name("readahead", tests, make, unmake);
}
