/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference records: what Xen's writers produce, what guests can forge, and what
 * no correct writer produces, each with what it says. The tests check every one,
 * the fuzzer starts from them.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <hctrace/decode.h>

/**
 * struct vector - a record and its meaning
 * @name: what it is, used as the name of its test
 * @words: the record as it stands in memory
 * @nr_words: words that may be read
 * @draft: only a hypercall if draft records are asked for, else none of our concern
 * @cut_off: the record is longer than @nr_words
 * @want: the decoded record; of a malformed call op and arguments mean nothing
 */
struct vector {
	const char *name;
	u32 words[XEN_TRC_MAX_WORDS];
	u8 nr_words;
	bool draft;
	bool cut_off;
	struct hct_record want;
};

#define NR_VECTORS	57

extern const struct vector vectors[NR_VECTORS];

#endif /* VECTORS_H */
