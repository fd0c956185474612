// SPDX-License-Identifier: GPL-2.0
/* Matching multicalls with their continuations; see batch.h. */
#include <hctrace/batch.h>
#include <hctrace/names.h>

#define HCT_OP_NONE	(~0u)	/* forged: the number of no op */

static struct hct_vcpu *vcpu_init(struct hct_vcpu *vcpu, const struct hct_vcpu_id *who)
{
	memset(vcpu, 0, sizeof(*vcpu));
	vcpu->used = true;
	vcpu->who = *who;
	vcpu->active = -1;
	return vcpu;
}

struct hct_vcpu *hct_vcpu_get(struct hct_vcpu_table *tab, const struct hct_vcpu_id *who)
{
	struct hct_vcpu *set = tab->sets[(who->domid * 31u + who->vcpu) % HCT_VCPU_SETS];
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

	if (victim->used)
		tab->evicted++;
	vcpu_init(victim, who);
	victim->stamp = tab->lookups;
	return victim;
}

void hct_vcpu_forget(struct hct_vcpu_table *tab, u16 domid)
{
	unsigned int set;
	unsigned int way;

	for (set = 0; set < HCT_VCPU_SETS; set++) {
		for (way = 0; way < HCT_VCPU_WAYS; way++) {
			if (tab->sets[set][way].who.domid == domid)
				tab->sets[set][way].used = false;
		}
	}
}

void hct_vcpu_gap(struct hct_vcpu *vcpu)
{
	vcpu->active = -1;
	vcpu->doubt = 0;
	memset(vcpu->open, 0, sizeof(vcpu->open));
	memset(&vcpu->done, 0, sizeof(vcpu->done));
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

static void open_batch(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu, u32 declared)
{
	int place = find_place(vcpu);

	if (!++tab->last_batch)
		tab->last_batch = 1;
	vcpu->open[place] = (struct hct_batch){ .id = tab->last_batch, .declared = declared };
	vcpu->active = place;
}

static void close_active(struct hct_vcpu *vcpu)
{
	vcpu->done = vcpu->open[vcpu->active];
	vcpu->open[vcpu->active].id = 0;
	vcpu->active = -1;
}

/* Ops whose preempted form is marked, in a multicall as outside. */
static bool is_marked_op(u32 op)
{
	return op == HCT_OP_mmu_update || op == HCT_OP_mmuext_op;
}

enum hct_batch_verdict hct_batch_multicall(struct hct_vcpu_table *tab, struct hct_vcpu *vcpu,
					   u32 count)
{
	int i;

	vcpu->active = -1;
	vcpu->doubt = 0;
	if (!count)
		return HCT_BATCH_NEW;

	/* Preempted between two members. */
	i = find_open(vcpu, count);
	if (i >= 0) {
		vcpu->active = i;
		return HCT_BATCH_CONTINUED;
	}

	/* Preempted inside a member, which then is recorded once more. */
	i = find_open(vcpu, count - 1);
	if (i < 0 && count == 1 && vcpu->done.id && is_marked_op(vcpu->done.last_op)) {
		i = find_place(vcpu);
		vcpu->open[i] = vcpu->done;
		vcpu->done.id = 0;
	}
	if (i >= 0) {
		vcpu->active = i;
		vcpu->doubt = count;
		return HCT_BATCH_CONTINUED;
	}

	open_batch(tab, vcpu, count);
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

	if (vcpu->active < 0)
		return verdict;

	if (vcpu->doubt) {
		if (is_resumed(&vcpu->open[vcpu->active], call)) {
			verdict = HCT_BATCH_CONTINUED;
		} else {
			open_batch(tab, vcpu, vcpu->doubt);
			verdict = HCT_BATCH_MISTAKEN;
		}
		vcpu->doubt = 0;
	}

	batch = &vcpu->open[vcpu->active];
	batch->last_op = op;
	if (verdict != HCT_BATCH_CONTINUED)
		batch->seen++;
	/* An iret inside a multicall ends it. */
	if (batch->seen >= batch->declared || op == HCT_OP_iret)
		close_active(vcpu);
	return verdict;
}

void hct_batch_other(struct hct_vcpu *vcpu)
{
	vcpu->active = -1;
	vcpu->doubt = 0;
}
