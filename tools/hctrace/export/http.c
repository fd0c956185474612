// SPDX-License-Identifier: GPL-2.0
/*
 * hctrace export --http: answer one scrape, as a service that a socket unit starts for
 * each connection. The request must be read even though there is only one answer: to
 * close a socket with something unread in it resets the connection, and the answer is lost.
 */
#define _GNU_SOURCE	/* strcasestr() */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/exit.h"
#include "format.h"
#include "http.h"
#include "live/host.h"

#define MAX_REQUEST	8192
#define PATIENCE_MS	5000

static const char openmetrics_type[] = "application/openmetrics-text";

/* Whether the head of a request is whole: it ends with an empty line. */
static bool is_whole(const char *request)
{
	return strstr(request, "\r\n\r\n") || strstr(request, "\n\n");
}

/* Read the head of a request into @request, as far as it comes. Return: its length. */
static size_t read_request(char *request)
{
	u64 end_ns = host_now_ns() + PATIENCE_MS * 1000000ull;
	struct pollfd pfd = { .fd = STDIN_FILENO, .events = POLLIN };
	size_t len = 0;
	ssize_t got;
	u64 now_ns;

	*request = '\0';
	while (!is_whole(request) && len < MAX_REQUEST - 1) {
		now_ns = host_now_ns();
		if (now_ns >= end_ns)
			break;
		if (poll(&pfd, 1, (end_ns - now_ns) / 1000000 + 1) <= 0)
			continue;
		got = read(STDIN_FILENO, request + len, MAX_REQUEST - 1 - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		len += got;
		request[len] = '\0';
	}
	return len;
}

/* Return: what there is to say against it, or NULL. */
static const char *judge(const char *request)
{
	size_t len = strcspn(request, " \r\n");
	const char *target = request + len + 1;

	if (!is_whole(request) || request[len] != ' ')
		return "400 Bad Request";
	if (strncmp(request, "GET ", 4) && strncmp(request, "HEAD ", 5))
		return "405 Method Not Allowed";
	len = strcspn(target, " ?\r\n");
	if ((len != 1 || *target != '/') && (len != 8 || strncmp(target, "/metrics", 8)))
		return "404 Not Found";
	return NULL;
}

/* How much a client wants a type, in thousandths; -1: it does not say. */
static int quality(const char *accept, const char *type)
{
	size_t len = strlen(type);
	const char *q, *end;

	for (; *accept; accept = end + strspn(end, ",")) {
		accept += strspn(accept, " \t");
		end = accept + strcspn(accept, ",");
		if (strncasecmp(accept, type, len) || !strchr(";, \t", accept[len]))
			continue;
		q = strcasestr(accept, ";q=");
		return q && q < end ? strtod(q + 3, NULL) * 1000 : 1000;
	}
	return -1;
}

/* The client's header Accept, "" if there is none; in @buf of @size bytes. */
static void find_accept(const char *request, char *buf, size_t size)
{
	const char *line = request;

	*buf = '\0';
	while ((line = strchr(line, '\n'))) {
		line++;
		if (strncasecmp(line, "Accept:", 7))
			continue;
		snprintf(buf, size, "%.*s", (int)strcspn(line + 7, "\r\n"), line + 7);
		return;
	}
}

/*
 * OpenMetrics is for who asks for it, and does not like plain text more: not all who read that
 * understand what is new.
 */
static const struct export_format *choose_format(const struct export_format *format,
						 const char *request)
{
	char accept[MAX_REQUEST];
	int openmetrics;

	if (format != &export_openmetrics && format != &export_prometheus)
		return format;
	find_accept(request, accept, sizeof(accept));
	openmetrics = quality(accept, openmetrics_type);
	return openmetrics > 0 && openmetrics >= quality(accept, "text/plain") ?
		&export_openmetrics : &export_prometheus;
}

static int answer(const char *status, const char *type, const char *body, size_t size, bool head)
{
	printf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n", status, type, size);
	if (!strncmp(status, "405", 3))
		printf("Allow: GET, HEAD\r\n");
	printf("Connection: close\r\n\r\n");
	if (!head)
		fwrite(body, 1, size, stdout);
	/* Who does not wait for the answer does not want it. */
	if (fflush(stdout) && (errno == EPIPE || errno == ECONNRESET)) {
		__fpurge(stdout);
		clearerr(stdout);
	}
	return 0;
}

static int refuse(const char *status, const char *why, bool head)
{
	char body[300];
	int len = snprintf(body, sizeof(body), "%s\n", why);

	return answer(status, "text/plain; charset=utf-8", body, len, head);
}

static int answer_counts(const struct recording_options *opt, const struct export_format *format,
			 bool head)
{
	char err[200] = "out of memory";
	int status = EXIT_TROUBLE;
	struct counts counts;
	char *body = NULL;
	FILE *to = NULL;
	size_t size = 0;

	if (counts_of_host(&counts, opt, err, sizeof(err)))
		to = open_memstream(&body, &size);
	if (to) {
		format->print(to, &counts);
		fclose(to);
		counts_matched(&counts, opt);
		status = answer("200 OK", format->type, body, size, head);
	} else {
		fprintf(stderr, "hctrace: %s\n", err);
		refuse("503 Service Unavailable", err, head);
	}
	free(body);
	counts_free(&counts);
	return status;
}

int export_http(const struct recording_options *opt, const struct export_format *format)
{
	char request[MAX_REQUEST];
	const char *wrong;

	signal(SIGPIPE, SIG_IGN);
	if (!read_request(request))
		return 0;
	wrong = judge(request);
	if (wrong)
		return refuse(wrong, wrong, !strncmp(request, "HEAD ", 5));
	return answer_counts(opt, choose_format(format, request), *request == 'H');
}
