# SPDX-License-Identifier: GPL-2.0
# A hypercall is found when it was made.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

echo "# clock source of the dom0: $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
succeeds "module loads" load $big_rings
for run in 1 2 3; do
	succeeds "run $run: 300 calls, each between two readings of the clock" ./when 300
	cp /tmp/output "$OUT/when.$run"
	grep -v '^call' "$OUT/when.$run" | diag
	is "run $run: calls found" "$(figure found "$OUT/when.$run")" 300
	is "run $run: calls found outside, by more than the uncertainty" "$(figure outside "$OUT/when.$run")" 0
done
succeeds "module unloads" unload
