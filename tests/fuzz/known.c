// SPDX-License-Identifier: GPL-2.0
/*
 * The known inputs of a fuzz target, without any search:
 *
 *   known_TARGET INPUT-FOLDER CHANGES CULPRIT
 *
 * runs each file of the folder as it is, and then CHANGES inputs made of them: from
 * numbers that are the same each time and know nothing of what the target does with an
 * input, so that a run repeats on any machine and with any code. A child does it all;
 * what it dies of is left in the file CULPRIT.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

#define MAX_INPUTS	4096
#define MAX_BYTES	8192

struct input {
	char name[256];
	size_t size;
	u8 bytes[MAX_BYTES];
};

static struct input *inputs;
static unsigned int nr_inputs;
static struct input *now;	/* what runs, for the parent to see */

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void read_inputs(const char *folder)
{
	struct dirent **entries;
	int nr, i;

	/* Sorted: folders are read in any order. */
	nr = scandir(folder, &entries, is_input, alphasort);
	if (nr <= 0 || nr > MAX_INPUTS)
		die(folder);
	inputs = calloc(nr, sizeof(*inputs));
	if (!inputs)
		die("inputs");
	for (i = 0; i < nr; i++) {
		struct input *in = &inputs[i];
		char path[4096];
		ssize_t size;
		int fd;

		snprintf(in->name, sizeof(in->name), "%s", entries[i]->d_name);
		snprintf(path, sizeof(path), "%s/%s", folder, in->name);
		fd = open(path, O_RDONLY);
		size = read(fd, in->bytes, sizeof(in->bytes));
		if (size < 0)
			die(path);
		in->size = size;
		close(fd);
		free(entries[i]);
	}
	free(entries);
	nr_inputs = nr;
}

/* xorshift64*, by Vigna */
static u64 state;

static u32 below(u32 bound)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return ((state * 0x2545f4914f6cdd1dull) >> 32) % bound;
}

/* Values at which things end, in each of the four bytes and as a whole */
static u32 odd_word(void)
{
	static const u32 words[] = {
		0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
		0x7fffffff, 0x80000000, 0xffffffff,
	};

	if (below(2))
		return words[below(ARRAY_SIZE(words))];
	return 1u << below(32);
}

static void insert(struct input *in, size_t at, const u8 *bytes, size_t size)
{
	if (size > MAX_BYTES - in->size)
		size = MAX_BYTES - in->size;
	memmove(in->bytes + at + size, in->bytes + at, in->size - at);
	memcpy(in->bytes + at, bytes, size);
	in->size += size;
}

static void change(struct input *in)
{
	const struct input *other = &inputs[below(nr_inputs)];
	u8 copy[256];
	size_t at = below(in->size + 1);
	size_t rest = in->size - at;
	size_t size = 1 + below(sizeof(copy));
	u32 word = odd_word();

	if (size > rest)
		size = rest;
	switch (below(7)) {
	case 0:
		if (rest)
			in->bytes[at] ^= 1 << below(8);
		break;
	case 1:
		if (rest)
			in->bytes[at] = below(256);
		break;
	case 2:
		at &= ~3ul;
		if (in->size - at >= sizeof(word))
			memcpy(in->bytes + at, &word, sizeof(word));
		break;
	case 3:
		insert(in, at, (const u8 *)&word, sizeof(word));
		break;
	case 4:
		memmove(in->bytes + at, in->bytes + at + size, rest - size);
		in->size -= size;
		break;
	case 5:
		memcpy(copy, in->bytes + at, size);
		insert(in, below(in->size + 1), copy, size);
		break;
	case 6:
		if (other->size) {
			size_t from = below(other->size);

			insert(in, at, other->bytes + from, 1 + below(other->size - from));
		}
		break;
	}
}

/* In memory of its own size, so that what reads past its end is found. */
static void run_now(void)
{
	u8 *bytes = malloc(now->size ? now->size : 1);

	if (!bytes)
		die("an input");
	memcpy(bytes, now->bytes, now->size);
	LLVMFuzzerTestOneInput(bytes, now->size);
	free(bytes);
}

static void run_all(unsigned int changes)
{
	unsigned int i, times;

	for (i = 0; i < nr_inputs; i++) {
		*now = inputs[i];
		run_now();
	}
	for (i = 0; i < changes; i++) {
		const struct input *from = &inputs[i % nr_inputs];

		state = 0x9e3779b97f4a7c15ull * (i + 1);
		*now = *from;
		snprintf(now->name, sizeof(now->name), "%.200s, change %u", from->name, i);
		for (times = 1 + below(4); times; times--)
			change(now);
		run_now();
	}
}

static void keep_culprit(const char *path)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(now->bytes, 1, now->size, file) != now->size || fclose(file))
		die(path);
}

int main(int argc, char **argv)
{
	unsigned int changes;
	int status;
	pid_t pid;

	if (argc != 4) {
		fprintf(stderr, "usage: %s INPUT-FOLDER CHANGES CULPRIT\n", argv[0]);
		return 2;
	}
	read_inputs(argv[1]);
	changes = strtoul(argv[2], NULL, 10);
	now = mmap(NULL, sizeof(*now), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (now == MAP_FAILED)
		die("mmap");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		run_all(changes);
		free(inputs);
		return 0;
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	printf("1..1\n%sok 1 - %u inputs and %u changes of them\n", status ? "not " : "",
	       nr_inputs, changes);
	if (status) {
		keep_culprit(argv[3]);
		printf("# it dies of %s, which is now in %s\n", now->name, argv[3]);
	}
	free(inputs);
	return !!status;
}
