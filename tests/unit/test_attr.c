// SPDX-License-Identifier: GPL-2.0
/* What a reader may ask for: each field, and each that would mean nothing. */
#include <hctrace/attr.h>
#include <hctrace/ring.h>

#include "rig.h"

#define IDS	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

static const struct xen_hctrace_attr calls = {
	.size = sizeof(calls), .kinds = 1 << XEN_HCTRACE_KIND_CALL, .sample_type = PERF_SAMPLE_RAW,
};

static const struct xen_hctrace_attr raw = {
	.size = sizeof(raw), .raw_mask = 0x00201000, .sample_type = PERF_SAMPLE_RAW,
};

/* CHANGE is an assignment to a member. */
#define WITH(base, change) \
	({ struct xen_hctrace_attr attr = (base); attr.change; hct_attr_is_valid(&attr); })
#define TAKES(base, change)	assert_true(WITH(base, change))
#define REFUSES(base, change)	assert_false(WITH(base, change))

static void test_calls(void **state)
{
	(void)state;
	assert_true(hct_attr_is_valid(&calls));
	TAKES(calls, kinds = (1 << HCT_NR_KINDS) - 1);
	TAKES(calls, ops = ~0ull);
	TAKES(calls, sample_type = PERF_SAMPLE_RAW | IDS);
	TAKES(calls, flags = XEN_HCTRACE_ATTR_DISABLED | XEN_HCTRACE_ATTR_KNOWN_ONLY |
	      XEN_HCTRACE_ATTR_DOMAINS);
	/* Both are bounded where they are used. */
	TAKES(calls, wakeup_watermark = ~0u);
	TAKES(calls, max_latency_us = ~0u);

	REFUSES(calls, kinds = 0);
	REFUSES(calls, kinds = 1 << HCT_NR_KINDS);
	REFUSES(calls, kinds |= 1u << 31);
	REFUSES(calls, flags = 8);
	REFUSES(calls, flags = 1ull << 63);
	REFUSES(calls, sample_type = 0);
	REFUSES(calls, sample_type = IDS);
	REFUSES(calls, sample_type |= PERF_SAMPLE_TIME);
	REFUSES(calls, sample_type |= 1ull << 63);
	REFUSES(calls, reserved = 1);
}

static void test_lists(void **state)
{
	struct xen_hctrace_attr attr = calls;

	(void)state;
	REFUSES(calls, domains = 1);
	REFUSES(calls, domains = 1ull << 63);
	REFUSES(calls, pcpus = 1);
	REFUSES(raw, domains = 1);
	REFUSES(raw, pcpus = 1);
	attr.domains = 0x1000;
	attr.nr_domains = 1;
	attr.pcpus = 0x2000;
	attr.nr_pcpus = XEN_HCTRACE_ATTR_MAX_LIST;
	assert_true(hct_attr_is_valid(&attr));
	/* Nothing is there, as whoever copies it will find. */
	attr.pcpus = 0;
	assert_true(hct_attr_is_valid(&attr));
}

static void test_raw(void **state)
{
	struct xen_hctrace_attr attr = raw;

	(void)state;
	assert_true(hct_attr_is_valid(&raw));
	TAKES(raw, flags = XEN_HCTRACE_ATTR_DISABLED);
	TAKES(raw, raw_mask = 0x0021f000);
	attr.pcpus = 0x2000;
	attr.nr_pcpus = 1;
	assert_true(hct_attr_is_valid(&attr));

	REFUSES(raw, kinds = 1);
	REFUSES(raw, ops = 1);
	REFUSES(raw, nr_domains = 1);
	REFUSES(raw, flags = XEN_HCTRACE_ATTR_KNOWN_ONLY);
	REFUSES(raw, flags = XEN_HCTRACE_ATTR_DOMAINS);
	REFUSES(raw, flags = 8);
	REFUSES(raw, sample_type |= IDS);
	REFUSES(raw, sample_type = 0);
	REFUSES(raw, raw_mask = 0x00200000);	/* no sub-class */
	REFUSES(raw, raw_mask = 0x0000f000);	/* no class */
	REFUSES(raw, raw_mask = 0x0020100d);	/* an event */
	REFUSES(raw, raw_mask |= XEN_TRC_CLS_GUEST);
	REFUSES(raw, raw_mask |= 1u << 31);
	REFUSES(raw, reserved = 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_raw),
	};

	return cmocka_run_group_tests_name("attr", tests, NULL, NULL);
}
