# SPDX-License-Identifier: GPL-2.0
# Programs that exist already read us: perf, trace-cmd, bpftrace and the kernel's histograms the
# tracepoints, libbcc and libtraceevent the device. Each sees the exact workload whole, as stats does.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

events=$tracing/events/xen_hctrace
hypercall=$events/hct_hypercall

case $DOM0 in
pv) direct=call direct_nr=0 ;;
*) direct=hvm direct_nr=2 ;;
esac

# The workload of lib.sh's exact_workload, as a program. The statistics are read last, because that waits
# for what was recorded: perf and others end with the program that they watch.
cat >/tmp/workload <<EOF
#!/bin/sh
cd /test
. ./lib.sh
quiet_calls 1000 && ./hcall -r 0 multicall 21 71 100 0xffffffff && cat $debugfs/stats >/dev/null
EOF
chmod 755 /tmp/workload

# agrees WHO DIRECT MEMBERS: what WHO counted of the workload is all, and is what stats says
agrees()
{
	take
	is "$1: direct calls" "$2" 1000
	is "$1: members" "$3" 7100
	is "stats says the same" "$(cell d0 $direct vm_assist) $(cell d0 member vm_assist)" "$2 $3"
	ledger_is_clean "$1"
}

# lines KIND FILE: events of dom0's vm_assist in a text of perf's or ftrace's
lines() { grep -c " d0v[0-9]* pcpu=.* $1 vm_assist " "$2"; }

# wait_for STATE: tracing begins a moment after somebody asks for events, and ends a second after the last
# one has gone
wait_for()
{
	i=0
	while [ "$(status state)" != "$1" ] && [ $i -lt 100 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	is "state, after $i tenths of a second" "$(status state)" "$1"
}

# Else each event that is enabled switches the scheduler's tracepoints on, too, which has every CPU meet code while it
# is being changed: an emulator may not survive that (scripts/testbed/cells).
echo 0 >$tracing/options/record-cmd

succeeds "module loads" load $big_rings
is "events" "$(cd $events && echo hct_*)" "hct_domain hct_hypercall hct_lost hct_multicall"

# perf. Its own buffers have to hold a burst: the drain hands over all that it finds at once.
begin
succeeds "perf record" perf record -q -m 4096 -e xen_hctrace:hct_hypercall -a -o /tmp/perf.data -- /tmp/workload
succeeds "perf script" sh -c "perf script -i /tmp/perf.data --show-lost-events >/tmp/perf.txt 2>/tmp/perf.err"
is "perf record: events that perf lost" "$(grep -c PERF_RECORD_LOST /tmp/perf.txt)" 0
agrees "perf record" "$(lines $direct /tmp/perf.txt)" "$(lines member /tmp/perf.txt)"
head -n 20 /tmp/perf.txt >"$OUT/perf.txt"

begin
succeeds "perf stat" perf stat -x, -o /tmp/perf.csv -a -e 'xen_hctrace:*' \
	-e xen_hctrace:hct_hypercall --filter "op == 21 && domid == 0 && kind == $direct_nr" \
	-e xen_hctrace:hct_hypercall --filter "op == 21 && domid == 0 && kind == 1" \
	-e xen_hctrace:hct_multicall --filter "declared == 71 && seen == 71 && domid == 0" -- /tmp/workload
cp /tmp/perf.csv "$OUT/perf.csv"
# counted EVENT NTH: the events of xen_hctrace:* come first
counted() { awk -F, -v event="xen_hctrace:$1" -v nth="$2" '$3 == event && ++n == nth { print $1 }' /tmp/perf.csv; }
agrees "perf stat" "$(counted hct_hypercall 2)" "$(counted hct_hypercall 3)"
at_least "perf stat: all events" "$(counted hct_hypercall 1)" 8100
is "perf stat: losses and domains" "$(counted hct_lost 1) $(counted hct_domain 1)" "0 0"
[ "$DOM0" = pvh ] || is "perf stat: multicalls of 71" "$(counted hct_multicall 2)" 100

# trace-cmd
begin
succeeds "trace-cmd record" trace-cmd record -q -b 16384 -o /tmp/trace.dat -e xen_hctrace /tmp/workload
succeeds "trace-cmd report" sh -c "trace-cmd report -i /tmp/trace.dat >/tmp/trace.txt"
is "trace-cmd record: events that ftrace lost" "$(grep -c 'EVENTS DROPPED' /tmp/trace.txt)" 0
agrees "trace-cmd record" "$(lines $direct /tmp/trace.txt)" "$(lines member /tmp/trace.txt)"
grep -m 20 hct_ /tmp/trace.txt >"$OUT/trace.txt"

# bpftrace
begin
succeeds "bpftrace" bpftrace -o /tmp/bpf.txt -c "/bin/sh /tmp/workload" \
	-e 'tracepoint:xen_hctrace:hct_hypercall { @[args->domid, args->op, args->kind] = count(); }'
cp /tmp/bpf.txt "$OUT/bpf.txt"
agrees "bpftrace" "$(sed -n "s/^@\[0, 21, $direct_nr\]: //p" /tmp/bpf.txt)" \
	"$(sed -n 's/^@\[0, 21, 1\]: //p' /tmp/bpf.txt)"

# The kernel's own histograms
begin
echo 'hist:keys=domid,op' >$hypercall/trigger
echo 'hist:keys=kind if op == 21 && domid == 0' >>$hypercall/trigger
succeeds "workload" /tmp/workload
cat $hypercall/hist >"$OUT/hist"
echo '!hist:keys=kind if op == 21 && domid == 0' >>$hypercall/trigger
echo '!hist:keys=domid,op' >>$hypercall/trigger
# hist KEYS: hits of the line with these keys
hist() { sed -n "s/^{ *$1 *} hitcount: *\([0-9]*\)$/\1/p" "$OUT/hist"; }
agrees "histogram by kind" "$(hist "kind: *$direct_nr")" "$(hist 'kind: *1')"
is "histogram by domain and op" "$(hist 'domid: *0, op: *21')" 8100
is "histograms without drops" "$(grep -c 'Dropped: 0$' "$OUT/hist")" 2

# Statistics stopped, and no reader: an enabled tracepoint asks for events by itself, and only as long as it
# is enabled.
begin
quiet_calls 10
control stop
wait_for stopped
take
is "stopped: direct calls so far" "$(cell d0 $direct vm_assist)" 10
echo 16384 >$tracing/buffer_size_kb
echo >$tracing/trace
echo 1 >$hypercall/enable
wait_for tracing
succeeds "stopped: workload" /tmp/workload
cat $tracing/trace >/tmp/ftrace.txt
is "stopped: the tracepoint delivers direct calls" "$(lines $direct /tmp/ftrace.txt)" 1000
is "stopped: the tracepoint delivers members" "$(lines member /tmp/ftrace.txt)" 7100
take
is "stopped: the statistics stay" "$(cell d0 $direct vm_assist) $(cell d0 member vm_assist)" "10 0"
echo 0 >$hypercall/enable
wait_for stopped
succeeds "stock xentrace has the buffers again" xentrace -S 256 -e 0x1f000 -T 1 /tmp/xentrace.bin
control start
wait_for tracing

# The device. Its samples are the tracepoint's record, as its format describes it.
begin
succeeds "the format and the payload agree" ./fields $hypercall/format 100
cp /tmp/output "$OUT/fields"
is "fields: calls made, found, wrong values" "$(figure made) $(figure found) $(figure wrong)" "100 100 0"

# libbcc, in step with the workload: without a word of ours it gets calls, and members if they are asked for.
begin
succeeds "libbcc reads" ./bcc 1024 default read /tmp/workload
cp /tmp/output "$OUT/bcc.default"
is "libbcc: calls, members and losses" "$(figure $direct) $(figure member) $(figure lost)" "1000 0 0"
is "libbcc: records" "$(figure records)" "$(figure info_written)"
is "libbcc: the ledger, with what came between opening and mapping" "$(figure info_matched)" \
	$(($(figure info_written) + $(figure info_lost) + $(figure info_paused)))

begin
succeeds "libbcc reads members" ./bcc 1024 members read /tmp/workload
cp /tmp/output "$OUT/bcc.members"
is "libbcc: odd records and losses" "$(figure odd) $(figure lost)" "0 0"
is "libbcc: records" "$(figure records)" "$(figure info_written)"
agrees "libbcc" "$(figure $direct "$OUT/bcc.members")" "$(figure member "$OUT/bcc.members")"

# ... and too late, from a ring of one page, which holds 51 of them
succeeds "libbcc reads late" ./bcc 1 members sleep /tmp/workload
cp /tmp/output "$OUT/bcc.late"
at_least "libbcc, late: lost for want of room" "$(figure info_lost)" 8049
is "libbcc, late: its losses are the ring's and Xen's" "$(figure lost)" \
	$(($(figure info_lost) + $(figure info_xen_lost)))
is "libbcc, late: records" "$(figure records)" "$(figure info_written)"
is "libbcc, late: the ledger" "$(figure info_matched)" \
	$(($(figure info_written) + $(figure info_lost) + $(figure info_paused)))

# Nobody sees the module go while the device is open.
exec 8<>/dev/xen/hctrace
fails_with "unload with an open reader" "in use" unload
exec 8<&-
succeeds "module unloads" unload
is "events left" "$(exists $events)" no
