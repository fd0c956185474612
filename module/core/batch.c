// SPDX-License-Identifier: GPL-2.0
/* Matching multicalls with their continuations; see batch.h. */
#include <hctrace/batch.h>
#include <hctrace/names.h>

#define HCT_OP_NONE	(~0u)	/* forged: the number of no op */

#define for_each_vcpu(vcpu, tab) \
	for ((vcpu) = (tab)->vcpus; (vcpu) < (tab)->vcpus + ARRAY_SIZE((tab)->vcpus); (vcpu)++)

void hct_vcpu_init(struct hct_vcpu_table *tab, struct hct_account *acct)
{
	memset(tab, 0, sizeof(*tab));
	tab->acct = acct;
}

/* Take a batch off the list; its multicall is over. */
static void end_batch(struct hct_vcpu_table *tab, const struct hct_vcpu *vcpu,
		      struct hct_batch *batch, enum hct_batch_end end)
{
	if (batch->id && batch->counted)
		hct_account_batch_end(tab->acct, vcpu->who.domid, end);
	if (batch->id && !batch->reported && tab->ended)
		tab->ended(tab->ctx, &vcpu->who, batch, end);
	batch->id = 0;
}

void hct_vcpu_close(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, enum hct_batch_end end)
{
	int i;

	for (i = 0; i < HCT_MAX_OPEN_BATCHES; i++)
		end_batch(tab, vcpu, &vcpu->open[i], end);
	vcpu->done.id = 0;
	vcpu->active = -1;
	vcpu->doubt = 0;
}

struct hct_vcpu *hct_vcpu_get(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who)
{
	u32 hash = (who->domid * 31u + who->vcpu) % HCT_VCPU_SETS;
	struct hct_vcpu *set = &tab->vcpus[hash * HCT_VCPU_WAYS];
	struct hct_vcpu *victim = NULL;
	unsigned int i;

	tab->lookups++;
	for (i = 0; i < HCT_VCPU_WAYS; i++) {
		struct hct_vcpu *vcpu = &set[i];

		if (vcpu->used && vcpu->who.domid == who->domid && vcpu->who.vcpu == who->vcpu) {
			vcpu->stamp = tab->lookups;
			return vcpu;
		}
		if (!victim || (victim->used && (!vcpu->used || vcpu->stamp < victim->stamp)))
			victim = vcpu;
	}

	if (victim->used) {
		tab->evicted++;
		hct_vcpu_close(tab, victim, HCT_END_LOST);
	}
	memset(victim, 0, sizeof(*victim));
	victim->used = true;
	victim->who = *who;
	victim->active = -1;
	victim->stamp = tab->lookups;
	return victim;
}

void hct_vcpu_forget(struct hct_vcpu_table *tab, u16 domid)
{
	struct hct_vcpu *vcpu;

	for_each_vcpu(vcpu, tab) {
		if (!vcpu->used || vcpu->who.domid != domid)
			continue;
		hct_vcpu_close(tab, vcpu, HCT_END_SHORT);
		vcpu->used = false;
	}
}

void hct_vcpu_restart(struct hct_vcpu_table *tab)
{
	struct hct_vcpu *vcpu;

	for_each_vcpu(vcpu, tab) {
		if (!vcpu->used)
			continue;
		hct_vcpu_close(tab, vcpu, HCT_END_LOST);
		vcpu->used = false;
	}
}

void hct_vcpu_uncount(struct hct_vcpu_table *tab)
{
	struct hct_vcpu *vcpu;
	unsigned int i;

	for_each_vcpu(vcpu, tab) {
		if (!vcpu->used)
			continue;
		for (i = 0; i < HCT_MAX_OPEN_BATCHES; i++)
			vcpu->open[i].counted = false;
		vcpu->doubt_counted = false;
	}
}

static void end_old(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu)
{
	int i;

	for (i = 0; i < HCT_MAX_OPEN_BATCHES; i++) {
		if (!vcpu->open[i].id || vcpu->open[i].tick + 1 >= tab->tick)
			continue;
		end_batch(tab, vcpu, &vcpu->open[i], HCT_END_SHORT);
		if (vcpu->active == i) {
			vcpu->active = -1;
			vcpu->doubt = 0;
		}
	}
}

void hct_vcpu_tick(struct hct_vcpu_table *tab)
{
	struct hct_vcpu *vcpu;

	tab->tick++;
	for_each_vcpu(vcpu, tab) {
		if (vcpu->used)
			end_old(tab, vcpu);
	}
}

/* The newest open batch that lacks @left members and has some already; or -1. */
static int find_open(const struct hct_vcpu *vcpu, u32 left)
{
	int found = -1;
	int i;

	for (i = 0; i < HCT_MAX_OPEN_BATCHES; i++) {
		const struct hct_batch *batch = &vcpu->open[i];

		if (!batch->id || !batch->seen || batch->declared - batch->seen != left)
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

	for (i = 1; i < HCT_MAX_OPEN_BATCHES; i++) {
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
	struct hct_batch *batch = &vcpu->open[find_place(vcpu)];

	/* The oldest, if there is no room: a continuation would have come by now. */
	end_batch(tab, vcpu, batch, HCT_END_SHORT);
	*batch = (struct hct_batch){
		.id = next_id(tab), .declared = declared, .tick = tab->tick, .counted = counted,
	};
	vcpu->active = batch - vcpu->open;
	vcpu->last = batch->id;
}

/* An open batch goes on. */
static void continue_batch(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, int i)
{
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
	/* What comes back of it to finish its last member does not end a second time. */
	vcpu->done.counted = false;
	vcpu->done.reported = true;
	end_batch(tab, vcpu, batch, complete ? HCT_END_COMPLETE : HCT_END_SHORT);
	vcpu->active = -1;
}

/* Ops whose preempted form is marked, in a multicall as outside. */
static bool is_marked_op(u32 op)
{
	return op == HCT_OP_mmu_update || op == HCT_OP_mmuext_op;
}

enum hct_batch_verdict hct_batch_multicall(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					   u32 count, bool counted)
{
	int i;

	vcpu->active = -1;
	vcpu->doubt = 0;
	if (!count) {
		struct hct_batch empty = { .id = next_id(tab), .counted = counted };

		vcpu->last = empty.id;
		end_batch(tab, vcpu, &empty, HCT_END_COMPLETE);
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
	if (i < 0 && count == 1 && vcpu->done.id && is_marked_op(vcpu->done.last_op)) {
		i = find_place(vcpu);
		end_batch(tab, vcpu, &vcpu->open[i], HCT_END_SHORT);
		vcpu->open[i] = vcpu->done;
		vcpu->done.id = 0;
	}
	if (i >= 0) {
		continue_batch(tab, vcpu, i);
		vcpu->doubt = count;
		vcpu->doubt_counted = counted;
		return HCT_BATCH_CONTINUED;
	}

	open_batch(tab, vcpu, count, counted);
	return HCT_BATCH_NEW;
}

/* Whether a member is the last one of @batch over again. */
static bool is_resumed(const struct hct_batch *batch, const struct hct_call *call)
{
	if (call->flags & HCT_CALL_MALFORMED || call->op != batch->last_op)
		return false;
	return !is_marked_op(call->op) || call->args[1] & XEN_MMU_PREEMPTED;
}

enum hct_batch_verdict hct_batch_member(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					const struct hct_call *call)
{
	u32 op = call->flags & HCT_CALL_MALFORMED ? HCT_OP_NONE : call->op;
	enum hct_batch_verdict verdict = HCT_BATCH_NEW;
	struct hct_batch *batch;

	if (vcpu->active < 0) {
		vcpu->last = 0;
		return verdict;
	}

	if (vcpu->doubt) {
		if (is_resumed(&vcpu->open[vcpu->active], call)) {
			verdict = HCT_BATCH_CONTINUED;
		} else {
			vcpu->open[vcpu->active].splits--;
			open_batch(tab, vcpu, vcpu->doubt, vcpu->doubt_counted);
			verdict = HCT_BATCH_MISTAKEN;
		}
		vcpu->doubt = 0;
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
	vcpu->active = -1;
	vcpu->doubt = 0;
	vcpu->last = 0;
}
