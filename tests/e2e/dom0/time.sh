# SPDX-License-Identifier: GPL-2.0
# A hypercall is found when it was made.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

wanted=tsc
grep -q clocksource=xen /proc/cmdline && wanted=xen
is "clock source of the dom0" "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" $wanted
succeeds "module loads" load $big_rings
run=0
# A PVH dom0's own calls are recorded without a time. And its counter is ahead of the host's: by how much shows
# in calls of the module's own, twice a second.
case $DOM0 in
pv) kinds="call member call" ;;
*)
	kinds="member member member"
	sleep 6
	;;
esac
for kind in $kinds; do
	run=$((run + 1))
	succeeds "run $run: 300 $kind calls, each between two readings of the clock" ./when 300 "$kind"
	cp /tmp/output "$OUT/when.$run"
	grep -v '^call' "$OUT/when.$run" | diag
	is "run $run: calls found" "$(figure found "$OUT/when.$run")" 300
	is "run $run: calls found outside, by more than the uncertainty" "$(figure outside "$OUT/when.$run")" 0
done
succeeds "module unloads" unload
