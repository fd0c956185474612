// SPDX-License-Identifier: GPL-2.0
/* What a reader's filter lets through, criterion by criterion. */
#include "rig.h"

#include <hctrace/filter.h>

static const struct xen_hctrace_call call = {
	.op = 63,
	.domid = 64,
	.pcpu = 4095,
	.kind = XEN_HCTRACE_KIND_HVM,
};

static bool passes(const struct hct_filter *filter, u32 op, u16 domid, u16 pcpu)
{
	struct xen_hctrace_call other = call;

	other.op = op;
	other.domid = domid;
	other.pcpu = pcpu;
	return hct_filter_call(filter, &other);
}

static void test_kinds(void **state)
{
	struct hct_filter filter = { .kinds = 0 };
	struct xen_hctrace_call other = call;

	(void)state;
	for (other.kind = 0; other.kind <= XEN_HCTRACE_KIND_DRAFT; other.kind++) {
		filter.kinds = 0;
		assert_false(hct_filter_call(&filter, &other));
		filter.kinds = 1u << other.kind;
		assert_true(hct_filter_call(&filter, &other));
		filter.kinds = ~filter.kinds;
		assert_false(hct_filter_call(&filter, &other));
	}
}

static void test_ops(void **state)
{
	struct hct_filter filter = { .kinds = ~0u };

	(void)state;
	assert_true(passes(&filter, 63, 0, 0));
	assert_true(passes(&filter, 64, 0, 0));
	assert_true(passes(&filter, ~0u, 0, 0));
	filter.ops = 1ull << 63 | 1;
	assert_true(passes(&filter, 0, 0, 0));
	assert_true(passes(&filter, 63, 0, 0));
	assert_false(passes(&filter, 1, 0, 0));
	assert_false(passes(&filter, 62, 0, 0));
	assert_false(passes(&filter, 64, 0, 0));
	assert_false(passes(&filter, 64 + 63, 0, 0));
	assert_false(passes(&filter, ~0u, 0, 0));
}

static void test_sets(void **state)
{
	static u64 domains[HCT_SET_WORDS];
	static u64 pcpus[HCT_SET_WORDS];
	const struct hct_filter both = { .kinds = ~0u, .domains = domains, .pcpus = pcpus };
	const struct hct_filter pcpu_only = { .kinds = ~0u, .pcpus = pcpus };
	unsigned int i, nr = 0;

	(void)state;
	hct_set_add(domains, 0);
	hct_set_add(domains, 64);
	hct_set_add(domains, XEN_HCTRACE_UNKNOWN);
	hct_set_add(pcpus, 4095);
	assert_true(passes(&both, 1, 0, 4095));
	assert_true(passes(&both, 1, 64, 4095));
	assert_true(passes(&both, 1, XEN_HCTRACE_UNKNOWN, 4095));
	assert_false(passes(&both, 1, 1, 4095));
	assert_false(passes(&both, 1, 64, 0));
	assert_true(passes(&pcpu_only, 1, 1, 4095));
	assert_false(passes(&pcpu_only, 1, 1, 4094));
	for (i = 0; i < 65536; i++)
		nr += passes(&both, 1, i, 4095);
	assert_int_equal(nr, 3);
}

static void test_known_only(void **state)
{
	const struct hct_filter filter = { .kinds = ~0u, .known_only = true };

	(void)state;
	assert_true(passes(&filter, 1, 5, 0));
	assert_false(passes(&filter, 1, XEN_HCTRACE_UNKNOWN, 0));
}

static void test_raw_mask(void **state)
{
	(void)state;
	/* Class and sub-class, wherever they come from */
	assert_true(hct_filter_raw(XEN_TRC_MASK_PV, XEN_TRC_PV_HYPERCALL_V2));
	assert_false(hct_filter_raw(XEN_TRC_MASK_PV, XEN_TRC_PV_SUBCALL));
	assert_true(hct_filter_raw(XEN_TRC_MASK_PV_MEMBERS, XEN_TRC_PV_SUBCALL));
	assert_false(hct_filter_raw(XEN_TRC_MASK_PV_MEMBERS, XEN_TRC_HVM_VMMCALL));
	assert_true(hct_filter_raw(XEN_TRC_MASK_HVM, XEN_TRC_HVM_VMMCALL));
	assert_false(hct_filter_raw(XEN_TRC_MASK_HVM, XEN_TRC_PV_HYPERCALL_V2));
	assert_false(hct_filter_raw(0x00200000, XEN_TRC_PV_SUBCALL));	/* no sub-class */
	assert_false(hct_filter_raw(0x00002000, XEN_TRC_PV_SUBCALL));	/* no class */
	assert_false(hct_filter_raw(0x00202fff, 0x00400fff));		/* minors are no bits */
	/* Never, always */
	assert_false(hct_filter_raw(~0u, XEN_TRC_WRAP));
	assert_false(hct_filter_raw(~0u, 0x08001001));
	assert_false(hct_filter_raw(~0u, 0x08201001));
	assert_true(hct_filter_raw(~0u, 0x04001001));
	assert_true(hct_filter_raw(0x00201000, XEN_TRC_LOST_RECORDS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_known_only),
		cmocka_unit_test(test_raw_mask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
