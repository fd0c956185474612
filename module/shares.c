// SPDX-License-Identifier: GPL-2.0
/* See shares.h. Readers are few, so what a user has is counted when it matters. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/rbtree.h>	/* which mutex.h of 5.10-rt wants to be there */

#include "shares.h"

/* The drain looks at all of them for each event. */
#define MOST_READERS	4096

static DEFINE_MUTEX(hct_shares_mutex);	/* of all below, and innermost */
static LIST_HEAD(hct_shares);
static struct hct_limits hct_limits;

/* What somebody has */
struct holding {
	u32 readers;
	u32 ring_pages;
};

static void count_holdings(kuid_t uid, struct holding *all, struct holding *user)
{
	const struct hct_share *share;

	lockdep_assert_held(&hct_shares_mutex);
	*all = (struct holding){ 0 };
	*user = (struct holding){ 0 };
	list_for_each_entry(share, &hct_shares, node) {
		all->readers++;
		all->ring_pages += share->ring_pages;
		if (!uid_eq(share->uid, uid))
			continue;
		user->readers++;
		user->ring_pages += share->ring_pages;
	}
}

/* What of @total one user may have: one at least. */
static u32 of_user(u32 total)
{
	return max_t(u32, div_u64((u64)total * hct_limits.user_percent, 100), 1);
}

int hct_shares_init(const struct hct_limits *limits)
{
	if (!limits->readers || limits->readers > MOST_READERS) {
		pr_err("parameter readers_max: a number from 1 to %u\n", MOST_READERS);
		return -EINVAL;
	}
	if (!limits->user_percent || limits->user_percent > 100) {
		pr_err("parameter user_share: a number from 1 to 100\n");
		return -EINVAL;
	}
	hct_limits = *limits;
	return 0;
}

int hct_share_open(struct hct_share *share, kuid_t uid)
{
	struct holding all, user;
	int rc = 0;

	mutex_lock(&hct_shares_mutex);
	count_holdings(uid, &all, &user);
	if (all.readers >= hct_limits.readers) {
		rc = -ENFILE;
	} else if (user.readers >= of_user(hct_limits.readers)) {
		rc = -EMFILE;
	} else {
		share->uid = uid;
		share->ring_pages = 0;
		list_add_tail(&share->node, &hct_shares);
	}
	mutex_unlock(&hct_shares_mutex);

	if (rc == -ENFILE)
		pr_notice_ratelimited("there are %u readers, as many as may be: close one, or load with a larger readers_max\n",
				      all.readers);
	if (rc == -EMFILE)
		pr_notice_ratelimited("user %u has %u readers, as many as one user may have: close one, or load with a larger readers_max or user_share\n",
				      __kuid_val(uid), user.readers);
	return rc;
}

void hct_share_close(struct hct_share *share)
{
	mutex_lock(&hct_shares_mutex);
	list_del(&share->node);
	mutex_unlock(&hct_shares_mutex);
}

int hct_share_take_ring(struct hct_share *share, u32 pages)
{
	const char *whose = NULL;
	struct holding all, user;
	u32 most;

	mutex_lock(&hct_shares_mutex);
	count_holdings(share->uid, &all, &user);
	most = of_user(hct_limits.ring_pages);
	if (all.ring_pages + (u64)pages > hct_limits.ring_pages) {
		whose = "all readers";
		most = hct_limits.ring_pages;
	} else if (user.ring_pages + (u64)pages > most) {
		whose = "one user";
	} else {
		share->ring_pages = pages;
	}
	mutex_unlock(&hct_shares_mutex);

	if (!whose)
		return 0;
	pr_notice_ratelimited("a ring of %u pages would exceed the %u for %s: ask for less, or load with a larger ring_pages_max\n",
			      pages, most, whose);
	return -ENOMEM;
}

void hct_share_give_ring(struct hct_share *share)
{
	mutex_lock(&hct_shares_mutex);
	share->ring_pages = 0;
	mutex_unlock(&hct_shares_mutex);
}
