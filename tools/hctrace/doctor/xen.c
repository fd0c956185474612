// SPDX-License-Identifier: GPL-2.0
/* See xen.h. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/text.h"
#include "live/xenctrl.h"
#include "say.h"
#include "xen.h"

#define MAX_PCPUS	4096
#define PCPUS_A_LINE	8
#define LOG_LINES	5

static void note_idle(const struct xenctrl *ctl)
{
	static u64 idle_ns[MAX_PCPUS];
	size_t nr = xenctrl_idle(ctl, idle_ns, MAX_PCPUS);
	char line[PCPUS_A_LINE * 32];
	size_t len = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		len += scnprintf(line + len, sizeof(line) - len, "%s%zu: %.1f s",
				 len ? ", " : "", i, idle_ns[i] / 1e9);
		if (i + 1 < nr && (i + 1) % PCPUS_A_LINE)
			continue;
		doctor_note("idle since boot, by pCPU: %s", line);
		len = 0;
	}
}

/* Xen's own lines, not those of guests, on its trace buffers. */
static bool is_on_tracing(const char *line)
{
	return !strncmp(line, "(XEN)", 5) &&
	       (strcasestr(line, "xentrace") || strcasestr(line, "trace buffer") ||
		strstr(line, "trace.c:"));
}

static void note_log(const struct xenctrl *ctl)
{
	const char *last[LOG_LINES];
	char *text = xenctrl_log(ctl);
	char *rest = text;
	char *line;
	size_t nr = 0;
	size_t i;

	while ((line = strsep(&rest, "\n"))) {
		if (is_on_tracing(line))
			last[nr++ % LOG_LINES] = line;
	}
	if (nr > LOG_LINES)
		doctor_note("Xen's log has %zu lines on tracing, the last %d are:", nr, LOG_LINES);
	for (i = nr > LOG_LINES ? nr - LOG_LINES : 0; i < nr; i++) {
		char *escaped = text_escaped(last[i % LOG_LINES], TEXT_TERMINAL, "");

		if (escaped)
			doctor_note("Xen says: %s", escaped);
		free(escaped);
	}
	free(text);
}

void doctor_note_xen(void)
{
	struct xenctrl *ctl = xenctrl_open();
	const char *scheduler = xenctrl_scheduler(ctl);

	if (scheduler)
		doctor_note("the scheduler is %s", scheduler);
	note_idle(ctl);
	note_log(ctl);
	xenctrl_close(ctl);
}
