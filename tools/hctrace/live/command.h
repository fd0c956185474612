/* SPDX-License-Identifier: GPL-2.0 */
/* A command that is run while something is measured. */
#ifndef HCTRACE_COMMAND_H
#define HCTRACE_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct command - one of them, or none
 * @argv: its words, ending with NULL; NULL: there is none
 * @pid: its process; 0: it has ended, or there is none
 * @status: as wait has it
 */
struct command {
	char **argv;
	pid_t pid;
	int status;
};

/**
 * command_start() - run it
 * @command: with @argv set
 * @verb: who says what went wrong
 * @mask: signals that it has blocked
 *
 * Return: 0, or an exit status; then standard error says why.
 */
int command_start(struct command *command, const char *verb, const sigset_t *mask);

/**
 * command_block_signals() - those that may end what is measured, to be taken one by one
 * @set: filled in: SIGINT, SIGTERM and SIGCHLD
 * @mask: filled in: what was blocked before
 */
void command_block_signals(sigset_t *set, sigset_t *mask);

/**
 * command_ends_by() - whether one of those signals is the end of what is measured
 * @command: it decides, if there is one that runs; SIGTERM is passed on to it
 * @sig: the signal
 */
bool command_ends_by(struct command *command, int sig);

/** command_wait() - wait for its end, if there is one; @mask is set, Ctrl-C is its alone */
void command_wait(struct command *command, const sigset_t *mask);

/** command_exit_status() - as a shell would have it; 0 if there is none */
int command_exit_status(const struct command *command);

#endif /* HCTRACE_COMMAND_H */
