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

# --- fields, names, JSON

: "${MKPERF:=build/tools/mkperf}"
"$MKPERF" >"$work/named" <<-'END'
	name 3 0 web 1
	created 1000 3
	name 3 0 web 1
	call 2000 1 3 0 0 13 0 2 7
	call 3000 1 3 0 1 14 16 0 7
	lost 4000 0 5
	lost 5000 1 6
	lost 6000 4294967297 0
	call 7000 0 65535 65535 0 23 64
END
"$HCTRACE" script --batches "$work/named" >"$work/lines" 2>"$work/errors"
is "names, and they come last" "$(tr -s ' ' <"$work/lines")" \
" 0.000000000 [001] d3 domain created name=web 1
 0.000001000 [001] d3v0 call multicall a1=2 batch=7 name=web 1
 0.000002000 [001] d3v0 member update_va_mapping a1=0 batch=7 continued name=web 1
 0.000002000 [000] - lost records=6
 0.000002000 [all] - gap breaker
 0.000006000 [000] d? call iret late"
is "chosen fields, in their order" "$("$HCTRACE" script -F name,op,pcpu "$work/named" 2>/dev/null | head -n 3)" \
"[001] created name=web 1
[001] multicall name=web 1
[001] update_va_mapping name=web 1"
is "one field" "$("$HCTRACE" script --fields op --op iret "$work/named" 2>/dev/null)" "created
breaker
iret"
is "JSON" "$("$HCTRACE" script --json "$work/named" 2>/dev/null)" \
'{"time_s":0.000000000,"pcpu":1,"dom":"d3","domid":3,"kind":"domain","op":"created","name":"web 1"}
{"time_s":0.000001000,"pcpu":1,"dom":"d3","domid":3,"vcpu":0,"kind":"call","op":"multicall","a1":2,"batch":7,"name":"web 1"}
{"time_s":0.000002000,"pcpu":1,"dom":"d3","domid":3,"vcpu":0,"kind":"member","op":"update_va_mapping","a1":0,"batch":7,"flags":["continued"],"name":"web 1"}
{"time_s":0.000002000,"pcpu":0,"kind":"lost","records":6}
{"time_s":0.000002000,"kind":"gap","op":"breaker"}
{"time_s":0.000006000,"pcpu":0,"dom":"d?","kind":"call","op":"iret","flags":["late"]}'
is "JSON with chosen fields" "$("$HCTRACE" script -j -F time,op,args --op multicall "$work/named" 2>/dev/null | grep multicall)" \
	'{"time_s":0.000001000,"op":"multicall","a1":2}'
is "JSON in cycles" "$("$HCTRACE" script -j -F time,op --op sched_op/shutdown --domain 3 "$work/trace" 2>/dev/null | head -n 1)" \
	"{\"time_cycles\":$("$HCTRACE" script --op sched_op/shutdown --domain 3 "$work/trace" 2>/dev/null |
		awk '{ print $1; exit }'),\"op\":\"sched_op/shutdown\"}"
"$HCTRACE" script --json "$work/trace" 2>/dev/null | jq -r '"\(.time_cycles) [\("00\(.pcpu)"[-3:])] \(.dom) \(.kind) \(.op)"' >"$work/got"
"$HCTRACE" script -F time,pcpu,dom,kind,op "$work/trace" 2>/dev/null | awk '{ sub(/v.*/, "", $3); $1 = $1 } 1' >"$work/wanted"
same "JSON has all lines ($(wc -l <"$work/got"))" "$work/got" "$work/wanted"
says "no such field" 2 "'comm' is none of time," "$HCTRACE" script -F time,comm "$work/trace"
says "no field" 2 "--fields: which?" "$HCTRACE" script -F , "$work/trace"
finish
