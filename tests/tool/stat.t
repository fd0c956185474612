#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace stat, on files that stand for the module's and change while a command runs.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh

export HCTRACE_ROOT="$work/root"
debugfs=$HCTRACE_ROOT/sys/kernel/debug/xen-hctrace
mkdir -p "$debugfs"

# stats TRACED LOST ROWS: the file stats
stats()
{
	cat <<-END
	# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing $1 s   pcpus 2/2
	# coverage 100.0000% of records   lost $2   malformed 0   attribution ok   rate window 1002 ms
	# note HVM/PVH guests: only multicall members are traced (control: profile hvm)
	dom kind op records calls cont units per_s acc
	$3
	END
}

# multicalls BATCHES LOST DECLARED FOURS: the file multicalls, of d1
multicalls()
{
	cat <<-END
	# xen-hctrace multicalls 1   members on   buckets end at the number shown (32 = 17..32)
	dom batches split short lost declared seen mean max
	d1 $1 0 0 $2 $3 $3 4.0 4
	# sizes
	dom 1 2 4 8 16 32 64 128 more
	d1 0 0 $4 0 0 0 0 0 0
	END
}

before()
{
	stats 10.0 3 "d0 call iret 105 100 5 - 0 =
d1 call multicall 10 10 0 40 0 =
d1 member vm_assist 40 40 - - 0 =
d1 call grant_table_op/copy 1 1 0 2 0 ~
d? - * 4 4 - - 0 =" >"$debugfs/stats"
	multicalls 10 0 40 10 >"$debugfs/multicalls"
}
# d3 has nearly all of its calls look like continuations, and is the first nevertheless.
stats 12.0 "$((3 + 2))" "d0 call iret 155 150 5 - 0 =
d1 call multicall 15 15 0 60 0 =
d1 member vm_assist 60 60 - - 0 =
d1 call grant_table_op/copy 4 4 0 8 0 ~
d2 call vcpu_op/is_up 7 7 0 - 0 =
d2 call vcpu_op/up 1 1 0 - 0 =
d3 call mmu_update 300 1 299 5 0 =
d? - * 4 4 - - 0 =" >"$work/stats.after"
multicalls 15 1 60 15 >"$work/multicalls.after"
cat >"$work/change" <<-'END'
	#!/bin/sh
	cp "$work/stats.after" "$debugfs/stats"
	cp "$work/multicalls.after" "$debugfs/multicalls"
	exit ${1:-0}
END
chmod +x "$work/change"
export work debugfs

# As CSV, without what depends on time: dom,domid,name,type,kind,op,count,cont,units,acc
before
"$HCTRACE" stat --csv -- "$work/change" 2>"$work/csv"
is "counts of a command" "$(cut -d, -f2-10,12- "$work/csv")" \
	'dom,domid,name,type,kind,op,count,cont,units,share_percent,acc,records
d3,3,"",-,call,mmu_update,1,299,5,77.72,=,300
d0,0,"",PV,call,iret,50,0,,12.95,=,50
d1,1,"",-,member,vm_assist,20,,,5.18,=,20
d1,1,"",-,call,multicall,5,0,20,1.30,=,5
d1,1,"",-,call,grant_table_op/copy,3,0,6,0.78,~,3
d2,2,"",-,call,vcpu_op/is_up,7,0,,1.81,=,7
d2,2,"",-,call,vcpu_op/up,1,0,,0.26,=,1
xen,,"",-,lost,*,2,,,,=,2'

# The first modules had no column of records: the same comes of what they have.
without_records() { awk '/^#/ { print; next } { $4 = ""; print }'; }
before
cp "$work/stats.after" "$work/with"
without_records <"$debugfs/stats" >"$work/old" && cp "$work/old" "$debugfs/stats"
without_records <"$work/with" >"$work/stats.after"
"$HCTRACE" stat --csv -- "$work/change" 2>"$work/csv.old"
is "of a module without records" "$(cut -d, -f2-10,12- "$work/csv.old")" "$(cut -d, -f2-10,12- "$work/csv")"
cp "$work/with" "$work/stats.after"

before
"$HCTRACE" stat -- "$work/change" >"$work/out" 2>"$work/text"
is "nothing goes to the command's standard output" "$(wc -c <"$work/out")" 0
is "the rows for people" "$(awk 'NF == 10 && $10 ~ /%$/ { print $4, $5 ($9 == "~" ? $9 : ""), $2, $3 }' "$work/text")" \
	'300 1 call mmu_update
50 50 call iret
20 20 member vm_assist
5 5 call multicall
3 3~ call grant_table_op/copy
7 7 call vcpu_op/is_up
1 1 call vcpu_op/up'
is "a domain's line" "$(grep '^ d1' "$work/text")" \
	" d1   8 calls, 20 members, 5 multicalls of 4.0, 1 cut by lost records, 7.25% of the records"
is "losses are said" "$(grep LOST "$work/text")" " LOST: 2 trace records, so the counts are too low."

before
"$HCTRACE" stat --json -o "$work/json" -- "$work/change" 2>"$work/err"
is "with -o nothing goes to standard error" "$(wc -c <"$work/err")" 0
is "JSON" "$(sed -E 's/"(time_s|elapsed_s)":[0-9.]+,|,"per_s":[0-9.]+//g' "$work/json")" \
	'{"version":2,"xen":"4.17.7","dom0":"PV","profile":"pv","tracing":true,"reset":false,"lost":2,"malformed":0,"attribution":"ok","all_records":386,"all_calls":87,"domains":[{"dom":"d3","domid":3,"records":300,"calls":1,"members":0,"ops":[{"kind":"call","op":"mmu_update","records":300,"calls":1,"cont":299,"units":5,"exact":true}]},{"dom":"d0","domid":0,"type":"PV","records":50,"calls":50,"members":0,"ops":[{"kind":"call","op":"iret","records":50,"calls":50,"cont":0,"exact":true}]},{"dom":"d1","domid":1,"records":28,"calls":8,"members":20,"multicalls":{"batches":5,"split":0,"short":0,"lost":1,"declared":20,"seen":20,"max":4,"sizes":[{"to":1,"batches":0},{"to":2,"batches":0},{"to":4,"batches":5},{"to":8,"batches":0},{"to":16,"batches":0},{"to":32,"batches":0},{"to":64,"batches":0},{"to":128,"batches":0},{"batches":0}]},"ops":[{"kind":"member","op":"vm_assist","records":20,"calls":20,"cont":0,"exact":true},{"kind":"call","op":"multicall","records":5,"calls":5,"cont":0,"units":20,"exact":true},{"kind":"call","op":"grant_table_op/copy","records":3,"calls":3,"cont":0,"units":6,"exact":false}]},{"dom":"d2","domid":2,"records":8,"calls":8,"members":0,"ops":[{"kind":"call","op":"vcpu_op/is_up","records":7,"calls":7,"cont":0,"exact":true},{"kind":"call","op":"vcpu_op/up","records":1,"calls":1,"cont":0,"exact":true}]}]}'

# filtered OPTION...: the rows left, as dom/op
filtered()
{
	before
	"$HCTRACE" stat --csv "$@" -- "$work/change" 2>&1 | awk -F, 'NR > 1 && NF > 1 { printf "%s/%s ", $2, $7 }'
}
is "--domain 1" "$(filtered --domain 1)" "d1/vm_assist d1/multicall d1/grant_table_op/copy xen/* "
is "--domain d0,d2" "$(filtered --domain d0,d2)" "d0/iret d2/vcpu_op/is_up d2/vcpu_op/up xen/* "
is "--op vcpu_op" "$(filtered --op vcpu_op)" "d2/vcpu_op/is_up d2/vcpu_op/up xen/* "
is "--op vcpu_op/up,23" "$(filtered --op vcpu_op/up,23)" "d0/iret d2/vcpu_op/up xen/* "
is "--domain and --op" "$(filtered --domain 2 --op iret)" "xen/* "

before
says "the command's exit status" 7 "50" "$HCTRACE" stat -- "$work/change" 7
before
says "without --" 7 "50" "$HCTRACE" stat "$work/change" 7
# shellcheck disable=SC2016 # the inner shell's own
says "a command that a signal ends" 143 "Hypercalls" "$HCTRACE" stat -- sh -c 'kill $$'
says "no such command" 127 "no-such-command: No such file" "$HCTRACE" stat -- no-such-command
# Root may search every folder, unless it has given that up.
mkdir "$work/closed"
printf 'exit\n' >"$work/not-to-be-run"
chmod 0 "$work/closed"
ordinary=
[ "$(id -u)" -ne 0 ] || ordinary="setpriv --bounding-set=-dac_override,-dac_read_search"
in_path() { $ordinary env PATH="$work/closed:$PATH:$work" "$@"; }
says "no such command, as far as folders may be searched" 127 "no-such-command: No such file" \
	in_path "$HCTRACE" stat -- no-such-command
says "a command in PATH that cannot be run" 126 "not-to-be-run: Permission denied" \
	in_path "$HCTRACE" stat -- not-to-be-run
says "a command behind a folder that may not be searched" 0 "Hypercalls" in_path "$HCTRACE" stat -- true
chmod 700 "$work/closed"
says "a command that cannot be run" 126 "Permission denied" "$HCTRACE" stat -- "$work/csv"
says "an output that cannot be" 1 "No such file" "$HCTRACE" stat -o "$work/no/such" -- true
says "an output that is full" 1 "could not be written" "$HCTRACE" stat -o /dev/full -d 0.01

# As text: one heading, rows with their time, and one that says that there was nothing.
before
"$HCTRACE" stat -I 60000 -- "$work/change" 2>"$work/rows"
"$HCTRACE" stat -I 100 -d 0.15 >>"$work/rows"
is "rows with their time" "$(awk '/Note/ { print "a note"; next } { $1 = $1 ~ /^[0-9]+\.[0-9]+$/ ? "T" : $1 }
	/LOST/ { print; next } { print $1, $2, $3, $4, $5, $6 }' "$work/rows")" \
	'a note
time_s dom kind op records calls
T d3 call mmu_update 300 1
T d0 call iret 50 50
T d1 member vm_assist 20 20
T d1 call multicall 5 5
T d1 call grant_table_op/copy 3 3
T d2 call vcpu_op/is_up 7 7
T d2 call vcpu_op/up 1 1
T LOST: 2 trace records, so the counts are too low.
a note
time_s dom kind op records calls
T - - * 0 0
T - - * 0 0'
is "... in order" "$(sed -n 's/^ *\([0-9.]*\)  - .*/\1/p' "$work/rows" | sort -nc 2>&1)" ""

stats 1.0 0 "d0 call iret 8 8 0 - 0 =" >"$work/stats.after"
before
says "a reset in between is said" 0 "The counters were reset" "$HCTRACE" stat -- "$work/change"
before
"$HCTRACE" stat --csv -- "$work/change" 2>"$work/csv"
is "and the counts are those since then" "$(awk -F, '$2 == "d0" { print $8 }' "$work/csv")" 8

# Three intervals of nothing and the rest: as many tables as there are moments.
before
"$HCTRACE" stat -I 100 -d 0.35 --json >"$work/json"
is "a table each interval and one for the rest" "$(wc -l <"$work/json")" 4
is "the last one is of the end" "$(tail -n 1 "$work/json" | sed -E 's/.*"time_s":0.3[5-9].*/0.35/')" 0.35
says "two formats" 2 "one format at a time" "$HCTRACE" stat -c -j -d 0.01
says "... the same one twice" 2 "one format at a time" "$HCTRACE" stat -j --json -d 0.01

# Emptied first: a signal at what was there before would come too early, and be lost.
: >"$work/csv"
"$HCTRACE" stat -I 60000 --csv >"$work/csv" &
pid=$!
await grep -q time_s "$work/csv"
kill -TERM $pid
wait $pid
is "a signal is an ordinary end" "$?" 0
is "and shows what there is" "$(tail -n 1 "$work/csv" | cut -d, -f2,6-8)" "xen,lost,*,0"

# shellcheck disable=SC2016 # the inner shell's own
says "a version we do not know" 1 "format version 2" sh -c '
	sed -i "s/stats 1/stats 2/" "$debugfs/stats"; "$0" stat -d 0.01' "$HCTRACE"
rm "$debugfs/stats"
says "no module" 1 "hctrace doctor" "$HCTRACE" stat -d 0.01

says "examples come first in the help" 0 "hctrace stat -d 10" "$HCTRACE" stat --help
says "a bad option" 2 "unrecognized option" "$HCTRACE" stat --bogus
says "a bad interval" 2 "not a number" "$HCTRACE" stat -I 5
says "a bad time" 2 "not a time" "$HCTRACE" stat -d nan
says "a bad op" 2 "an op is" "$HCTRACE" stat --op bogus
says "a bad list" 2 "empty name" "$HCTRACE" stat --domain 1,,2
finish
