/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What there is for all readers of the device together, and what of it one user may
 * have: nobody, root neither, leaves the others without.
 */
#ifndef HCT_SHARES_H
#define HCT_SHARES_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

/**
 * struct hct_limits - for all readers together
 * @readers: files that may be open
 * @ring_pages: pages of their rings
 * @user_percent: of each of these, what one user may have
 */
struct hct_limits {
	u32 readers;
	u32 ring_pages;
	u32 user_percent;
};

/**
 * struct hct_share - what one reader has of it
 * @node: in the list of all readers
 * @uid: who opened it, and answers for it wherever it goes
 * @ring_pages: of its ring, 0: it has none
 */
struct hct_share {
	struct list_head node;
	kuid_t uid;
	u32 ring_pages;
};

/**
 * hct_shares_init() - before any reader comes
 * @limits: at least a reader, and from 1 to 100 percent
 *
 * Return: 0 or -EINVAL, which has been logged.
 */
int hct_shares_init(const struct hct_limits *limits);

/**
 * hct_share_open() - one more reader
 * @share: filled in
 * @uid: whose
 *
 * May sleep, as all of these. Return: 0; -ENFILE if there are as many as there may
 * be; -EMFILE if @uid has its part of them. Either has been logged.
 */
int hct_share_open(struct hct_share *share, kuid_t uid);

/** hct_share_close() - one less, and its ring with it */
void hct_share_close(struct hct_share *share);

/**
 * hct_share_take_ring() - the pages of a ring
 * @share: of a reader that has none
 * @pages: how many
 *
 * Return: 0, or -ENOMEM if they, or those of the user, would be too many, which has
 * been logged.
 */
int hct_share_take_ring(struct hct_share *share, u32 pages);

/** hct_share_give_ring() - it is gone */
void hct_share_give_ring(struct hct_share *share);

#endif /* HCT_SHARES_H */
