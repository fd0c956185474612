# SPDX-License-Identifier: GPL-2.0
# The tool says what the module's own files say, to the last call, and by name.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

tool_starts || { echo "ok # SKIP the C library of Xen $XEN's root is older than the one this tool was built with"; exit 0; }

# csv DOM KIND OP COLUMN: a field of stat's CSV; names of ours have no comma
csv()
{
	awk -F, -v dom="$1" -v kind="$2" -v op="$3" -v column="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) nr[$i] = i }
		$2 == dom && $6 == kind && $7 == op { value = $nr[column] }
		END { print value == "" ? 0 : value }' /tmp/csv
}

# agrees WHAT DOM: every row of stat's CSV has the count that stats has, and none is missing
agrees()
{
	awk -F, -v dom="$2" '$2 == dom { print $6, $7, $8 }' /tmp/csv | sort >/tmp/tool
	awk -v dom="$2" '!/^#/ && $1 == dom && $3 != "*" { print $2, $3, $5 }' $snapshot | sort >/tmp/module
	if [ -s /tmp/module ] && cmp -s /tmp/tool /tmp/module; then
		ok "$1: stat agrees with stats in all $(grep -c '' /tmp/module) rows"
	else
		not_ok "$1: stat and stats differ"
		diff /tmp/tool /tmp/module | diag
	fi
}

# What stat runs: a guest from its first call to its end.
cat >/tmp/run-guest <<-'EOF'
	/usr/sbin/xl unpause "$1"
	while /usr/sbin/xl domid "$1" >/dev/null 2>&1; do sleep 0.2; done
	exit 7
EOF

fails_with "doctor before the load" "the module is not" ./hctrace doctor
fails_with "stat before the load" "hctrace doctor" ./hctrace stat -d 1
succeeds "module loads" load $big_rings
succeeds "doctor: all is well" ./hctrace doctor
is "it can name domains" "$(grep -c 'xenstore tells the names' /tmp/output)" 1
control stop
fails_with "doctor when stopped" "next: echo start >$debugfs/control" ./hctrace doctor
control start

# dom0, whose name and type are known
kind=call dom0_type=PV
[ "$DOM0" = pv ] || kind=hvm dom0_type=PVH
echo '. ./lib.sh; quiet_calls 1000' >/tmp/thousand
begin
succeeds "stat -- 1000 calls" ./hctrace stat --csv -o /tmp/csv -- sh /tmp/thousand
is "stat: calls of dom0" "$(csv d0 $kind vm_assist count)" 1000
is "stat: its name and type" "$(csv d0 $kind vm_assist name) $(csv d0 $kind vm_assist type)" \
	"\"Domain-0\" $dom0_type"
is "stat: records lost" "$(csv xen lost '*' count)" 0

# A PV guest, whole
control "profile pv"
make_guest bare-pv pv guest-mix.elf
pv=d$domid
begin
./hctrace stat --csv -o /tmp/csv -- sh /tmp/run-guest bare-pv
is "stat passes the exit status on" $? 7
take
agrees "PV guest $pv" "$pv"
is "PV guest $pv: calls, members, multicalls" \
	"$(csv "$pv" call vm_assist count) $(csv "$pv" member vm_assist count) $(csv "$pv" call multicall count)" \
	"1000 1125 17"
is "PV guest $pv: name and type" \
	"$(csv "$pv" call vm_assist name) $(csv "$pv" call vm_assist type)" '"bare-pv" PV'
cp /tmp/csv "$OUT/stat.csv"

# A PVH guest, as JSON and by its name
control "profile hvm"
make_guest bare-pvh pvh guest-mix.elf
pvh=d$domid
begin
./hctrace stat --json --domain bare-pvh --op vm_assist -o /tmp/json -- sh /tmp/run-guest bare-pvh
# Its members are recorded too, but not by the oldest Xen.
records=2125
[ "$XEN" != 4.14 ] || records=1000
is "PVH guest $pvh: name, type, records, calls" "$(grep -o '"dom":[^[]*"calls":[0-9]*' /tmp/json | sed 's/"uuid":"[^"]*",//; s/"vcpus":1,//')" \
	"\"dom\":\"$pvh\",\"domid\":$domid,\"name\":\"bare-pvh\",\"type\":\"PVH\",\"records\":$records,\"calls\":1000"
is "PVH guest $pvh: only what was asked for" \
	"$(grep -o '"op":"[a-z_/]*"' /tmp/json | sort -u)" '"op":"vm_assist"'
cp /tmp/json "$OUT/stat.json"

# top, with two guests: one that runs all the time, one that comes and goes. Under emulation a PVH dom0
# is not up to making a guest with a kernel of its own.
watch_guests()
{
	control "profile pv"
	echo 'while :; do ls /proc >/dev/null; done' >/tmp/busy
	make_linux_guest web1 /tmp/busy
	web1=d$domid
	succeeds "the machine keeps what is in vector registers" ./registers 4 20
	make_guest bare-pv-2 pv guest-mix.elf
	pv=d$domid
	begin
	./hctrace top -d 1 >/tmp/top &
	top=$!
	await grep -q '^# hctrace top' /tmp/top
	sh /tmp/run-guest bare-pv-2
	succeeds "a workload beside top" ./hcall -r 0 multicall 21 71 100 0xffffffff
	kill -TERM $top
	wait $top
	is "top ends well" $? 0
	cp /tmp/top "$OUT/top"

	# sum DOM KIND OP: over all rounds
	sum()
	{
		awk -v dom="$1" -v kind="$2" -v op="$3" '
			$1 == dom && $2 == kind && $3 == op { n += $5 } END { print n + 0 }' /tmp/top
	}
	# named DOM: its type and name, wherever top has it
	named() { awk -v dom="$1" '$1 == dom && NF == 13 { print $2, $13 }' /tmp/top | sort -u; }
	is "top: all rounds of guest $pv together" \
		"$(sum "$pv" call vm_assist) $(sum "$pv" member vm_assist) $(sum "$pv" call multicall)" "1000 1125 17"
	is "top: and of dom0's multicalls" "$(sum d0 member vm_assist)" 7100
	is "top: names and types of the guests" "$(named "$web1"), $(named "$pv")" "PV web1, PV bare-pv-2"

	./hctrace top -n 3 -d 1 >/tmp/top
	is "top -n 3: rounds" "$(grep -c '^# round' /tmp/top)" 3
	is "top -n 3: the running guest" "$(named "$web1")" "PV web1"
	is "top --domain web1: nobody else" \
		"$(./hctrace top -n 1 -d 1 --domain web1 | awk '$1 ~ /^d[0-9?[]/ { print $1 }' | sort -u)" "$web1"
	succeeds "web1 becomes web2" $xl rename web1 web2
	./hctrace stat --csv -d 1 --domain web2 >/tmp/csv
	cp /tmp/csv "$OUT/renamed.csv"
	is "a name is that of now" "$(awk -F, -v dom="$web1" '$2 == dom { print $4, $5 }' /tmp/csv | sort -u)" '"web2" PV'
	succeeds "the guest is destroyed" $xl destroy web2
}
[ "$DOM0" = pvh ] || watch_guests
ledger_is_clean "all that"
succeeds "doctor: all is still well" ./hctrace doctor
succeeds "module unloads" unload
