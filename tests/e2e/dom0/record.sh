# SPDX-License-Identifier: GPL-2.0
# hctrace record: stock perf and xenalyze read its files, and find every call in them.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

tool_starts || { echo "ok # SKIP the C library of Xen $XEN's root is older than the one this tool was built with"; exit 0; }

case $DOM0 in
pv) direct=call ;;
*) direct=hvm ;;
esac
echo '. ./lib.sh; quiet_calls 1000 && ./hcall -r 0 multicall 21 71 100 0xffffffff' >/tmp/workload

# What stands behind a word in what the last command said
said() { sed -n "s/.* $1 \([0-9]*\) .*/\1/p" /tmp/output; }
# lines KIND FILE: of dom0's vm_assist in what perf script printed
lines() { grep -c " d0v[0-9]* pcpu=.* $1 vm_assist " "$2"; }
# reported KIND FILE: calls of dom0's vm_assist in what hctrace report printed
reported() { awk -v kind="$1" '$1 == "d0" && $2 == kind && $3 == "vm_assist" { print $5 }' "$2"; }
# all_rows FILE: events in a report, continuations included
all_rows() { awk '/^# multicalls/ { exit } /^d/ && $1 != "dom" && $3 == "*" { n += $4 } END { print n + 0 }' "$1"; }

fails_with "without the module" "the module is not loaded" ./hctrace record -o /tmp/no -d 1
succeeds "module loads" load $big_rings

# perf.data
begin
succeeds "record" ./hctrace record -o /tmp/a.data -- sh /tmp/workload
diag </tmp/output
events=$(said record:)
is "record: lost" "$(grep -o 'lost .*' /tmp/output)" "lost 0 in the ring and 0 inside Xen, in /tmp/a.data"
ledger_is_clean "record"
succeeds "perf script" sh -c "perf script -i /tmp/a.data >/tmp/perf.txt 2>/tmp/perf.err"
is "perf script complains" "$(grep -c . /tmp/perf.err)" 0
is "perf script: all events" "$(grep -c . /tmp/perf.txt)" "$events"
is "perf script: direct calls" "$(lines $direct /tmp/perf.txt)" 1000
is "perf script: members" "$(lines member /tmp/perf.txt)" 7100
is "perf script: dom0's name" "$(awk '/ d0v/ { print $1 }' /tmp/perf.txt | sort -u)" Domain-0
succeeds "hctrace report" sh -c "./hctrace report --raw /tmp/a.data >/tmp/report 2>/tmp/report.err"
is "report: direct calls" "$(reported $direct /tmp/report)" 1000
is "report: members" "$(reported member /tmp/report)" 7100
is "report: all events" "$(all_rows /tmp/report)" "$events"
cp /tmp/report "$OUT/report"
head -n 20 /tmp/perf.txt >"$OUT/perf.txt"
succeeds "perf report" sh -c "perf report -i /tmp/a.data --stdio -n -s comm >/tmp/perf.report 2>&1"
is "perf report: samples of dom0" "$(awk '$NF == "Domain-0" { n += $2 } END { print n }' /tmp/perf.report)" "$events"
succeeds "perf data convert" perf data convert -i /tmp/a.data --to-json /tmp/a.json --force
is "perf data convert: samples" "$(grep -c '"timestamp"' /tmp/a.json)" "$events"

# xentrace's format
begin
succeeds "record in xentrace's format" ./hctrace record -f xentrace -o /tmp/a.xen -- sh /tmp/workload
diag </tmp/output
succeeds "report of it" sh -c "./hctrace report --raw /tmp/a.xen >/tmp/report 2>/tmp/report.err"
is "report of it: direct calls" "$(reported $direct /tmp/report)" 1000
is "report of it: members" "$(reported member /tmp/report)" 7100
succeeds "stock xenalyze" sh -c "xenalyze --svm-mode -s /tmp/a.xen >/tmp/xenalyze 2>/tmp/xenalyze.err"
cp /tmp/xenalyze "$OUT/xenalyze"
# It counts a PV domain's calls by vCPU and op, and members as calls too.
[ "$DOM0" = pvh ] || is "xenalyze: vm_assist, members among them" \
	"$(awk '$1 == "vm_assist" { n += $3 } END { print n }' /tmp/xenalyze)" 8100

# Filters
succeeds "record one op" ./hctrace record --op vm_assist -k $direct -o /tmp/b.data -- sh /tmp/workload
is "one op, one kind: events" "$(said record:)" 1000
succeeds "record another domain" ./hctrace record --domain 5 -o /tmp/b.data -- sh /tmp/workload
is "another domain: events" "$(said record:)" 0
fails_with "an unknown name" "no domain 'nobody'" ./hctrace record --domain nobody -d 1

# Guests: their names, and all of their calls
if [ "$DOM0" = pv ]; then
	echo 0 >$tracing/options/record-cmd
	echo 1 >$tracing/events/xen_hctrace/hct_domain/enable
	make_guest bare-pv pv guest-mix.elf
	pv=$domid
	echo ". ./lib.sh; \$xl unpause bare-pv; until_destroyed $pv" >/tmp/run
	succeeds "record a guest's life" ./hctrace record --domain bare-pv -o /tmp/g.data -- sh /tmp/run
	perf script -i /tmp/g.data >/tmp/perf.txt 2>/tmp/perf.err
	is "guest: its name" "$(awk '{ print $1 }' /tmp/perf.txt | sort -u)" bare-pv
	is "guest: calls" "$(grep -c " d${pv}v0 .* call vm_assist " /tmp/perf.txt)" 1000
	is "guest: members" "$(grep -c " d${pv}v0 .* member vm_assist " /tmp/perf.txt)" 1125
	is "guest: its end, for perf" \
		"$(perf script -i /tmp/g.data --show-task-events 2>/dev/null | grep -c "PERF_RECORD_EXIT($pv:")" 1
	./hctrace script /tmp/g.data >/tmp/script 2>&1
	is "guest: its end is the last that is heard of it" "$(tail -n 1 /tmp/script | awk '{ print $3, $4, $5 }')" \
		"d$pv domain destroyed"
	# A whole life: created, then a call at least, then destroyed
	cat >/tmp/run <<-'END'
		. ./lib.sh
		make_guest bare-pv pv guest-mix.elf
		echo $domid >/tmp/domid
		$xl unpause bare-pv
		until_destroyed "$domid"
	END
	succeeds "record a guest from its begin on" ./hctrace record --op vm_assist -o /tmp/g.data -- sh /tmp/run
	pv=$(cat /tmp/domid)
	./hctrace script /tmp/g.data 2>&1 | awk -v dom="d$pv" '$3 == dom || $3 ~ dom "v" { print $4, $5 }' | uniq -c |
		awk '{ print $1, $2, $3 }' >/tmp/script
	is "guest: what is heard of it" "$(sed 's/^[0-9]* \(call\|member\)/some \1/' /tmp/script | sort -u | tr '\n' ',')" \
		"1 domain created,1 domain destroyed,some call vm_assist,some member vm_assist,"
	is "guest: from its begin to its end" "$(sed -n '1p; $p' /tmp/script)" "1 domain created
1 domain destroyed"
	echo 0 >$tracing/events/xen_hctrace/hct_domain/enable
	./hctrace report --raw --domain bare-pv /tmp/g.data >/tmp/report 2>&1
	is "guest: its calls, by its name" "$(awk -v dom="d$pv" '$1 == dom && $2 == "call" && $3 == "vm_assist" { print $5 }' /tmp/report)" 1000
fi

# Pipes
begin
# Only what is asked of it: perf's own life makes more calls than it can print meanwhile.
succeeds "record to perf through a pipe" sh -c "./hctrace record --op vm_assist -o - -- sh /tmp/workload 2>/tmp/pipe.err | perf script -i - >/tmp/perf.txt 2>/tmp/perf.err"
is "pipe: lost" "$(grep -o 'lost .*' /tmp/pipe.err)" "lost 0 in the ring and 0 inside Xen"
is "pipe: perf script complains" "$(grep -c . /tmp/perf.err)" 0
is "pipe: direct calls" "$(lines $direct /tmp/perf.txt)" 1000
is "pipe: members" "$(lines member /tmp/perf.txt)" 7100
succeeds "a pipe that breaks is told" sh -c "! ./hctrace record -d 5 -o - -- sh /tmp/workload 2>/tmp/pipe.err | head -c 100 >/dev/null; grep -q 'Broken pipe' /tmp/pipe.err"

# Signals, and no farewell at all. The kernel's own calls show that it has begun.
./hctrace record -q -o /tmp/t.data -d 120 &
pid=$!
await has_grown /tmp/t.data 4096
quiet_calls 1000
kill -TERM $pid
wait $pid
is "SIGTERM: exit status" $? 0
is "SIGTERM: direct calls" "$(perf script -i /tmp/t.data 2>/dev/null | grep -c " $direct vm_assist ")" 1000
./hctrace record -q -o /tmp/k.data -d 120 &
pid=$!
await has_grown /tmp/k.data 4096
quiet_calls 1000
direct_calls() { perf script -i /tmp/k.data 2>/dev/null | grep -c " $direct vm_assist "; }
all_are_there() { [ "$(direct_calls)" = 1000 ]; }
await all_are_there
kill -KILL $pid
wait $pid
is "SIGKILL: direct calls of the rounds before" "$(direct_calls)" 1000

# A full disk. Of 256 KiB at most a step of 64 KiB gives way; the rest has room for 1,800 samples of 104 bytes, or
# for 12,000 of Xen's records. Calls go on until it is full, however many of them are lost on a busy host.
mkdir /tmp/small
mount -t tmpfs -o size=256k none /tmp/small
for format in "perf --op vm_assist" xentrace; do
	# shellcheck disable=SC2086 # words
	./hctrace record -f $format -o /tmp/small/a -d 120 >/tmp/output 2>&1 &
	pid=$!
	while kill -0 $pid 2>/dev/null; do quiet_calls 1000; done
	wait $pid
	is "$format: a full disk: exit status" $? 1
	is "$format: a full disk: is told" "$(grep -c "No space left on device" /tmp/output)" 1
	succeeds "$format: what fitted can be read" sh -c "./hctrace report --raw /tmp/small/a >/tmp/report 2>&1"
	at_least "$format: direct calls in it" "$(reported $direct /tmp/report)" 1000
	rm /tmp/small/a
done
umount /tmp/small
succeeds "module unloads" unload
