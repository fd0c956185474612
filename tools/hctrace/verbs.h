/* SPDX-License-Identifier: GPL-2.0 */
/* The small verbs, a file each; @argv[0] is the verb. They return an exit status. */
#ifndef HCTRACE_VERBS_H
#define HCTRACE_VERBS_H

int verb_list(int argc, char **argv);
int verb_script(int argc, char **argv);
int verb_stat(int argc, char **argv);

#endif /* HCTRACE_VERBS_H */
