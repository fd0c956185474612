/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reader's output with a reader at the other end that checks every byte, and
 * that each call arrives in turn or is counted by a LOST record in its place.
 */
#ifndef OUT_RIG_H
#define OUT_RIG_H

#include "rig.h"

#include <hctrace/ring.h>

#include "../reader/reader.h"

#define CALL_BYTES	80u	/* of a sample with RAW alone */
#define CALL_IDS_BYTES	104u
#define LOST_BYTES	24u
#define LOST_IDS_BYTES	48u
#define PAGE		4096u

/**
 * struct out_rig - both ends
 * @out: the writer's
 * @r: the reader's
 * @mem: page 0 and the data
 * @pages: of data; 0: not mapped
 * @sent: calls made, which stand in their tsc; their ns is the same and 1000
 * @next: the call that must come next
 * @wakeups: those that were asked for
 */
struct out_rig {
	struct hct_out *out;
	struct reader r;
	u8 *mem;
	u32 pages;
	u64 sent;
	u64 next;
	u64 wakeups;
};

/** out_config() - all calls, RAW alone */
struct hct_out_config out_config(void);

/** out_new() - an enabled output, with what it needs behind it; free() gives it back */
struct hct_out *out_new(const struct hct_out_config *cfg);

/** out_rig_new() - an enabled reader, with a ring unless @pages is 0 */
struct out_rig *out_rig_new(const struct hct_out_config *cfg, u32 pages);

/** out_rig_map() - give it a ring */
void out_rig_map(struct out_rig *rig, u32 pages);

/** out_rig_move() - an empty ring goes on at another position */
void out_rig_move(struct out_rig *rig, u64 pos);

/** out_rig_call() - one more call. Return: whether the reader was to be woken. */
bool out_rig_call(struct out_rig *rig);

/** out_rig_loss() - Xen lost records */
bool out_rig_loss(struct out_rig *rig, u16 pcpu, u32 count);

/** out_rig_gap() - nobody can tell what there was on @pcpu, %XEN_HCTRACE_UNKNOWN: on all */
bool out_rig_gap(struct out_rig *rig, u8 reason, u16 pcpu);

/** out_rig_flush() - at that time. Return: whether the reader was to be woken. */
bool out_rig_flush(struct out_rig *rig, u64 now_ns);

/** out_rig_read() - the reader takes up to @max records. Return: how many it got. */
int out_rig_read(struct out_rig *rig, int max);

/** out_rig_drain() - flush and read until nothing comes any more; everything adds up */
void out_rig_drain(struct out_rig *rig);

/** out_rig_check() - what holds at all times */
void out_rig_check(const struct out_rig *rig);

/** out_rig_free() - check a last time and give everything back */
void out_rig_free(struct out_rig *rig);

/** out_bytes() - the data from @pos on are these bytes, in hex */
#define out_bytes(rig, pos, hex)	check_bytes((rig)->mem + PAGE + (pos), hex)
void check_bytes(const u8 *at, const char *hex);

#endif /* OUT_RIG_H */
