# SPDX-License-Identifier: GPL-2.0
# What it costs to trace: instructions per record of whoever empties Xen's buffers, and how much longer the same work
# takes. The machine has one CPU and counts time by instructions, two nanoseconds each, so that the scheduler's CPU
# times are numbers of instructions and the work is the same whoever looks. It is no test of what a figure should be:
# all that is checked is that the figures are whole.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

tool_starts || { echo "ok # SKIP this root's C library is older than the one this tool was built with"; exit 0; }

ns_per_instruction=2
case $DOM0 in
pv) masks='0x00263000' profiles='pv all' ;;
*) masks='0x002aa000' profiles='hvm all' ;;
esac
cpu_ns() { awk '{ print $1 }' "/proc/$1/schedstat"; }

work()
{
	quiet_calls 60000
	./hcall -r 0 multicall 21 71 600 0xffffffff
	i=0
	while [ $i -lt 150 ]; do
		/bin/true
		i=$((i + 1))
	done
}

# timed_work: does it, and sets $took to its nanoseconds
timed_work()
{
	begin_ns=$(date +%s%N)
	work >/tmp/output 2>&1
	took=$(($(date +%s%N) - begin_ns))
}

# row WHO MASK RECORDS LOST NS_OF_WHO: a line of the table
row()
{
	awk -v who="$1" -v mask="$2" -v records="$3" -v lost="$4" -v ns="$5" -v took="$took" -v alone="$alone" \
		-v per="$ns_per_instruction" 'BEGIN {
			each = records ? sprintf("%.0f", ns / per / records) : "-"
			printf "# %-34s %-10s %9d %7d %9s %8.3f %+7.1f\n", who, mask, records, lost, each, took / 1e9,
			       100 * (took - alone) / alone
		}'
}

drain() { grep -l '^xen-hctrace$' /proc/[0-9]*/comm | cut -d/ -f3; }

# measure WHO PROFILE: the work while the module traces, with what is on by then
measure()
{
	begin
	cat $debugfs/stats >/dev/null
	thread=$(drain)
	before_ns=$(cpu_ns "$thread") before=$(status consumed)
	timed_work
	cat $debugfs/stats >/dev/null
	spent_ns=$(($(cpu_ns "$thread") - before_ns)) records=$(($(status consumed) - before))
	row "$1" "$2" $records "$(status lost)" $spent_ns
	# What was lost is in the table; what was not is accounted for, at one moment.
	cat $debugfs/status >/tmp/status
	is "$1, profile $2: skipped, undecodable and events are what was consumed" \
		"$(($(figure skipped /tmp/status) + $(figure undecodable /tmp/status) + $(figure events /tmp/status)))" \
		"$(figure consumed /tmp/status)"
}

timed_work		# programs and their pages are in memory from here on
timed_work
alone=$took
timed_work
echo "# who                                mask         records    lost  instr/rec     work s   longer %"
row "nobody traces" - 0 0 0
for mask in $masks; do
	xentrace -S 256 -e "$mask" /tmp/xentrace.bin >/tmp/xentrace.log 2>&1 &
	pid=$!
	await has_grown /tmp/xentrace.bin 0
	before_ns=$(cpu_ns $pid)
	timed_work
	sleep 1
	spent_ns=$(($(cpu_ns $pid) - before_ns))
	kill -TERM $pid
	wait $pid
	./hctrace report --raw -q /tmp/xentrace.bin >/tmp/report 2>/dev/null
	row "stock xentrace, to tmpfs" "$mask" "$(awk '$2 == "consumed" { print $3; exit }' /tmp/report)" \
		"$(awk '$2 == "coverage" { for (i = 1; i < NF; i++) if ($i == "lost") print $(i + 1) }' /tmp/report)" $spent_ns
	rm -f /tmp/xentrace.bin
done

succeeds "module loads" load $big_rings
for profile in $profiles; do
	control "profile $profile"
	measure "statistics" "$profile"
done
control "profile ${profiles%% *}"
for nr in 1 4; do
	pids=
	i=0
	while [ $i -lt $nr ]; do
		./hctrace record -q -o /tmp/record.$i >/tmp/record.log.$i 2>&1 &
		pids="$pids $!"
		await has_grown /tmp/record.$i 0
		i=$((i + 1))
	done
	first=${pids# }
	first=${first%% *}
	record_ns=$(cpu_ns "$first")
	measure "with $nr x hctrace record" "${profiles%% *}"
	record_ns=$(($(cpu_ns "$first") - record_ns))
	row "  hctrace record itself, to tmpfs" "${profiles%% *}" $records 0 $record_ns
	# shellcheck disable=SC2086 # a list of processes
	kill -INT $pids
	wait
	for log in /tmp/record.log.*; do
		[ ! -s "$log" ] || diag <"$log"
	done
	rm -f /tmp/record.*
done
echo 1 >$tracing/events/xen_hctrace/hct_hypercall/enable
measure "with the tracepoint" "${profiles%% *}"
echo 0 >$tracing/events/xen_hctrace/hct_hypercall/enable

# A host on which nothing happens
thread=$(drain)
before_ns=$(cpu_ns "$thread")
before=$(awk '/^voluntary/ { print $2 }' "/proc/$thread/status")
sleep 10
echo "# idle for 10 s: $((($(cpu_ns "$thread") - before_ns) / ns_per_instruction / 10)) instructions and" \
	"$((($(awk '/^voluntary/ { print $2 }' "/proc/$thread/status") - before) / 10)) wake-ups a second"
succeeds "module unloads" unload
