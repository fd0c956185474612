# SPDX-License-Identifier: GPL-2.0
# The buffers have one consumer: we and stock xentrace take turns, and neither
# disturbs the other.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

# 1000 calls in xentrace's file: V2 records of 16 bytes, VMMCALL records of 8.
case $DOM0 in
pv) mask=0x0020f000 bytes=16000 ;;
*) mask=0x002aa000 bytes=8000 ;;
esac

size() { stat -c %s "$1"; }

# xentrace first
xentrace -S 256 -e $mask -T 5 /tmp/first.bin >/tmp/xentrace.log 2>&1 &
xentrace=$!
sleep 2
fails_with "load while xentrace runs" "busy" load
is "it says why" "$(kernel_says | tail -n 1)" \
	"xen_hctrace: another program holds Xen's trace buffers (xentrace?): end it, then start again"
is "it is not loaded" "$(is_loaded && echo yes || echo no)" no
before=$(size /tmp/first.bin)
quiet_calls 1000
wait $xentrace
is "xentrace ends as it should" $? 0
at_least "xentrace went on recording: bytes after our attempt" \
	"$(($(size /tmp/first.bin) - before))" $bytes
succeeds "load after xentrace has ended" load
exact_workload "after xentrace"
is "mask found is xentrace's" "$(status mask_before)" $mask

# we first: xentrace is refused, but has changed both masks by then
is "mask changes so far" "$(status mask_changes)" 0
fails_with "xentrace while we trace" "VIRQ\|event channel\|rror" xentrace -e 0x1f000 -c 1 /tmp/refused.bin
sleep 1
is "the mask was set back, once" "$(status mask_changes)" 1
is "and it is said" "$(kernel_says | grep -c 'another program set')" 1
exact_workload "after the refused xentrace"
is "mask changes since" "$(status mask_changes)" 1

# we stop: xentrace can run, and we cannot start until it ends
control stop
is "state" "$(status state)" stopped
is "the figures stay" "$(cat $debugfs/stats | awk '$2 == "member" && $3 == "vm_assist" { print $4 }')" 7100
xentrace -e $mask -T 5 /tmp/second.bin >/tmp/xentrace.log 2>&1 &
xentrace=$!
sleep 2
fails_with "start while xentrace runs" "busy" sh -c "echo start >$debugfs/control"
is "the status says so" "$(status last_error)" "tracing cannot begin: error -16, the kernel log says why"
before=$(size /tmp/second.bin)
quiet_calls 1000
wait $xentrace
is "xentrace ends as it should" $? 0
at_least "xentrace went on recording: bytes after our attempt" \
	"$(($(size /tmp/second.bin) - before))" $bytes
control start
is "start after xentrace has ended" "$(status state)" tracing
exact_workload "after the handover"
succeeds "module unloads" unload

# What we found is what we leave.
succeeds "load again" load
is "unloading left the mask as it was found" "$(status mask_before)" $mask
succeeds "unload again" unload
