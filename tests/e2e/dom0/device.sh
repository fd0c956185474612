# SPDX-License-Identifier: GPL-2.0
# /dev/xen/hctrace, from programs that know nothing but its header. Each prints its own results.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh disable=SC2119
. ./lib.sh

# Results of a program; one that ends early is not to pass for one that has fewer.
run()
{
	program=$1
	shift
	echo "# $program"
	"./$program" "$@" || not_ok "$program ends with $?"
}

# Half of it, which one user may have, is room for two of the largest rings and a few small ones: the limit can be met.
ring_pages_max=4200 user_pages_max=2100

succeeds "module loads" load $big_rings ring_pages_max=$ring_pages_max
is "the device is there" "$(stat -c '%F %a' /dev/xen/hctrace)" "character special file 600"
is "readers and the like that want events" "$(status demands)" 0

run device_errors $user_pages_max
is "the limit is said, once" \
	"$(kernel_says | grep -c "a ring of 65 pages would exceed the $user_pages_max for one user: ask for less, or load with a larger ring_pages_max")" 1

run device_rights
run device_phases
run device_ledger
run device_wake
run device_order

calls=3000
begin
run device_scribble $calls
take
if [ "$DOM0" = pv ]; then kind=call; else kind=hvm; fi
is "statistics beside a scribbler" "$(cell d0 $kind vm_assist)" $calls
ledger_is_clean "the scribbler"

begin
run device_filter
begin
run device_samples

# A caller of 32 bits
begin
case $DOM0 in
pv) result=-38 ;;
*) result=-22 ;;
esac
succeeds "a reader of 32 bits" ./device_compat "$DOM0" ./hcall -r $result call 21 100 0xffffffff
cp /tmp/output "$OUT/compat"
is "32 bits: what it says" "$(tr '\n' ' ' <"$OUT/compat")" \
	"program_status 0 size 104 matched 100 written 100 samples 100 odd 0 matched_after_reset 0 unknown_call 25 "

# Everybody has gone, and has taken everything along.
is "readers that want events" "$(status demands)" 0
run device_errors $user_pages_max
exact_workload "after all readers"

control stop
run device_demand
is "xentrace was in the way: of two ENABLE and a start" "$(kernel_says | grep -c 'holds.*: end it, then start again')" 3
is "xentrace was in the way: each of three readers waits, and it is said once" \
	"$(kernel_says | grep -c 'holds.*: who wants events waits until it ends, or for a stop')" 3
control start
exact_workload "after all that"

exec 8<>/dev/xen/hctrace
fails_with "unload with an open reader" "in use" unload
exec 8<&-
succeeds "module unloads" unload
is "the device is gone" "$(exists /dev/xen/hctrace)" no

# Few readers, so that there can be too many. All of it is said, but not each of a hundred times.
fails_with "no reader at all" Invalid load readers_max=0
fails_with "more than all for a user" Invalid load user_share=101
is "why, in words" "$(kernel_says | grep -c "parameter readers_max: a number from 1 to 4096\\|parameter user_share: a number from 1 to 100")" 2
succeeds "module loads for ten readers" load readers_max=10 ring_pages_max=$ring_pages_max
begun=$(date +%s) lines=$(kernel_says | wc -l)
run device_limits
bursts=$((1 + ($(date +%s) - begun) / 5))
# said WANTED TEXT: so many lines of the log have it, each burst of at most ten
said() { is "the log: $2" "$(kernel_says | tail -n +$((lines + 1)) | grep -c "$2")" "$1"; }
said 3 "there are 10 readers, as many as may be: close one, or load with a larger readers_max"
said 2 "user 1234 has 5 readers, as many as one user may have"
said 2 "would exceed the 4200 for all readers"
said 4 "would exceed the 2100 for one user"
hammered=$(kernel_says | grep -c "user 0 has 5 readers")
at_least "the log: lines for 103 refusals of root, of $((10 * bursts)) at most" $((10 * bursts)) "$hammered"
succeeds "module unloads" unload

succeeds "module loads again" load
succeeds "module unloads again" unload
