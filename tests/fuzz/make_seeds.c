// SPDX-License-Identifier: GPL-2.0
/* Seeds for the pipeline's fuzzer: the reference records, alone and in stories. */
#include <stdlib.h>

#include "../unit/vectors.h"

static void save(const char *dir, unsigned int nr, u8 flags, const u32 *words, size_t nr_words)
{
	/* Budget, rounds and start differ a little from seed to seed. */
	const u8 head[4] = { flags, nr * 7, nr, nr * 37 };
	char path[4096];
	FILE *file;

	scnprintf(path, sizeof(path), "%s/%03u", dir, nr);
	file = fopen(path, "wb");
	if (!file || fwrite(head, sizeof(head), 1, file) != 1 ||
	    fwrite(words, 4, nr_words, file) != nr_words || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static size_t append(u32 *words, size_t len, const struct vector *vec)
{
	memcpy(words + len, vec->words, 4 * vec->nr_words);
	return len + vec->nr_words;
}

int main(int argc, char **argv)
{
	/* d1v0 begins to run; without it nothing would be attributed. */
	const struct vector *running = &vectors[25];
	u32 words[4 * NR_VECTORS * XEN_TRC_MAX_WORDS];
	unsigned int nr_rings, i;
	size_t len;

	if (argc != 2) {
		fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
		return 2;
	}
	for (i = 0; i < NR_VECTORS; i++) {
		len = append(words, 0, running);
		len = append(words, len, &vectors[i]);
		save(argv[1], i, 0x10 | (i % 3) << 2, words, len);
	}
	/* All but the last, which is cut off, on one to four rings. */
	for (nr_rings = 1; nr_rings <= 4; nr_rings++) {
		for (len = 0, i = 0; i < nr_rings * (NR_VECTORS - 1); i++)
			len = append(words, len, &vectors[i % (NR_VECTORS - 1)]);
		save(argv[1], NR_VECTORS + nr_rings, nr_rings - 1, words, len);
	}
	return 0;
}
