// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the machine keeps what programs have in their vector registers, which an
 * emulated one may not when programs and domains take turns.
 *
 *   registers PROGRAMS SECONDS
 *
 * Each of PROGRAMS prints how often a register had changed. Exit status: 0 if none
 * ever did.
 */
#include <emmintrin.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPINS	200000		/* about a millisecond: long enough to lose the CPU now and then */

/* Hold @value in a register for a while. Return: what is there afterwards. */
static __m128i hold(__m128i value)
{
	uint64_t spins = SPINS;

	asm volatile("1: dec %0\n\tjnz 1b" : "+r" (spins), "+x" (value));
	return value;
}

static _Noreturn void watch(int seconds)
{
	const __m128i value = _mm_set_epi32(0x600dcafe, getpid(), 0x12345678, ~getpid());
	time_t end = time(NULL) + seconds;
	unsigned long changed = 0;
	unsigned long held = 0;

	for (; time(NULL) < end || !held; held++) {
		__m128i same = _mm_cmpeq_epi8(hold(value), value);

		changed += _mm_movemask_epi8(same) != 0xffff;
	}
	printf("held %lu, changed %lu\n", held, changed);
	exit(changed != 0);
}

int main(int argc, char **argv)
{
	int programs = argc == 3 ? atoi(argv[1]) : 0;
	int bad = 0;
	int status;
	int i;

	if (programs < 1)
		errx(2, "usage: registers PROGRAMS SECONDS");
	for (i = 0; i < programs; i++) {
		switch (fork()) {
		case -1:
			err(2, "fork");
		case 0:
			watch(atoi(argv[2]));
		}
	}
	for (i = 0; i < programs; i++)
		bad |= wait(&status) < 0 || status;
	return bad;
}
