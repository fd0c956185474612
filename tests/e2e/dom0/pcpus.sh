# SPDX-License-Identifier: GPL-2.0
# A pCPU goes offline and comes back: Xen has forgotten its buffer, and we say so. Wants 4 pCPUs,
# of which Xen lets go (mce=0).
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

hptool=/usr/sbin/xen-hptool
[ -x $hptool ] || hptool=$(find /usr/lib/xen-* -name xen-hptool | head -n 1)
online_is() { [ "$(status pcpus_online)" = "$1" ]; }
is_silent() { [ "$(status pcpus_silent)" = "$1" ]; }
pcpus() { sed -n '1s/.*   pcpus //p' $debugfs/stats; }

succeeds "module loads" load $big_rings
exact_workload "with all pCPUs"
is "silent so far" "$(status pcpus_silent) $(status pcpus_no_ring)" "none none"
is "pCPUs" "$(pcpus)" 4/4

succeeds "pCPU 3 goes offline" "$hptool" cpu-offline 3
await online_is 3
is "without it" "$(pcpus) $(status pcpus_silent)" "3/3 none"
exact_workload "on three pCPUs"
succeeds "pCPU 3 comes back" "$hptool" cpu-online 3
await online_is 4
succeeds "all of dom0 runs there" $xl vcpu-pin 0 all 3
control reset
succeeds "5000 calls" quiet_calls 5000
await is_silent 3
take
is "calls that were counted" "$(cell d0 call vm_assist)" 0
is "records that were lost, as Xen says" "$(status lost)" 0
is "coverage" "$(status coverage)" unknown
is "pCPUs" "$(pcpus)" 3/4
is "stats says so" "$(grep -c '^# coverage unknown   lost 0' $snapshot)" 1
is "the log says so" "$(kernel_says | grep -c 'pCPU 3 is silent: it was offline')" 1
is "its ring" "$(awk '/^# pcpu/ { rings = 1; next } rings && $1 == 3 { print $7 }' $debugfs/status)" silent
control reset
is "a reset does not make known what is not" "$(status coverage)" unknown
if tool_starts; then
	fails_with "doctor" "some pCPUs are silent" ./hctrace doctor
	is "doctor says which" "$(grep -c 'pCPU 3\.' /tmp/output)" 1
fi
is "tracing was not switched off" "$(status found_off)" 0
succeeds "dom0 runs anywhere" $xl vcpu-pin 0 all all
cat $debugfs/status >"$OUT/module-status"

# It goes on to be known over a stop.
control stop
control start
is "after a stop and a start: coverage" "$(status coverage)" unknown
succeeds "module unloads" unload
