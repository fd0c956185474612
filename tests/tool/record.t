#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace record from a device that is none, with the module's own ring behind it: what
# was written to the ring is in the file, once and in its order, and what was lost is told.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tool/files.sh

export FAKE_DEVICE_LEDGER="$work/ledger" FAKE_DEVICE_CALLS=60000 FAKE_DEVICE_PER_S=0

# record OPTION...: until the device has written all
record() { LD_PRELOAD=$FAKE_DEVICE "$HCTRACE" record "$@"; }
# ledger KEY: of the device
ledger() { awk -v key="$1" '$1 == key { print $2 }' "$work/ledger"; }
# all_rows: calls in a report on standard input
all_rows() { awk '/^# xen-hctrace multicalls/ { exit } /^d/ && $3 == "*" { n += $4 } END { print n + 0 }'; }
# in_row FILE: a perf.data has each call once, in order
in_row() { "$HCTRACE" script "$1" 2>/dev/null | sed 's/.* a0=//' | cmp - "$work/numbers" && echo yes; }

seq 0 59999 >"$work/numbers"

# --- nothing is lost ---

for pages in 64 1024; do
	record -m $pages -o "$work/a" 2>"$work/said"
	is "$pages pages: all were written" "$(ledger matched) $(ledger written) $(ledger lost)" "60000 60000 0"
	is "$pages pages: the file has them in a row" "$(in_row "$work/a")" yes
	is "$pages pages: it says so" "$(sed 's/, [0-9]* kB//' "$work/said")" \
		"hctrace record: 60000 events, lost 0 in the ring and 0 inside Xen, in $work/a"
	record -m $pages -o - 2>/dev/null | cat >"$work/piped"
	is "$pages pages: so has a pipe" "$(in_row "$work/piped")" yes

	record -m $pages -f xentrace -o "$work/a" 2>"$work/said"
	is "$pages pages, xentrace: all were written" "$(ledger matched) $(ledger written) $(ledger lost)" "60000 60000 0"
	"$HCTRACE" script "$work/a" 2>/dev/null | awk '$1 != NR - 1 { exit } END { print NR }' >"$work/nr"
	is "$pages pages, xentrace: the file has them in a row" "$(cat "$work/nr")" 60000
	record -m $pages -f xentrace -o - 2>/dev/null | cat >"$work/piped"
	is "$pages pages, xentrace: so has a pipe" "$("$HCTRACE" report --raw - <"$work/piped" 2>/dev/null | all_rows)" 60000
done

# --- what is asked for, and no more ---

record --domain 1 -o "$work/a" 2>/dev/null
is "a domain" "$(ledger matched) $("$HCTRACE" report --raw "$work/a" 2>/dev/null | all_rows)" "20000 20000"
record --op iret,mmu_update -o "$work/a" 2>/dev/null
is "two ops" "$(ledger matched) $("$HCTRACE" report --raw "$work/a" 2>/dev/null | all_rows)" "30000 30000"
record -k member -o "$work/a" 2>/dev/null
is "another kind" "$(ledger matched) $("$HCTRACE" report --raw "$work/a" 2>/dev/null | all_rows)" "0 0"

# --- a ring far too small for what is written at once ---

export FAKE_DEVICE_PER_S=1000000000
for pages in 1 2 8; do
	record -m $pages -o "$work/a" 2>"$work/said"
	is "$pages pages, too fast: the ledger adds up" $(($(ledger written) + $(ledger lost))) "$(ledger matched)"
	at_most "$pages pages, too fast: some are lost" 1 "$(ledger lost)"
	"$HCTRACE" report --raw "$work/a" >"$work/report" 2>&1
	is "$pages pages, too fast: the file has what was written" "$(all_rows <"$work/report")" "$(ledger written)"
	is "$pages pages, too fast: it has the losses" "$(sed -n 's/^# lost by the recorder \(.*\) events/\1/p' "$work/report")" "$(ledger lost)"
	is "$pages pages, too fast: it says so" "$(sed 's/, [0-9]* kB//' "$work/said")" \
		"hctrace record: $(ledger written) events, lost $(ledger lost) in the ring and 0 inside Xen, in $work/a"

	record -m $pages -f xentrace -o "$work/a" 2>"$work/said"
	is "$pages pages, too fast, xentrace: the ledger adds up" $(($(ledger written) + $(ledger lost))) "$(ledger matched)"
	at_most "$pages pages, too fast, xentrace: some are lost" 1 "$(ledger lost)"
	is "$pages pages, too fast, xentrace: the file has what was written" \
		"$("$HCTRACE" report --raw "$work/a" 2>/dev/null | all_rows)" "$(ledger written)"
	is "$pages pages, too fast, xentrace: it says so" "$(sed 's/, [0-9]* kB//' "$work/said")" \
		"hctrace record: $(ledger written) records, lost $(ledger lost) in the ring and 0 inside Xen, in $work/a"
done

# --- whose it is: the host's pCPUs, of which dom0 has fewer, and this machine's name ---

FAKE_DEVICE_CALLS=10 FAKE_DEVICE_PER_S=0 record -o "$work/a" 2>/dev/null
perf script --header-only -i "$work/a" >"$work/header" 2>/dev/null
is "the head has Xen's pCPUs, not dom0's" "$(sed -n 's/^# nrcpus [a-z]* : //p' "$work/header" | tr '\n' ' ')" "4 4 "
is "and the name of dom0" "$(sed -n 's/^# hostname : //p; s/^# os release : //p' "$work/header" | tr '\n' ' ')" "$(uname -n) $(uname -r) "
status=0
FAKE_DEVICE_CALLS=10 FAKE_DEVICE_PER_S=0 record -o - >>"$work/a" 2>"$work/errors" || status=$?
is "it is not added to a file" "$status $(grep -c 'cannot be added to a file' "$work/errors")" "2 1"

# --- where it goes ---

export FAKE_DEVICE_CALLS=1000 FAKE_DEVICE_PER_S=0
mkdir "$work/here"
# here COMMAND...: in a folder of its own
here() { (cd "$work/here" && "$@"); }
calls_in() { here "$HCTRACE" report --raw "$@" 2>/dev/null | all_rows; }
# files: with their sizes in calls
files() { for file in "$work/here"/*; do echo "$(basename "$file") $(calls_in "$file")"; done | tr '\n' ' '; }

says "no file of record's" 2 "which file? There is no hctrace.data here" here "$HCTRACE" report
says "nor for script" 2 "There is no hctrace.data here" here "$HCTRACE" script
here record --domain 1 2>"$work/said"
is "without -o it names what it wrote" "$(sed 's/.*, in //' "$work/said")" hctrace.data
is "report reads it" "$(calls_in)" 336
is "script does" "$(here "$HCTRACE" script | wc -l)" 336
here record 2>/dev/null
is "the last one is kept" "$(files)" "hctrace.data 1000 hctrace.data.old 336 "
says "a command that is not there" 127 "No such file" here record -- no-such-command
says "a command that cannot be run" 126 "Permission denied" here record -- /dev/null
is "... leaves both alone" "$(files)" "hctrace.data 1000 hctrace.data.old 336 "
here record --op iret -o hctrace.data -- true 2>/dev/null
is "-o keeps the last one, too" "$(files | sed 's/data [0-9]*/data N/')" "hctrace.data N hctrace.data.old 1000 "
: >"$work/here/hctrace.data"
here record 2>/dev/null
is "an empty one is not worth keeping" "$(files)" "hctrace.data 1000 hctrace.data.old 1000 "
mkdir "$work/there"
mv "$work/here/hctrace.data" "$work/there/there"
ln -s "$work/there/there" "$work/here/hctrace.data"
rm "$work/here/hctrace.data.old"
here record --domain 1 2>/dev/null
is "a link goes on to lead there" "$(files; readlink "$work/here/hctrace.data"; calls_in "$work/there/there.old")" \
	"hctrace.data 336 $work/there/there
1000"
mkfifo "$work/fifo"
cat "$work/fifo" >"$work/piped" &
record -o "$work/fifo" 2>/dev/null
wait $!
is "what is no plain file is written to" "$(calls_in "$work/piped")" 1000
is "quiet says nothing" "$(here record -q 2>&1)" ""
says "a folder that is not there" 1 "/no/such: No such file" record -o "$work/no/such"
finish
