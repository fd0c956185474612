// SPDX-License-Identifier: GPL-2.0
/* Running a command; see command.h. */
#define _GNU_SOURCE	/* strchrnul() */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit.h"
#include "command.h"

#define EXIT_NOT_RUN	126	/* as a shell has it: there, but it cannot be run */
#define EXIT_NOT_FOUND	127

/*
 * Whether PATH has a file of that name, be it one that cannot be run. execvp() cannot tell
 * that from a folder it may not search, where shells say that there is no such command.
 */
static bool is_in_path(const char *name)
{
	const char *at = getenv("PATH");
	char path[PATH_MAX];

	while (at) {
		const char *end = strchrnul(at, ':');
		int folder_len = end - at;
		struct stat st;
		int len;

		/* An empty one is where we are. */
		len = snprintf(path, sizeof(path), "%.*s/%s", folder_len ?: 1,
			       folder_len ? at : ".", name);
		if (len < (int)sizeof(path) && !stat(path, &st) && S_ISREG(st.st_mode))
			return true;
		at = *end ? end + 1 : NULL;
	}
	return false;
}

/* The command's part of the fork: become it, or say why not. */
static _Noreturn void become(char **argv, const sigset_t *mask, int fd)
{
	int error;

	sigprocmask(SIG_SETMASK, mask, NULL);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[0], argv);
	error = errno;
	if (error == EACCES && !strchr(argv[0], '/') && !is_in_path(argv[0]))
		error = ENOENT;
	/* There is nothing to do if even that fails. */
	if (write(fd, &error, sizeof(error)) < 0)
		_exit(EXIT_NOT_RUN);
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN);
}

int command_start(struct command *command, const char *verb, const sigset_t *mask)
{
	int error = 0;
	int fds[2];

	if (pipe(fds))
		return EXIT_TROUBLE;
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	command->pid = fork();
	if (command->pid < 0) {
		fprintf(stderr, "hctrace %s: fork: %s\n", verb, strerror(errno));
		command->pid = 0;
		close(fds[0]);
		close(fds[1]);
		return EXIT_TROUBLE;
	}
	if (!command->pid)
		become(command->argv, mask, fds[1]);
	close(fds[1]);
	/* Nothing comes if it runs. */
	if (read(fds[0], &error, sizeof(error)) <= 0)
		error = 0;
	close(fds[0]);
	if (!error)
		return 0;
	waitpid(command->pid, NULL, 0);
	command->pid = 0;
	fprintf(stderr, "hctrace %s: %s: %s\n", verb, command->argv[0], strerror(error));
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}

/* Whether it ended since this was last asked. */
static bool command_has_ended(struct command *command)
{
	if (!command->pid || waitpid(command->pid, &command->status, WNOHANG) != command->pid)
		return false;
	command->pid = 0;
	return true;
}

void command_block_signals(sigset_t *set, sigset_t *mask)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGCHLD);
	sigprocmask(SIG_BLOCK, set, mask);
}

bool command_ends_by(struct command *command, int sig)
{
	if (sig == SIGCHLD)
		return command_has_ended(command);
	if (!command->pid)
		return true;
	/* A command gets Ctrl-C from the terminal, and decides itself. */
	if (sig == SIGTERM)
		kill(command->pid, SIGTERM);
	return false;
}

void command_wait(struct command *command, const sigset_t *mask)
{
	if (!command->pid)
		return;
	sigprocmask(SIG_SETMASK, mask, NULL);
	signal(SIGINT, SIG_IGN);
	waitpid(command->pid, &command->status, 0);
	command->pid = 0;
}

int command_exit_status(const struct command *command)
{
	if (!command->argv)
		return 0;
	if (WIFSIGNALED(command->status))
		return 128 + WTERMSIG(command->status);
	return WEXITSTATUS(command->status);
}
