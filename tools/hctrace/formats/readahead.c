// SPDX-License-Identifier: GPL-2.0
/* See readahead.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hctrace/shared_mem.h>

#include "readahead.h"

#define MIN_BYTES	(512u << 10)	/* of the ring; a power of two */
#define MAX_BYTES	(16u << 20)
#define PIECE_BYTES	(128u << 10)	/* read at once */

/**
 * struct readahead - the ring holds the offsets from @freed to @loaded, each at its
 * remainder by @ring_bytes
 * @ring: its memory
 * @ring_bytes: a power of two; 0: given up
 * @base: what the caller released
 * @freed: of it, what the thread knows: up to a quarter of the ring is kept from it,
 *	so that it is not woken for each record
 * @loaded: how far the thread has read
 * @at_end: there is nothing behind @loaded
 * @error: because of this, if not 0
 * @is_reading: the thread writes to the ring, behind @loaded
 * @is_over: the thread must end
 * @lock: of all that both change; @loaded may be read without
 * @more: there is more, or there never will be
 * @room: there is room, or no need for it any more
 */
struct readahead {
	int fd;
	u64 size;
	u8 *ring;
	u64 ring_bytes;
	u64 base;
	u64 freed;
	u64 loaded;
	bool at_end;
	int error;
	bool is_reading;
	bool is_over;
	pthread_mutex_t lock;
	pthread_cond_t more;
	pthread_cond_t room;
	pthread_t thread;
};

static u64 min_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* How many bytes come next, in one piece; 0: none yet. */
static u64 next_bytes(const struct readahead *ra)
{
	u64 to_turn = ra->ring_bytes ? ra->ring_bytes - ra->loaded % ra->ring_bytes : 0;
	u64 room = ra->freed + ra->ring_bytes - ra->loaded;

	if (ra->at_end)
		return 0;
	return min_of(min_of(room, to_turn), min_of(PIECE_BYTES, ra->size - ra->loaded));
}

/* One piece. The lock is held, but not while it is read. */
static void read_piece(struct readahead *ra, u64 bytes)
{
	u8 *to = ra->ring + ra->loaded % ra->ring_bytes;
	ssize_t got;
	int error;

	ra->is_reading = true;
	pthread_mutex_unlock(&ra->lock);
	do {
		got = pread(ra->fd, to, bytes, ra->loaded);
	} while (got < 0 && errno == EINTR);
	error = got < 0 ? errno : 0;
	pthread_mutex_lock(&ra->lock);
	ra->is_reading = false;
	ra->error = error;
	if (got > 0)
		hct_shared_store_release(&ra->loaded, ra->loaded + got);
	ra->at_end = got <= 0 || ra->loaded == ra->size;
	pthread_cond_signal(&ra->more);
}

static void *read_all(void *arg)
{
	struct readahead *ra = arg;
	u64 bytes;

	pthread_mutex_lock(&ra->lock);
	while (!ra->is_over) {
		bytes = next_bytes(ra);
		if (bytes)
			read_piece(ra, bytes);
		else
			pthread_cond_wait(&ra->room, &ra->lock);
	}
	pthread_mutex_unlock(&ra->lock);
	return NULL;
}

static u8 *new_ring(u64 bytes)
{
	void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return ring == MAP_FAILED ? NULL : ring;
}

/* Signals are for the caller's thread. */
static int start(struct readahead *ra)
{
	sigset_t all, mask;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	error = pthread_create(&ra->thread, NULL, read_all, ra);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return error;
}

struct readahead *readahead_new(int fd, u64 size)
{
	struct readahead *ra = calloc(1, sizeof(*ra));

	if (!ra)
		return NULL;
	ra->fd = fd;
	ra->size = size;
	ra->at_end = !size;
	ra->ring_bytes = MIN_BYTES;
	ra->ring = new_ring(ra->ring_bytes);
	if (!ra->ring)
		goto err_ring;
	pthread_mutex_init(&ra->lock, NULL);
	pthread_cond_init(&ra->more, NULL);
	pthread_cond_init(&ra->room, NULL);
	if (start(ra))
		goto err_thread;
	return ra;

err_thread:
	munmap(ra->ring, ra->ring_bytes);
err_ring:
	free(ra);
	return NULL;
}

void readahead_free(struct readahead *ra)
{
	if (!ra)
		return;
	pthread_mutex_lock(&ra->lock);
	ra->is_over = true;
	pthread_cond_signal(&ra->room);
	pthread_mutex_unlock(&ra->lock);
	pthread_join(ra->thread, NULL);
	if (ra->ring_bytes)
		munmap(ra->ring, ra->ring_bytes);
	free(ra);
}

/* The lock is held. */
static void tell_freed(struct readahead *ra)
{
	ra->freed = ra->base;
	pthread_cond_signal(&ra->room);
}

/* Until @end is loaded, or there is no more. Return: how far it is. */
static u64 wait_for(struct readahead *ra, u64 end)
{
	u64 loaded;

	pthread_mutex_lock(&ra->lock);
	tell_freed(ra);
	while (ra->loaded < end && !ra->at_end)
		pthread_cond_wait(&ra->more, &ra->lock);
	loaded = ra->loaded;
	pthread_mutex_unlock(&ra->lock);
	return loaded;
}

const u8 *readahead_at(struct readahead *ra, u64 at, u64 bytes, u64 *have)
{
	u64 loaded, end;

	if (at < ra->base || at - ra->base >= ra->ring_bytes || at >= ra->size)
		return NULL;
	end = min_of(at + bytes, min_of(ra->base + ra->ring_bytes, ra->size));
	end = min_of(end, at - at % ra->ring_bytes + ra->ring_bytes);

	loaded = hct_shared_load_acquire(&ra->loaded);
	if (loaded < end)
		loaded = wait_for(ra, end);
	*have = loaded > at ? min_of(loaded, end) - at : 0;
	return ra->ring + at % ra->ring_bytes;
}

/* Begin anew at @ra->base. The lock is held. */
static void restart(struct readahead *ra)
{
	while (ra->is_reading)
		pthread_cond_wait(&ra->more, &ra->lock);
	ra->loaded = ra->base;
	ra->at_end = ra->base >= ra->size;
	ra->error = 0;
	tell_freed(ra);
}

void readahead_release(struct readahead *ra, u64 base)
{
	if (base <= ra->base)
		return;
	ra->base = base;
	if (base - ra->freed < ra->ring_bytes / 4)
		return;
	pthread_mutex_lock(&ra->lock);
	if (base > ra->loaded)
		restart(ra);
	else
		tell_freed(ra);
	pthread_mutex_unlock(&ra->lock);
}

/* The ring is as large as that from here on, with nothing in it; 0: there is none. */
static void replace_ring(struct readahead *ra, u64 bytes)
{
	u8 *ring = bytes ? new_ring(bytes) : NULL;

	pthread_mutex_lock(&ra->lock);
	restart(ra);
	munmap(ra->ring, ra->ring_bytes);
	ra->ring = ring;
	ra->ring_bytes = ring ? bytes : 0;
	pthread_mutex_unlock(&ra->lock);
}

bool readahead_make_room(struct readahead *ra, u64 bytes)
{
	u64 wanted = ra->ring_bytes;

	if (!wanted)
		return false;
	/* As much again as half of it is read meanwhile. */
	while (wanted < MAX_BYTES && bytes > wanted / 3 * 2)
		wanted *= 2;
	if (bytes > MAX_BYTES)
		wanted = 0;
	if (wanted == ra->ring_bytes)
		return false;
	replace_ring(ra, wanted);
	return true;
}

int readahead_error(struct readahead *ra)
{
	int error;

	pthread_mutex_lock(&ra->lock);
	error = ra->error;
	pthread_mutex_unlock(&ra->lock);
	return error;
}
