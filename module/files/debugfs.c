// SPDX-License-Identifier: GPL-2.0
/*
 * The folder /sys/kernel/debug/xen-hctrace. Opening a file to read waits for all
 * that was recorded so far and takes a copy; reading then formats the copy, so a
 * cat in pieces still adds up. All but control are read-only and have
 * neither ioctl nor mmap, so they stay readable under lockdown.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../drain.h"
#include "../session.h"
#include "debugfs.h"
#include "multicalls.h"
#include "stats.h"
#include "status.h"

#define CONTROL_TEXT_MAX	4096	/* bytes in one write */

static struct dentry *debugfs_folder;

/* stats: row 0 is the header, the others follow. */

static void *stats_start(struct seq_file *m, loff_t *pos)
{
	return *pos <= hct_stats_nr_rows(m->private) ? pos : NULL;
}

static void *stats_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return stats_start(m, pos);
}

static void stats_stop(struct seq_file *m, void *v)
{
}

static int stats_show(struct seq_file *m, void *v)
{
	loff_t row = *(loff_t *)v;

	if (!row)
		hct_stats_show_header(m->private, m);
	else
		hct_stats_show_row(m->private, m, row - 1);
	return 0;
}

static const struct seq_operations stats_seq_ops = {
	.start = stats_start,
	.next = stats_next,
	.stop = stats_stop,
	.show = stats_show,
};

static int stats_open(struct inode *inode, struct file *file)
{
	struct hct_stats *stats;
	int rc;

	rc = hct_drain_sync();
	if (rc)
		return rc;
	stats = hct_stats_take();
	if (IS_ERR(stats))
		return PTR_ERR(stats);
	rc = seq_open(file, &stats_seq_ops);
	if (rc) {
		hct_stats_free(stats);
		return rc;
	}
	((struct seq_file *)file->private_data)->private = stats;
	return 0;
}

static int stats_release(struct inode *inode, struct file *file)
{
	hct_stats_free(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static const struct file_operations stats_fops = {
	.owner = THIS_MODULE,
	.open = stats_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = stats_release,
};

static int multicalls_open(struct inode *inode, struct file *file)
{
	struct hct_snapshot *snap;
	int rc;

	rc = hct_drain_sync();
	if (rc)
		return rc;
	snap = hct_multicalls_take();
	if (IS_ERR(snap))
		return PTR_ERR(snap);
	rc = single_open(file, hct_multicalls_show, snap);
	if (rc)
		hct_multicalls_free(snap);
	return rc;
}

static int multicalls_release(struct inode *inode, struct file *file)
{
	hct_multicalls_free(((struct seq_file *)file->private_data)->private);
	return single_release(inode, file);
}

static const struct file_operations multicalls_fops = {
	.owner = THIS_MODULE,
	.open = multicalls_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = multicalls_release,
};

static int status_open(struct inode *inode, struct file *file)
{
	int rc;

	/* What is wanted by now is traced, or waited for. */
	hct_session_settle();
	rc = hct_drain_sync();
	return rc ? rc : single_open(file, hct_status_show, NULL);
}

static const struct file_operations status_fops = {
	.owner = THIS_MODULE,
	.open = status_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static int control_show(struct seq_file *m, void *unused)
{
	char *text = kvmalloc(HCT_CONTROL_FORMAT_MAX, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	seq_write(m, text, hct_session_format(text, HCT_CONTROL_FORMAT_MAX));
	kvfree(text);
	return 0;
}

static int control_open(struct inode *inode, struct file *file)
{
	return single_open(file, control_show, NULL);
}

static ssize_t control_write(struct file *file, const char __user *data, size_t len, loff_t *pos)
{
	char *text;
	int rc;

	if (len > CONTROL_TEXT_MAX)
		return -EINVAL;
	text = memdup_user_nul(data, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	rc = hct_session_control(text, len);
	kfree(text);
	return rc ? rc : len;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = control_open,
	.read = seq_read,
	.write = control_write,
	.llseek = seq_lseek,
	.release = single_release,
};

void hct_debugfs_init(void)
{
	debugfs_folder = debugfs_create_dir("xen-hctrace", NULL);
	/* Linux before 5.0 says so if it fails, and would put the files beside everybody's. */
	if (!debugfs_folder)
		return;
	debugfs_create_file("control", 0600, debugfs_folder, NULL, &control_fops);
	debugfs_create_file("stats", 0400, debugfs_folder, NULL, &stats_fops);
	debugfs_create_file("multicalls", 0400, debugfs_folder, NULL, &multicalls_fops);
	debugfs_create_file("status", 0400, debugfs_folder, NULL, &status_fops);
}

void hct_debugfs_exit(void)
{
	debugfs_remove_recursive(debugfs_folder);
}
