// SPDX-License-Identifier: GPL-2.0
/* Domains that come and go, in a reader's ring: to the byte, in turn, and with no room. */
#include <limits.h>

#include "out_rig.h"

#define TASK_BYTES	32u

/* What the reader saw: the last state of each domain, and how often it was told. */
static struct seen {
	u32 told[65536];
	bool lives[65536];
	u64 calls;	/* read before the last one was told */
} seen;

static void see_domain(void *ctx, uint16_t domid, bool created, uint64_t ns)
{
	struct out_rig *rig = ctx;

	(void)ns;
	seen.told[domid]++;
	seen.lives[domid] = created;
	seen.calls = rig->r.calls;
}

static struct out_rig *domains_rig(bool with_ids, u32 pages)
{
	struct hct_out_config cfg = out_config();
	struct out_rig *rig;

	cfg.with_ids = with_ids;
	cfg.with_domains = true;
	rig = out_rig_new(&cfg, pages);
	rig->r.on_domain = see_domain;
	memset(&seen, 0, sizeof(seen));
	return rig;
}

static void domain(struct out_rig *rig, u16 domid, bool created)
{
	const struct hct_domain_event event = {
		.at = { .ns = 1000 + rig->sent, .pcpu = 5 }, .domid = domid, .created = created,
	};

	rig->wakeups += hct_out_domain(rig->out, &event);
	out_rig_check(rig);
}

static void test_bytes(void **state)
{
	struct out_rig *rig = domains_rig(false, 1);

	(void)state;
	rig->sent = 0x0102030405060708 - 1000;
	domain(rig, 0x1234, true);
	domain(rig, 0x1234, false);
	out_bytes(rig, 0, "07000000 0000 2000 34120000 00000000 3412002000000000 0807060504030201");
	out_bytes(rig, TASK_BYTES,
		  "04000000 0000 2000 34120000 00000000 34120020 00000000 0807060504030201 ee");
	out_rig_drain(rig);
	assert_int_equal(seen.told[0x1234], 2);
	out_rig_free(rig);
}

static void test_bytes_with_ids(void **state)
{
	struct out_rig *rig = domains_rig(true, 1);

	(void)state;
	rig->sent = 0x0102030405060708 - 1000;
	domain(rig, 3, false);
	out_bytes(rig, 0, "04000000 0000 3800 03000000 00000000 0300002000000000 0807060504030201");
	out_bytes(rig, TASK_BYTES, "03000000 03000020 0807060504030201 05000000 00000000 ee");
	out_rig_drain(rig);
	assert_int_equal(seen.told[3], 1);
	assert_false(seen.lives[3]);
	out_rig_free(rig);
}

/* Between the calls before and behind it. */
static void test_in_turn(void **state)
{
	struct out_rig *rig = domains_rig(true, 4);
	u32 i;

	(void)state;
	for (i = 0; i < 10; i++) {
		out_rig_call(rig);
		domain(rig, i, i & 1);
		out_rig_flush(rig, 2000);
		out_rig_read(rig, INT_MAX);
		assert_int_equal(seen.calls, i + 1);
		assert_int_equal(seen.lives[i], i & 1);
	}
	out_rig_drain(rig);
	assert_int_equal(rig->out->count.matched, 10);
	assert_int_equal(rig->out->count.written, 10);
	out_rig_free(rig);
}

/* Those of a filter, of domains that can be, and only if asked for. */
static void test_left_out(void **state)
{
	static u64 domains[HCT_SET_WORDS];
	struct hct_out_config cfg = out_config();
	struct out_rig *rig = out_rig_new(&cfg, 1);

	(void)state;
	domain(rig, 3, false);
	assert_int_equal(rig->out->head, 0);
	out_rig_free(rig);

	cfg.raw_mask = XEN_TRC_MASK_PV_MEMBERS;
	cfg.with_domains = true;
	rig = out_rig_new(&cfg, 1);
	domain(rig, 3, false);
	assert_int_equal(rig->out->head, 0);
	out_rig_free(rig);

	cfg.raw_mask = 0;
	hct_set_add(domains, 3);
	cfg.filter.domains = domains;
	rig = out_rig_new(&cfg, 1);
	rig->r.on_domain = see_domain;
	memset(&seen, 0, sizeof(seen));
	domain(rig, 4, false);
	domain(rig, XEN_DOMID_FIRST_RESERVED, false);
	hct_out_enable(rig->out, false);
	domain(rig, 3, false);
	assert_int_equal(rig->out->head, 0);
	hct_out_enable(rig->out, true);
	domain(rig, 3, false);
	out_rig_drain(rig);
	assert_int_equal(seen.told[3], 1);
	out_rig_free(rig);
}

/* No room: told before the next call, once for each domain, as it stands then. */
static void test_full(void **state)
{
	struct out_rig *rig = domains_rig(false, 1);
	u32 i;

	(void)state;
	while (!rig->out->count.lost)
		out_rig_call(rig);
	for (i = 0; i < 10; i++) {
		domain(rig, 7, true);
		domain(rig, 7, false);
		domain(rig, 8, true);
	}
	assert_int_equal(rig->out->nr_doms_due, 2);
	out_rig_read(rig, INT_MAX);
	assert_int_equal(seen.told[7] + seen.told[8], 0);
	out_rig_call(rig);
	out_rig_drain(rig);
	assert_int_equal(rig->out->nr_doms_due, 0);
	assert_int_equal(seen.told[7], 1);
	assert_int_equal(seen.told[8], 1);
	assert_false(seen.lives[7]);
	assert_true(seen.lives[8]);
	assert_int_equal(seen.calls, rig->r.calls - 1);
	out_rig_free(rig);
}

/* While paused it is kept, and told afterwards though no call comes. */
static void test_paused(void **state)
{
	struct out_rig *rig = domains_rig(true, 0);

	(void)state;
	domain(rig, 1, true);
	out_rig_map(rig, 1);
	hct_out_pause(rig->out, true);
	domain(rig, 2, false);
	out_rig_flush(rig, 2000);
	assert_int_equal(rig->out->head, 0);
	hct_out_pause(rig->out, false);
	out_rig_drain(rig);
	assert_int_equal(seen.told[1], 1);
	assert_true(seen.lives[1]);
	assert_int_equal(seen.told[2], 1);
	out_rig_free(rig);
}

/* Whatever comes in whatever order: all is accounted for, and the last word is the right one. */
static void test_random(void **state)
{
	static bool lives[40];
	u64 seed = 5;
	u32 round, i, n;

	(void)state;
	for (round = 0; round < 8; round++) {
		struct out_rig *rig = domains_rig(round & 1, 1 << round / 2);

		memset(lives, 0, sizeof(lives));
		for (i = 0; i < 400; i++) {
			switch (rig_random(&seed, 5)) {
			case 0:
				out_rig_read(rig, rig_random(&seed, 60));
				break;
			case 1:
				out_rig_loss(rig, rig_random(&seed, 9), rig_random(&seed, 5));
				break;
			case 2:
				n = rig_random(&seed, 40);
				lives[n] = rig_random(&seed, 2);
				domain(rig, n, lives[n]);
				break;
			default:
				for (n = rig_random(&seed, 15 << round / 2); n; n--)
					out_rig_call(rig);
			}
		}
		out_rig_drain(rig);
		assert_int_equal(rig->next, rig->sent);
		assert_true(rig->out->count.lost);
		assert_int_equal(rig->out->nr_doms_due, 0);
		for (i = 0; i < ARRAY_SIZE(lives); i++)
			assert_int_equal(seen.lives[i], lives[i]);
		out_rig_free(rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bytes_with_ids),
		cmocka_unit_test(test_in_turn),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_paused),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
