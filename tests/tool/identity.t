#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Whose calls: names are whole, two of the same name are two, and whatever a recording
# calls a domain, every output bears it.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tool/files.sh
. tests/tool/live.sh
: "${MKPERF:=build/tools/mkperf}"
export LC_ALL=C.UTF-8

# iret COUNT DOMID: as many calls
iret() { seq "$1" | sed "s/.*/call ${2}000&0 1 $2 0 0 23/"; }
script() { perf script -i "$1" -F comm 2>/dev/null | sed 's/ *$//; s/^ *//' | sort | uniq -c | sed 's/^ *//' | sort; }
comms() { perf report -i "$1" --stdio -s comm -F sample,comm 2>/dev/null | sed '/^#/d; /^ *$/d; s/^ *//; s/ *$//; s/  */ /'; }
long=$(printf '%0255d' 0 | tr 0 x)

# --- whole names

{
	echo "name 1 0 production-web-01"
	echo "name 2 0 production-web-02"
	echo "name 3 0 财务"
	echo "name 4 0 人事"
	echo "name 5 0 $long"
	echo 'name 6 0 a,b'
	iret 10 1; iret 20 2; iret 30 3; iret 40 4; iret 50 5; iret 60 6
} | "$MKPERF" >"$work/whole"
is "folded" "$("$HCTRACE" export --folded "$work/whole" | sort)" "$(printf '%s\n' "a,b;iret 60" "production-web-01;iret 10" \
	"production-web-02;iret 20" "$long;iret 50" "人事;iret 40" "财务;iret 30")"
is "perf report has them whole" "$(comms "$work/whole" | sort)" \
	"$(printf '%s\n' "10 production-web-01" "20 production-web-02" "30 财务" "40 人事" "50 $long" "60 a,b")"
# calls LIST: of these domains
calls() { "$HCTRACE" report --raw --domain "$1" "$work/whole" 2>&1 | awk '$3 == "*" && $4 { print $1, $4 }' | sort | xargs; }
is "a filter takes all of a name" "$(calls production-web-02)" "d2 20"
is "... of 255 characters" "$(calls "$long")" "d5 50"
is "... in any script" "$(calls 财务)" "d3 30"
is "... with a comma" "$(calls '"a,b",人事')" "d4 40 d6 60"
says "a name that begins alike is another" 2 "no domain 'production-web-99' in it, but production-web-01, production-web-02, 财务" \
	"$HCTRACE" report --domain production-web-99 "$work/whole"
"$HCTRACE" export --perf -o "$work/again" "$work/whole"
is "exported again, they are what they were" "$("$HCTRACE" export --folded "$work/again" | sort | md5sum)" \
	"$("$HCTRACE" export --folded "$work/whole" | sort | md5sum)"

# --- the same name twice, and names that read like something else

{
	echo 'name 1 0 web'
	echo 'name 2 0 web'
	echo 'name 3 0 d4'
	echo 'name 5 0 a;b'
	printf '%s\n' 'name 6 0 a\x3bb'
	iret 1 1; iret 2 2; iret 3 3; iret 4 4; iret 5 5; iret 6 6
} | "$MKPERF" >"$work/twice"
is "folded: whose name is not its own has its id behind it" "$("$HCTRACE" export --folded "$work/twice" | sort)" \
	'a\x3bb(d5);iret 5
a\x3bb(d6);iret 6
d4(d3);iret 3
d4;iret 4
web(d1);iret 1
web(d2);iret 2'
"$HCTRACE" export --perf -o "$work/exported" "$work/twice"
is "perf report: so has the later one" "$(comms "$work/exported" | sort)" \
	'1 web
2 web(d2)
3 d4(d3)
4 d4
5 a;b
6 a;b(d6)'
is "read again, the names are as they were" "$("$HCTRACE" export --json "$work/exported" |
	jq -r 'select(.type == "calls") | "\(.dom) \(.name) \(.calls)"' | sort | tr '\n' ',')" \
	'd1 web 1,d2 web 2,d3 d4 3,d4 null 4,d5 a;b 5,d6 a;b 6,'
# calls LIST: of these domains
calls() { "$HCTRACE" report --raw --domain "$1" "$work/exported" 2>&1 | awk '$3 == "*" && $4 { print $1, $4 }' | sort | xargs; }
is "a filter by a name takes all that have it, each on its own" "$(calls web)" "d1 1 d2 2"
is "... with the id behind it, the one" "$(calls 'web(d2)')" "d2 2"
is "... a name that reads like an id, in quotes" "$(calls '"d4"')" "d3 3"
is "... or with its id" "$(calls 'd4(d3)')" "d3 3"
is "... and the id that it reads like" "$(calls d4)" "d4 4"
is "... as the stacks escape it" "$(calls 'a\x3bb(d5)')" "d5 5"

# --- a guest that is rebooted has another id, and its UUID

uuid=6f1d2c0e-3a51-4f0e-9d6b-0a1b2c3d4e5f
{
	echo "uuid $uuid"
	echo 'name 1 0 web'
	iret 1 1
	echo 'destroyed 20020 1'
	echo 'name 2 0 web'
	iret 2 2
	echo 'uuid 00000000-0000-0000-0000-00000000abcd'
	echo 'name 3 0 web'
	iret 3 3
} | "$MKPERF" >"$work/reboot"
"$HCTRACE" export --perf -o "$work/exported" "$work/reboot"
is "perf report: the same guest is one, another one is not" "$(comms "$work/exported" | sort)" '3 web
3 web(d3)'
is "a filter by UUID takes all its lives" "$(calls $uuid)" "d1 1 d2 2"
is "... in capitals" "$(calls "$(echo $uuid | tr a-f A-F)")" "d1 1 d2 2"
is "... and no others" "$(calls 00000000-0000-0000-0000-00000000ABCD)" "d3 3"

# --- what is hostile, through each output

{
	printf '%s\n' 'name 1 0 \x1b]0;x\x07red' 'name 2 0 two\x0alines' 'name 3 0 bad\xffbyte' 'name 4 0 "q"\x5c,;{}' \
		'name 5 0 \xe2\x80\xae\xc2\x9bleft\xe2\x80\xa8'
	iret 1 1; iret 2 2; iret 3 3; iret 4 4; iret 5 5
} | "$MKPERF" >"$work/hostile"
# bytes FILE: those that steer a terminal, and UTF-8 that is none
odd_bytes() { LC_ALL=C tr -d '\n\t -~\200-\377' <"$1" | wc -c; }
is_utf8() { iconv -f UTF-8 -t UTF-16 "$1" >/dev/null 2>&1 && echo yes; }
"$HCTRACE" report --raw "$work/hostile" >"$work/out" 2>&1
is "report: names" "$(sed -n 's/^# \(d.* is .*\)/\1/p' "$work/out")" 'd1 is \x1b]0;x\x07red
d2 is two\x0alines
d3 is bad\xffbyte
d4 is "q"\,;{}
d5 is \xe2\x80\xae\xc2\x9bleft\xe2\x80\xa8'
is "... no byte that a terminal obeys" "$(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 yes"
"$HCTRACE" report "$work/hostile" >"$work/out" 2>&1
is "... nor in the form for people" "$(odd_bytes "$work/out") $(is_utf8 "$work/out") $(grep -c ' d[1-5] ' "$work/out")" "0 yes 5"
"$HCTRACE" report --domain nobody "$work/hostile" >"$work/out" 2>&1
is "... nor in a message" "$(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 yes"
"$HCTRACE" script "$work/hostile" >"$work/out" 2>&1
is "script: an event a line" "$(wc -l <"$work/out") $(odd_bytes "$work/out") $(is_utf8 "$work/out")" "15 0 yes"
"$HCTRACE" export --folded "$work/hostile" >"$work/out"
is "folded: a stack a line" "$(wc -l <"$work/out") $(grep -cE '^[^;]+;iret [1-5]$' "$work/out")" "5 5"
is "... of no odd bytes" "$(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 yes"
"$HCTRACE" export --json "$work/hostile" >"$work/out"
is "JSON: names are exact, as far as they are UTF-8" \
	"$(python3 -c 'import json, sys
for line in open(sys.argv[1], encoding="utf-8", errors="strict"):
	row = json.loads(line)
	if row["type"] == "calls":
		print(row["dom"], ascii(row["name"]))' "$work/out" | sort)" \
	"d1 '\\x1b]0;x\\x07red'
d2 'two\\nlines'
d3 'bad\\\\xffbyte'
d4 '\"q\"\\\\,;{}'
d5 '\\u202e\\x9bleft\\u2028'"
for format in prometheus openmetrics; do
	"$HCTRACE" export --$format "$work/hostile" >"$work/out"
	is "$format: no odd bytes" "$(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 yes"
	is "... a label with its own escapes" "$(sed -n 's/^xen_hctrace_domain_info{dom="d[1-4]",name="\(.*\)",uuid.*/\1/p' "$work/out")" \
		'\\x1b]0;x\\x07red
two\\x0alines
bad\\xffbyte
\"q\"\\,;{}'
done
"$HCTRACE" export --prometheus "$work/hostile" >"$work/out"
promtool check metrics <"$work/out" >"$work/said" 2>&1 || :
is "promtool has nothing to say" "$(cat "$work/said")" ""
"$HCTRACE" export --perfetto "$work/hostile" >"$work/out"
is "Perfetto: valid, and names are exact" \
	"$(python3 -c 'import json, sys
trace = json.load(open(sys.argv[1], encoding="utf-8", errors="strict"))
for event in trace["traceEvents"]:
	if event["name"] == "process_name":
		print(ascii(event["args"]["name"]))' "$work/out" | sed '4,$d')" \
	"'d1 \\x1b]0;x\\x07red'
'd2 two\\nlines'
'd3 bad\\\\xffbyte'"
"$HCTRACE" export --perf -o "$work/exported" "$work/hostile"
script "$work/exported" >"$work/out"
is "perf script, which escapes nothing" "$(cat "$work/out")" '1 \x1b]0;x\x07red
2 two\x0alines
3 bad\xffbyte
4 "q"\,;{}
5 ‮\xc2\x9bleft\xe2\x80\xa8'
is "... and no byte of it is odd" "$(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 yes"
is "read again, they are what they were" "$("$HCTRACE" export --json "$work/exported" | md5sum)" \
	"$("$HCTRACE" export --json "$work/hostile" | md5sum)"

# --- a COMM that is not of our making

# An older file: 16 bytes with one zero, and right behind them what tells the thread
printf '%s\n' 'name 1 0 fifteen-letters' 'call 1000 1 1 0 0 23' | "$MKPERF" >"$work/old"
is "fifteen letters" "$("$HCTRACE" export --folded "$work/old")" "fifteen-letters;iret 1"

# --- live

need_xenstore
echo "# xen-hctrace multicalls 1" >"$debugfs/multicalls"
echo "# xen-hctrace status 1" >"$debugfs/status"
export LD_LIBRARY_PATH="$work/lib"
domain 1 production-web-01 pv
domain 2 web pv
domain 3 web pvh
domain 4 财务
domain 5 "$(printf '\033[31mred\nnext\377')" hvm
domain 6 "$long" pv
stats_has "d1 call iret 1 0 - 0 =" "d2 call iret 2 0 - 0 =" "d3 call iret 3 0 - 0 =" "d4 call iret 4 0 - 0 =" \
	"d5 call iret 5 0 - 0 =" "d6 call iret 6 0 - 0 ="
is "folded" "$("$HCTRACE" export --folded)" "production-web-01;iret 1
web(d2);iret 2
web(d3);iret 3
财务;iret 4
\\x1b[31mred\\x0anext\\xff;iret 5
$long;iret 6"
is "a name of two" "$("$HCTRACE" export --folded --domain web)" "web(d2);iret 2
web(d3);iret 3"
is "the one of them" "$("$HCTRACE" export --folded --domain 'web(d3),财务')" "web;iret 3
财务;iret 4"
is "JSON has it as xenstore has" "$("$HCTRACE" export --json --domain 5 | jq -r 'select(.type == "calls") | .name | @json')" \
	'"\u001b[31mred\nnext\\xff"'
"$HCTRACE" export --prometheus >"$work/out"
promtool check metrics <"$work/out" >"$work/said" 2>&1 || :
is "promtool has nothing to say" "$(grep -c '' "$work/said") $(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 0 yes"
export work debugfs
# shellcheck disable=SC2016 # the inner shell's own
"$HCTRACE" stat -- sh -c 'sed -i "s/ iret \([0-9]\) / iret 1\1 /" "$debugfs/stats"' >"$work/out" 2>&1
is "stat: each with its whole name" "$(grep -oE '^ d[1-6] .*\((PVH?|HVM)\)|^ d4 [^ ]*' "$work/out" | sort)" " d1 production-web-01 (PV)
 d2 web (PV)
 d3 web (PVH)
 d4 财务
 d5 \\x1b[31mred\\x0anext\\xff (HVM)
 d6 $long (PV)"
is "... no odd bytes" "$(odd_bytes "$work/out") $(is_utf8 "$work/out")" "0 yes"
# shellcheck disable=SC2016 # the inner shell's own
LC_ALL=C "$HCTRACE" stat -- sh -c 'sed -i "s/ iret 1\([0-9]\) / iret 2\1 /" "$debugfs/stats"' >"$work/out" 2>&1
is "where the locale has ASCII alone" "$(grep -oE '^ d4 [^ ]*' "$work/out")" ' d4 \xe8\xb4\xa2\xe5\x8a\xa1'

# --- in a terminal

command -v tmux >/dev/null || {
	not_ok "tmux is missing: install the packages listed in scripts/packages"
	finish
	exit 1
}
tm() { tmux -u -S "$work/tmux" "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT
stats_has "d4 call iret 4 0 - 0 =" "d5 call iret 5 0 - 0 =" "d6 call iret 6 0 - 0 ="
export HCTRACE
# shellcheck disable=SC2016 # the inner shell's own
tm -f /dev/null new-session -d -x 100 -y 10 '"$HCTRACE" top -d 3600'
in_pane() { tm capture-pane -p | grep -qE -- "$1"; }
await in_pane "No calls"
stats_has "d4 call iret 40 0 - 0 =" "d5 call iret 55 0 - 0 =" "d6 call iret 66 0 - 0 ="
tm send-keys Space
await in_pane '^d4 财务 '
tm capture-pane -p | grep '^d[456] ' >"$work/out"
# columns_of LINE: where the share of records begins, in columns, of which a Chinese letter takes two
columns_of() { sed -n "$1p" "$work/out" | sed 's/[^ -~]/xx/g' | awk '{ print match($0, /[0-9]+\.[0-9]+ +- +- +-$/) + RLENGTH }'; }
is "top: the columns of every domain end in the same place" "$(columns_of 1) $(columns_of 2)" "$(columns_of 3) $(columns_of 3)"
is "... names that are too long are cut between two letters" \
	"$(cut -d' ' -f1,2 "$work/out" | sort)" "d4 财务
d5 \\x1b[31mred\\x0anext\\xff
d6 $(printf %.30s "$long")~"
finish
