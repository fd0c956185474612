// SPDX-License-Identifier: GPL-2.0
/* See packed.h. */
#include "packed.h"

#define MAGIC_BYTES	8

const char *packed_by(struct input *in)
{
	static const struct {
		const char *program;
		const char *magic;
		size_t bytes;
	} packers[] = {
		{ "gzip", "\x1f\x8b", 2 },
		{ "xz", "\xfd\x37zXZ", 6 },	/* its zero, too */
		{ "zstd", "\x28\xb5\x2f\xfd", 4 },
		{ "bzip2", "BZh", 3 },
		{ "lz4", "\x04\x22\x4d\x18", 4 },
	};
	char begin[MAGIC_BYTES];
	ssize_t got = input_read(in, 0, begin, sizeof(begin));
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(packers); i++) {
		if (got == sizeof(begin) && !memcmp(begin, packers[i].magic, packers[i].bytes))
			return packers[i].program;
	}
	return NULL;
}
