#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a recording of ours has besides calls: names of domains and losses. Files are made from words.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
: "${MKPERF:=build/tools/mkperf}"

# The name of d5 is longer than perf's records have room for. Nobody knows who made the last call.
"$MKPERF" >"$work/named" <<-'END'
	name 0 0 Domain-0
	call 1000 0 0 0 0 23
	name 3 0 web1
	call 2000 1 3 0 0 23
	call 2100 1 3 0 0 13 0 2 7
	call 2200 1 3 0 1 14 0 0 7
	name 3 1 web1
	call 2300 1 3 1 0 23
	name 5 0 a-name-of-20-letters
	call 2400 0 5 0 0 32
	name 6 0 d6
	call 2500 0 6 0 0 23
	call 2700 0 65535 65535 0 23
END

# --- names

# counts [OPTION...]: the rows that are a domain's, in one line
counts() { "$HCTRACE" report --raw "$@" | rows | grep -v '^d?' | tr '\n' ','; }
d3="d3 call iret 2 0 0,d3 call multicall 1 0 2,d3 member update_va_mapping 1 0 0,"
is "all domains" "$(counts "$work/named")" \
	"d0 call iret 1 0 0,${d3}d5 call event_channel_op 1 0 0,d6 call iret 1 0 0,"
is "a domain by its name" "$(counts --domain web1 "$work/named")" "$d3"
is "by name and by id" "$(counts --domain web1,d0 "$work/named")" "d0 call iret 1 0 0,$d3"
is "by name, id and range" "$(counts --domain 6-8,web1,0 "$work/named")" "d0 call iret 1 0 0,${d3}d6 call iret 1 0 0,"
is "by a name that is longer than perf's records have" \
	"$(counts --domain a-name-of-20-letters "$work/named")" "d5 call event_channel_op 1 0 0,"
is "through a pipe" "$(counts --domain web1 - <"$work/named")" "$d3"
is "what the others made is counted as filtered" \
	"$("$HCTRACE" report --raw --domain web1 "$work/named" | sed -n 's/.*\(filtered [0-9]*\).*/\1/p')" "filtered 4"
is "a call of nobody known is no domain's" "$("$HCTRACE" report --raw --domain web1 "$work/named" | rows | grep '^d?')" "d? - * 0 0 0"
is "but can be asked for" "$("$HCTRACE" report --raw --domain 'd?' "$work/named" | rows)" "d? - * 1 0 0"
is "and is of an op" "$("$HCTRACE" report --raw --op 32 "$work/named" | rows | tr '\n' ',')" \
	"d5 call event_channel_op 1 0 0,d? - * 0 0 0,"
is "names are in the header" "$("$HCTRACE" report --raw "$work/named" | grep ' is ')" \
	"# d0 is Domain-0
# d3 is web1
# d5 is a-name-of-20-letters"
is "script by name" "$("$HCTRACE" script --domain web1 "$work/named" | awk '{ print $3, $5 }')" \
	"d3v0 iret
d3v0 multicall
d3v0 update_va_mapping
d3v1 iret"
is "folded stacks by name" "$("$HCTRACE" export --folded --domain web1 "$work/named" | grep -v '^d?' | sort)" \
	"web1;iret 2
web1;multicall 1
web1;multicall;update_va_mapping 1"
is "metrics by name" \
	"$("$HCTRACE" export --prometheus --domain web1 "$work/named" | grep '^xen_hypercalls_total{dom="d[0-9]' | sort)" \
	'xen_hypercalls_total{dom="d3",kind="call",op="iret",exact="yes"} 2
xen_hypercalls_total{dom="d3",kind="call",op="multicall",exact="yes"} 1
xen_hypercalls_total{dom="d3",kind="member",op="update_va_mapping",exact="yes"} 1'
is "perf.data by name" "$("$HCTRACE" export --perf --domain web1 "$work/named" | perf script -F comm -i - 2>/dev/null | sort | uniq -c |
	awk '{ print $1, $2 }')" "4 web1"
is "a track by name" "$("$HCTRACE" export --perfetto --domain web1 "$work/named" |
	jq -r '.traceEvents[] | select(.name == "process_name") | .args.name')" "d3 web1"
is "JSON by name" "$("$HCTRACE" export --json --domain web1 "$work/named" |
	jq -r 'select(.domid) | "\(.domid) \(.name) \(.op) \(.calls)"' | sort)" \
	"3 web1 iret 2
3 web1 multicall 1
3 web1 null null
3 web1 update_va_mapping 1"

says "a name that is not in it" 2 "there is no domain 'web2' in it, but Domain-0, web1, a-name-of-20-letters" \
	"$HCTRACE" report --raw --domain web1,web2 "$work/named"
says "the beginning of a name is no name" 2 "there is no domain 'web' in it" "$HCTRACE" report --raw --domain web "$work/named"
says "too many names" 2 "more than 256 names" "$HCTRACE" report --raw --domain "$(printf 'n%s,' $(seq 256))last" "$work/named"
says "a list with a hole" 2 "an empty name" "$HCTRACE" report --raw --domain "web1,,0" "$work/named"
"$MKPERF" >"$work/nameless" <<-'END'
	call 1000 0 3 0 0 23
END
says "a recording without names" 2 "there is no domain 'web1' in it, nor any name: say --domain 3" \
	"$HCTRACE" report --raw --domain web1 "$work/nameless"
xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
for verb in report script "export --json"; do
	# shellcheck disable=SC2086 # a verb and its option
	says "a recording of xentrace by name: $verb" 2 "recordings of xentrace have no names: say --domain 3, not 'web1'" \
		"$HCTRACE" $verb --domain web1 "$work/trace"
done

# --- an id that another domain gets while it is recorded

"$MKPERF" >"$work/again" <<-'END'
	created 900 7
	name 0 0 Domain-0
	call 1000 0 0 0 0 23
	name 3 0 web1
	call 2000 1 3 0 0 23
	call 2100 1 3 0 0 13 0 2 7
	call 2200 1 3 0 1 14 0 0 7
	destroyed 3000 3
	call 3100 0 0 0 0 23
	created 3200 3
	rename 3300 3 0 web2
	call 3300 1 3 0 0 23
	call 3400 1 3 0 0 23
	rename 3500 3 1 web2
	call 3500 1 3 1 0 32
	created 4000 3
	rename 4100 3 0 d3
	call 4100 1 3 0 0 17
	created 5000 9
	name 9 0 d9
	call 5100 1 9 0 0 17
END
second="d3#2 call event_channel_op 1 0 0,d3#2 call iret 2 0 0,"
third="d3#3 call xen_version 1 0 0,"
first="d3 call iret 1 0 0,d3 call multicall 1 0 2,d3 member update_va_mapping 1 0 0,"
is "three domains" "$(counts "$work/again")" "d0 call iret 2 0 0,$first$second${third}d9 call xen_version 1 0 0,"
is "and their names" "$("$HCTRACE" report --raw "$work/again" | grep ' is ')" \
	"# d0 is Domain-0
# d3 is web1
# d3#2 is web2"
is "the first by its name" "$(counts --domain web1 "$work/again")" "$first"
is "the second by its name, still the second" "$(counts --domain web2 "$work/again")" "$second"
is "all by the id" "$(counts --domain 3 "$work/again")" "$first$second$third"
is "the multicall that its end cut short" "$("$HCTRACE" report --raw "$work/again" | awk '/^dom  *batches/ { on = 1 } on && $1 == "d3" { print $4; exit }')" 1
is "folded stacks" "$("$HCTRACE" export --folded "$work/again" | grep -E '^(web|d3)' | LC_ALL=C sort)" \
	"d3#3;xen_version 1
web1;iret 1
web1;multicall 1
web1;multicall;update_va_mapping 1
web2;event_channel_op 1
web2;iret 2"
is "script shows when, of those that are asked for" "$("$HCTRACE" script --domain web2 "$work/again" | awk '{ print $1, $3, $5 }')" \
	"0.000002400 d3v0 iret
0.000002500 d3v0 iret
0.000002600 d3v1 event_channel_op
0.000003100 d3 created"
is "and what came before the first call" "$("$HCTRACE" script "$work/again" | awk 'NR <= 2 { print $1, $3, $4, $5 }')" \
	"0.000000000 d7 domain created
0.000000100 d0v0 call iret"
is "perf tells them apart by their names" "$(perf report -i "$work/again" --stdio -n -s comm 2>/dev/null | awk '/^[^#]/ && NF { print $3, $2 }' | sort)" \
	"Domain-0 2
d3 1
d9 1
web1 3
web2 3"
"$HCTRACE" export --perf "$work/again" >"$work/exported"
"$HCTRACE" report --raw "$work/again" >"$work/a"
"$HCTRACE" report --raw "$work/exported" >"$work/b"
same "exported as perf.data: the same report" "$work/b" "$work/a"
perf script -i "$work/exported" --show-task-events 2>"$work/output" >"$work/script"
is "perf has a word for each domain that came or went" "$(grep -cE 'PERF_RECORD_(FORK|EXIT)' "$work/script")" 5
is "and no complaint" "$(cat "$work/output")" ""
"$HCTRACE" export --perf "$work/again" | "$HCTRACE" report --raw - >"$work/b"
same "through a pipe" "$work/b" "$work/a"

# --- gaps: nothing that can be counted, and no loss on a pCPU

"$MKPERF" >"$work/gaps" <<-'END'
	name 3 0 web1
	call 1000 1 3 0 0 23
	lost 1100 4294967297 0
	lost 1200 4294967299 0
	call 1300 1 3 0 0 23
	lost 1400 4294967297 0
	lost 1500 4294967395 0
	call 1700 0 3 0 0 23
END
"$HCTRACE" report --raw "$work/gaps" >"$work/report"
is "report says how many gaps there are, and why" "$(grep gaps "$work/report")" \
	"# gaps 1   unknown
# gaps 2   breaker
# gaps 1   mask"
is "and takes none for a loss" "$(sed -n '2s/   malformed.*//p' "$work/report") $(grep -c losses "$work/report")" \
	"# coverage unknown   lost 0 0"
is "script shows where" "$("$HCTRACE" script "$work/gaps" 2>&1 | awk '{ print $2, $3, $4, $5 }')" \
	"[001] d3v0 call iret
[all] - gap breaker
[all] - gap mask
[001] d3v0 call iret
[all] - gap breaker
[all] - gap unknown
[000] d3v0 call iret"
is "export --perf keeps those that we know" \
	"$("$HCTRACE" export --perf "$work/gaps" | "$HCTRACE" report --raw - | grep gaps)" "$(grep gaps "$work/report")"
is "perf script has all that is there, and a chunk for each" \
	"$(perf script -i "$work/gaps" 2>&1 | sed -n 's/.*and lost \([0-9]*\) chunks.*/\1 chunks/p; s/.*\(xen_hctrace:\).*/\1/p' | sort)" \
	"4 chunks
xen_hctrace:
xen_hctrace:
xen_hctrace:"

# --- losses: in the ring 11 and 4, on pCPU 1 13 and 20, on pCPU 0 5

"$MKPERF" >"$work/lost" <<-'END'
	name 3 0 web1
	call 1000 1 3 0 0 23
	lost 1100 0 11
	lost 1200 2 13
	call 1300 1 3 0 0 23
	lost 1400 0 4
	lost 1500 2 20
	lost 1600 1 5
	call 1700 0 3 0 0 23
END
"$HCTRACE" report --raw "$work/lost" >"$work/report"
is "events that the recorder lost" "$(grep recorder "$work/report")" "# lost by the recorder 15 events"
is "records lost inside Xen, and the share that arrived" "$(sed -n '2s/   malformed.*//p' "$work/report")" \
	"# coverage 7.3170% of records   lost 38"
is "on which pCPU" "$(awk '/^# losses/ { on = 1; next } on && $1 != "pcpu" { print $1, $2 }' "$work/report" | sort)" \
	"0 5
1 33"
is "the calls that are there are counted" "$(counts "$work/lost")" "d3 call iret 3 0 0,"
is "script shows where" "$("$HCTRACE" script "$work/lost" 2>/dev/null | awk '{ print $3, $4, $5 }')" \
	"d3v0 call iret
- lost records=13
d3v0 call iret
- lost records=20
- lost records=5
d3v0 call iret"
says "and says what the recorder lost" 0 "15 events were lost by the recorder" "$HCTRACE" script "$work/lost"
is "metrics" "$("$HCTRACE" export --prometheus "$work/lost" | grep -E '^xen_hctrace_(lost|recorder_lost)')" \
	"xen_hctrace_lost_total 38
xen_hctrace_recorder_lost_total 15"
is "JSON" "$("$HCTRACE" export --json "$work/lost" | jq -r 'select(.lost_by_recorder) | "\(.lost) \(.lost_by_recorder)"')" "38 15"
is "perf has as many chunks as there are records" \
	"$(perf report -i "$work/lost" --stdio 2>&1 | sed -n 's/.*lost \([0-9]*\) chunks.*/\1/p' | head -n 1)" 5
finish
