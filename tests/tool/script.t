#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace script: its lines add up to what report says, and each column of them.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

# Lines of calls as domain, kind, op, how many: d3v1 is d3, and d? has one row.
count_lines()
{
	awk '$4 == "batch" || $4 == "lost" || $4 == "domain" { next }
		$3 == "d?" { n["d? - *"]++; next }
		{ sub(/v.*/, "", $3); n[$3 " " $4 " " $5]++ }
		END { for (row in n) print row, n[row] }' | sort
}

for capture in tests/data/*.xentrace.xz; do
	name=$(basename "$capture" .xentrace.xz)
	xz -dc "$capture" >"$work/trace"
	"$HCTRACE" script "$work/trace" 2>/dev/null >"$work/lines"
	count_lines <"$work/lines" >"$work/got"
	# Preempted calls have a line each time.
	golden "${capture%.xentrace.xz}.golden" | awk '$4 + $5 { print $1, $2, $3, $4 + $5 }' >"$work/wanted"
	same "$name: $(wc -l <"$work/lines") lines add up" "$work/got" "$work/wanted"
	is "... in the order of time" "$(sort -n -s -k 1,1 "$work/lines" | cmp - "$work/lines" 2>&1)" ""
done

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
golden tests/data/xen-4.17-both.golden >"$work/all"

"$HCTRACE" script --domain 3 --batches "$work/trace" 2>/dev/null >"$work/lines"
is "d3's multicalls" "$(awk '$4 == "batch" { $1 = $2 = ""; print }' "$work/lines")" \
"  d3v0 batch complete batch=19 declared=7 seen=7 splits=0
  d3v0 batch complete batch=20 declared=7 seen=7 splits=0
  d3v0 batch complete batch=21 declared=7 seen=7 splits=0"
is "their members name them" "$(grep -c ' member vm_assist batch=2[01]$' "$work/lines")" 14
is "d3 alone" "$(grep -cv ' d3' "$work/lines")" 0
is "its end" "$(awk '$4 == "domain" { print $3, $4, $5 }' "$work/lines")" "d3 domain destroyed"
is "arguments" "$(awk '/sched_op/ { $1 = $2 = ""; print }' "$work/lines")" "  d3v0 call sched_op/shutdown a0=2"
"$HCTRACE" script --op mmu_update "$work/trace" 2>/dev/null >"$work/lines"
is "mmu_update alone" "$(count_lines <"$work/lines")" "d0 call mmu_update 7689"
is "of them preempted before" "$(grep -c ' a1=[0-9]* continued$' "$work/lines")" 17

"$HCTRACE" script --tsc-mhz 1000 --since 1 --until 2 "$work/trace" >"$work/lines"
is "from the first second to the second" "$(awk '$1 < 1 || $1 > 2' "$work/lines")" ""
"$HCTRACE" report --raw --tsc-mhz 1000 --since 1 --until 2 "$work/trace" | rows |
	awk '{ sum += $4 + $5 } END { print sum }' >"$work/sum"
is "as many as report counts there" "$(grep -cv " domain " "$work/lines")" "$(cat "$work/sum")"
says "in cycles, if nobody says more" 0 "52521 [001] d?       call   set_segment_base" "$HCTRACE" script "$work/trace"
says "in seconds" 0 "0.000052521 [001] d?" "$HCTRACE" script --tsc-mhz 1000 "$work/trace"
head -c 10001 "$work/trace" >"$work/cut"
says "a damaged file" 3 "d0v1" "$HCTRACE" script "$work/cut"
# shellcheck disable=SC2016 # the inner shell expands them
says "a full disk" 1 "No space left" sh -c '"$1" script "$2" >/dev/full' sh "$HCTRACE" "$work/trace"
says "help has examples" 0 "Examples:" "$HCTRACE" script --help
finish
