// SPDX-License-Identifier: GPL-2.0
/* Tables of fixed size; see account.h. */
#include <hctrace/account.h>
#include <hctrace/shape.h>

static void fold_domain(struct hct_domain *into, const struct hct_domain *from)
{
	unsigned int kind;
	unsigned int i;

	into->cycles = hct_add(into->cycles, from->cycles);
	into->batches.seen += from->batches.seen;
	if (from->batches.max > into->batches.max)
		into->batches.max = from->batches.max;
	for (i = 0; i < HCT_NR_ENDS; i++)
		into->batches.ends[i] += from->batches.ends[i];
	for (i = 0; i < HCT_NR_SIZES; i++)
		into->batches.sizes[i] += from->batches.sizes[i];

	for (kind = 0; kind < HCT_NR_MARKED_KINDS; kind++)
		into->doubted[kind] |= from->doubted[kind];
	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++) {
			struct hct_cell *to = &into->cells[kind][i];
			const struct hct_cell *cell = &from->cells[kind][i];

			to->calls += cell->calls;
			to->cont += cell->cont;
			to->units = hct_add(to->units, cell->units);
			to->window += cell->window;
			to->rate += cell->rate;
		}
	}
}

/* A row nobody needs any more: an unused one, else that of the oldest dead domain. */
static struct hct_domain *take_row(struct hct_account *acct)
{
	struct hct_domain *oldest = NULL;
	u32 i;

	if (acct->nr < HCT_MAX_DOMAINS)
		return &acct->domains[acct->nr++];

	for (i = 0; i < acct->nr; i++) {
		struct hct_domain *dom = &acct->domains[i];

		if (dom->dead && (!oldest || dom->seq < oldest->seq))
			oldest = dom;
	}
	if (oldest)
		fold_domain(&acct->special[HCT_ROW_GONE], oldest);
	return oldest;
}

struct hct_domain *hct_account_domain(struct hct_account *acct, u16 domid)
{
	struct hct_domain *dom = hct_account_find(acct, domid);

	if (dom)
		return dom;
	dom = take_row(acct);
	if (!dom)
		return &acct->special[HCT_ROW_MORE];

	memset(dom, 0, sizeof(*dom));
	dom->used = true;
	dom->domid = domid;
	dom->generation = acct->generations[domid] + 1;
	acct->row_of[domid] = dom - acct->domains + 1;
	return dom;
}

void hct_account_died(struct hct_account *acct, u16 domid)
{
	struct hct_domain *dom;

	if (domid >= XEN_DOMID_FIRST_RESERVED)
		return;
	dom = hct_account_find(acct, domid);
	if (!dom)
		return;
	dom->dead = true;
	dom->seq = ++acct->deaths;
	acct->row_of[domid] = 0;
	acct->generations[domid]++;
}

u32 hct_batch_size_limit(unsigned int bucket)
{
	return 1u << bucket;
}

void hct_account_batch(struct hct_domain *dom, u64 declared)
{
	unsigned int bucket = declared ? fls64(declared - 1) : 0;

	dom->batches.sizes[bucket < HCT_NR_SIZES ? bucket : HCT_NR_SIZES - 1]++;
	if (declared > dom->batches.max)
		dom->batches.max = declared;
}

/* Where a living domain is counted already. */
static struct hct_domain *existing_row(struct hct_account *acct, u16 domid)
{
	struct hct_domain *dom = hct_account_find(acct, domid);

	return dom ? dom : &acct->special[HCT_ROW_MORE];
}

void hct_account_batch_end(struct hct_account *acct, u16 domid, enum hct_batch_end end)
{
	existing_row(acct, domid)->batches.ends[end]++;
}

void hct_account_batch_seen(struct hct_account *acct, u16 domid)
{
	existing_row(acct, domid)->batches.seen++;
}

unsigned int hct_account_cell(const struct hct_call *call)
{
	const struct hct_shape *shape = hct_shape_of(call->op);
	u64 cmd;

	if (call->flags & HCT_CALL_MALFORMED)
		return HCT_CELL_MALFORMED;
	if (call->flags & HCT_CALL_VIRIDIAN)
		return HCT_CELL_VIRIDIAN;
	if (call->op >= HCT_NR_OPS)
		return HCT_CELL_OTHER;
	if (!shape->nr_cmds || !(call->has_arg & 1))
		return call->op;
	cmd = call->args[0] & shape->cmd_mask;
	return call->op + shape->cell + (cmd < shape->nr_cmds ? cmd : shape->nr_cmds);
}

u64 hct_account_units(const struct hct_call *call)
{
	const struct hct_shape *shape = hct_shape_of(call->op);

	if (call->flags & HCT_CALL_MALFORMED)
		return 0;
	return call->args[shape->units_arg] & shape->units_mask;
}

enum hct_marked hct_account_marked(const struct hct_call *call)
{
	const struct hct_shape *shape = hct_shape_of(call->op);
	u64 cmd;

	if (!shape->mark || call->flags & HCT_CALL_MALFORMED ||
	    call->kind >= HCT_NR_MARKED_KINDS)
		return HCT_MARKED_NONE;
	if (shape->mark_all)
		return shape->mark;
	cmd = call->args[0] & shape->cmd_mask;
	return cmd > shape->last_cmd && cmd < shape->nr_cmds ? shape->mark : HCT_MARKED_NONE;
}

bool hct_call_has_mark(const struct hct_call *call)
{
	const struct hct_shape *shape = hct_shape_of(call->op);

	return hct_account_marked(call) && call->args[shape->first] & shape->odd;
}

bool hct_account_mark(struct hct_account *acct, struct hct_domain *dom,
		      const struct hct_call *call)
{
	enum hct_marked marked = hct_account_marked(call);
	u32 count;

	if (!marked)
		return false;
	count = hct_account_units(call);
	if (hct_call_has_mark(call))
		return hct_opened_goes_on(&dom->opened[call->kind][marked], acct->gaps, count);
	hct_opened_call(&dom->opened[call->kind][marked], count);
	return false;
}

void hct_account_doubt(struct hct_domain *dom, const struct hct_call *call)
{
	if (hct_call_has_mark(call))
		dom->doubted[call->kind] |= 1u << hct_account_marked(call);
}

void hct_account_restart(struct hct_account *acct)
{
	u32 i;

	acct->gaps++;
	memset(acct->special[HCT_ROW_MORE].opened, 0, sizeof(acct->special[0].opened));
	for (i = 0; i < acct->nr; i++)
		memset(acct->domains[i].opened, 0, sizeof(acct->domains[i].opened));
}

bool hct_cell_has_units(unsigned int cell)
{
	if (cell >= HCT_CELL_GRANT && cell <= HCT_CELL_GRANT_OTHER)
		cell = HCT_OP_grant_table_op;
	return hct_shape_of(cell)->units_mask;
}

static bool is_doubted(const struct hct_domain *dom, unsigned int kind, enum hct_marked marked)
{
	return kind < HCT_NR_MARKED_KINDS && dom->doubted[kind] >> marked & 1;
}

bool hct_cell_is_bound(const struct hct_domain *dom, unsigned int kind, unsigned int cell,
		       bool members)
{
	if (kind == HCT_KIND_HVM)
		return true;

	switch (cell) {
	case HCT_OP_memory_op:
	case HCT_OP_domctl:
	case HCT_CELL_GRANT + HCT_GRANT_map_grant_ref:
	case HCT_CELL_GRANT + HCT_GRANT_unmap_grant_ref:
	case HCT_CELL_GRANT + HCT_GRANT_transfer:
	case HCT_CELL_GRANT + HCT_GRANT_copy:
	case HCT_CELL_GRANT + HCT_GRANT_unmap_and_replace:
	case HCT_CELL_GRANT + HCT_GRANT_swap_grant_ref:
	case HCT_CELL_GRANT + HCT_GRANT_cache_flush:	/* no mark between two of its ops */
	case HCT_CELL_VCPU + HCT_VCPU_initialise:
		return true;
	case HCT_OP_multicall:
		return kind != HCT_KIND_CALL || !members;
	case HCT_OP_mmu_update:
		return is_doubted(dom, kind, HCT_MARKED_MMU_UPDATE);
	case HCT_OP_mmuext_op:
		return is_doubted(dom, kind, HCT_MARKED_MMUEXT_OP);
	default:
		return false;
	}
}

const char *hct_kind_name(unsigned int kind)
{
	static const char *const names[HCT_NR_KINDS] = {
		[HCT_KIND_CALL] = "call",
		[HCT_KIND_MEMBER] = "member",
		[HCT_KIND_HVM] = "hvm",
		[HCT_KIND_V1] = "v1",
		[HCT_KIND_DRAFT] = "draft",
	};

	return kind < HCT_NR_KINDS ? names[kind] : "?";
}

static const char *subop_cell_name(u32 op, u32 cmd, char *buf, size_t size)
{
	const char *name = hct_subop_name(op, cmd);

	scnprintf(buf, size, "%s/%s", hct_op_name(op), name ? name : "other");
	return buf;
}

const char *hct_cell_name(unsigned int cell, char *buf, size_t size)
{
	if (cell >= HCT_CELL_SCHED)
		return subop_cell_name(HCT_OP_sched_op, cell - HCT_CELL_SCHED, buf, size);
	if (cell >= HCT_CELL_VCPU)
		return subop_cell_name(HCT_OP_vcpu_op, cell - HCT_CELL_VCPU, buf, size);
	if (cell >= HCT_CELL_GRANT)
		return subop_cell_name(HCT_OP_grant_table_op, cell - HCT_CELL_GRANT, buf, size);

	switch (cell) {
	case HCT_CELL_OTHER:
		scnprintf(buf, size, "other");
		break;
	case HCT_CELL_MALFORMED:
		scnprintf(buf, size, "malformed");
		break;
	case HCT_CELL_VIRIDIAN:
		scnprintf(buf, size, "viridian");
		break;
	default:
		if (hct_op_name(cell))
			scnprintf(buf, size, "%s", hct_op_name(cell));
		else
			scnprintf(buf, size, "%u", cell);
	}
	return buf;
}

static void tick_row(struct hct_domain *dom)
{
	unsigned int kind;
	unsigned int i;

	for (kind = 0; kind < HCT_NR_MARKED_KINDS; kind++) {
		for (i = 0; i < HCT_NR_MARKED; i++)
			hct_opened_turn(&dom->opened[kind][i]);
	}
	for (kind = 0; kind < HCT_NR_KINDS; kind++) {
		for (i = 0; i < HCT_NR_CELLS; i++) {
			dom->cells[kind][i].rate = dom->cells[kind][i].window;
			dom->cells[kind][i].window = 0;
		}
	}
}

void hct_account_tick(struct hct_account *acct, u32 elapsed_ms)
{
	u32 i;

	acct->window_ms = elapsed_ms;
	for (i = 0; i < HCT_NR_SPECIAL_ROWS; i++)
		tick_row(&acct->special[i]);
	for (i = 0; i < acct->nr; i++)
		tick_row(&acct->domains[i]);
}

void hct_account_reset(struct hct_account *acct)
{
	/* Generations survive: a row made after a reset must not share a dead one's name. */
	memset(acct->row_of, 0, sizeof(acct->row_of));
	memset(acct->special, 0, sizeof(acct->special));
	memset(acct->domains, 0, acct->nr * sizeof(acct->domains[0]));
	acct->nr = 0;
	acct->window_ms = 0;
	acct->idle_cycles = 0;
	acct->filtered_cycles = 0;
}
