/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pipeline of the module, and its lock pipe. The drain feeds it, everybody else looks
 * at it or tells it something, for a short time: nothing is allocated, no hypercall made
 * and no user memory touched under pipe.
 */
#ifndef HCT_PIPE_H
#define HCT_PIPE_H

#include <hctrace/pipeline.h>

/**
 * hct_pipe_init() - make the pipeline
 * @settings: to begin with
 * @pv: dom0 is a PV domain: its time stamp counter is the host's
 *
 * Return: 0 or -ENOMEM.
 */
int hct_pipe_init(const struct hct_settings *settings, bool pv);

/** hct_pipe_exit() - give its memory back, that of its rings too */
void hct_pipe_exit(void);

/** hct_pipe_lock() - take pipe; may sleep. Return: the pipeline, until hct_pipe_unlock() */
struct hct_pipeline *hct_pipe_lock(void);
void hct_pipe_unlock(void);

/** hct_pipe_assert_held() - pipe is held here */
void hct_pipe_assert_held(void);

/** hct_pipe_held() - the pipeline, for who is called under pipe */
struct hct_pipeline *hct_pipe_held(void);

/** hct_pipe_clock() - its clock; under pipe */
struct hct_clock *hct_pipe_clock(void);

/**
 * struct hct_clock_state - what is known of the time
 * @uncertainty_ns: see hct_clock_uncertainty_ns()
 * @khz: see hct_clock_khz()
 */
struct hct_clock_state {
	u64 uncertainty_ns;
	u32 khz;
};

/** hct_pipe_clock_state() - ask its clock; takes pipe */
void hct_pipe_clock_state(struct hct_clock_state *state);

#endif /* HCT_PIPE_H */
