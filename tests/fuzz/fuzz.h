/* SPDX-License-Identifier: GPL-2.0 */
/* What all fuzz targets share. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdlib.h>

#include <hctrace/types.h>

/** LLVMFuzzerTestOneInput() - one run, under libFuzzer's name. Return: 0; what is wrong aborts */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static inline void must(bool holds)
{
	if (!holds)
		abort();
}

#endif /* TESTS_FUZZ_H */
