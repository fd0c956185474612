/* SPDX-License-Identifier: GPL-2.0 */
/* The file `stats`: a copy of the tables, and how it reads. */
#ifndef HCT_STATS_H
#define HCT_STATS_H

#include <linux/seq_file.h>

struct hct_stats;

/** hct_stats_take() - a consistent copy of all statistics; an ERR_PTR on failure */
struct hct_stats *hct_stats_take(void);

/** hct_stats_free() - the file is closed */
void hct_stats_free(struct hct_stats *stats);

/** hct_stats_nr_rows() - rows behind the header */
u32 hct_stats_nr_rows(const struct hct_stats *stats);

/** hct_stats_show_header() - the lines before the rows */
void hct_stats_show_header(const struct hct_stats *stats, struct seq_file *m);

/** hct_stats_show_row() - one of them, from 0 on */
void hct_stats_show_row(const struct hct_stats *stats, struct seq_file *m, u32 row);

#endif /* HCT_STATS_H */
