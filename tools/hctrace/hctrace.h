/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the tool know of each other: a file a verb, each with one entry. */
#ifndef HCTRACE_TOOL_H
#define HCTRACE_TOOL_H

/**
 * struct verb - a sub-command
 * @name: as typed
 * @summary: one line for the help
 * @run: its entry; @argv[0] is the verb. Returns an exit status.
 */
struct verb {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

int verb_report(int argc, char **argv);
int verb_script(int argc, char **argv);
int verb_stat(int argc, char **argv);

#endif /* HCTRACE_TOOL_H */
