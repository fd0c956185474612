# SPDX-License-Identifier: GPL-2.0
# Everything at once, under a kernel that watches locks, memory and objects: what it finds it logs, and
# the log may have nothing odd (scripts/testbed/run looks).
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh disable=SC2119
. ./lib.sh

events=$tracing/events/xen_hctrace
kmemleak=/sys/kernel/debug/kmemleak
rounds=5

watches() { awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats; }
# Twice, and apart: a pointer may be on its way from one place to another during a scan, and a block is not
# looked at in its first seconds.
scan_leaks()
{
	sleep 6
	for _ in 1 2; do
		echo scan >$kmemleak
	done
	cat $kmemleak
}

uptime_s() { cut -d. -f1 /proc/uptime; }
elapsed() { echo "# $1: $(($(uptime_s) - begun)) s"; }

# --- What runs at once. Nothing here has to succeed: a stopped or unloaded module is an answer too. -------
make_calls() { ./hcall call 21 2000 0xffffffff && ./hcall multicall 21 71 200 0xffffffff; }
read_files() { cat $debugfs/*; }
switch_tracepoints()
{
	for event in hct_hypercall hct_multicall hct_lost hct_domain; do
		echo 1 >$events/$event/enable
		echo 0 >$events/$event/enable
	done
	echo 1 >$events/enable
	echo 0 >$events/enable
	echo >$tracing/trace
}
# The same by a file that stays when the module goes
ask_for_events()
{
	echo 'xen_hctrace:*' >>$tracing/set_event
	echo '!xen_hctrace:*' >>$tracing/set_event
	echo >$tracing/trace
}
use_histograms()
{
	echo 'hist:keys=domid,op' >$events/hct_hypercall/trigger
	cat $events/hct_hypercall/hist
	echo '!hist:keys=domid,op' >$events/hct_hypercall/trigger
}
use_control()
{
	for text in stop start 'profile all' 'poll_ms 1' reset 'breaker off' 'breaker on' 'profile pv' 'poll_ms 100' bogus 'stop;reset' start; do
		echo "$text" >$debugfs/control
	done
}
# It goes in one of the moments in which nobody has a file of it open, and does not come back at once: there are
# loads that fail, before and behind the first thing that is allocated.
reload()
{
	tries=0
	until unload; do
		tries=$((tries + 1))
		[ $tries -lt 2000 ] || return
	done
	load control=stop tbuf_pages=many && unload
	load 'control="members off"' poll_ms=1001 && unload
	load control=bogus && unload
	load
}
write_parameter()
{
	for poll_ms in 20 30 40 50 60 70 80 90 bogus 100; do
		echo "poll_ms $poll_ms" >/sys/module/xen_hctrace/parameters/control
	done
}

repeat()
{
	n=0
	while [ $n -lt $rounds ]; do
		"$1" >/dev/null 2>&1
		n=$((n + 1))
	done
	elapsed "$1"
}
at_once() # WHAT...
{
	begun=$(uptime_s)
	for what; do
		repeat "$what" &
	done
}

is "lockdep watches" "$(watches)" 1
scan_leaks >/dev/null
echo clear >$kmemleak	# what the kernel found on its way up is not ours

succeeds "module loads" load $big_rings
begin
succeeds "calls" quiet_calls 1000
take
is "calls found" "$(($(cell d0 call vm_assist) + $(cell d0 hvm vm_assist)))" 1000
./device_fail || not_ok "device_fail ends with $?"
succeeds "module unloads" unload

# A device that is open all the time, so that the module stays and each attempt to remove it has to fail.
succeeds "module loads" load
exec 8<>/dev/xen/hctrace
refused=0
./stress 20 >"$OUT/stress" 2>&1 8<&- &
stress=$!
at_once make_calls read_files switch_tracepoints use_histograms use_control write_parameter
while kill -0 $stress 2>/dev/null; do
	unload >/dev/null && not_ok "the module was removed while its device was open"
	refused=$((refused + 1))
	sleep 0.1
done
wait $stress
status=$?
elapsed stress
is "device, files, tracepoints, control at once: exit status of the device's users" $status 0
wait
at_least "attempts to remove the module meanwhile, all refused" $refused 1
exec 8<&-
is "lockdep watches still" "$(watches)" 1

# The module comes and goes below them. Not below the files of its events: Linux 6.1 itself goes on with the event of a
# module that is gone when one of them is opened at that moment, or a trigger written (tracing_open_file_tr,
# event_hist_trigger_parse).
reloads=0
at_once make_calls read_files ask_for_events use_control write_parameter
for _ in 1 2 3 4 5 6 7 8 9 10; do
	reload >/dev/null && reloads=$((reloads + 1))
done
elapsed "ten reloads"
wait
at_least "times that it came and went meanwhile" $reloads 1
is_loaded && unload
is "files and tracepoints while it comes and goes: loaded at the end" "$(exists /sys/module/xen_hctrace)" no

scan_leaks >"$OUT/kmemleak"
is "leaked memory" "$(grep -c '^unreferenced object' "$OUT/kmemleak")" 0
diag <"$OUT/kmemleak"
is "lockdep watches to the end" "$(watches)" 1
cat /proc/lockdep_stats >"$OUT/lockdep_stats"
