/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The circuit breaker: when tracing has to pause, and for how long.
 *
 * While tracing is on at all, whatever the event mask, Xen logs a warning with a stack
 * for every hypercall whose number does not fit the record (__trace_hypercall() in its
 * common/trace.c). A guest may make such calls as fast as it can, and nothing but
 * switching tracing off stops the warnings. Each that we see leaves a malformed record:
 *
 *            one record too many             Xen was told to stop
 *   ARMED ------------------------> TRIPPED ---------------------> OPEN
 *     ^                                |                             |
 *     '--------------------------------'-----------------------------'
 *        forgiven (start, off)            the pause is over, the offender is gone,
 *                                         forgiven
 *
 * Records are counted for the host as a whole: what cannot be attributed counts too,
 * and many domains, or one that comes back under many ids, get no more than one does.
 * Who sent the most of them is the offender, and its pause grows. Policy only, and no
 * clock: time is what the caller says it is, in milliseconds from anywhere.
 */
#ifndef HCTRACE_BREAKER_H
#define HCTRACE_BREAKER_H

#include <hctrace/types.h>

#define HCT_MINUTE_MS		(60ull * 1000)
#define HCT_HOUR_MS		(60 * HCT_MINUTE_MS)
#define HCT_DAY_MS		(24 * HCT_HOUR_MS)

/* So many malformed records in so long a time are borne; the next one trips it. */
#define HCT_BREAKER_LIMIT	4
#define HCT_BREAKER_WINDOW_MS	(4 * HCT_HOUR_MS)

/* The first pause of a domain, what each further one is multiplied by, and the longest. */
#define HCT_BREAKER_PAUSE_MS	HCT_MINUTE_MS
#define HCT_BREAKER_GROWTH	4
#define HCT_BREAKER_LONGEST_MS	(6 * HCT_HOUR_MS)

/* From a domain's so-many-eth trip on the pause lasts until the domain is gone. */
#define HCT_BREAKER_TRIPS	3

/* No more trips than this in a day, whoever dies meanwhile: domains can be reborn. */
#define HCT_BREAKER_DAY_TRIPS	16

/* What all of this leaves to all guests together in any 24 hours: calls, as we see them. */
#define HCT_BREAKER_DAY_CALLS	(HCT_BREAKER_DAY_TRIPS * (HCT_BREAKER_LIMIT + 1) + \
				 HCT_BREAKER_LIMIT * (HCT_DAY_MS / HCT_BREAKER_WINDOW_MS))

/* Domains whose trips are remembered. */
#define HCT_BREAKER_OFFENDERS	16

/* In place of a domain: who made a call is not known. */
#define HCT_BREAKER_NOBODY	0xffff

/* In place of a time: never by itself. */
#define HCT_BREAKER_STAYS	(~0ull)

/**
 * enum hct_breaker_state - see the drawing above
 * @HCT_BREAKER_ARMED: tracing may be on
 * @HCT_BREAKER_TRIPPED: it must be switched off
 * @HCT_BREAKER_OPEN: it is off
 */
enum hct_breaker_state {
	HCT_BREAKER_ARMED,
	HCT_BREAKER_TRIPPED,
	HCT_BREAKER_OPEN,
};

/**
 * struct hct_offender - a domain that has tripped it
 * @domid: which, or %HCT_BREAKER_NOBODY
 * @trips: how often; 0: the entry is free
 * @last_ms: when it last did
 */
struct hct_offender {
	u16 domid;
	u8 trips;
	u64 last_ms;
};

/** struct hct_bad_call - a malformed record: whose, and when it was seen */
struct hct_bad_call {
	u16 domid;
	u64 at_ms;
};

/**
 * struct hct_breaker - its state; all zero: armed, nothing is remembered
 * @state: &enum hct_breaker_state
 * @domid: unless it is armed: the offender, or %HCT_BREAKER_NOBODY
 * @now_ms: what time it is
 * @until_ms: while open: when the pause is over, or %HCT_BREAKER_STAYS
 * @not_before_ms: while open: not before this, even if the offender is gone
 * @trips: since the beginning
 * @nr_calls: entries of @calls
 * @calls: malformed records since the last trip, the oldest first
 * @nr_trip_times: entries of @trip_times_ms
 * @trip_times_ms: of the last trips, the oldest first
 * @offenders: who tripped it
 */
struct hct_breaker {
	u8 state;
	u16 domid;
	u64 now_ms;
	u64 until_ms;
	u64 not_before_ms;
	u64 trips;
	u32 nr_calls;
	struct hct_bad_call calls[HCT_BREAKER_LIMIT + 1];
	u32 nr_trip_times;
	u64 trip_times_ms[HCT_BREAKER_DAY_TRIPS];
	struct hct_offender offenders[HCT_BREAKER_OFFENDERS];
};

/** hct_breaker_now() - it is @now_ms; time that runs backwards is not believed */
void hct_breaker_now(struct hct_breaker *b, u64 now_ms);

/** hct_breaker_record() - a malformed record of @domid, or %HCT_BREAKER_NOBODY; may trip it */
void hct_breaker_record(struct hct_breaker *b, u16 domid);

/**
 * hct_breaker_opened() - tracing was just switched off
 * @b: the breaker
 *
 * Return: whether it was tripped; else nothing happens, and tracing may be on again.
 */
bool hct_breaker_opened(struct hct_breaker *b);

/** hct_breaker_gone() - @domid is no more, and its id may become another domain's */
void hct_breaker_gone(struct hct_breaker *b, u16 domid);

/** hct_breaker_is_over() - whether it is open, and need not be any longer */
bool hct_breaker_is_over(const struct hct_breaker *b);

/** hct_breaker_left_ms() - how long it stays open, or %HCT_BREAKER_STAYS; 0 if it is not */
u64 hct_breaker_left_ms(const struct hct_breaker *b);

/** hct_breaker_arm() - tracing may be on again; who tripped it is remembered */
void hct_breaker_arm(struct hct_breaker *b);

/** hct_breaker_forgive() - the same, and nothing is remembered but the number of trips */
void hct_breaker_forgive(struct hct_breaker *b);

#endif /* HCTRACE_BREAKER_H */
