# SPDX-License-Identifier: GPL-2.0
# A golden table of tests/data as `hctrace report` shows it: with the names of ops, and one row for all that is d?.
# Input: include/hctrace/names.h, include/hctrace/subops.h, the table. Output: domain kind op calls cont units
# (as in rows.awk).

# X(8, set_singleshot_timer) of HCT_VCPU_OPS names "24/8"; what HCT_OPS has comes first.
/^#define HCT_[A-Z0-9_]*OPS\(X\)/ { table = $2; sub(/\(.*/, "", table) }
/^[ \t]*X\([0-9]+, / {
	split($0, part, /[(), \t]+/)
	name[table, part[3]] = part[4]
	next
}
FILENAME !~ /golden$/ || /^#/ { next }

{
	split($3, op, "/")
	shown = name["HCT_OPS", op[1]]
	if (op[2] != "") {
		family = op[1] == 20 ? "HCT_GRANT_OPS" : op[1] == 24 ? "HCT_VCPU_OPS" : "HCT_SCHED_OPS"
		shown = shown "/" name[family, op[2]]
	}
	if ($1 == "d?")
		unknown += $4 + $5
	else
		print $1, $2, shown, $4, $5, $6
}
END { print "d?", "-", "*", unknown + 0, 0, 0 }
