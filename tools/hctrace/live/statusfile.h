/* SPDX-License-Identifier: GPL-2.0 */
/* The file `status` of the module. */
#ifndef HCTRACE_STATUSFILE_H
#define HCTRACE_STATUSFILE_H

#include <stddef.h>

#include <hctrace/types.h>

/**
 * struct status - the file `status`
 * @text: what @pairs points into
 * @pairs: its "key value" lines as they stand
 * @nr_pairs: how many
 * @bad_rings: pCPUs whose ring cannot be read now
 */
struct status {
	char *text;
	struct {
		const char *key;
		const char *value;
	} pairs[128];
	unsigned int nr_pairs;
	unsigned int bad_rings;
};

/**
 * status_parse() - understand a text
 * @text: the file, terminated; it is kept, and freed with @status
 * @status: filled in; status_free() it in any case
 * @err: filled in on failure, in words
 * @err_size: of @err
 *
 * Return: whether its version is known.
 */
bool status_parse(char *text, struct status *status, char *err, size_t err_size);

/** status_read() - the same from the host's file; @err says what cannot be read and why */
bool status_read(struct status *status, char *err, size_t err_size);

/** status_value() - what stands behind @key, or NULL */
const char *status_value(const struct status *status, const char *key);
/** status_number() - the same as a number; 0 if it is none */
u64 status_number(const struct status *status, const char *key);

void status_free(struct status *status);

#endif /* HCTRACE_STATUSFILE_H */
