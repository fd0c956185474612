#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace report on what stock xentrace recorded: the golden tables of tests/data must come out.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

# sum COLUMN: of a table on standard input
sum() { awk -v column="$1" '{ sum += $column } END { print sum + 0 }'; }

# cycles FILE OPTIONS: whose time it was, as in the golden times. At 1 kHz a cycle is a millisecond.
cycles()
{
	file=$1
	shift
	"$HCTRACE" report --raw --tsc-mhz 0.001 "$@" "$file" 2>/dev/null | awk '
		/^# cpu_ms/ { print "all", $3; print "idle", $5; next }
		/^#/ { on = 0 }
		$1 == "dom" { on = / cpu_ms$/; next }
		on && $3 == "*" && $10 != "0.000" { print $1, $10 }' | sed 's/\.000$//' | LC_ALL=C sort -uV
}

# same_total NAME: two parts of the recording have no less time, and no more
same_total()
{
	for cut in 1000000 1000000.001 2345678.901 3500000; do
		{ cycles "$work/trace" --until $cut; cycles "$work/trace" --since $cut; } |
			awk '{ sum[$1] += $2 } END { for (who in sum) printf "%s %.0f\n", who, sum[who] }' | sort -V >"$work/parts"
		same "$1: the same in two parts" "$work/parts" "$work/wanted"
	done
}

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

	grep -v '^#' "${capture%.xentrace.xz}.cputime" >"$work/wanted"
	cycles "$work/trace" >"$work/got"
	same "$name: whose time it was, to the cycle" "$work/got" "$work/wanted"
	same_total "$name"
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

# --- for people ---

# people OPTION...: what people see of the capture
people() { "$HCTRACE" report --tsc-mhz 1000 "$@" "$work/trace" 2>"$work/errors"; }
people >"$work/people"
is "nothing but ASCII when it is no terminal" "$(LC_ALL=C grep -c '[^ -~]' "$work/people")" 0
is "it fits into 80 columns" "$(awk 'length > 80' "$work/people")" ""
is "no blanks at the end of lines" "$(grep -c ' $' "$work/people")" 0
is "what it is of" "$(sed -n 2,4p "$work/people")" " Hypercalls in $work/trace:
 xentrace, 3.357 s, 2 pCPUs, 20,430 calls
 Nothing was lost."
is "a domain, the busiest op, the rest" "$(grep -E '% .*( d0|mmu_update|and 8 more)$' "$work/people")" \
" 99.3%      20,277~  6,050    34     -  d0
 37.6%       7,672   2,290    17 7,914  call   mmu_update
  1.7%         333~    101     7     -  and 8 more"
is "how long a domain ran, and calls per second of it" "$(sed -n '/% .* d3$/{n;p;}' "$work/people")" \
	"                                        1.541 ms of CPU, 48,670 calls/s of it"
is "what is little is not nothing" "$(grep 'call   sched_op/shutdown' "$work/people")" \
	" <0.1%           1     0.3     0     -  call   sched_op/shutdown"
is "sizes of multicalls" "$(sed -n '/^ 77 multicalls/,/^$/p' "$work/people")" \
" 77 multicalls of 5.9 members, 25 at most, 7 split
            2          56  ##################################################
          3-4           0
          5-8           8  #######
         9-16           0
        17-32          13  ############"
# ops: calls by domain and op of the table for people, those in rows of their own
ops()
{
	awk '/^ share/ { on = 1; next } /^Multicalls/ { exit } !on || !NF || $1 == "~" || / ms of CPU/ { next }
		$(NF - 1) !~ /^(call|member|hvm)$/ { dom = $6; next }
		{ gsub(/[,~]/, "", $2); print dom, $(NF - 1), $NF, $2 }' | sort
}
people --top 0 | ops >"$work/got"
awk '$1 != "d?" { print $1, $2, $3, $4 }' "$work/all" >"$work/wanted"
is "with --top 0 all rows of the golden table" "$(grep -v '^d?' "$work/got" | cmp - "$work/wanted" 2>&1)" ""
is "--top 3" "$(people --top 3 | grep -v 'ms of CPU' | sed -n '/% .* d0$/,/^$/p' | awk '{ print $NF }' | tr '\n' ' ')" "d0 mmu_update iret mmuext_op more  "
is "... adds up" "$(people --top 3 | grep -v 'ms of CPU' | sed -n '/% .* d0$/,/^$/p' | tr -d ,~ | awk '{ calls[NR] = $2 }
	END { print calls[2] + calls[3] + calls[4] + calls[5] - calls[1] }')" 0
is "--top 1 leaves domains out, too" "$(people --top 1 | grep 'more domains' | tr -s ' ')" \
	" 0.7% 153~ 46 0 - and 3 more domains"
is "without the rate of the TSC there are no rates" "$("$HCTRACE" report "$work/trace" 2>/dev/null | grep '% .* d3$')" \
	"  0.4%          75       -     0     -  d3"

# --- in colour ---

escapes() { grep -c "$(printf '\033')" || :; }
is "--color=always" "$(people --color=always | sed 's/\x1b\[[0-9;]*m//g' | cmp - "$work/people" 2>&1)" ""
at_most "... has colours" 20 "$(people --color=always | escapes)"
# terminal ENV... COMMAND: in a terminal of 100 columns
terminal() { script -qec "stty cols 100 && env TERM=xterm $*" /dev/null </dev/null | tr -d '\r'; }
at_most "on a terminal" 20 "$(terminal "$HCTRACE" report "$work/trace" | escapes)"
is "... not with NO_COLOR" "$(terminal NO_COLOR=1 "$HCTRACE" report "$work/trace" | escapes)" 0
at_most "... but if that is empty" 20 "$(terminal NO_COLOR= "$HCTRACE" report "$work/trace" | escapes)"
is "... not with --color=never" "$(terminal "$HCTRACE" report --color=never "$work/trace" | escapes)" 0
is "... not on a dumb one" "$(terminal TERM=dumb "$HCTRACE" report "$work/trace" | escapes)" 0
at_most "NO_COLOR does not undo what is asked for" 20 "$(NO_COLOR=1 people --color=always | escapes)"
says "no such colour" 2 "always, never or auto" "$HCTRACE" report --color=red "$work/trace"

# --- long ops, large figures ---

# Ops that are long and differ in their middle or at their end; a name; losses of every kind.
"$MKPERF" >"$work/long" <<-'END'
	name 3 0 web1
	call 1000000 0 3 0 0 24 0 0 0 13
	call 2000000 0 3 0 0 24 0 0 0 15
	call 3000000 0 3 0 0 24 64 0 0 14
	call 3000001 0 3 0 0 24 16 0 0 14
	lost 4000000 0 1234
	lost 5000000 1 10
	lost 6000000 4294967297 0
	lost 7000000 4294967298 0
	lost 8000000 4294967298 0
END
"$HCTRACE" report "$work/long" >"$work/people"
is "in 80 columns long ops lose their middle" "$(awk '/ call  / { print $NF }' "$work/people" | sort | tr '\n' ' ')" \
	"vcpu_op/registe..nstate_phys_area vcpu_op/registe..time_memory_area vcpu_op/registe..u_time_phys_area "
is "... and can be told apart, all there are" "$("$HCTRACE" list | awk '{ print $1 }' | awk 'length > 33 {
	$0 = substr($0, 1, 15) ".." substr($0, length - 15) } { print }' | sort | uniq -d)" ""
is "in more they do not" "$(terminal "$HCTRACE" report "$work/long" | sed 's/\x1b\[[0-9;]*m//g' |
	awk '/ call  / { print $NF }' | sort | tr '\n' ' ')" \
	"vcpu_op/register_runstate_phys_area vcpu_op/register_vcpu_time_memory_area vcpu_op/register_vcpu_time_phys_area "
is "a domain by its name" "$(grep ' d3 ' "$work/people")" "100.0%           3   2,000     1     -  d3 web1"
is "losses in words" "$(sed -n '3,/^$/p' "$work/people" | grep .)" \
" perf.data, 0.002000 s, 1 pCPU, 3 calls
 LOST: 10 of 14 trace records (71.4286 %), so the counts are too low.
 LOST by the recorder: 1,234 events, so the counts are too low.
 GAPS, where nobody can tell what there was: breaker 1, tracing_off 2.
 Late records, behind younger ones: 1."

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
