// SPDX-License-Identifier: GPL-2.0
/* See json.h. */
#include <stdlib.h>

#include "json.h"
#include "text.h"

struct cJSON *json_text(const char *text)
{
	char *escaped = text_escaped(text, TEXT_UTF8, "");
	cJSON *string = escaped ? cJSON_CreateString(escaped) : NULL;

	free(escaped);
	return string;
}

void json_add_count(struct cJSON *to, const char *key, u64 value)
{
	char digits[24];

	scnprintf(digits, sizeof(digits), "%llu", value);
	cJSON_AddRawToObject(to, key, digits);
}

void json_add_fixed(struct cJSON *to, const char *key, double value)
{
	char digits[40];

	scnprintf(digits, sizeof(digits), "%.3f", value);
	cJSON_AddRawToObject(to, key, digits);
}

void json_print(FILE *to, struct cJSON *object)
{
	char *text = cJSON_PrintUnformatted(object);

	if (text)
		fprintf(to, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(object);
}
