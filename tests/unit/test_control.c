// SPDX-License-Identifier: GPL-2.0
/* The control file's grammar: good texts, bad texts, and the way back. */
#include <stdlib.h>

#include "rig.h"

#define OP(name)	(1ull << HCT_OP_##name)

/* Settings with nothing at its default, so that any change shows. */
static void init_odd(struct hct_settings *set)
{
	hct_settings_init(set, HCT_PROFILE_ALL);
	set->kinds[HCT_KIND_MEMBER] = false;
	set->kinds[HCT_KIND_DRAFT] = true;
	set->all_domains = false;
	set->domains[0] = 0x89;
	set->domains[sizeof(set->domains) - 1] = 0x80;
	set->all_ops = false;
	set->ops = OP(iret) | 1ull << 63;
	set->poll_ms = 7;
	set->breaker = false;
}

struct outcome {
	int ret;
	u32 verbs;
	char err[200];
};

/* Parse from a buffer of exactly the text's size: it is not terminated in the kernel. */
static struct outcome parse(const char *text, size_t len, struct hct_settings *set)
{
	static struct hct_settings scratch;
	struct outcome out = { .verbs = 0xdead };
	char *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	memcpy(copy, text, len);
	memset(out.err, 'x', sizeof(out.err));
	out.err[0] = '\0';
	out.ret = hct_control_parse(copy, len, set, &out.verbs, out.err, sizeof(out.err), &scratch);
	free(copy);
	return out;
}

static void assert_good(const char *text, struct hct_settings *set, u32 verbs)
{
	struct outcome out = parse(text, strlen(text), set);

	if (out.ret)
		print_error("\"%s\" is refused: %s\n", text, out.err);
	assert_int_equal(out.ret, 0);
	assert_int_equal(out.verbs, verbs);
	assert_string_equal(out.err, "");
}

/* Refused, in words, with everything else as it was. */
static void assert_bad(const char *text, size_t len)
{
	struct hct_settings set, before;
	struct outcome out;

	memset(&set, 0, sizeof(set));
	init_odd(&set);
	before = set;
	out = parse(text, len, &set);
	if (!out.ret)
		print_error("\"%s\" is taken\n", text);
	assert_int_equal(out.ret, -1);
	assert_memory_equal(&set, &before, sizeof(set));
	assert_in_range(strnlen(out.err, sizeof(out.err)), 5, sizeof(out.err) - 1);
}

static void test_verbs(void **state)
{
	struct hct_settings set, before;

	(void)state;
	memset(&set, 0, sizeof(set));
	init_odd(&set);
	before = set;
	assert_good("start", &set, HCT_VERB_START);
	assert_good("stop\n", &set, HCT_VERB_STOP);
	assert_good("reset", &set, HCT_VERB_RESET);
	assert_good("reset\nstart", &set, HCT_VERB_RESET | HCT_VERB_START);
	assert_good("stop;reset", &set, HCT_VERB_RESET | HCT_VERB_STOP);
	assert_good("start\nstart", &set, HCT_VERB_START);
	assert_good(" \t start \t\r\n\n;;", &set, HCT_VERB_START);
	assert_memory_equal(&set, &before, sizeof(set));
}

static void test_profile(void **state)
{
	static const char *const names[] = { "profile pv", "profile hvm", "profile all" };
	struct hct_settings set;
	unsigned int i;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		assert_good(names[i], &set, 0);
		assert_int_equal(set.profile, i);
		assert_string_equal(hct_profile_name(i), names[i] + strlen("profile "));
	}
	assert_int_equal(set.profile, HCT_PROFILE_ALL);
	assert_string_equal(hct_profile_name(HCT_NR_PROFILES), "?");
}

static void test_kinds(void **state)
{
	struct hct_settings set;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_false(set.kinds[HCT_KIND_DRAFT]);
	assert_good("calls off", &set, 0);
	assert_false(set.kinds[HCT_KIND_CALL]);
	assert_false(set.kinds[HCT_KIND_V1]);
	assert_true(set.kinds[HCT_KIND_MEMBER]);
	assert_good("calls on;members off", &set, 0);
	assert_true(set.kinds[HCT_KIND_CALL]);
	assert_true(set.kinds[HCT_KIND_V1]);
	assert_false(set.kinds[HCT_KIND_MEMBER]);
	assert_good("hvm off\ndraft on\n", &set, 0);
	assert_false(set.kinds[HCT_KIND_HVM]);
	assert_true(set.kinds[HCT_KIND_DRAFT]);
	/* Of two the last one holds. */
	assert_good("hvm on;hvm off;hvm\ton", &set, 0);
	assert_true(set.kinds[HCT_KIND_HVM]);
}

static void assert_domains(const char *text, const char *want)
{
	struct hct_settings set;
	const char *c = want;
	u32 domid;

	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_good(text, &set, 0);
	assert_false(set.all_domains);
	for (domid = 0; domid < XEN_DOMID_FIRST_RESERVED; domid++) {
		char *end;
		bool wanted = *c && strtoul(c, &end, 10) == domid;

		assert_int_equal(hct_settings_wants_domain(&set, domid), wanted);
		if (wanted)
			c = end;
	}
	assert_int_equal(*c, '\0');
}

static void test_domains(void **state)
{
	struct hct_settings set;

	(void)state;
	assert_domains("domains 0", "0");
	assert_domains("domains d0", "0");
	assert_domains("domains 0,3,5-7", "0 3 5 6 7");
	assert_domains("domains d0,d3,d5-d7", "0 3 5 6 7");
	assert_domains("domains 7,3,3,0-1,1-2", "0 1 2 3 7");
	assert_domains("domains 5-5", "5");
	assert_domains("domains 3 , 5 - 7 ", "3 5 6 7");
	assert_domains("domains 32751", "32751");
	assert_domains("domains 32750-32751,0", "0 32750 32751");
	assert_domains("domains 1,2;domains 8", "8");
	assert_domains("domains all;domains 8", "8");

	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_good("domains 0-32751", &set, 0);
	assert_false(set.all_domains);
	assert_true(hct_settings_wants_domain(&set, 0));
	assert_true(hct_settings_wants_domain(&set, 32751));
	assert_good("domains 3\ndomains all", &set, 0);
	assert_true(set.all_domains);
	assert_true(hct_settings_wants_domain(&set, 9));
}

static void test_ops(void **state)
{
	struct hct_settings set;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_true(hct_settings_wants_op(&set, 0xffffffff));
	assert_good("ops iret,mmu_update,40", &set, 0);
	assert_false(set.all_ops);
	assert_int_equal(set.ops, OP(iret) | OP(mmu_update) | 1ull << 40);
	assert_true(hct_settings_wants_op(&set, 23));
	assert_false(hct_settings_wants_op(&set, 24));
	assert_false(hct_settings_wants_op(&set, 64 + 23));
	assert_good("ops 0", &set, 0);
	assert_int_equal(set.ops, 1);
	assert_good("ops 63 , 1,mmu_update", &set, 0);
	assert_int_equal(set.ops, 1ull << 63 | OP(mmu_update));
	assert_good("ops all", &set, 0);
	assert_true(hct_settings_wants_op(&set, 64));
}

static void test_poll(void **state)
{
	struct hct_settings set;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_int_equal(set.poll_ms, 100);
	assert_good("poll_ms 1", &set, 0);
	assert_int_equal(set.poll_ms, 1);
	assert_good("poll_ms 1000", &set, 0);
	assert_int_equal(set.poll_ms, 1000);
	assert_good("poll_ms 000000020", &set, 0);
	assert_int_equal(set.poll_ms, 20);
}

static void test_breaker(void **state)
{
	struct hct_settings set;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_true(set.breaker);
	assert_good("breaker off", &set, 0);
	assert_false(set.breaker);
	assert_good("breaker\ton\n", &set, 0);
	assert_true(set.breaker);
	assert_good("start;breaker off", &set, HCT_VERB_START);
	assert_false(set.breaker);
}

static void test_everything_at_once(void **state)
{
	struct hct_settings set;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_good("stop;profile hvm;calls off;members off;hvm on;draft on\n"
		    "domains 1,2\r\n\tops iret ; poll_ms 50\n\n", &set, HCT_VERB_STOP);
	assert_int_equal(set.profile, HCT_PROFILE_HVM);
	assert_int_equal(set.domains[0], 6);
	assert_int_equal(set.ops, OP(iret));
	assert_int_equal(set.poll_ms, 50);
	assert_true(set.kinds[HCT_KIND_DRAFT]);
}

/* Each of these is refused; some change a setting before the slip. */
#define TEXT(s)	{ s, sizeof(s) - 1 }	/* NUL bytes within included */

static const struct {
	const char *text;
	size_t len;
} bad_texts[] = {
	TEXT(""), TEXT("\n"), TEXT(";"), TEXT(" \t\r\n;;\n"), TEXT("go"), TEXT("Start"),
	TEXT("START"), TEXT("starts"), TEXT("star"), TEXT("start now"), TEXT("start 1"),
	TEXT("start\nstop"), TEXT("stop;start"), TEXT("reset on"), TEXT("start;reset;stop"),
	TEXT("start stop"), TEXT("calls"), TEXT("calls yes"), TEXT("calls ON"), TEXT("calls 1"),
	TEXT("calls on off"), TEXT("members onn"), TEXT("hvm o"), TEXT("draft"),
	TEXT("draft of"), TEXT("v1 on"), TEXT("call on"), TEXT("poll 5"), TEXT("=5"),
	TEXT("# calls off"), TEXT("calls off,members off"), TEXT("calls\xa0off"),
	TEXT("calls\von"), TEXT("\xff\xfe\xfd"), TEXT("\x01\x02\x7f"),
	TEXT("profile"), TEXT("profile "), TEXT("profile PV"), TEXT("profile pvh"),
	TEXT("profile p"), TEXT("profile pv hvm"), TEXT("profile pv,"), TEXT("profile 0"),
	TEXT("domains"), TEXT("domains "), TEXT("domains ,"), TEXT("domains 3,"),
	TEXT("domains ,3"), TEXT("domains 3,,5"), TEXT("domains 3 , "), TEXT("domains 5-3"),
	TEXT("domains 3-"), TEXT("domains -3"), TEXT("domains -"), TEXT("domains 3--5"),
	TEXT("domains 3-5-7"), TEXT("domains 32752"), TEXT("domains 0-32752"),
	TEXT("domains 4294967296"), TEXT("domains 4294967299"),
	TEXT("domains 99999999999999999999999999"), TEXT("domains 0000000003"),
	TEXT("domains d"), TEXT("domains dd0"), TEXT("domains d-1"), TEXT("domains D0"),
	TEXT("domains 0x3"), TEXT("domains +3"), TEXT("domains 3 5"), TEXT("domains all,3"),
	TEXT("domains 3,all"), TEXT("domains ALL"), TEXT("domains Domain-0"),
	TEXT("domains 3.5"), TEXT("domains 1,2,d3-d1"),
	TEXT("ops"), TEXT("ops ,"), TEXT("ops iret,"), TEXT("ops ,iret"), TEXT("ops iret,,iret"),
	TEXT("ops 64"), TEXT("ops -1"), TEXT("ops 0x17"), TEXT("ops IRET"), TEXT("ops ire"),
	TEXT("ops irett"), TEXT("ops 1-3"), TEXT("ops iret mmu_update"), TEXT("ops all,iret"),
	TEXT("ops iret,all"), TEXT("ops sched_op/block"), TEXT("ops 99999999999"),
	TEXT("ops malformed"),
	TEXT("breaker"), TEXT("breaker 1"), TEXT("breaker on off"), TEXT("breakers on"),
	TEXT("poll_ms"), TEXT("poll_ms 0"), TEXT("poll_ms 1001"), TEXT("poll_ms -1"),
	TEXT("poll_ms 1 0"), TEXT("poll_ms 4294967297"), TEXT("poll_ms 10ms"),
	TEXT("poll_ms 1,2"), TEXT("poll_ms on"), TEXT("poll_ms 0000000100"), TEXT("poll_ms=5"),
	TEXT("start\0"), TEXT("\0start"), TEXT("\0"), TEXT("calls on\0"), TEXT("calls\0on"),
	TEXT("domains 3\0,5"), TEXT("start\0\nstart"), TEXT("ops iret\0"),
	/* Everything before and behind the slip is void too. */
	TEXT("poll_ms 50\ncalls off\ndomains all\nops all\nprofile pv\nbogus"),
	TEXT("start;bogus"), TEXT("bogus;start"), TEXT("domains 1,2,3,x"), TEXT("ops iret,xyz"),
	TEXT("poll_ms 20;poll_ms 0"), TEXT("members on;;members\t;"),
};

static void test_bad(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad_texts); i++)
		assert_bad(bad_texts[i].text, bad_texts[i].len);
}

/* What is to be done is as void as the settings. */
static void test_bad_leaves_verbs(void **state)
{
	struct hct_settings set;
	struct outcome out;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	out = parse("start\nbogus", 11, &set);
	assert_int_equal(out.ret, -1);
	assert_int_equal(out.verbs, 0xdead);
}

static void test_very_long(void **state)
{
	struct hct_settings set;
	size_t size = 100000;
	char *text = malloc(size);
	size_t len;

	(void)state;
	assert_non_null(text);
	memset(text, 'a', size);
	assert_bad(text, size);
	memset(text, '9', size);
	memcpy(text, "domains ", 8);
	assert_bad(text, size);
	memset(text, ',', size);
	memcpy(text, "ops ", 4);
	assert_bad(text, size);

	/* Long, and good. */
	memset(text, '\n', size);
	memcpy(text + size - 5, "start", 5);
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_int_equal(parse(text, size, &set).ret, 0);
	len = sprintf(text, "domains 0");
	while (len < 50000)
		len += sprintf(text + len, ",%zu", len % 32752);
	assert_int_equal(parse(text, len, &set).ret, 0);
	free(text);
}

/* Every byte, alone and behind a good line. */
static void test_single_bytes(void **state)
{
	char text[] = "poll_ms 5?";
	unsigned int byte;

	(void)state;
	for (byte = 0; byte < 256; byte++) {
		const char alone = byte;
		bool blank = byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' ||
			     byte == ';';
		bool digit = byte >= '0' && byte <= '9';

		assert_bad(&alone, 1);
		text[9] = byte;
		if (blank || digit) {
			struct hct_settings set;

			hct_settings_init(&set, HCT_PROFILE_PV);
			assert_int_equal(parse(text, 10, &set).ret, 0);
			assert_int_equal(set.poll_ms, digit ? 50 + byte - '0' : 5);
		} else {
			assert_bad(text, 10);
		}
	}
}

/* The message names the line and shows nothing that could garble a terminal. */
static void test_messages(void **state)
{
	struct hct_settings set;
	struct hct_settings scratch;
	struct outcome out;
	const char *c;
	char tiny[8];
	u32 verbs;

	(void)state;
	hct_settings_init(&set, HCT_PROFILE_PV);
	out = parse("calls on\ncalls off\n\npoll_ms 7\033[2J\xff", 35, &set);
	assert_int_equal(out.ret, -1);
	assert_non_null(strstr(out.err, "line 4"));
	assert_non_null(strstr(out.err, "poll_ms 7"));
	for (c = out.err; *c; c++)
		assert_in_range(*c, ' ', '~');

	/* However little room there is. */
	memset(tiny, 'x', sizeof(tiny));
	assert_int_equal(hct_control_parse("x", 1, &set, &verbs, tiny, 5, &scratch), -1);
	assert_string_equal(tiny, "line");
	assert_int_equal(tiny[5], 'x');
}

/* What the file reads as is what it takes. */
static void assert_round_trip(const struct hct_settings *set, bool tracing)
{
	static char text[32 << 10], again[32 << 10];
	struct hct_settings back;
	struct outcome out;
	size_t len;

	memset(text, 'x', sizeof(text));
	len = hct_control_format(set, tracing, text, sizeof(text));
	assert_int_equal(strnlen(text, sizeof(text)), len);
	assert_true(len < sizeof(text) - 1);
	assert_int_equal(text[len - 1], '\n');

	/* Onto settings that differ in everything. */
	hct_settings_init(&back, HCT_PROFILE_HVM);
	back.poll_ms = 999;
	back.breaker = !set->breaker;
	memset(back.kinds, 1, sizeof(back.kinds));
	out = parse(text, len, &back);
	if (out.ret)
		print_error("%s\n", out.err);
	assert_int_equal(out.ret, 0);
	assert_int_equal(out.verbs, tracing ? HCT_VERB_START : HCT_VERB_STOP);

	assert_int_equal(back.profile, set->profile);
	assert_memory_equal(back.kinds, set->kinds, sizeof(set->kinds));
	assert_int_equal(back.all_domains, set->all_domains);
	assert_int_equal(back.all_ops, set->all_ops);
	assert_int_equal(back.poll_ms, set->poll_ms);
	assert_int_equal(back.breaker, set->breaker);
	if (!set->all_ops)
		assert_int_equal(back.ops, set->ops);
	if (!set->all_domains)
		assert_memory_equal(back.domains, set->domains, sizeof(set->domains));
	assert_int_equal(hct_control_format(&back, tracing, again, sizeof(again)), len);
	assert_string_equal(again, text);
}

static void test_round_trip(void **state)
{
	struct hct_settings set;
	unsigned int i;
	u64 seed = 3;

	(void)state;
	for (i = 0; i < HCT_NR_PROFILES; i++) {
		hct_settings_init(&set, i);
		assert_round_trip(&set, true);
		assert_round_trip(&set, false);
	}
	init_odd(&set);
	assert_round_trip(&set, true);

	for (i = 0; i < 300; i++) {
		u32 nr = 1 + rig_random(&seed, 300);

		init_odd(&set);
		set.kinds[rig_random(&seed, 3)] = rig_random(&seed, 2);
		set.kinds[HCT_KIND_V1] = set.kinds[HCT_KIND_CALL];
		set.ops = 1ull << rig_random(&seed, 64) | 1ull << rig_random(&seed, 64);
		while (nr--) {
			u32 domid = rig_random(&seed, XEN_DOMID_FIRST_RESERVED);

			set.domains[domid / 8] |= 1u << domid % 8;
		}
		assert_round_trip(&set, i & 1);
	}
}

/* The worst that a text of 4 KiB can do still fits into 32 KiB. */
static void test_round_trip_of_long_list(void **state)
{
	struct hct_settings set;
	char text[4096];
	size_t len = sprintf(text, "domains 0");
	u32 domid = 2;

	(void)state;
	while (len < sizeof(text) - 7) {
		len += sprintf(text + len, ",%u", domid);
		domid += 2;
	}
	hct_settings_init(&set, HCT_PROFILE_PV);
	assert_int_equal(parse(text, len, &set).ret, 0);
	assert_round_trip(&set, true);
	assert_int_equal(parse("ops 0,1,2,3,60,61,62,63,11,43", 29, &set).ret, 0);
	assert_round_trip(&set, true);
}

static void test_format_in_little_room(void **state)
{
	struct hct_settings set;
	char full[512], text[512];
	size_t size, len;

	(void)state;
	init_odd(&set);
	len = hct_control_format(&set, true, full, sizeof(full));
	for (size = 1; size <= len + 1; size++) {
		memset(text, '#', sizeof(text));
		assert_int_equal(hct_control_format(&set, true, text, size), size - 1);
		assert_memory_equal(text, full, size - 1);
		assert_int_equal(text[size - 1], '\0');
		assert_int_equal(text[size], '#');
	}
}

static void test_format_text(void **state)
{
	struct hct_settings set;
	char text[512];

	(void)state;
	init_odd(&set);
	hct_control_format(&set, false, text, sizeof(text));
	assert_string_equal(text, "stop\nprofile all\ncalls on\nmembers off\nhvm on\ndraft on\n"
			    "domains 0,3,7,32751\nops iret,63\npoll_ms 7\nbreaker off\n");
	hct_settings_init(&set, HCT_PROFILE_PV);
	set.all_domains = false;
	set.domains[0] = 0xef;
	set.domains[1] = 0x01;
	set.domains[sizeof(set.domains) - 1] = 0xe0;
	hct_control_format(&set, true, text, sizeof(text));
	assert_string_equal(text, "start\nprofile pv\ncalls on\nmembers on\nhvm on\ndraft off\n"
			    "domains 0-3,5-8,32749-32751\nops all\npoll_ms 100\nbreaker on\n");
}

/* Class and sub-class bits of what each profile needs; the class that guests write, never. */
static void test_masks(void **state)
{
	static const struct {
		u8 profile;
		bool members;
		u32 mask;
	} cases[] = {
		{ HCT_PROFILE_PV, true, 0x00263000 },
		{ HCT_PROFILE_PV, false, 0x00261000 },
		{ HCT_PROFILE_HVM, true, 0x002aa000 },
		{ HCT_PROFILE_ALL, true, 0x002eb000 },
	};
	struct hct_settings set;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		hct_settings_init(&set, cases[i].profile);
		set.kinds[HCT_KIND_MEMBER] = cases[i].members;
		assert_int_equal(hct_settings_mask(&set), cases[i].mask);
		assert_false(hct_settings_mask(&set) & XEN_TRC_CLS_GUEST);
	}
}

/* What a reader of some kinds asks Xen for; it cannot be credited without more. */
static void test_kinds_mask(void **state)
{
	const u32 call = 1 << HCT_KIND_CALL, member = 1 << HCT_KIND_MEMBER;
	const u32 hvm = 1 << HCT_KIND_HVM;
	static const struct {
		u32 kinds;
		bool pv;
		u32 mask;
	} cases[] = {
		{ 1 << HCT_KIND_CALL, true, 0x00261000 },
		{ 1 << HCT_KIND_V1, false, 0x00261000 },
		{ 1 << HCT_KIND_DRAFT, true, 0x00261000 },
		{ 1 << HCT_KIND_MEMBER, true, 0x00263000 },
		{ 1 << HCT_KIND_MEMBER, false, 0x002aa000 },
		{ 1 << HCT_KIND_HVM, true, 0x002aa000 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(hct_kinds_mask(cases[i].kinds, cases[i].pv), cases[i].mask);
	for (i = 0; i < 2; i++) {
		assert_int_equal(hct_kinds_mask(call | member, i), 0x00263000);
		assert_int_equal(hct_kinds_mask(hvm | member, i), 0x002aa000);
		assert_int_equal(hct_kinds_mask(call | hvm, i), 0x002eb000);
		assert_int_equal(hct_kinds_mask(call | hvm | member, i), 0x002eb000);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_kinds_mask),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_poll),
		cmocka_unit_test(test_breaker),
		cmocka_unit_test(test_everything_at_once),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_bad_leaves_verbs),
		cmocka_unit_test(test_very_long),
		cmocka_unit_test(test_single_bytes),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_round_trip_of_long_list),
		cmocka_unit_test(test_format_in_little_room),
		cmocka_unit_test(test_format_text),
		cmocka_unit_test(test_masks),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
