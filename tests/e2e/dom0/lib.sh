# SPDX-License-Identifier: GPL-2.0
# Helpers of the tests that run inside a test machine. POSIX sh, busybox will do.
# Sourced, with cwd /test. Tests print TAP without a plan.
# shellcheck shell=sh source-path=tests
. ./await.sh

module=./xen_hctrace.ko
debugfs=/sys/kernel/debug/xen-hctrace
tracing=/sys/kernel/tracing
snapshot=/tmp/stats

# printf, because echo of some shells works on backslashes in test names.
ok() { printf 'ok - %s\n' "$1"; }
not_ok() { printf 'not ok - %s\n' "$1"; }
diag() { sed 's/^/# /'; }

# is WHAT GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then
		ok "$1: $2"
	else
		not_ok "$1: got $2, wanted $3"
	fi
}

# at_least WHAT GOT BOUND
at_least()
{
	if [ "$2" -ge "$3" ]; then
		ok "$1: $2, at least $3"
	else
		not_ok "$1: got $2, wanted at least $3"
	fi
}

# succeeds WHAT COMMAND...
succeeds()
{
	what=$1
	shift
	if "$@" >/tmp/output 2>&1; then
		ok "$what"
	else
		not_ok "$what: $(head -n 1 /tmp/output)"
	fi
}

# fails_with WHAT TEXT COMMAND...: it fails, and says TEXT
fails_with()
{
	what=$1 text=$2
	shift 2
	if "$@" >/tmp/output 2>&1; then
		not_ok "$what: it succeeded"
	elif grep -q "$text" /tmp/output; then
		ok "$what: $text"
	else
		not_ok "$what: it says $(head -n 1 /tmp/output)"
	fi
}

# has_grown FILE BYTES: it is larger than so many
has_grown() { [ "$(stat -c %s "$1")" -gt "$2" ]; }

control() { echo "$1" >"$debugfs/control"; }

# By their paths: the shell would take its own, and busybox's insmod asks the kernel
# once more when it refuses.
load() { /sbin/insmod "$module" "$@" 2>&1; }
unload() { /sbin/rmmod xen_hctrace 2>&1; }
exists() { if [ -e "$1" ]; then echo yes; else echo no; fi; }
is_loaded() { grep -q '^xen_hctrace ' /proc/modules; }

status() { awk -v key="$1" '$1 == key { $1 = ""; print substr($0, 2) }' "$debugfs/status"; }
take()
{
	cat "$debugfs/stats" >"$snapshot"
	cat "$debugfs/multicalls" >/tmp/multicalls
}

# cell DOM KIND OP [COLUMN]: a figure of the snapshot, 0 if there is no such row
cell()
{
	awk -v dom="$1" -v kind="$2" -v op="$3" -v column="${4:-calls}" '
		$1 == "dom" { for (i = 1; i <= NF; i++) nr[$i] = i }
		$1 == dom && $2 == kind && $3 == op { value = $nr[column] }
		END { print value == "" ? 0 : value }' "$snapshot"
}

# figure KEY [FILE]: what a program of ours, run by succeeds, said of KEY
figure() { awk -v key="$1" '$1 == key { print $2 }' "${2:-/tmp/output}"; }

# multicalls SECTION DOM COLUMN: a figure of the file multicalls, 0 if there is none;
# SECTION is batches, sizes or members
multicalls()
{
	awk -v section="$1" -v dom="$2" -v column="$3" '
		BEGIN { now = "batches" }
		/^# (sizes|members)$/ { now = $2 }
		now == section && $1 == "dom" { for (i = 1; i <= NF; i++) nr[$i] = i }
		now == section && $1 == dom { value = $nr[column] }
		END { print value == "" ? 0 : value }' /tmp/multicalls
}

# What must hold before a figure can be called exact. The status is read once, so
# that the figures are of one moment.
ledger_is_clean()
{
	cat "$debugfs/status" >/tmp/status
	awk '
		{ v[$1] = $2 }
		END {
			if (v["lost"]) print "lost " v["lost"]
			if (v["malformed"] != 0) print "malformed " v["malformed"]
			if (v["undecodable"] != 0) print "undecodable " v["undecodable"]
			if (v["unattributed"] != 0) print "unattributed " v["unattributed"]
			if (v["attribution"] != "ok") print "attribution " v["attribution"]
			if (v["pcpus_silent"] != "none") print "silent pCPUs " v["pcpus_silent"]
			if (v["pcpus_no_ring"] != "none") print "pCPUs without a ring " v["pcpus_no_ring"]
			if (v["coverage"] != "100.0000%") print "coverage " v["coverage"]
			if (v["consumed"] != v["skipped"] + v["undecodable"] + v["events"]) print "consumed does not add up"
			if (v["events"] != v["attributed"] + v["unattributed"]) print "events do not add up"
			if (v["consumed"] == 0) print "nothing was consumed"
		}' /tmp/status >/tmp/findings
	if [ -s /tmp/findings ]; then
		not_ok "ledger after $1: $(tr '\n' ' ' </tmp/findings)"
		diag </tmp/status
	else
		ok "ledger after $1: nothing lost, malformed or unattributed, and it adds up"
	fi
}

# every_pcpu_is_known: which vCPU runs there
every_pcpu_is_known()
{
	! awk '/^# pcpu/ { rings = 1; next } rings && $NF == "d?"' "$debugfs/status" | grep -q .
}

# Begin to count anew, with every ring's vCPU known: each pCPU has switched by then.
begin()
{
	await every_pcpu_is_known && control reset
}

# kernel_says: lines of ours in the kernel log, without those the loader makes
kernel_says() { dmesg | sed 's/^\[[^]]*\] //' | grep '^xen_hctrace: ' | grep -v 'taints kernel\|tainting kernel'; }

# Rings that hold a whole exact workload, so that no figure depends on how fast the
# drain gets to run on a busy machine. The first load of a boot decides.
# shellcheck disable=SC2034
big_rings='tbuf_pages=256'

# quiet_calls COUNT: vm_assist(~0) does nothing and nothing else in dom0 makes it after
# boot. Xen's answer is another one for a PVH domain, which has no such assists at all.
quiet_calls()
{
	case $DOM0 in
	pv) ./hcall -r -38 call 21 "$1" 0xffffffff ;;
	*) ./hcall -r -22 call 21 "$1" 0xffffffff ;;
	esac
}

# exact_workload WHAT: 1000 calls and 100 multicalls of 71, checked to the last one.
exact_workload()
{
	begin
	succeeds "$1: 1000 vm_assist" quiet_calls 1000
	succeeds "$1: 100 multicalls of 71 vm_assist" ./hcall -r 0 multicall 21 71 100 0xffffffff
	take
	if [ "$DOM0" = pv ]; then
		is "$1: direct calls" "$(cell d0 call vm_assist)" 1000
		at_least "$1: multicalls, with the kernel's own" "$(cell d0 call multicall)" 100
		# The kernel's own have 32 members at most.
		is "$1: batches of 65 to 128" "$(multicalls sizes d0 128)" 100
	else
		is "$1: direct calls (VMMCALL)" "$(cell d0 hvm vm_assist)" 1000
		# Each one that was preempted is recorded again and nothing marks it.
		at_least "$1: multicalls (VMMCALL)" "$(cell d0 hvm multicall)" 100
	fi
	is "$1: members" "$(cell d0 member vm_assist)" 7100
	ledger_is_clean "$1"
}

# --- guests, in the full form ---

xl=/usr/sbin/xl

# make_guest NAME TYPE [ELF]: create it paused, and set $domid; it is destroyed when it powers off, but if
# $on_poweroff says something else
make_guest()
{
	cat >/tmp/guest.cfg <<-EOF
	name="$1"
	type="$2"
	kernel="/test/${3:-guest.elf}"
	memory=32
	vcpus=1
	on_poweroff="${on_poweroff:-destroy}"
	EOF
	succeeds "$1 is made" $xl create -p /tmp/guest.cfg
	# shellcheck disable=SC2034 # the caller's
	domid=$($xl domid "$1")
}

# until_destroyed DOMID: Xen says so a while after its tools have lost sight of a domain, and to the tracepoints at the
# same time as to the ring
until_destroyed() { await grep -q ": d$1 .* destroyed" $tracing/trace; }

# make_linux_guest NAME SCRIPT [FILE...]: start a PV guest with dom0's kernel, which runs SCRIPT with FILEs
# beside it, and set $domid
make_linux_guest()
{
	linux_guest=$1
	shift
	mkguest "$@" >/tmp/ramdisk
	cat >/tmp/guest.cfg <<-EOF
	name="$linux_guest"
	type="pv"
	kernel="/boot/vmlinuz"
	ramdisk="/tmp/ramdisk"
	extra="console=hvc0 loglevel=4"
	memory=256
	vcpus=1
	on_poweroff="destroy"
	EOF
	succeeds "the Linux guest $linux_guest starts" $xl create /tmp/guest.cfg
	# shellcheck disable=SC2034 # the caller's
	domid=$($xl domid "$linux_guest")
}

wait_until_gone()
{
	i=0
	while $xl domid "$1" >/dev/null 2>&1; do
		i=$((i + 1))
		if [ $i -gt 300 ]; then
			not_ok "$1 ends within a minute"
			return
		fi
		sleep 0.2
	done
	ok "$1 has ended"
}

# --- the tool ---

# Its libraries are here too, but for the C library.
export LD_LIBRARY_PATH=/test

# tool_starts: whether this machine's C library is new enough for it
tool_starts() { ./hctrace --help >/dev/null 2>/tmp/output || ! grep -q GLIBC /tmp/output; }
