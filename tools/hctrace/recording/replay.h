/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings of events, which were decoded and attributed when they were made: the
 * tables are filled from what each event says of itself.
 */
#ifndef HCTRACE_REPLAY_H
#define HCTRACE_REPLAY_H

#include "recording.h"

struct replay;

/** replay_new() - into @rec; NULL: no memory */
struct replay *replay_new(struct recording *rec);

/** replay_free() - give it back; NULL is allowed */
void replay_free(struct replay *replay);

/** replay_is_sane() - whether an event can be one of ours at all */
bool replay_is_sane(const struct xen_hctrace_call *call);

/**
 * replay_call() - count an event
 * @replay: the replay
 * @ring: of its pCPU
 * @call: the event, sane
 */
void replay_call(struct replay *replay, struct hct_ring *ring,
		 const struct xen_hctrace_call *call);

/** replay_cut() - what follows is another recording: what is open does not go on */
void replay_cut(struct replay *replay);

/** replay_domain() - a domain came or went: its id is another domain's from here on */
void replay_domain(struct replay *replay, u16 domid);

#endif /* HCTRACE_REPLAY_H */
