#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A recording of an older version of the payload: we read it, stock perf reads it, and exported it is one of today.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

# fields FILE: the fields of a sample in the format that a recording carries
fields() { grep -a "^	field:.* [a-z0-9]*;	offset:" "$1" | sed 's/.* \([a-z0-9_]*\);	offset:\([0-9]*\);.*/\1 \2/'; }
# comms FILE: whose samples perf finds, and how many
comms() { perf script -i "$1" -F comm 2>"$work/complaints" | sort | uniq -c | awk '{ print $1, $2 }'; }

xz -dc tests/data/schema-1.perfdata.xz >"$work/old"
is "version 1 ends with" "$(fields "$work/old" | tail -n 1)" "subop 54"
golden tests/data/schema-1.golden >"$work/wanted"
"$HCTRACE" report --raw "$work/old" | rows >"$work/got"
same "report has the golden table" "$work/got" "$work/wanted"
"$HCTRACE" report --raw - <"$work/old" | rows >"$work/got"
same "... through a pipe" "$work/got" "$work/wanted"
is "nothing is damaged" "$("$HCTRACE" report --raw "$work/old" | sed -n 's/^# coverage \([0-9.]*%\).*/\1/p')" 100.0000%
is "perf script has all events" "$(comms "$work/old")" "75 bare-pv
946 Domain-0"
is "... without a complaint" "$(cat "$work/complaints")" ""

"$HCTRACE" export --perf -o "$work/new" "$work/old"
is "exported it ends with" "$(fields "$work/new" | tail -n 1)" "reserved 62"
is "... and has what is not known" \
	"$(perf report -i "$work/new" --stdio -n -s hct_hypercall.pid,target 2>/dev/null | awk '/^[^#]/ && NF { print $2, $3, $4 }')" "1021 0 65535"
"$HCTRACE" script "$work/old" >"$work/lines"
"$HCTRACE" script "$work/new" >"$work/lines2"
same "script says the same of both" "$work/lines2" "$work/lines"
is "perf script has all events of it" "$(comms "$work/new")" "75 bare-pv
946 Domain-0"

# What is laid out in another way would read as nonsense.
for version in old new; do
	sed "s/ a0;	offset:28;/ a0;	offset:20;/" "$work/$version" >"$work/other"
	says "another layout than $version" 1 "laid out in a way that is not known here" "$HCTRACE" report --raw "$work/other"
	says "... read from a pipe" 1 "laid out in a way that is not known here" sh -c "cat $work/other | $HCTRACE report --raw -"
done
"$HCTRACE" export --perf -o - "$work/old" | sed "s/ pid;	offset:56;/ pid;	offset:60;/" >"$work/other"
"$HCTRACE" report --raw "$work/other" | rows >"$work/got"
same "the fields that are known are enough" "$work/got" "$work/wanted"
"$HCTRACE" export --perf -o - "$work/old" | sed "s/ tsc;	offset:8;/ tsc;	offset:0;/" >"$work/other"
says "another layout in a recording to a pipe" 1 "laid out in a way that is not known here" sh -c "cat $work/other | $HCTRACE report --raw -"

# Cut anywhere: a sample more or less, never one of the other version.
head -c 60000 "$work/old" >"$work/cut"
"$HCTRACE" script "$work/cut" 2>/dev/null >"$work/lines2" || true
head -n "$(grep -c . "$work/lines2")" "$work/lines" >"$work/wanted"
same "cut in its middle: what is left of it" "$work/lines2" "$work/wanted"
finish
