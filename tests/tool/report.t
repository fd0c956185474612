#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace report on what stock xentrace recorded: the golden tables of tests/data must come out.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

# sum COLUMN: of a table on standard input
sum() { awk -v column="$1" '{ sum += $column } END { print sum + 0 }'; }

for capture in tests/data/*.xentrace.xz; do
	name=$(basename "$capture" .xentrace.xz)
	xz -dc "$capture" >"$work/trace"
	golden "${capture%.xentrace.xz}.golden" >"$work/wanted"

	status=0
	"$HCTRACE" report --raw "$work/trace" >"$work/report" 2>"$work/errors" || status=$?
	rows <"$work/report" >"$work/got"
	if [ $status = 0 ] && [ "$(wc -l <"$work/wanted")" -gt 5 ] && cmp -s "$work/got" "$work/wanted"; then
		ok "$name: the golden table ($(wc -l <"$work/got") rows)"
	else
		not_ok "$name: status $status, and not the golden table"
		diff "$work/got" "$work/wanted" | diag
	fi
	is "$name: nothing else is said" "$(cat "$work/errors")" \
		"hctrace: times are in cycles: --tsc-mhz says how long one is"

	# Through a pipe it is the same.
	"$HCTRACE" report --raw - <"$work/trace" 2>/dev/null >"$work/piped"
	same "$name: the same through a pipe" "$work/piped" "$work/report"
done

# From here on: the last one, which has PV and PVH guests.
xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
golden tests/data/xen-4.17-both.golden >"$work/all"

"$HCTRACE" report --raw --domain 0 "$work/trace" 2>/dev/null | rows >"$work/got"
is "domain d0 alone" "$(grep -v '^d?' "$work/got")" "$(grep '^d0' "$work/all")"
"$HCTRACE" report --raw --op iret,13 "$work/trace" 2>/dev/null | rows >"$work/got"
is "two ops alone" "$(grep -v '^d?' "$work/got")" "$(grep -E ' (iret|multicall) ' "$work/all")"
is "... of nobody known, too" "$(grep '^d?' "$work/got")" \
	"d? - * $(awk '$1 == "d?" && ($3 == 13 || $3 == 23) { sum += $4 } END { print sum + 0 }' tests/data/xen-4.17-both.golden) 0 0"

# The time line has every call once, those of nobody known and continuations included.
calls=$(awk '{ sum += $4 + $5 } END { print sum }' "$work/all")
for buckets in 1 2 7 50 1000; do
	"$HCTRACE" report --raw "--timeline=$buckets" "$work/trace" 2>/dev/null |
		awk '/^# timeline/ { on = 1; next } on && $1 != "from_cycles"' >"$work/line"
	is "$buckets buckets: all calls" "$(sum 2 <"$work/line")" "$calls"
	at_most "... in few enough intervals" "$(wc -l <"$work/line")" "$buckets"
done

# Calls are counted in rows, or one by one, as script shows them: it is the same.
in_time()
{
	"$HCTRACE" report --raw --timeline=40 "$@" 2>/dev/null |
		awk '/^# timeline/ { on = 1; print $(NF - 1); next } on && $1 != "from_cycles" { print $1, $2 }'
}
one_by_one()
{
	"$HCTRACE" script "$@" 2>/dev/null | awk '
		FILENAME != "-" && FNR == 1 { interval = $1; next }
		FILENAME != "-" { if (FNR == 2) start = $1; wanted[(FNR - 2)] = 0; nr = FNR - 1; next }
		$4 ~ /^(call|member|hvm|v1)$/ { wanted[int(($1 - start) / interval)]++ }
		END { print interval; for (i = 0; i < nr; i++) printf "%.0f %d\n", start + i * interval, wanted[i] }' \
		"$work/line" -
}
for wanted in "" "--domain 0,1" "--domain d?" "--op iret" "--op multicall,mmu_update --domain 0" \
	"--op vcpu_op/is_up,sched_op" "--domain 0#1"; do
	# shellcheck disable=SC2086 # a list of words
	in_time $wanted "$work/trace" >"$work/line"
	# shellcheck disable=SC2086
	one_by_one $wanted "$work/trace" >"$work/lines"
	at_most "calls in time, $wanted" 3 "$(wc -l <"$work/line")"
	same "... the same one by one" "$work/line" "$work/lines"
done

# A time that no counter comes to is in the last interval there is: words are in octal.
printf '%b' '\0003\0360\0001\0040' '\0000\0000\0000\0000' '\0040\0000\0000\0000' \
	'\0015\0020\0040\0220' '\0001\0000\0000\0000' '\0000\0000\0000\0000' '\0027\0000\0000\0000' \
	'\0015\0020\0040\0220' '\0360\0377\0377\0377' '\0377\0377\0377\0377' '\0027\0000\0000\0000' >"$work/late"
for buckets in 1 2; do
	is "$buckets buckets, and all of time" \
		"$(timeout 20 "$HCTRACE" report --raw --timeline=$buckets "$work/late" 2>/dev/null |
			awk '/^# timeline/ { on = 1; next } on && $1 != "from_cycles" { print $2 }' | tr '\n' ' ')" \
		"$([ $buckets = 1 ] && echo "2 " || echo "1 1 ")"
done

# Parts of the recording make up the whole. A rate of 1000 MHz, so that seconds are cycles / 10^9.
part() { "$HCTRACE" report --raw --tsc-mhz 1000 "$@" "$work/trace" | awk -f tests/tool/rows.awk | awk '{ sum += $4 + $5 } END { print sum }'; }
is "until the middle and since then: all calls" $(($(part --until 1.7) + $(part --since 1.700000001))) "$calls"
is "since the end: none" "$(part --since 100)" 0
at_most "the middle has some" 1 "$(part --since 1 --until 2)"

says "rates need the length of a cycle" 0 "times are in cycles" "$HCTRACE" report --raw "$work/trace"
says "so do --since and --until" 2 "need the rate of the TSC: --tsc-mhz" "$HCTRACE" report --raw --since 1 "$work/trace"
says "and then there are rates" 0 "# xen-hctrace report 1   xentrace   3.357 s   pcpus 2" \
	"$HCTRACE" report --raw --tsc-mhz 1000 "$work/trace"
says "seconds on the time line" 0 "from_s" "$HCTRACE" report --raw --tsc-mhz 1000 --timeline "$work/trace"

says "no file" 2 "which file?" "$HCTRACE" report
says "two files" 2 "one file at a time" "$HCTRACE" report --raw a b
says "no such domain" 2 "domain" "$HCTRACE" report --raw --domain x "$work/trace"
says "no such op" 2 "op" "$HCTRACE" report --raw --op mmu_updat "$work/trace"
says "no number" 2 "wants a number" "$HCTRACE" report --raw --until now "$work/trace"
says "no rate" 2 "cannot be 0" "$HCTRACE" report --raw --tsc-mhz 0 "$work/trace"
says "too many buckets" 2 "1 to 100000 buckets" "$HCTRACE" report --raw --timeline=0 "$work/trace"
says "help has examples" 0 "Examples:" "$HCTRACE" report --raw --help
says "no such file" 1 "No such file or directory" "$HCTRACE" report --raw "$work/nowhere"
says "a directory" 1 "Is a directory" "$HCTRACE" report --raw "$work"
finish
