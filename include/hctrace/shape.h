/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How Xen records a call of an op: which arguments, each in one word, and what they say.
 * This is the one table of that; decode.c, account.c and skim.c all read it. Six ops are
 * recorded with arguments (4.3 to 4.22, complete), all others with none.
 */
#ifndef HCTRACE_SHAPE_H
#define HCTRACE_SHAPE_H

#include <hctrace/names.h>
#include <hctrace/types.h>

/**
 * struct hct_shape - an op's records; all zero: there is nothing but the op
 * @args: bit i: argument i is recorded
 * @first: the first of them
 * @tags: what stands above the op in its op word
 * @beside: what @args add to the number of words in the header, shifted out of the way of
 *	the bit that says whether there is a time
 * @units_arg: argument with the count, if @units_mask is not 0
 * @units_at: word of the payload that it is
 * @units_mask: bits of the count
 * @cmd_mask: bits of the first argument that are a command with a cell of its own
 * @nr_cmds: commands known; the cell behind theirs is that of all others
 * @last_cmd: the last of them that never goes on with a mark
 * @cell: of command 0, less the op
 * @mark: &enum hct_marked, for the commands behind @last_cmd or, without commands, all calls
 * @mark_all: all ones if it is for all calls
 * @odd: bits of the first argument that only a call that goes on has set
 *
 * A power of two of bytes, so that an index is a shift.
 */
struct hct_shape {
	u64 units_mask;
	u64 cmd_mask;
	u64 odd;
	u32 tags;
	u32 beside;
	u32 nr_cmds;
	u32 last_cmd;
	u32 cell;
	u32 mark;
	u32 mark_all;
	u32 units_at;
	u8 units_arg;
	u8 args;
	u8 first;
};

static_assert(sizeof(struct hct_shape) == 64);

/* By op; the last one is that of all numbers beyond. */
extern const struct hct_shape hct_shapes[HCT_NR_OPS + 1];

/** hct_shape_of() - the shape of any number that a guest may call */
static inline const struct hct_shape *hct_shape_of(u32 op)
{
	return &hct_shapes[op < HCT_NR_OPS ? op : HCT_NR_OPS];
}

#endif /* HCTRACE_SHAPE_H */
