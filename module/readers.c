// SPDX-License-Identifier: GPL-2.0
/*
 * The pipeline's sink: each event goes to the tracepoints and to every reader's
 * ring. All of it runs under pipe.
 */
#include <linux/ktime.h>
#include <linux/poll.h>

#include "pipe.h"
#include "readers.h"
#include "trace.h"

static LIST_HEAD(readers);
static bool tracepoint_on;
static u64 min_latency_ns = ~0ull;

static void hct_reader_wake(struct hct_reader *reader)
{
	wake_up_interruptible_poll(&reader->wait, EPOLLIN | EPOLLRDNORM);
}

static void on_record(void *ctx, u16 pcpu, const u32 *words, unsigned int nr_words)
{
	struct hct_reader *reader;

	list_for_each_entry(reader, &readers, node) {
		if (hct_out_record(&reader->out, pcpu, words, nr_words))
			hct_reader_wake(reader);
	}
}

static void on_call(void *ctx, const struct xen_hctrace_call *call)
{
	struct hct_reader *reader;

	hct_trace_call(call);
	list_for_each_entry(reader, &readers, node) {
		if (hct_out_call(&reader->out, call))
			hct_reader_wake(reader);
	}
}

static void on_batch(void *ctx, const struct hct_batch_event *batch)
{
	hct_trace_batch(batch);
}

static void on_loss(void *ctx, const struct hct_loss_event *loss)
{
	struct hct_reader *reader;

	hct_trace_loss(loss);
	list_for_each_entry(reader, &readers, node) {
		if (hct_out_loss(&reader->out, loss))
			hct_reader_wake(reader);
	}
}

static void on_domain(void *ctx, const struct hct_domain_event *domain)
{
	struct hct_reader *reader;

	hct_trace_domain(domain);
	list_for_each_entry(reader, &readers, node) {
		if (hct_out_domain(&reader->out, domain))
			hct_reader_wake(reader);
	}
}

static struct hct_sink reader_sink = {
	.call = on_call,
	.batch = on_batch,
	.loss = on_loss,
	.domain = on_domain,
};

/* Something about the readers changed: serve no more than what is wanted. */
static void hct_readers_update(void)
{
	struct hct_pipeline *p = hct_pipe_held();
	struct hct_reader *reader;
	bool raw = false;

	min_latency_ns = ~0ull;
	list_for_each_entry(reader, &readers, node) {
		raw |= reader->out.cfg.raw_mask;
		if (reader->out.enabled && reader->out.cfg.max_latency_ns < min_latency_ns)
			min_latency_ns = reader->out.cfg.max_latency_ns;
	}
	reader_sink.record = raw ? on_record : NULL;
	hct_pipeline_serve(p, tracepoint_on || !list_empty(&readers) ? &reader_sink : NULL);
}

void hct_readers_lock(void)
{
	hct_pipe_lock();
}

void hct_readers_unlock(void)
{
	hct_readers_update();
	hct_pipe_unlock();
}

void hct_readers_traced(bool on)
{
	hct_readers_lock();
	tracepoint_on = on;
	hct_readers_unlock();
}

void hct_readers_add(struct hct_reader *reader)
{
	hct_readers_lock();
	list_add_tail(&reader->node, &readers);
	hct_readers_unlock();
}

void hct_readers_del(struct hct_reader *reader)
{
	hct_readers_lock();
	list_del(&reader->node);
	hct_readers_unlock();
}

void hct_readers_flush(void)
{
	struct hct_reader *reader;
	u64 now_ns;

	hct_pipe_assert_held();
	if (list_empty(&readers))
		return;
	now_ns = ktime_get_ns();
	list_for_each_entry(reader, &readers, node) {
		if (hct_out_flush(&reader->out, now_ns))
			hct_reader_wake(reader);
	}
}

u64 hct_readers_patience_ns(void)
{
	struct hct_reader *reader;
	u64 patience_ns = min_latency_ns / 2;
	u64 now_ns, due_ns;

	hct_pipe_assert_held();
	if (list_empty(&readers))
		return ~0ull;
	now_ns = ktime_get_ns();
	list_for_each_entry(reader, &readers, node) {
		due_ns = hct_out_due_ns(&reader->out);
		if (due_ns <= now_ns)
			return 0;
		if (due_ns - now_ns < patience_ns)
			patience_ns = due_ns - now_ns;
	}
	return patience_ns;
}
