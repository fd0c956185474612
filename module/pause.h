/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pauses of tracing, while a domain makes Xen log warnings. Called under ctl, if nothing
 * else is said.
 */
#ifndef HCT_PAUSE_H
#define HCT_PAUSE_H

#include <linux/types.h>

/**
 * struct hct_pause_status - of the breaker and its pauses
 * @is_on: the breaker has switched tracing off, though we trace
 * @total_ms: for how long it was off since the last reset, all pauses together
 * @age_ms: how long ago the last pause began, if @trips
 * @domid: because of whom, %HCT_BREAKER_NOBODY: not known, or it is armed
 * @left_ms: see hct_breaker_left_ms()
 * @trips: pauses since the load
 */
struct hct_pause_status {
	bool is_on;
	u64 total_ms;
	u64 age_ms;
	u16 domid;
	u64 left_ms;
	u64 trips;
};

/** hct_pause_ask() - the breaker is tripped: tracing must pause; without ctl, any context */
void hct_pause_ask(void);

/** hct_pause_or_enable() - the last step of a start: tracing on, unless the breaker is open */
int hct_pause_or_enable(void);

/** hct_pause_stop() - tracing has stopped, for whatever reason */
void hct_pause_stop(void);

/** hct_pause_tick() - while tracing, twice a second: end the pause if there is one, and in time */
void hct_pause_tick(void);

/** hct_pause_follow() - the setting `breaker`: if it is off, so is the pause */
void hct_pause_follow(bool breaker);

/** hct_pause_forgive() - a start was asked for: nothing of before is held against anybody */
void hct_pause_forgive(void);

/** hct_pause_reset() - the statistics were reset */
void hct_pause_reset(void);

/** hct_pause_is_on() - whether Xen was told not to trace, though we do; it must stay so */
bool hct_pause_is_on(void);

/** hct_pause_ms() - for how long tracing was off, all pauses since the last reset together */
u64 hct_pause_ms(void);

/** hct_pause_status() - fill in a status */
void hct_pause_status(struct hct_pause_status *status);

/** hct_pause_exit() - without ctl, after hct_tracing_stop() */
void hct_pause_exit(void);

#endif /* HCT_PAUSE_H */
