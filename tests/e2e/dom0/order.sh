# SPDX-License-Identifier: GPL-2.0
# A reader's stream comes in the order of time while all pCPUs make calls in bursts.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

succeeds "module loads" load $big_rings
for run in 1 2 3; do
	succeeds "run $run: bursts on $CPUS CPUs" ./order 1000
	cp /tmp/output "$OUT/order.$run"
	is "run $run: calls made and found" "$(figure made) $(figure found)" "$((1000 * CPUS)) $((1000 * CPUS))"
	is "run $run: pCPUs they were made on" "$(figure pcpus)" "$CPUS"
	is "run $run: losses" "$(figure lost) $(figure info_lost)" "0 0"
	is "run $run: inversions in $(figure events) events" "$(figure inversions)" 0
	is "run $run: late events" "$(figure late) $(figure info_late)" "0 0"
done
succeeds "module unloads" unload
