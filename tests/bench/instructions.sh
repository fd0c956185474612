#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Instructions per record, counted by valgrind: the same on every machine, with a
# counter in its CPU or not. A longer run less a shorter one is the records alone.
#
#   tests/bench/instructions.sh BENCH
set -eu
bench=$1

command -v valgrind >/dev/null || {
	echo "Install valgrind to see instructions per record." >&2
	exit 0
}

# count FATE CHUNKS: instructions of the whole run
count()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$1" "$2" 2>&1 >/dev/null |
		awk '/Collected/ { print $NF }'
}

echo
echo "Instructions per record by valgrind, the loop that makes the records included"
fate=0
while name=$("$bench" $fate 1); do
	few=$(count $fate 200)
	many=$(count $fate 400)
	awk -v name="$name" -v few="$few" -v many="$many" \
		'BEGIN { printf "%-30s %8.1f\n", name, (many - few) / (200 * 256) }'
	fate=$((fate + 1))
done
