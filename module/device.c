// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/xen/hctrace: each open file is a reader with a filter and a ring of its own.
 *
 * The ring is made by the first mmap and lives until the file is closed; without a
 * mapping output is paused. A reader wants events from its first mmap or ENABLE on,
 * so that opening the device to ask about it does not begin to trace.
 *
 * Two locks for each file: call orders those calls that change what it wants, and
 * may be held for as long as it takes to begin to trace; reader is for the rest, and
 * is all that mmap and munmap take. User memory is copied before and after them,
 * never under them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/ratelimit.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <hctrace/table.h>

#include "attr.h"
#include "compat.h"
#include "device.h"
#include "drain.h"
#include "pipe.h"
#include "readers.h"
#include "ring_mem.h"
#include "session.h"
#include "shares.h"
#include "trace.h"

/* A ring: page 0 and at most so many pages of data. */
#define MAX_DATA_PAGES		HCT_OUT_MAX_PAGES

static_assert(PAGE_SIZE == HCT_OUT_PAGE_BYTES);

/**
 * struct open_file - a reader and what belongs to it
 * @reader: what the drain sees
 * @call_mutex: the lock call
 * @mutex: the lock reader; protects the rest
 * @demand: what it wants of Xen
 * @mask: what it wants while it is enabled
 * @explicit: it was enabled by name, so its attr is settled
 * @share: what it has of what there is for all
 * @ring: page 0 and the data, or NULL
 * @nr_pages: of @ring, page 0 included
 * @mappings: areas of user memory that show @ring
 * @domains: set for the filter, or NULL
 * @pcpus: set for the filter, or NULL
 * @due: memory for what it is yet to be told
 */
struct open_file {
	struct hct_reader reader;
	struct mutex call_mutex;	/* of @mask too */
	struct mutex mutex;	/* of all below */
	struct hct_demand demand;
	u32 mask;
	bool explicit;
	struct hct_share share;
	void *ring;
	u32 nr_pages;
	u32 mappings;
	u64 *domains;
	u64 *pcpus;
	void *due;
};

static struct hct_out *out_of(struct open_file *file)
{
	return &file->reader.out;
}

static bool is_enabled(const struct open_file *file)
{
	return file->reader.out.enabled;
}

/* --- calls -------------------------------------------------------------------- */

static int set_attr(struct open_file *file, const void __user *arg)
{
	struct hct_wish wish;
	u64 *old_domains, *old_pcpus;
	void *old_due;
	int rc;

	rc = hct_wish_copy(&wish, arg);
	if (rc)
		return rc;

	mutex_lock(&file->call_mutex);
	mutex_lock(&file->mutex);
	if (file->ring || (file->explicit && is_enabled(file))) {
		mutex_unlock(&file->mutex);
		mutex_unlock(&file->call_mutex);
		hct_wish_free(&wish);
		return -EBUSY;
	}
	old_domains = file->domains;
	old_pcpus = file->pcpus;
	old_due = file->due;
	file->domains = wish.domains;
	file->pcpus = wish.pcpus;
	file->due = wish.due;
	file->mask = wish.mask;
	hct_readers_lock();
	hct_out_init(out_of(file), &wish.cfg, wish.enabled, wish.due);
	hct_readers_unlock();
	mutex_unlock(&file->mutex);
	mutex_unlock(&file->call_mutex);
	kvfree(old_domains);
	kvfree(old_pcpus);
	kvfree(old_due);
	return 0;
}

static int set_enabled(struct open_file *file, bool on)
{
	int rc;

	/* What was recorded before the call is treated as before it. */
	rc = hct_drain_sync();
	if (rc)
		return rc;

	mutex_lock(&file->call_mutex);
	/* Only calls change the mask. */
	if (on)
		rc = hct_session_want_now(&file->demand, file->mask);
	if (!rc) {
		mutex_lock(&file->mutex);
		if (!on)
			hct_session_want(&file->demand, 0);
		file->explicit = true;
		hct_readers_lock();
		hct_out_enable(out_of(file), on);
		hct_readers_unlock();
		mutex_unlock(&file->mutex);
	}
	mutex_unlock(&file->call_mutex);
	return rc;
}

static int pause_output(struct open_file *file, bool on)
{
	int rc;

	/* Output is paused for what is recorded from now on, and only for that. */
	rc = hct_drain_sync();
	if (rc)
		return rc;
	mutex_lock(&file->mutex);
	hct_readers_lock();
	hct_out_pause(out_of(file), on);
	hct_readers_unlock();
	mutex_unlock(&file->mutex);
	return 0;
}

static int reset_ledger(struct open_file *file)
{
	int rc = hct_drain_sync();

	if (rc)
		return rc;
	mutex_lock(&file->mutex);
	hct_readers_lock();
	hct_out_reset(out_of(file));
	hct_readers_unlock();
	mutex_unlock(&file->mutex);
	return 0;
}

/* Data pages of a ring for all that Xen's rings can hold, if each record is a smallest one. */
static u32 safe_pages(const struct open_file *file, const struct hct_status *status)
{
	const struct hct_out_config *cfg = &file->reader.out.cfg;
	/* A VMMCALL has two words, any other call four. */
	u32 record = cfg->filter.kinds & 1 << HCT_KIND_HVM ? 8 : 16;
	u32 sample = hct_out_call_bytes(cfg);
	u64 pages = (u64)status->tracing.actual_pages * status->tracing.nr_rings;

	if (!cfg->raw_mask)
		pages = DIV_ROUND_UP_ULL(pages * sample, record);
	if (pages >= MAX_DATA_PAGES)
		return MAX_DATA_PAGES;
	return roundup_pow_of_two(max_t(u32, pages, 1));
}

static void fill_info(struct open_file *file, const struct hct_status *status,
		      struct xen_hctrace_info *info)
{
	struct hct_clock_state clock;
	struct hct_out_counters count;
	struct hct_counters total;
	struct hct_pipeline *p;
	bool tracing, unreliable;

	hct_pipe_clock_state(&clock);
	hct_readers_lock();
	count = file->reader.out.count;
	hct_readers_unlock();
	p = hct_pipe_lock();
	unreliable = p->unreliable;
	hct_pipeline_total(p, &total);
	hct_pipe_unlock();
	tracing = status->tracing.is_on && !status->pause.is_on;
	*info = (struct xen_hctrace_info){
		.api_version = XEN_HCTRACE_API_VERSION,
		.schema_version = XEN_HCTRACE_SCHEMA_VERSION,
		.flags = (tracing ? XEN_HCTRACE_INFO_TRACING : 0) |
			 (status->pause.is_on ? XEN_HCTRACE_INFO_BREAKER : 0) |
			 (status->tracing.hyp.pv ? XEN_HCTRACE_INFO_DOM0_PV : 0) |
			 (unreliable ? XEN_HCTRACE_INFO_UNRELIABLE : 0) |
			 (status->wait_error ? XEN_HCTRACE_INFO_WAITING : 0) |
			 (hct_coverage_is_known(&total) ? 0 : XEN_HCTRACE_INFO_COVERAGE_UNKNOWN),
		.xen_major = status->tracing.hyp.major,
		.xen_minor = status->tracing.hyp.minor,
		.tracepoint_id = hct_trace_id(),
		.nr_pcpus = status->tracing.nr_rings,
		.tsc_khz = clock.khz,
		.safe_pages = safe_pages(file, status),
		.uncertainty_ns = clock.uncertainty_ns,
		.matched = count.matched,
		.written = count.written,
		.lost = count.lost,
		.paused = count.paused,
		.xen_lost = count.xen_lost,
		.late = count.late,
		.wakeups = count.wakeups,
	};
}

static int get_info(struct open_file *file, void __user *arg)
{
	struct xen_hctrace_info info;
	struct hct_status *status;
	u32 user_size;
	int rc;

	if (get_user(user_size, (u32 __user *)arg))
		return -EFAULT;
	if (user_size < XEN_HCTRACE_INFO_SIZE_VER0)
		return -EINVAL;
	if (user_size > PAGE_SIZE)
		return -E2BIG;
	status = kmalloc(sizeof(*status), GFP_KERNEL);
	if (!status)
		return -ENOMEM;
	/* After a mmap this is the way to know that Xen traces. */
	hct_session_settle();
	rc = hct_drain_sync();
	if (rc)
		goto out_status;

	hct_session_status(status);
	mutex_lock(&file->mutex);
	fill_info(file, status, &info);
	mutex_unlock(&file->mutex);
	/* What a newer program has more room for is unknown to us, and reads 0. */
	info.size = min_t(size_t, user_size, sizeof(info));
	rc = copy_to_user(arg, &info, info.size) ||
	     clear_user(arg + info.size, user_size - info.size) ? -EFAULT : 0;
out_status:
	kfree(status);
	return rc;
}

static long device_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct open_file *file = filp->private_data;

	switch (cmd) {
	case XEN_HCTRACE_IOC_SET_ATTR:
		return set_attr(file, (const void __user *)arg);
	case XEN_HCTRACE_IOC_INFO:
		return get_info(file, (void __user *)arg);
	case PERF_EVENT_IOC_ENABLE:
		return set_enabled(file, true);
	case PERF_EVENT_IOC_DISABLE:
		return set_enabled(file, false);
	case PERF_EVENT_IOC_RESET:
		return reset_ledger(file);
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
		return pause_output(file, arg);
	default:
		return -ENOTTY;
	}
}

/* --- mmap and poll ------------------------------------------------------------ */

static int ring_alloc(struct open_file *file, u32 nr_pages)
{
	int rc = hct_share_take_ring(&file->share, nr_pages);

	if (rc)
		return rc;
	file->ring = hct_ring_mem_alloc(nr_pages);
	if (!file->ring) {
		hct_share_give_ring(&file->share);
		return -ENOMEM;
	}
	file->nr_pages = nr_pages;
	return 0;
}

static void ring_free(struct open_file *file)
{
	if (!file->ring)
		return;
	hct_ring_mem_free(file->ring);
	file->ring = NULL;
	hct_share_give_ring(&file->share);
}

/* There was no mapping and now there is one: output begins. */
static void begin_output(struct open_file *file)
{
	memset(file->ring, 0, PAGE_SIZE);
	hct_readers_lock();
	hct_out_map(out_of(file), file->ring, file->nr_pages - 1);
	hct_readers_unlock();
}

static void area_open(struct vm_area_struct *vma)
{
	struct open_file *file = vma->vm_file->private_data;

	mutex_lock(&file->mutex);
	file->mappings++;
	mutex_unlock(&file->mutex);
}

static void area_close(struct vm_area_struct *vma)
{
	struct open_file *file = vma->vm_file->private_data;

	mutex_lock(&file->mutex);
	if (!--file->mappings) {
		hct_readers_lock();
		hct_out_unmap(out_of(file));
		hct_readers_unlock();
	}
	mutex_unlock(&file->mutex);
}

static const struct vm_operations_struct area_ops = {
	.open = area_open,
	.close = area_close,
};

static int check_area(struct vm_area_struct *vma)
{
	unsigned long nr_pages = vma_pages(vma);

	if (!(vma->vm_flags & VM_SHARED) || vma->vm_flags & VM_EXEC || vma->vm_pgoff)
		return -EINVAL;
	/* Overwriting the oldest data would need a ring that is written backwards. */
	if (!(vma->vm_flags & VM_WRITE))
		return -EACCES;
	if (nr_pages < 2 || nr_pages - 1 > MAX_DATA_PAGES || !is_power_of_2(nr_pages - 1))
		return -EINVAL;
	return 0;
}

static int map_reader_ring(struct open_file *file, struct vm_area_struct *vma)
{
	u32 nr_pages = vma_pages(vma);
	bool fresh = !file->ring;
	int rc;

	if (!fresh && file->nr_pages != nr_pages)
		return -EINVAL;
	if (fresh) {
		rc = ring_alloc(file, nr_pages);
		if (rc)
			return rc;
	}
	rc = hct_ring_mem_map(file->ring, vma);
	if (rc) {
		if (fresh)
			ring_free(file);
		return rc;
	}
	vm_flags_set(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	vm_flags_clear(vma, VM_MAYEXEC);
	vma->vm_ops = &area_ops;
	if (!file->mappings++)
		begin_output(file);
	if (is_enabled(file))
		hct_session_want(&file->demand, file->mask);
	return 0;
}

static int device_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct open_file *file = filp->private_data;
	int rc = check_area(vma);

	if (rc)
		return rc;
	mutex_lock(&file->mutex);
	rc = map_reader_ring(file, vma);
	mutex_unlock(&file->mutex);
	return rc;
}

static __poll_t device_poll(struct file *filp, poll_table *table)
{
	struct open_file *file = filp->private_data;

	poll_wait(filp, &file->reader.wait, table);
	return hct_out_readable(out_of(file)) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* --- open and close ------------------------------------------------------------- */

static int device_open(struct inode *inode, struct file *filp)
{
	struct open_file *file;
	struct hct_wish wish;
	int rc;

	if (!perfmon_capable())
		return -EPERM;
	rc = security_locked_down(LOCKDOWN_PERF);
	if (rc)
		return rc;

	file = kvzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;
	rc = hct_wish_default(&wish);
	if (rc)
		goto err_file;
	rc = hct_share_open(&file->share, filp->f_cred->uid);
	if (rc)
		goto err_wish;
	mutex_init(&file->call_mutex);
	mutex_init(&file->mutex);
	INIT_LIST_HEAD(&file->demand.node);
	init_waitqueue_head(&file->reader.wait);
	file->mask = wish.mask;
	file->due = wish.due;
	hct_out_init(out_of(file), &wish.cfg, wish.enabled, wish.due);
	filp->private_data = file;
	hct_readers_add(&file->reader);
	return nonseekable_open(inode, filp);

err_wish:
	hct_wish_free(&wish);
err_file:
	kvfree(file);
	return rc;
}

static int device_release(struct inode *inode, struct file *filp)
{
	struct open_file *file = filp->private_data;

	hct_session_want(&file->demand, 0);
	hct_readers_del(&file->reader);
	ring_free(file);
	hct_share_close(&file->share);
	kvfree(file->domains);
	kvfree(file->pcpus);
	kvfree(file->due);
	kvfree(file);
	return 0;
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = device_mmap,
	.poll = device_poll,
};

static struct miscdevice hct_misc_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hctrace",
	.nodename = "xen/hctrace",
	.mode = 0600,
	.fops = &device_fops,
};

int hct_device_init(void)
{
	int rc;

	rc = misc_register(&hct_misc_device);
	if (rc)
		pr_err("the device xen/hctrace cannot be made: error %d\n", rc);
	return rc;
}

void hct_device_exit(void)
{
	misc_deregister(&hct_misc_device);
}
