/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file, read by a thread of its own ahead of who needs it: a ring of memory holds
 * the bytes from an offset on, which moves on as they are released. They are looked at
 * where they are. Two threads: the one that calls these functions, and the reader's.
 */
#ifndef HCTRACE_READAHEAD_H
#define HCTRACE_READAHEAD_H

#include <sys/types.h>

#include <hctrace/types.h>

struct readahead;

/**
 * readahead_new() - begin to read
 * @fd: a regular file. Its position is left alone
 * @size: how much of it is read
 *
 * Return: the reader, or NULL: do without.
 */
struct readahead *readahead_new(int fd, u64 size);

/** readahead_free() - end the thread and give everything back; NULL is allowed */
void readahead_free(struct readahead *ra);

/**
 * readahead_at() - look at bytes of the file, waiting for them if need be
 * @ra: the reader
 * @at: offset of the first one
 * @bytes: how many are wanted
 * @have: set to how many there are in one piece: fewer than @bytes where the ring turns,
 *	ends, or the file does
 *
 * Return: them, valid until they are released or room is made; NULL: out of reach,
 * released already or too far ahead.
 */
const u8 *readahead_at(struct readahead *ra, u64 at, u64 bytes, u64 *have);

/** readahead_release() - what lies before @base will not be asked for again */
void readahead_release(struct readahead *ra, u64 base);

/**
 * readahead_make_room() - hold @bytes from the released offset on, and have more come
 * @ra: the reader
 * @bytes: any value
 *
 * More than 16 MiB are never held: then everything is out of reach from here on.
 *
 * Return: whether what was looked at is not valid any more.
 */
bool readahead_make_room(struct readahead *ra, u64 bytes);

/** readahead_error() - errno of a failed read behind which nothing comes; 0: none */
int readahead_error(struct readahead *ra);

#endif /* HCTRACE_READAHEAD_H */
