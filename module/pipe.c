// SPDX-License-Identifier: GPL-2.0
/* See pipe.h. */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "pipe.h"
#include "xen/hypervisor.h"

static DEFINE_MUTEX(pipe_mutex);
static struct hct_pipeline pipe_pipeline;	/* under pipe */
static struct hct_clock pipe_clock;		/* under pipe */

struct hct_pipeline *hct_pipe_lock(void)
{
	mutex_lock(&pipe_mutex);
	return &pipe_pipeline;
}

void hct_pipe_unlock(void)
{
	mutex_unlock(&pipe_mutex);
}

void hct_pipe_assert_held(void)
{
	lockdep_assert_held(&pipe_mutex);
}

struct hct_pipeline *hct_pipe_held(void)
{
	hct_pipe_assert_held();
	return &pipe_pipeline;
}

struct hct_clock *hct_pipe_clock(void)
{
	hct_pipe_assert_held();
	return &pipe_clock;
}

void hct_pipe_clock_state(struct hct_clock_state *state)
{
	mutex_lock(&pipe_mutex);
	state->uncertainty_ns = hct_clock_uncertainty_ns(&pipe_clock);
	state->khz = hct_clock_khz(&pipe_clock);
	mutex_unlock(&pipe_mutex);
}

int hct_pipe_init(const struct hct_settings *settings, bool pv)
{
	struct hct_account *acct = vzalloc(sizeof(*acct));
	struct hct_vcpu_table *vcpus = vzalloc(sizeof(*vcpus));

	if (!acct || !vcpus) {
		vfree(vcpus);
		vfree(acct);
		return -ENOMEM;
	}
	hct_clock_init(&pipe_clock, hct_hyp_tsc_khz(), pv);
	hct_pipeline_init(&pipe_pipeline, acct, vcpus, &pipe_clock);
	hct_pipeline_set(&pipe_pipeline, settings, true);
	return 0;
}

void hct_pipe_exit(void)
{
	kvfree(pipe_pipeline.rings);
	vfree(pipe_pipeline.vcpus);
	vfree(pipe_pipeline.acct);
	memset(&pipe_pipeline, 0, sizeof(pipe_pipeline));
}
