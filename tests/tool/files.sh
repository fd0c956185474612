# SPDX-License-Identifier: GPL-2.0
# Helpers of the tests of recordings, sourced with cwd at the top.
# shellcheck shell=sh
. tests/tool/tap.sh

# at_most WHAT NUMBER LIMIT
at_most()
{
	if [ "$2" -le "$3" ]; then
		ok "$1: $2 of $3"
	else
		not_ok "$1: $2, more than $3"
	fi
}

# same WHAT FILE FILE
same()
{
	if cmp -s "$2" "$3"; then
		ok "$1"
	else
		not_ok "$1"
		diff "$2" "$3" | head -n 20 | diag
	fi
}

# golden FILE: a golden table as rows shows it
golden()
{
	awk -f tests/tool/golden.awk include/hctrace/names.h include/hctrace/subops.h "$1" | sort
}

# rows: domain, kind, op and figures of a report
rows() { awk -f tests/tool/rows.awk | sort; }
