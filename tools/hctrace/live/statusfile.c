// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>

#include "host.h"
#include "statsline.h"
#include "statusfile.h"

/* pcpu consumed events unattrib lost peak ring runs */
static void ring_line(struct status *status, char *line)
{
	struct words words;

	line_split(line, &words);
	if (words.nr >= 7 && (!strcmp(words.word[6], "bad_index") ||
			      !strcmp(words.word[6], "foreign_cons") ||
			      !strcmp(words.word[6], "bad_record")))
		status->bad_rings++;
}

bool status_parse(char *text, struct status *status, char *err, size_t err_size)
{
	char *rest = text;
	char *value;
	char *line;

	memset(status, 0, sizeof(*status));
	status->text = text;
	if (!line_check_version(line_next(&rest), "status", err, err_size))
		return false;

	while ((line = line_next(&rest))) {
		if (*line == '#')
			continue;
		if (isdigit((unsigned char)*line)) {
			ring_line(status, line);
			continue;
		}
		value = strchr(line, ' ');
		if (!value || status->nr_pairs == ARRAY_SIZE(status->pairs))
			continue;
		*value++ = '\0';
		status->pairs[status->nr_pairs].key = line;
		status->pairs[status->nr_pairs++].value = value + strspn(value, " ");
	}
	return true;
}

const char *status_value(const struct status *status, const char *key)
{
	unsigned int i;

	for (i = 0; i < status->nr_pairs; i++) {
		if (!strcmp(status->pairs[i].key, key))
			return status->pairs[i].value;
	}
	return NULL;
}

u64 status_number(const struct status *status, const char *key)
{
	const char *value = status_value(status, key);

	return value ? strtoull(value, NULL, 0) : 0;
}

bool status_read(struct status *status, char *err, size_t err_size)
{
	char *text = line_read_file(HOST_DEBUGFS "/status", err, err_size);

	memset(status, 0, sizeof(*status));
	return text && status_parse(text, status, err, err_size);
}

void status_free(struct status *status)
{
	free(status->text);
	memset(status, 0, sizeof(*status));
}
