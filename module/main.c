// SPDX-License-Identifier: GPL-2.0
/*
 * xen-hctrace: which guest makes which hypercall how often, live in dom0.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <hctrace/version.h>

#include "device.h"
#include "files/debugfs.h"
#include "session.h"
#include "shares.h"

static bool start_at_load = true;
module_param_named(autostart, start_at_load, bool, 0444);
MODULE_PARM_DESC(autostart, "trace as soon as the module is loaded (default on)");

static uint tbuf_pages;
module_param(tbuf_pages, uint, 0444);
MODULE_PARM_DESC(tbuf_pages, "pages per pCPU if Xen has no trace buffers yet; decides until the host reboots (default 0: 32)");

static uint poll_ms;
module_param(poll_ms, uint, 0444);
MODULE_PARM_DESC(poll_ms, "longest time between two looks at the buffers, 1 to 1000 (default 100)");

static uint ring_pages_max = 16384;
module_param(ring_pages_max, uint, 0444);
MODULE_PARM_DESC(ring_pages_max, "pages that the rings of all readers may have together (default 16384: 64 MiB)");

static uint readers_max = 64;
module_param(readers_max, uint, 0444);
MODULE_PARM_DESC(readers_max, "readers of the device that there may be, 1 to 4096 (default 64)");

static uint user_share = 50;
module_param(user_share, uint, 0444);
MODULE_PARM_DESC(user_share, "percent of readers_max and of ring_pages_max that one user may have, root too (default 50)");

static uint sysctl_version;
module_param(sysctl_version, uint, 0444);
MODULE_PARM_DESC(sysctl_version, "version of Xen's sysctl interface (default 0: find out)");

/*
 * The grammar of the debugfs file, for where lockdown forbids writing that one.
 * Given on the command line it holds from the start.
 *
 * All of it is under the lock of our parameters, which the kernel takes around set
 * and get, and we around the load: the file in sysfs is there before we are, so
 * that anybody may write to it while we read what the command line said.
 */
static char *control_at_load;
static bool has_loaded;

static int hct_param_set(const char *text, const struct kernel_param *kp)
{
	char *copy;

	if (has_loaded)
		return hct_session_control(text, strlen(text));
	copy = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	kfree(control_at_load);
	control_at_load = copy;
	return 0;
}

static int hct_param_get(char *buffer, const struct kernel_param *kp)
{
	return hct_session_format(buffer, PAGE_SIZE);
}

/* When the module goes, or did not come, for whatever reason; its file has gone by then. */
static void hct_param_free(void *unused)
{
	kfree(control_at_load);
	control_at_load = NULL;
}

static const struct kernel_param_ops control_ops = {
	.set = hct_param_set,
	.get = hct_param_get,
	.free = hct_param_free,
};

module_param_cb(control, &control_ops, NULL, 0600);
MODULE_PARM_DESC(control, "settings, in the grammar of the debugfs file control");

static int __init hct_load(void)
{
	struct hct_config config = {
		.tbuf_pages = tbuf_pages,
		.sysctl_version = sysctl_version,
		.poll_ms = poll_ms,
		.settings = control_at_load,
		.autostart = start_at_load,
	};
	const struct hct_limits limits = {
		.readers = readers_max,
		.ring_pages = ring_pages_max,
		.user_percent = user_share,
	};
	int rc;

	rc = hct_shares_init(&limits);
	if (rc)
		return rc;
	rc = hct_session_init(&config);
	if (rc)
		return rc;
	if (config.autostart) {
		rc = hct_session_start();
		if (rc)
			goto err_start;
	}
	rc = hct_device_init();
	if (rc)
		goto err_start;
	hct_debugfs_init();
	has_loaded = true;
	return 0;

err_start:
	hct_session_exit();
	return rc;
}

static int __init hct_init(void)
{
	int rc;

	kernel_param_lock(THIS_MODULE);
	rc = hct_load();
	kernel_param_unlock(THIS_MODULE);
	return rc;
}

static void __exit hct_exit(void)
{
	hct_debugfs_exit();
	hct_device_exit();
	hct_session_exit();
}

module_init(hct_init);
module_exit(hct_exit);

MODULE_DESCRIPTION("Xen hypercall tracing in dom0");
MODULE_AUTHOR("The xen-hctrace developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(HCT_VERSION);
