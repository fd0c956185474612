// SPDX-License-Identifier: GPL-2.0
/* See look.h. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

#include "live/host.h"
#include "look.h"

bool doctor_file_has(const char *path, const char *text)
{
	char *file = host_read(path, NULL);
	bool found = file && strstr(file, text);

	free(file);
	return found;
}

const char *doctor_lockdown(char *buf, size_t size)
{
	char *file = host_read("/sys/kernel/security/lockdown", NULL);
	const char *state = file ? strchr(file, '[') : NULL;

	scnprintf(buf, size, "%.*s", state ? (int)strcspn(state + 1, "]") : 4,
		  state ? state + 1 : "none");
	free(file);
	return buf;
}

int doctor_find_consumer(char *comm, size_t size)
{
	char path[HOST_PATH_MAX];
	struct dirent *entry;
	int pid = 0;
	DIR *proc;

	proc = opendir(host_path("/proc", path));
	while (proc && !pid && (entry = readdir(proc))) {
		char *name;

		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		scnprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		name = host_read(path, NULL);
		if (name && (!strcmp(name, "xentrace\n") || !strcmp(name, "xenbaked\n"))) {
			scnprintf(comm, size, "%.*s", (int)strcspn(name, "\n"), name);
			pid = atoi(entry->d_name);
		}
		free(name);
	}
	if (proc)
		closedir(proc);
	return pid;
}
