// SPDX-License-Identifier: GPL-2.0
/* See outfile.h. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"
#include "outfile.h"

static const char *name;		/* as the user calls it */
static char place[PATH_MAX];		/* where it will be */
static char temporary[PATH_MAX + 8];	/* where it is being written; "": in place */

static const char *why(void)
{
	return errno ? strerror(errno) : "not all of it could be written";
}

static int complain(void)
{
	fprintf(stderr, "hctrace: %s: %s\n", name, why());
	return -1;
}

/* A signal that ends us must not leave a half behind. */
static void clean_up(int sig)
{
	unlink(temporary);
	raise(sig);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction action = { .sa_handler = clean_up, .sa_flags = SA_RESETHAND | SA_NODEFER };
	unsigned int i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

static FILE *open_temporary(mode_t mode)
{
	FILE *to;
	int fd;

	/* It does not end as the file does: nobody who looks for *.prom finds it. */
	snprintf(temporary, sizeof(temporary), "%s.XXXXXX", place);
	fd = mkstemp(temporary);
	if (fd < 0) {
		*temporary = '\0';
		if (errno == ENOENT)
			fprintf(stderr, "hctrace: %s: there is no folder %s\n", name,
				dirname(place));
		else
			complain();
		return NULL;
	}
	catch_signals();
	to = fdopen(fd, "w");
	if (!fchmod(fd, mode) && to)
		return to;
	complain();
	unlink(temporary);
	return NULL;
}

FILE *outfile_open(const char *path, mode_t least)
{
	mode_t mask = umask(0);
	struct stat stat_buf;
	FILE *to;

	umask(mask);
	*temporary = '\0';
	name = path;
	if (!path || !strcmp(path, "-")) {
		name = "standard output";
		return stdout;
	}
	if (stat(path, &stat_buf)) {
		snprintf(place, sizeof(place), "%s", path);
		return open_temporary(0666 & ~mask);
	}
	/* A link goes on to lead there. */
	if (S_ISREG(stat_buf.st_mode) && realpath(path, place))
		return open_temporary((stat_buf.st_mode & 07777) | (least & ~mask));
	to = fopen(path, "we");
	if (!to)
		complain();
	return to;
}

/* Something that was written before may have told nobody why it failed. */
static int close_stream(FILE *to)
{
	bool failed = ferror(to);

	/* A write that failed is the last thing that did. */
	errno = failed ? errno : 0;
	return fclose(to) || failed ? -1 : 0;
}

static bool stdout_is_closed;

static void close_stdout(void)
{
	if (stdout_is_closed || !close_stream(stdout))
		return;
	fprintf(stderr, "hctrace: standard output: %s\n", why());
	/* What exit() was given is past changing. */
	_exit(EXIT_TROUBLE);
}

void outfile_at_exit(void)
{
	atexit(close_stdout);
}

int outfile_close(FILE *to, bool keep)
{
	int rc = 0;

	stdout_is_closed |= to == stdout;
	if (close_stream(to))
		rc = complain();
	else if (*temporary && keep && rename(temporary, place))
		rc = complain();
	else if (keep)
		*temporary = '\0';
	if (*temporary)
		unlink(temporary);
	*temporary = '\0';
	return rc;
}
