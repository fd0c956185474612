// SPDX-License-Identifier: GPL-2.0
/* The circuit breaker's rules; see breaker.h. */
#include <hctrace/breaker.h>

void hct_breaker_now(struct hct_breaker *b, u64 now_ms)
{
	if (now_ms > b->now_ms)
		b->now_ms = now_ms;
}

static void forget_oldest_call(struct hct_breaker *b)
{
	memmove(&b->calls[0], &b->calls[1], --b->nr_calls * sizeof(b->calls[0]));
}

/* Who sent most of what is remembered; the last one of those who sent as many. */
static u16 worst_offender(const struct hct_breaker *b)
{
	u32 most = 0;
	u16 domid = HCT_BREAKER_NOBODY;
	u32 i, j, nr;

	for (i = 0; i < b->nr_calls; i++) {
		for (nr = 0, j = 0; j < b->nr_calls; j++)
			nr += b->calls[j].domid == b->calls[i].domid;
		if (nr >= most) {
			most = nr;
			domid = b->calls[i].domid;
		}
	}
	return domid;
}

void hct_breaker_record(struct hct_breaker *b, u16 domid)
{
	if (b->state != HCT_BREAKER_ARMED)
		return;
	while (b->nr_calls && b->now_ms - b->calls[0].at_ms >= HCT_BREAKER_WINDOW_MS)
		forget_oldest_call(b);
	b->calls[b->nr_calls++] = (struct hct_bad_call){ .domid = domid, .at_ms = b->now_ms };
	if (b->nr_calls <= HCT_BREAKER_LIMIT)
		return;
	b->domid = worst_offender(b);
	b->nr_calls = 0;
	b->state = HCT_BREAKER_TRIPPED;
}

/* The entry of @domid, made if need be, in the place of who did the least, longest ago. */
static struct hct_offender *offender_of(struct hct_breaker *b, u16 domid)
{
	struct hct_offender *victim = &b->offenders[0];
	u32 i;

	for (i = 0; i < HCT_BREAKER_OFFENDERS; i++) {
		struct hct_offender *who = &b->offenders[i];

		if (who->trips && who->domid == domid)
			return who;
		if (who->trips < victim->trips ||
		    (who->trips == victim->trips && who->last_ms < victim->last_ms))
			victim = who;
	}
	*victim = (struct hct_offender){ .domid = domid };
	return victim;
}

static u64 pause_ms(u32 trips)
{
	u64 pause = HCT_BREAKER_PAUSE_MS;

	while (--trips && pause < HCT_BREAKER_LONGEST_MS)
		pause *= HCT_BREAKER_GROWTH;
	return pause < HCT_BREAKER_LONGEST_MS ? pause : HCT_BREAKER_LONGEST_MS;
}

/* Note a trip. Return: before when the next one must not be. */
static u64 note_trip(struct hct_breaker *b)
{
	if (b->nr_trip_times == HCT_BREAKER_DAY_TRIPS)
		memmove(&b->trip_times_ms[0], &b->trip_times_ms[1],
			--b->nr_trip_times * sizeof(b->trip_times_ms[0]));
	b->trip_times_ms[b->nr_trip_times++] = b->now_ms;
	b->trips++;
	if (b->nr_trip_times < HCT_BREAKER_DAY_TRIPS)
		return b->now_ms;
	return b->trip_times_ms[0] + HCT_DAY_MS;
}

bool hct_breaker_opened(struct hct_breaker *b)
{
	struct hct_offender *who;

	if (b->state != HCT_BREAKER_TRIPPED)
		return false;
	b->state = HCT_BREAKER_OPEN;
	who = offender_of(b, b->domid);
	who->last_ms = b->now_ms;
	if (who->trips < 0xff)
		who->trips++;

	b->not_before_ms = note_trip(b);
	b->until_ms = b->now_ms + pause_ms(who->trips);
	/* Nobody is never gone. */
	if (who->trips >= HCT_BREAKER_TRIPS && b->domid != HCT_BREAKER_NOBODY)
		b->until_ms = HCT_BREAKER_STAYS;
	else if (b->until_ms < b->not_before_ms)
		b->until_ms = b->not_before_ms;
	return true;
}

void hct_breaker_gone(struct hct_breaker *b, u16 domid)
{
	u32 i;

	if (domid == HCT_BREAKER_NOBODY)
		return;
	for (i = 0; i < HCT_BREAKER_OFFENDERS; i++) {
		if (b->offenders[i].domid == domid)
			b->offenders[i].trips = 0;
	}
	if (b->state == HCT_BREAKER_OPEN && b->domid == domid)
		b->until_ms = b->not_before_ms;
}

bool hct_breaker_is_over(const struct hct_breaker *b)
{
	return b->state == HCT_BREAKER_OPEN && b->until_ms <= b->now_ms;
}

u64 hct_breaker_left_ms(const struct hct_breaker *b)
{
	if (b->state != HCT_BREAKER_OPEN || b->until_ms <= b->now_ms)
		return 0;
	return b->until_ms == HCT_BREAKER_STAYS ? HCT_BREAKER_STAYS : b->until_ms - b->now_ms;
}

void hct_breaker_arm(struct hct_breaker *b)
{
	b->state = HCT_BREAKER_ARMED;
	b->nr_calls = 0;
}

void hct_breaker_forgive(struct hct_breaker *b)
{
	*b = (struct hct_breaker){ .now_ms = b->now_ms, .trips = b->trips };
}
