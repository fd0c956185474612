// SPDX-License-Identifier: GPL-2.0
/* Which calls may still go on; see opened.h. */
#include <hctrace/opened.h>

#define MAX_COUNT	0x7fffffffu	/* what Xen's mark leaves room for */

/* A count as it stands in a place. */
static u32 to_place(u32 count)
{
	return (count < MAX_COUNT ? count : MAX_COUNT) + 1;
}

static unsigned int smallest_place(const u32 *places)
{
	unsigned int found = 0;
	unsigned int i;

	for (i = 1; i < HCT_MAX_OPENED; i++) {
		if (places[i] < places[found])
			found = i;
	}
	return found;
}

/* The smallest call that is no smaller than @left, so that larger ones stay; or -1. */
static int fitting_place(const u32 *places, u32 left)
{
	int found = -1;
	int i;

	for (i = 0; i < HCT_MAX_OPENED; i++) {
		if (places[i] >= left && (found < 0 || places[i] < places[found]))
			found = i;
	}
	return found;
}

static void set_floor(struct hct_opened *opened)
{
	u32 least = opened->now[smallest_place(opened->now)];

	opened->floor = least ? least - 1 : 0;
}

void hct_opened_add(struct hct_opened *opened, u32 count)
{
	opened->now[smallest_place(opened->now)] = to_place(count);
	set_floor(opened);
}

bool hct_opened_goes_on(struct hct_opened *opened, u32 gap, u32 count)
{
	u32 left = to_place(count);
	int i = fitting_place(opened->now, left);

	if (i >= 0) {
		opened->now[i] = left;
		set_floor(opened);
		return true;
	}
	i = fitting_place(opened->before, left);
	if (i >= 0) {
		opened->before[i] = 0;
		hct_opened_add(opened, count);
		return true;
	}
	/* Believed, but it vouches for none that follows: else one gap were as good as any call. */
	if (opened->gap != gap) {
		opened->gap = gap;
		return true;
	}
	return false;
}
