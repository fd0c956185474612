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

# begin_xentrace OPTIONS... FILE: with a record in it already
begin_xentrace()
{
	xentrace "$@" >/tmp/xentrace.log 2>&1 &
	xentrace=$!
	shift $(($# - 1))
	await has_grown "$1" 0
}
# goes_on FILE: 1000 more calls get into it, then it ends as it should
goes_on()
{
	before=$(stat -c %s "$1")
	quiet_calls 1000
	await has_grown "$1" $((before + bytes - 1)) && ok "xentrace goes on recording after our attempt"
	kill -TERM $xentrace
	wait $xentrace
	is "xentrace ends as it should" $? 0
}

# xentrace first
begin_xentrace -S 256 -e $mask /tmp/first.bin
fails_with "load while xentrace runs" "busy" load
is "it says why" "$(kernel_says | tail -n 1)" \
	"xen_hctrace: another program holds Xen's trace buffers (xentrace?): end it, then start again"
is "it is not loaded" "$(is_loaded && echo yes || echo no)" no
goes_on /tmp/first.bin
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
is "the figures stay" "$(cat $debugfs/stats | awk '$2 == "member" && $3 == "vm_assist" { print $5 }')" 7100
begin_xentrace -e $mask /tmp/second.bin
fails_with "start while xentrace runs" "busy" sh -c "echo start >$debugfs/control"
is "the status says so" "$(status last_error)" "tracing cannot begin: error -16, the kernel log says why"
goes_on /tmp/second.bin
is "the status does not say waiting: a start that failed wants nothing" "$(status state)" stopped
control start
is "start after xentrace has ended" "$(status state)" tracing
exact_workload "after the handover"

# A tracepoint that comes while xentrace records waits for it. Nobody else wants anything, so all that is
# traced is for it.
events=$tracing/events/xen_hctrace
state_is() { [ "$(status state)" = "$1" ]; }
waits_said() { kernel_says | grep -c 'holds.*: who wants events waits until it ends, or for a stop'; }
control stop
echo 16384 >$tracing/buffer_size_kb
begin_xentrace -e $mask /tmp/third.bin
echo 1 >$events/hct_hypercall/enable
is "a tracepoint while xentrace runs: state" "$(status state)" waiting
is "what for" "$(status waiting)" "another program holds the buffers"
sleep 3	# it tries three times and more, and says so once
is "it is said, once" "$(waits_said)" 1
goes_on /tmp/third.bin
await state_is tracing && ok "it gets what it waits for"
is "what for" "$(status waiting)" none
echo >$tracing/trace
quiet_calls 1000
cat $debugfs/stats >/dev/null	# waits for what was recorded
is "the tracepoint delivers them" "$(grep -c ' d0v[0-9]* pcpu=.* vm_assist ' $tracing/trace)" 1000

# A stop holds until one more tracepoint is enabled; one less is no reason.
echo 1 >$events/hct_lost/enable
control stop
echo 0 >$events/hct_lost/enable
is "a stop, and one tracepoint less: state" "$(status state)" stopped
echo 1 >$events/hct_lost/enable
is "and one more: state" "$(status state)" tracing
echo 0 >$events/enable
await state_is stopped && ok "none is left: it ends"

# Waiting ends with the last that waits, or with a stop, and then nothing comes of it.
control stop
begin_xentrace -e $mask /tmp/fourth.bin
echo 1 >$events/hct_hypercall/enable
is "another one waits: state" "$(status state)" waiting
control stop
is "a stop ends that" "$(status state)" stopped
goes_on /tmp/fourth.bin
is "for good" "$(status state)" stopped
echo 0 >$events/enable
is "it was said, once for each time" "$(waits_said)" 2
control start
exact_workload "after waiting"
succeeds "module unloads" unload

# What we found is what we leave.
succeeds "load again" load
is "unloading left the mask as it was found" "$(status mask_before)" $mask
succeeds "unload again" unload
