// SPDX-License-Identifier: GPL-2.0
/* The grammar of the control file; see control.h. */
#include <hctrace/control.h>

/* A piece of the text, not terminated. */
struct span {
	const char *s;
	size_t len;
};

static const char *const profile_names[HCT_NR_PROFILES] = {
	[HCT_PROFILE_PV] = "pv",
	[HCT_PROFILE_HVM] = "hvm",
	[HCT_PROFILE_ALL] = "all",
};

/* The on/off settings, in the order they are shown. */
static const struct {
	const char *key;
	u8 kind;
} kind_keys[] = {
	{ "calls", HCT_KIND_CALL },
	{ "members", HCT_KIND_MEMBER },
	{ "hvm", HCT_KIND_HVM },
	{ "draft", HCT_KIND_DRAFT },
};

static bool span_is(struct span a, const char *s)
{
	return strlen(s) == a.len && !memcmp(a.s, s, a.len);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct span trim_span(struct span a)
{
	while (a.len && is_blank(*a.s)) {
		a.s++;
		a.len--;
	}
	while (a.len && is_blank(a.s[a.len - 1]))
		a.len--;
	return a;
}

/* Cut off what stands before the first of @seps; @rest goes on behind it. */
static struct span cut_span(struct span *rest, const char *seps)
{
	struct span head = { rest->s, 0 };

	while (head.len < rest->len && !(rest->s[head.len] && strchr(seps, rest->s[head.len])))
		head.len++;
	rest->s += head.len;
	rest->len -= head.len;
	if (rest->len) {
		rest->s++;
		rest->len--;
	}
	return head;
}

/* "3," is a slip of the pen, not the list of one. */
static bool ends_in_comma(struct span a)
{
	return a.len && a.s[a.len - 1] == ',';
}

static bool parse_number(struct span a, u32 max, u32 *value)
{
	u32 v = 0;
	size_t i;

	if (!a.len || a.len > 9)
		return false;
	for (i = 0; i < a.len; i++) {
		if (a.s[i] < '0' || a.s[i] > '9')
			return false;
		v = 10 * v + (a.s[i] - '0');
	}
	*value = v;
	return v <= max;
}

static bool parse_domid(struct span a, u32 *domid)
{
	if (a.len && *a.s == 'd') {
		a.s++;
		a.len--;
	}
	return parse_number(a, XEN_DOMID_FIRST_RESERVED - 1, domid);
}

static const char *parse_domains(struct span value, struct hct_settings *set)
{
	if (span_is(value, "all")) {
		set->all_domains = true;
		return NULL;
	}

	if (ends_in_comma(value))
		return "the list of domains ends in a comma";
	set->all_domains = false;
	memset(set->domains, 0, sizeof(set->domains));
	do {
		struct span item = cut_span(&value, ",");
		struct span from = cut_span(&item, "-");
		bool is_range = item.s > from.s + from.len;
		u32 lo, hi;

		from = trim_span(from);
		if (!parse_domid(from, &lo))
			return "a domain id is a number from 0 to 32751";
		hi = lo;
		if (is_range && !parse_domid(trim_span(item), &hi))
			return "a range of domains is two numbers from 0 to 32751";
		if (hi < lo)
			return "a range of domains must not run backwards";
		for (; lo <= hi; lo++)
			set->domains[lo / 8] |= 1u << (lo % 8);
	} while (value.len);
	return NULL;
}

static const char *parse_ops(struct span value, struct hct_settings *set)
{
	if (span_is(value, "all")) {
		set->all_ops = true;
		return NULL;
	}

	if (ends_in_comma(value))
		return "the list of ops ends in a comma";
	set->all_ops = false;
	set->ops = 0;
	do {
		struct span item = trim_span(cut_span(&value, ","));
		int op = hct_op_by_name(item.s, item.len);
		u32 nr;

		if (op < 0) {
			if (!parse_number(item, HCT_NR_OPS - 1, &nr))
				return "an op is a hypercall's name or a number from 0 to 63";
			op = nr;
		}
		set->ops |= 1ull << op;
	} while (value.len);
	return NULL;
}

static const char *parse_profile(struct span value, struct hct_settings *set)
{
	unsigned int i;

	for (i = 0; i < HCT_NR_PROFILES; i++) {
		if (span_is(value, profile_names[i])) {
			set->profile = i;
			return NULL;
		}
	}
	return "a profile is pv, hvm or all";
}

static const char *parse_verb(struct span key, u32 *verbs)
{
	u32 verb;

	if (span_is(key, "start"))
		verb = HCT_VERB_START;
	else if (span_is(key, "stop"))
		verb = HCT_VERB_STOP;
	else if (span_is(key, "reset"))
		verb = HCT_VERB_RESET;
	else
		return "unknown key, or a key without a value";

	*verbs |= verb;
	if ((*verbs & HCT_VERB_START) && (*verbs & HCT_VERB_STOP))
		return "start and stop in one text";
	return NULL;
}

static const char *parse_switch(struct span value, bool *on)
{
	if (!span_is(value, "on") && !span_is(value, "off"))
		return "this is either on or off";
	*on = span_is(value, "on");
	return NULL;
}

static const char *parse_line(struct span line, struct hct_settings *set, u32 *verbs)
{
	struct span value = line;
	struct span key = cut_span(&value, " \t");
	unsigned int i;

	value = trim_span(value);
	if (!value.len)
		return parse_verb(key, verbs);
	if (span_is(key, "profile"))
		return parse_profile(value, set);
	if (span_is(key, "domains"))
		return parse_domains(value, set);
	if (span_is(key, "ops"))
		return parse_ops(value, set);
	if (span_is(key, "poll_ms")) {
		if (parse_number(value, HCT_POLL_MS_MAX, &set->poll_ms) && set->poll_ms)
			return NULL;
		return "poll_ms is a number from 1 to 1000";
	}
	if (span_is(key, "breaker"))
		return parse_switch(value, &set->breaker);

	for (i = 0; i < ARRAY_SIZE(kind_keys); i++) {
		if (span_is(key, kind_keys[i].key))
			return parse_switch(value, &set->kinds[kind_keys[i].kind]);
	}
	return "unknown key";
}

/* The line itself, as far as it can be shown: guests have no say in it, users have. */
static void say_error(char *err, size_t size, unsigned int nr, struct span line, const char *why)
{
	char shown[40];
	size_t i;

	for (i = 0; i < line.len && i < sizeof(shown) - 1; i++)
		shown[i] = line.s[i] >= ' ' && line.s[i] <= '~' ? line.s[i] : '?';
	shown[i] = '\0';
	scnprintf(err, size, "line %u, \"%s%s\": %s", nr, shown, i < line.len ? "..." : "", why);
}

int hct_control_parse(const char *text, size_t len, struct hct_settings *set, u32 *verbs,
		      char *err, size_t err_size, struct hct_settings *scratch)
{
	struct span rest = { text, len };
	unsigned int nr = 0;
	bool empty = true;
	u32 said = 0;

	*scratch = *set;
	while (rest.len) {
		struct span line = trim_span(cut_span(&rest, "\n;"));
		const char *why;

		nr++;
		if (!line.len)
			continue;
		empty = false;
		why = parse_line(line, scratch, &said);
		if (why) {
			say_error(err, err_size, nr, line, why);
			return -1;
		}
	}
	if (empty) {
		scnprintf(err, err_size, "nothing was said");
		return -1;
	}
	scratch->kinds[HCT_KIND_V1] = scratch->kinds[HCT_KIND_CALL];
	*set = *scratch;
	*verbs = said;
	return 0;
}

static size_t format_domains(const struct hct_settings *set, char *buf, size_t size)
{
	const char *sep = "";
	size_t len = 0;
	u32 lo, hi;

	for (lo = 0; lo < XEN_DOMID_FIRST_RESERVED; lo = hi + 1) {
		hi = lo;
		if (!(set->domains[lo / 8] & (1u << (lo % 8))))
			continue;
		while (hi + 1 < XEN_DOMID_FIRST_RESERVED &&
		       set->domains[(hi + 1) / 8] & (1u << ((hi + 1) % 8)))
			hi++;
		len += scnprintf(buf + len, size - len, "%s%u", sep, lo);
		if (hi > lo)
			len += scnprintf(buf + len, size - len, "-%u", hi);
		sep = ",";
	}
	return len;
}

static size_t format_ops(const struct hct_settings *set, char *buf, size_t size)
{
	const char *sep = "";
	size_t len = 0;
	u32 op;

	for (op = 0; op < HCT_NR_OPS; op++) {
		if (!(set->ops & (1ull << op)))
			continue;
		if (hct_op_name(op))
			len += scnprintf(buf + len, size - len, "%s%s", sep, hct_op_name(op));
		else
			len += scnprintf(buf + len, size - len, "%s%u", sep, op);
		sep = ",";
	}
	return len;
}

size_t hct_control_format(const struct hct_settings *set, bool tracing, char *buf, size_t size)
{
	unsigned int i;
	size_t len = 0;

	len += scnprintf(buf, size, "%s\nprofile %s\n", tracing ? "start" : "stop",
			 hct_profile_name(set->profile));
	for (i = 0; i < ARRAY_SIZE(kind_keys); i++)
		len += scnprintf(buf + len, size - len, "%s %s\n", kind_keys[i].key,
				 set->kinds[kind_keys[i].kind] ? "on" : "off");

	len += scnprintf(buf + len, size - len, "domains ");
	if (set->all_domains)
		len += scnprintf(buf + len, size - len, "all");
	else
		len += format_domains(set, buf + len, size - len);

	len += scnprintf(buf + len, size - len, "\nops ");
	if (set->all_ops)
		len += scnprintf(buf + len, size - len, "all");
	else
		len += format_ops(set, buf + len, size - len);

	len += scnprintf(buf + len, size - len, "\npoll_ms %u\nbreaker %s\n", set->poll_ms,
			 set->breaker ? "on" : "off");
	return len;
}

void hct_settings_init(struct hct_settings *set, enum hct_profile profile)
{
	memset(set, 0, sizeof(*set));
	set->profile = profile;
	set->kinds[HCT_KIND_CALL] = true;
	set->kinds[HCT_KIND_MEMBER] = true;
	set->kinds[HCT_KIND_HVM] = true;
	set->kinds[HCT_KIND_V1] = true;
	set->all_domains = true;
	set->all_ops = true;
	set->poll_ms = HCT_POLL_MS_DEFAULT;
	set->breaker = true;
}

const char *hct_profile_name(unsigned int profile)
{
	return profile < HCT_NR_PROFILES ? profile_names[profile] : "?";
}

u32 hct_settings_mask(const struct hct_settings *set)
{
	switch (set->profile) {
	case HCT_PROFILE_HVM:
		return XEN_TRC_MASK_HVM;
	case HCT_PROFILE_ALL:
		return XEN_TRC_MASK_ALL;
	default:
		return set->kinds[HCT_KIND_MEMBER] ? XEN_TRC_MASK_PV_MEMBERS : XEN_TRC_MASK_PV;
	}
}

u32 hct_kinds_mask(u32 kinds, bool pv)
{
	const u32 calls = 1 << HCT_KIND_CALL | 1 << HCT_KIND_V1 | 1 << HCT_KIND_DRAFT;
	bool members = kinds & 1 << HCT_KIND_MEMBER;
	u32 mask = 0;

	if (kinds & calls)
		mask |= members ? XEN_TRC_MASK_PV_MEMBERS : XEN_TRC_MASK_PV;
	if (kinds & 1 << HCT_KIND_HVM)
		mask |= XEN_TRC_MASK_HVM;
	if (!mask)
		mask = pv ? XEN_TRC_MASK_PV_MEMBERS : XEN_TRC_MASK_HVM;
	return mask;
}

bool hct_settings_wants_domain(const struct hct_settings *set, u16 domid)
{
	return set->all_domains || set->domains[domid / 8] & (1u << (domid % 8));
}

bool hct_settings_wants_op(const struct hct_settings *set, u32 op)
{
	return set->all_ops || (op < HCT_NR_OPS && set->ops & (1ull << op));
}

bool hct_settings_wants_call(const struct hct_settings *set, u8 kind, u32 op)
{
	return set->kinds[kind] && hct_settings_wants_op(set, op);
}
