// SPDX-License-Identifier: GPL-2.0
/* Any bytes as a text for the control file: taken whole or not at all. */
#include <hctrace/control.h>

#include "fuzz.h"

/* What was taken reads back as a text that says the same. */
static void check_good(const struct hct_settings *set, size_t size)
{
	static struct hct_settings back, scratch;
	static char text[32 << 10], again[32 << 10];
	char err[160];
	size_t len;
	u32 verbs;

	must(set->poll_ms >= 1 && set->poll_ms <= HCT_POLL_MS_MAX);
	must(set->profile < HCT_NR_PROFILES);
	must(set->kinds[HCT_KIND_V1] == set->kinds[HCT_KIND_CALL]);

	len = hct_control_format(set, true, text, sizeof(text));
	/* Only a text longer than the file takes can fill the room. */
	if (size > 4096)
		return;
	must(len < sizeof(text) - 1);
	hct_settings_init(&back, HCT_PROFILE_HVM);
	must(!hct_control_parse(text, len, &back, &verbs, err, sizeof(err), &scratch));
	must(verbs == HCT_VERB_START);
	must(hct_control_format(&back, true, again, sizeof(again)) == len);
	must(!memcmp(text, again, len));
	must(hct_settings_mask(&back) == hct_settings_mask(set));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct hct_settings set, before, scratch;
	char err[160];
	u32 verbs;

	hct_settings_init(&set, HCT_PROFILE_PV);
	before = set;
	err[0] = '\0';
	if (hct_control_parse((const char *)data, size, &set, &verbs, err, sizeof(err), &scratch)) {
		size_t len = strnlen(err, sizeof(err));

		must(!memcmp(&set, &before, sizeof(set)));
		must(len && len < sizeof(err));
		while (len--)
			must(err[len] >= ' ' && err[len] <= '~');
		return 0;
	}
	must(!(verbs & HCT_VERB_START) || !(verbs & HCT_VERB_STOP));
	check_good(&set, size);
	return 0;
}
