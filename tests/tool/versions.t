#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What older versions left is read for ever: recordings, and the files of a module that is older than the tool. What
# cannot be read is said to be too old, and which of the two it is.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
. tests/tool/live.sh

# --- tests/data/VERSION

for dir in tests/data/[0-9]*; do
	of=${dir##*/}
	for packed in "$dir"/*.xz; do
		name=$(basename "$packed" .xz)
		xz -dc "$packed" >"$work/$name"
		"$HCTRACE" report --raw "$work/$name" 2>/dev/null | rows >"$work/got"
		same "$of, $name: the golden table" "$work/got" "$dir/$name.golden"
		"$HCTRACE" report --raw - <"$work/$name" 2>/dev/null | rows >"$work/got"
		same "... through a pipe" "$work/got" "$dir/$name.golden"
		is "... of which nothing is damaged" \
			"$("$HCTRACE" report --raw "$work/$name" 2>/dev/null | sed -n 's/^# coverage \([0-9.]*%\).*/\1/p')" 100.0000%
		is "... and each event is a line" "$("$HCTRACE" script "$work/$name" 2>/dev/null | wc -l)" \
			"$(awk '{ n += $4 + $5 } END { print n }' "$dir/$name.golden")"
	done

	cp "$dir/stats" "$dir/multicalls" "$debugfs/"
	echo "# xen-hctrace status 1" >"$debugfs/status"
	[ ! -e "$dir/status" ] || cp "$dir/status" "$debugfs/"
	"$HCTRACE" export --prometheus >"$work/metrics"
	# Rows of sums are left out there, and so are those of the module's that nobody is known for
	awk '$1 ~ /^d[0-9?]/ && ($3 != "*" || $1 == "d?") { print $1, $2, $3, $4 }' "$dir/stats" | sort >"$work/wanted"
	sed -n 's/^xen_hypercall_records_total{dom="\([^"]*\)",.*kind="\([^"]*\)",op="\([^"]*\)"} /\1 \2 \3 /p' \
		"$work/metrics" | sort >"$work/got"
	same "$of, stats: $(wc -l <"$work/wanted") rows" "$work/got" "$work/wanted"
	awk '/^# sizes/ { exit } $1 ~ /^d[0-9]/ { print $1, $2, $6 }' "$dir/multicalls" | sort >"$work/wanted"
	{
		sed -n 's/^xen_multicall_size_count{dom="\([^"]*\)"[^}]*} /\1 /p' "$work/metrics" | sort >"$work/count"
		sed -n 's/^xen_multicall_size_sum{dom="\([^"]*\)"[^}]*} /\1 /p' "$work/metrics" | sort | join "$work/count" -
	} >"$work/got"
	same "$of, multicalls: $(wc -l <"$work/wanted") rows" "$work/got" "$work/wanted"
done

# --- a module of another version

sed -i '1s/stats 1/stats 2/' "$debugfs/stats"
says "files of a later module" 1 "hctrace is too old for the other: the file 'stats' has format version 2" "$HCTRACE" stat -d 1
sed -i '1s/stats 2/stats 0/' "$debugfs/stats"
says "files of an earlier one" 1 "the module is too old for the other: the file 'stats' has format version 0" "$HCTRACE" stat -d 1
unset HCTRACE_ROOT

export FAKE_DEVICE_CALLS=100 FAKE_DEVICE_LEDGER="$work/ledger"
record() { LD_PRELOAD=$FAKE_DEVICE "$HCTRACE" record -o "$work/file" "$@"; }
export FAKE_DEVICE_SCHEMA=3
says "events of a later module" 1 \
	"hctrace is too old for the other: the module's events have version 3, those of this hctrace 2" record
is "... are no file" "$([ -e "$work/file" ] || echo none)" none
says "... Xen's own records are the same for both" 0 "100 records" record -f xentrace
export FAKE_DEVICE_SCHEMA=1
says "events of an earlier one" 1 \
	"the module is too old for the other: the module's events have version 1, those of this hctrace 2" record
unset FAKE_DEVICE_SCHEMA
export FAKE_DEVICE_API=1
says "what an earlier module does not know" 1 \
	"the module is too old for this: its interface has version 1, that of this hctrace 2" record
export FAKE_DEVICE_API=3
says "a later interface has all of ours" 0 "100 events" record
finish
