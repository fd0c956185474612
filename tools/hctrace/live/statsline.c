// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "host.h"
#include "statsline.h"

char *line_next(char **rest)
{
	return strsep(rest, "\n");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

void line_split(char *line, struct words *words)
{
	words->nr = 0;
	for (;;) {
		while (is_blank(*line))
			line++;
		if (!*line || words->nr == MAX_COLUMNS)
			return;
		words->word[words->nr++] = line;
		while (*line && !is_blank(*line))
			line++;
		if (*line)
			*line++ = '\0';
	}
}

char *line_check_version(char *line, const char *what, char *err, size_t err_size)
{
	char magic[40];
	char *end;
	size_t len;
	long version;

	scnprintf(magic, sizeof(magic), "# xen-hctrace %s ", what);
	len = strlen(magic);
	if (!line || strncmp(line, magic, len)) {
		scnprintf(err, err_size, "this is not the file '%s' of xen-hctrace", what);
		return NULL;
	}
	version = strtol(line + len, &end, 10);
	if (end == line + len || (*end && *end != ' ')) {
		scnprintf(err, err_size, "the file '%s' does not say its version", what);
		return NULL;
	}
	if (version != STATS_VERSION) {
		scnprintf(err, err_size,
			  "%s is too old for the other: the file '%s' has format version %ld, and this hctrace knows %d",
			  version > STATS_VERSION ? "hctrace" : "the module", what, version,
			  STATS_VERSION);
		return NULL;
	}
	return end;
}

char *line_read_file(const char *path, char *err, size_t err_size)
{
	char *text = host_read(path, NULL);

	if (text)
		return text;
	scnprintf(err, err_size, "%s: %s ('hctrace doctor' says what to do)", path,
		  strerror(errno));
	return NULL;
}
