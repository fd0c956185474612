#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What hctrace record takes of a core, and at which pace it loses nothing, from a device
# that is none: the module's ring, and a thread on another core that writes to it in
# rounds of 2 ms. Times depend on the machine and on who else is at work there.
#
#   tests/bench/record.sh HCTRACE FAKE_DEVICE
set -eu
hctrace=$(realpath "$1") fake=$(realpath "$2")
seconds=2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export FAKE_DEVICE_LEDGER="$work/ledger" FAKE_DEVICE_PIN=1

# record FORMAT FILE PER_S CALLS
record() { FAKE_DEVICE_PER_S=$3 FAKE_DEVICE_CALLS=$4 LD_PRELOAD=$fake "$hctrace" record -q -f "$1" -o "$2"; }

# row: of the ledger
row()
{
	awk '{ is[$1] = $2 }
		END {
			us = is["user_us"] + is["system_us"]
			printf "%12.0f %10d %10d %8.2f %8.2f %8.1f\n", is["matched"] * 1e6 / is["wall_us"], is["matched"],
				is["lost"], 100 * us / is["wall_us"], 100 * is["user_us"] / is["wall_us"],
				us * 1000 / is["written"]
			exit is["matched"] != is["written"] + is["lost"]
		}' "$work/ledger"
}

# instructions FORMAT CALLS: of the program, without the thread that writes
instructions()
{
	FAKE_DEVICE_PIN='' FAKE_DEVICE_PER_S=0 FAKE_DEVICE_CALLS=$2 LD_PRELOAD=$fake \
		valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$work/callgrind" \
		"$hctrace" record -q -f "$1" -o /dev/null 2>/dev/null
	awk '/^(summary|totals):/ { print $2; exit }' "$work/callgrind-01"
}

echo
echo "hctrace record on one core, $seconds s each, a ring of the usual size"
printf '%-9s %-9s %12s %10s %10s %8s %8s %8s\n' format to records/s records lost 'CPU %' 'user %' 'ns each'
for format in perf xentrace; do
	for to in /dev/null "$work/file"; do
		for pace in 400000 800000 1600000 3200000 6400000; do
			record $format "$to" $pace $((pace * seconds))
			printf '%-9s %-9s ' $format "$(basename "$to")"
			row
		done
		rm -f "$work/file"
	done
done

command -v valgrind >/dev/null || {
	echo "Install valgrind to see instructions per record." >&2
	exit 0
}
echo
echo "Instructions per record by valgrind, the kernel's aside"
for format in perf xentrace; do
	few=$(instructions $format 100000)
	many=$(instructions $format 300000)
	awk -v format=$format -v few="$few" -v many="$many" \
		'BEGIN { printf "%-9s %8.1f\n", format, (many - few) / 200000 }'
done
