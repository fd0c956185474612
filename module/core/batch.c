// SPDX-License-Identifier: GPL-2.0
/* Matching multicalls with their continuations; see batch.h. */
#include <hctrace/batch.h>
#include <hctrace/names.h>
#include <hctrace/shape.h>

#define HCT_OP_NONE	(~0u)	/* forged: the number of no op */

#define for_each_vcpu(vcpu, tab) \
	for ((vcpu) = next_used(tab, NULL); (vcpu); (vcpu) = next_used(tab, vcpu))

void hct_vcpu_init(struct hct_vcpu_table *tab, struct hct_account *acct)
{
	tab->acct = acct;
}

/* The vCPU behind @vcpu in the table, the first one behind NULL; NULL: there is none. */
static struct hct_vcpu *next_used(struct hct_vcpu_table *tab, const struct hct_vcpu *vcpu)
{
	u32 i = vcpu ? vcpu - tab->vcpus + 1 : 0;

	while (i < ARRAY_SIZE(tab->vcpus)) {
		if (!tab->set_used[i / HCT_VCPU_WAYS])
			i = (i / HCT_VCPU_WAYS + 1) * HCT_VCPU_WAYS;
		else if (!tab->vcpus[i].used)
			i++;
		else
			return &tab->vcpus[i];
	}
	return NULL;
}

/* A multicall is over. */
static void end_batch(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who,
		      struct hct_batch *batch, enum hct_batch_end end)
{
	if (batch->counted)
		hct_account_batch_end(tab->acct, who->domid, end);
	if (batch->state == HCT_BATCH_OPEN && tab->ended)
		tab->ended(tab->ctx, who, batch, end);
	batch->id = 0;
	batch->state = HCT_BATCH_FREE;
}

/* The multicall in place @i is over, if there is one. */
static void end_open(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, int i,
		     enum hct_batch_end end)
{
	if (vcpu->open[i].state == HCT_BATCH_FREE)
		return;
	end_batch(tab, &vcpu->who, &vcpu->open[i], end);
	vcpu->nr_open--;
}

void hct_vcpu_close(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, enum hct_batch_end end)
{
	int i;

	for (i = 0; i < HCT_MAX_OPEN_BATCHES && vcpu->nr_open; i++)
		end_open(tab, vcpu, i, end);
	vcpu->done.state = HCT_BATCH_FREE;
	vcpu->state = HCT_VCPU_OUTSIDE;
}

static u32 set_of(const struct hct_vcpu_id *who)
{
	return (who->domid * 31u + who->vcpu) % HCT_VCPU_SETS;
}

struct hct_vcpu *hct_vcpu_find(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who)
{
	struct hct_vcpu *vcpu = &tab->vcpus[set_of(who) * HCT_VCPU_WAYS];
	unsigned int i;

	for (i = 0; i < HCT_VCPU_WAYS; i++, vcpu++) {
		if (vcpu->used && vcpu->who.domid == who->domid && vcpu->who.vcpu == who->vcpu) {
			vcpu->stamp = ++tab->lookups;
			return vcpu;
		}
	}
	return NULL;
}

/* Whether something of it can go on. */
static bool is_open(const struct hct_vcpu *vcpu)
{
	return vcpu->nr_open || vcpu->done.state != HCT_BATCH_FREE;
}

/*
 * How much an entry of @set is missed if it is given to @domid; less is better. A domain
 * takes from itself first, and then from one that has more than one entry there.
 */
static u32 eviction_worth(const struct hct_vcpu *set, const struct hct_vcpu *vcpu, u16 domid)
{
	u32 i, nr = 0;

	if (!vcpu->used)
		return 0;
	if (!is_open(vcpu))
		return 1;
	if (vcpu->who.domid == domid)
		return 2;
	for (i = 0; i < HCT_VCPU_WAYS; i++)
		nr += set[i].used && set[i].who.domid == vcpu->who.domid;
	return nr > 1 ? 3 : 4;
}

struct hct_vcpu *hct_vcpu_get(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who)
{
	const u32 nr = set_of(who);
	struct hct_vcpu *set = &tab->vcpus[nr * HCT_VCPU_WAYS];
	struct hct_vcpu *vcpu = hct_vcpu_find(tab, who);
	struct hct_vcpu *victim = &set[0];
	unsigned int i;

	if (vcpu)
		return vcpu;
	for (i = 1; i < HCT_VCPU_WAYS; i++) {
		const u32 most = eviction_worth(set, victim, who->domid);
		const u32 least = eviction_worth(set, &set[i], who->domid);

		if (least < most || (least == most && set[i].stamp < victim->stamp))
			victim = &set[i];
	}

	if (victim->used) {
		tab->evicted += is_open(victim);
		hct_vcpu_close(tab, victim, HCT_END_LOST);
	}
	memset(victim, 0, sizeof(*victim));
	tab->set_used[nr] = true;
	victim->used = true;
	victim->who = *who;
	victim->stamp = ++tab->lookups;
	return victim;
}

void hct_vcpu_forget(struct hct_vcpu_table *tab, u16 domid)
{
	struct hct_vcpu *vcpu;

	for_each_vcpu(vcpu, tab) {
		if (vcpu->who.domid != domid)
			continue;
		hct_vcpu_close(tab, vcpu, HCT_END_SHORT);
		vcpu->used = false;
	}
}

void hct_vcpu_restart(struct hct_vcpu_table *tab)
{
	struct hct_vcpu *vcpu;

	for_each_vcpu(vcpu, tab) {
		hct_vcpu_close(tab, vcpu, HCT_END_LOST);
		vcpu->used = false;
	}
}

void hct_vcpu_uncount(struct hct_vcpu_table *tab)
{
	struct hct_vcpu *vcpu;
	unsigned int i;

	for_each_vcpu(vcpu, tab) {
		for (i = 0; i < HCT_MAX_OPEN_BATCHES; i++)
			vcpu->open[i].counted = false;
		vcpu->doubt_counted = false;
	}
}

static void end_old(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu)
{
	int i;

	if (vcpu->done.tick + 1 < tab->tick)
		vcpu->done.state = HCT_BATCH_FREE;
	for (i = 0; i < HCT_MAX_OPEN_BATCHES && vcpu->nr_open; i++) {
		if (vcpu->open[i].state == HCT_BATCH_FREE || vcpu->open[i].tick + 1 >= tab->tick)
			continue;
		end_open(tab, vcpu, i, HCT_END_SHORT);
		if (vcpu->active == i)
			vcpu->state = HCT_VCPU_OUTSIDE;
	}
}

void hct_vcpu_tick(struct hct_vcpu_table *tab)
{
	struct hct_vcpu *vcpu;

	tab->tick++;
	for_each_vcpu(vcpu, tab)
		end_old(tab, vcpu);
}

/* The newest open batch that lacks @left members and has some already; or -1. */
static int find_open(const struct hct_vcpu *vcpu, u32 left)
{
	int found = -1;
	int i;

	for (i = 0; i < HCT_MAX_OPEN_BATCHES && vcpu->nr_open; i++) {
		const struct hct_batch *batch = &vcpu->open[i];

		if (batch->state == HCT_BATCH_FREE || !batch->seen ||
		    batch->declared - batch->seen != left)
			continue;
		if (found < 0 || batch->id > vcpu->open[found].id)
			found = i;
	}
	return found;
}

/* A free place for a batch, or that of the oldest. */
static int find_place(const struct hct_vcpu *vcpu)
{
	int place = 0;
	int i;

	for (i = 1; i < HCT_MAX_OPEN_BATCHES && vcpu->nr_open; i++) {
		if (vcpu->open[i].id < vcpu->open[place].id)
			place = i;
	}
	return place;
}

static u32 next_id(struct hct_vcpu_table *tab)
{
	if (!++tab->last_batch)
		tab->last_batch = 1;
	return tab->last_batch;
}

static void open_batch(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, u32 declared,
		       bool counted)
{
	int i = find_place(vcpu);
	struct hct_batch *batch = &vcpu->open[i];

	/* The oldest, if there is no room: a continuation would have come by now. */
	end_open(tab, vcpu, i, HCT_END_SHORT);
	*batch = (struct hct_batch){
		.id = next_id(tab), .state = HCT_BATCH_OPEN, .declared = declared,
		.tick = tab->tick, .counted = counted,
	};
	vcpu->nr_open++;
	vcpu->state = HCT_VCPU_INSIDE;
	vcpu->active = i;
	vcpu->last = batch->id;
}

/* An open batch goes on. */
static void continue_batch(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, int i)
{
	vcpu->state = HCT_VCPU_INSIDE;
	vcpu->active = i;
	vcpu->last = vcpu->open[i].id;
	vcpu->open[i].tick = tab->tick;
	vcpu->open[i].splits++;
}

static void close_active(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu)
{
	struct hct_batch *batch = &vcpu->open[vcpu->active];
	bool complete = batch->seen >= batch->declared;

	vcpu->done = *batch;
	vcpu->done.state = HCT_BATCH_OVER;
	/* Its end is counted now, and not a second time. */
	vcpu->done.counted = false;
	end_open(tab, vcpu, vcpu->active, complete ? HCT_END_COMPLETE : HCT_END_SHORT);
	vcpu->state = HCT_VCPU_OUTSIDE;
}

/* The last member of the batch that is over comes back. Return: its place. */
static int reopen_done(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu)
{
	int i = find_place(vcpu);

	end_open(tab, vcpu, i, HCT_END_SHORT);
	vcpu->open[i] = vcpu->done;
	vcpu->open[i].state = HCT_BATCH_AGAIN;
	vcpu->nr_open++;
	vcpu->done.state = HCT_BATCH_FREE;
	return i;
}

/* Ops whose preempted form is marked, in a multicall as outside. */
static bool is_marked_op(u32 op)
{
	return hct_shape_of(op)->mark_all;
}

u32 hct_batch_empty(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who, bool counted)
{
	struct hct_batch empty = {
		.id = next_id(tab), .state = HCT_BATCH_OPEN, .counted = counted,
	};
	const u32 id = empty.id;

	end_batch(tab, who, &empty, HCT_END_COMPLETE);
	return id;
}

enum hct_batch_verdict hct_batch_multicall(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					   u32 count, bool counted)
{
	int i;

	vcpu->state = HCT_VCPU_OUTSIDE;
	if (!count) {
		vcpu->last = hct_batch_empty(tab, &vcpu->who, counted);
		return HCT_BATCH_NEW;
	}

	/* Preempted between two members. */
	i = find_open(vcpu, count);
	if (i >= 0) {
		continue_batch(tab, vcpu, i);
		return HCT_BATCH_CONTINUED;
	}

	/* Preempted inside a member, which then is recorded once more. */
	i = find_open(vcpu, count - 1);
	if (i < 0 && count == 1 && vcpu->done.state == HCT_BATCH_OVER &&
	    is_marked_op(vcpu->done.last_op))
		i = reopen_done(tab, vcpu);
	if (i >= 0) {
		continue_batch(tab, vcpu, i);
		vcpu->state = HCT_VCPU_DOUBTED;
		vcpu->doubted = count;
		vcpu->doubt_counted = counted;
		return HCT_BATCH_CONTINUED;
	}

	open_batch(tab, vcpu, count, counted);
	return HCT_BATCH_NEW;
}

/* Whether a member is the last one of @batch over again. */
static bool is_resumed(const struct hct_batch *batch, const struct hct_call *call, bool marked)
{
	if (call->flags & HCT_CALL_MALFORMED || call->op != batch->last_op)
		return false;
	return !is_marked_op(call->op) || marked;
}

enum hct_batch_verdict hct_batch_member(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					const struct hct_call *call, bool marked)
{
	u32 op = call->flags & HCT_CALL_MALFORMED ? HCT_OP_NONE : call->op;
	enum hct_batch_verdict verdict = HCT_BATCH_NEW;
	struct hct_batch *batch;

	if (vcpu->state == HCT_VCPU_OUTSIDE) {
		vcpu->last = 0;
		return verdict;
	}

	if (vcpu->state == HCT_VCPU_DOUBTED) {
		if (is_resumed(&vcpu->open[vcpu->active], call, marked)) {
			verdict = HCT_BATCH_CONTINUED;
			vcpu->state = HCT_VCPU_INSIDE;
		} else {
			vcpu->open[vcpu->active].splits--;
			open_batch(tab, vcpu, vcpu->doubted, vcpu->doubt_counted);
			verdict = HCT_BATCH_MISTAKEN;
		}
	}

	batch = &vcpu->open[vcpu->active];
	vcpu->last = batch->id;
	batch->last_op = op;
	if (verdict != HCT_BATCH_CONTINUED) {
		batch->seen++;
		if (batch->counted)
			hct_account_batch_seen(tab->acct, vcpu->who.domid);
	}
	/* An iret inside a multicall ends it. */
	if (batch->seen >= batch->declared || op == HCT_OP_iret)
		close_active(tab, vcpu);
	return verdict;
}

void hct_batch_other(struct hct_vcpu *vcpu)
{
	vcpu->state = HCT_VCPU_OUTSIDE;
	vcpu->last = 0;
}
