/* SPDX-License-Identifier: GPL-2.0 */
/* JSON that is written, a line an object. */
#ifndef HCTRACE_JSON_H
#define HCTRACE_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include <hctrace/types.h>

/** json_add_count() - a number, exact; cJSON's own are doubles */
void json_add_count(struct cJSON *to, const char *key, u64 value);

/** json_text() - text of others as a string: exact, but for bytes that are no UTF-8 */
struct cJSON *json_text(const char *text);

/** json_add_fixed() - a number with three digits behind the point */
void json_add_fixed(struct cJSON *to, const char *key, double value);

/** json_print() - write an object on a line, and give it back */
void json_print(FILE *to, struct cJSON *object);

#endif /* HCTRACE_JSON_H */
