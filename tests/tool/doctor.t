#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace doctor: each of its answers, on a host made of files.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh

export HCTRACE_ROOT="$work/root"
release=6.1.0-test
debugfs=$HCTRACE_ROOT/sys/kernel/debug/xen-hctrace

# put PATH TEXT: a file of the host
put()
{
	mkdir -p "$(dirname "$HCTRACE_ROOT$1")"
	printf '%b\n' "$2" >"$HCTRACE_ROOT$1"
}

# A dom0 with everything but the module.
host()
{
	rm -rf "$HCTRACE_ROOT"
	put /sys/hypervisor/type xen
	put /proc/xen/capabilities control_d
	put /proc/sys/kernel/osrelease $release
	put /proc/modules 'xen_privcmd 28672 1 - Live 0x0'
	put /proc/mounts 'none /sys/kernel/debug debugfs rw 0 0'
	put /proc/cmdline 'root=/dev/xvda1 ro quiet'
	put /lib/modules/$release/modules.dep 'updates/dkms/xen_hctrace.ko.xz:'
	put /sys/kernel/security/lockdown '[none] integrity confidentiality'
	put /kernel.log '<6>[    0.000000] Linux version 6.1'
}

# status [KEY VALUE]...: the module is loaded, and has all well but this
status()
{
	host
	put /proc/modules 'xen_hctrace 106496 0 - Live 0x0 (O)'
	mkdir -p "$debugfs"
	cat >"$work/status" <<-END
	# xen-hctrace status 1
	state            tracing
	waiting          none
	traced_ms        1000
	xen              4.17.7
	dom0             PV
	sched_gran       cpu
	pcpus_online     2
	tbuf_pages       32
	mask_changes     0
	found_off        0
	pcpus_silent     none
	pcpus_no_ring    none
	breaker_trips    0
	last_pause       none
	paused_ms        0
	paused_for       none
	pause_left_ms    0
	last_error       none
	profile          pv
	pcpus_with_ring  2
	malformed        0
	lost             0
	coverage         100.0000%
	resyncs          0
	attribution      ok
	selftest         ok on pcpu 0 by d0v0
	# pcpu     consumed       events   unattrib       lost    peak  ring         runs
	0                22           11          0          0      1%  ok           d0v1
	1                22           11          0          0      1%  ${ring:-ok}           d?
	END
	while [ $# -gt 0 ]; do
		sed -i "s/^\($1  *\).*/\1$2/" "$work/status"
		shift 2
	done
	cp "$work/status" "$debugfs/status"
}

# answer WHAT TROUBLE NEXT: it fails, says the TROUBLE, and the NEXT command
answer()
{
	got=0
	"$HCTRACE" doctor >"$work/output" 2>&1 || got=$?
	if [ $got -eq 1 ] && [ "$(grep -c '^  FAIL' "$work/output")" -eq 1 ] &&
		grep -qxF "  FAIL  $2" "$work/output" && grep -qF "  next: $3" "$work/output"; then
		ok "$1: $2; next: $3"
	else
		not_ok "$1: exit status $got, wanted '$2' and next '$3'"
		diag <"$work/output"
	fi
}

# --- the host ---

host
rm "$HCTRACE_ROOT/sys/hypervisor/type"
answer "not Xen" "this does not run under Xen" "apt-get install xen-system-amd64"
host
put /sys/hypervisor/type kvm
answer "another hypervisor" "this does not run under Xen" "apt-get install xen-system-amd64"
host
put /proc/xen/capabilities ''
answer "a guest" "this is a guest, not the dom0" "ssh HOST hctrace doctor"
host
rm "$HCTRACE_ROOT/proc/xen/capabilities"
put /sys/hypervisor/properties/features 000022e4
answer "a guest without xenfs" "this is a guest, not the dom0" "ssh HOST hctrace doctor"
put /sys/hypervisor/properties/features 00002ae4
answer "a dom0 without xenfs" "the module is not loaded" "modprobe xen_hctrace"
host
put /euid 1000
answer "not root" "you are not root" "sudo hctrace doctor"

# --- the module is not loaded ---

host
answer "not loaded" "the module is not loaded" "modprobe xen_hctrace"
put /lib/modules/$release/modules.dep 'kernel/drivers/xen/xen-privcmd.ko:'
answer "not built, no headers" "the module is not built for this kernel" \
	"apt-get install linux-headers-$release"
mkdir "$HCTRACE_ROOT/lib/modules/$release/build"
answer "not built" "the module is not built for this kernel" "dkms autoinstall"

# log LINE: the kernel has said it
log()
{
	host
	put /kernel.log "<6>[    1.0] booting\n<3>[   77.123456] $1\n<6>[   78.0] something else"
}
log "xen_hctrace: another program holds Xen's trace buffers (xentrace?): end it, then start again"
mkdir -p "$HCTRACE_ROOT/proc/4711" "$HCTRACE_ROOT/proc/1"
echo init >"$HCTRACE_ROOT/proc/1/comm"
echo xentrace >"$HCTRACE_ROOT/proc/4711/comm"
answer "another consumer" "another program holds the trace buffers" \
	"kill 4711 && modprobe xen_hctrace   (it is xentrace)"
rm "$HCTRACE_ROOT/proc/4711/comm"
answer "another consumer, gone by now" "the module is not loaded" "modprobe xen_hctrace"
log "xen_hctrace: this is not the dom0 of a Xen host"
answer "Xen says no dom0" "this is not the dom0 of a Xen host" "xl info"
log "xen_hctrace: this Xen is built without trace buffers (CONFIG_TRACEBUFFER)"
answer "Xen without trace buffers" "this Xen has no trace buffers" "xl info"
log "xen_hctrace: Xen refuses every known version of its sysctl interface: a Xen newer than this module"
answer "a newer Xen" "Xen refuses to be asked" "modprobe xen_hctrace sysctl_version=0x17"
log "xen_hctrace: Xen refuses to tell of its trace buffers: error -1"
answer "a policy" "Xen refuses to tell of its trace buffers" "xl dmesg"
log "xen_hctrace: Xen could not allocate trace buffers of 4096 pages per pCPU: error -12"
answer "no memory" "Xen has no memory for trace buffers" "modprobe xen_hctrace tbuf_pages=8"
log "xen_hctrace: Xen's description of its trace buffers makes no sense: offset"
answer "nonsense" "Xen's trace buffers make no sense" "dmesg | grep xen_hctrace"
log "xen_hctrace: parameter poll_ms: a number from 1 to 1000"
answer "a bad parameter" "a parameter of the module is wrong" "dmesg | grep xen_hctrace"
log "xen_hctrace: version magic '6.1.0-9 SMP' should be '6.1.0-test SMP'"
answer "another kernel's" "the module was built for another kernel" "dkms autoinstall"
log "xen_hctrace: disagrees about version of symbol module_layout"
answer "another kernel's, by its symbols" "the module was built for another kernel" "dkms autoinstall"
log "Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7"
answer "lockdown" "lockdown keeps unsigned modules out" "mokutil --import"
log "Loading of unsigned module is rejected"
answer "no signature" "the module's signature is missing" "mokutil --import"
log "Loading of module with unavailable key is rejected"
answer "a foreign signature" "the module's signature was rejected" "mokutil --import"

# The last line counts, and taints are not about the reason.
log "xen_hctrace: this Xen is built without trace buffers (CONFIG_TRACEBUFFER)"
put /kernel.log "[1.0] xen_hctrace: parameter x\n[2.0] xen_hctrace: Xen 4.17.7, PV dom0, 2 of 2 pCPUs traced"
answer "it was loaded once" "the module is not loaded" "modprobe xen_hctrace"
log "xen_hctrace: parameter poll_ms: a number\n<4>[ 80.0] xen_hctrace: loading out-of-tree module taints kernel."
answer "a taint behind it" "a parameter of the module is wrong" "dmesg"

# --- the module is loaded ---

status
says "all is well" 0 "All is well." "$HCTRACE" doctor
status
put /proc/mounts 'proc /proc proc rw 0 0'
answer "debugfs not mounted" "debugfs is not mounted" "mount -t debugfs none /sys/kernel/debug"
put /proc/cmdline 'root=/dev/xvda1 debugfs=off'
answer "debugfs switched off" "debugfs is switched off" "editor /etc/default/grub"
status
rm "$debugfs/status"
answer "files missing" "the module's files are not there" "rmmod xen_hctrace && modprobe xen_hctrace"
status
sed -i 's/status 1/status 2/' "$debugfs/status"
answer "another version" "the module and this tool do not fit" "modinfo -F version xen_hctrace"
status state stopped
answer "stopped" "tracing is stopped" "echo start >/sys/kernel/debug/xen-hctrace/control"
status state stopped
put /sys/kernel/security/lockdown 'none [integrity] confidentiality'
answer "stopped, under lockdown" "tracing is stopped" \
	"echo start >/sys/module/xen_hctrace/parameters/control"
status state stopped
mkdir -p "$HCTRACE_ROOT/proc/99"
echo xenbaked >"$HCTRACE_ROOT/proc/99/comm"
answer "stopped, another consumer" "tracing is stopped, and another program has the trace buffers" \
	"kill 99 && echo start >/sys/kernel/debug/xen-hctrace/control   (it is xenbaked)"
status state waiting waiting 'another program holds the buffers'
mkdir -p "$HCTRACE_ROOT/proc/99"
echo xentrace >"$HCTRACE_ROOT/proc/99/comm"
answer "waited for, another consumer" "somebody waits, and another program has the trace buffers" \
	"kill 99   (it is xentrace)"
status state waiting waiting 'error -12, the kernel log says why'
answer "waited for" "somebody waits for events that cannot be had" "echo start >/sys/kernel/debug/xen-hctrace/control"
says "it says why" 1 "error -12, the kernel log says why" "$HCTRACE" doctor
status state paused paused_for d5 pause_left_ms 59400
answer "breaker" "the breaker has switched tracing off" \
	"echo breaker off >/sys/kernel/debug/xen-hctrace/control"
says "it names the domain, and for how long" 1 \
	"d5 made malformed hypercalls, each a warning in Xen's log. It stays off for another 59 s." "$HCTRACE" doctor
status state paused paused_for d5 pause_left_ms until_gone
says "or that it stays" 1 "It stays off until it is gone." "$HCTRACE" doctor
status state paused paused_for d? pause_left_ms 1000
says "or that it does not know whom" 1 "Some domain made malformed hypercalls" "$HCTRACE" doctor
status attribution UNRELIABLE sched_gran core
answer "core scheduling" "which domain calls cannot be told for certain" \
	"editor /etc/default/grub   sched-gran=core"
status attribution suspect
answer "contradictions" "which domain calls cannot be told for certain" "echo reset"
status lost 214 coverage 99.9997%
answer "losses" "records were lost" "echo options xen_hctrace tbuf_pages=128"
says "it says how much" 1 "99.9997% of the records arrived, 214 did not" "$HCTRACE" doctor
status pcpus_online 4
answer "pCPUs without a ring" "some pCPUs are not traced" "reboot"
ring=bad_index status
answer "a bad ring" "some rings cannot be read" "rmmod xen_hctrace && modprobe xen_hctrace"
ring=silent status pcpus_silent 1 coverage unknown
answer "a silent pCPU" "some pCPUs are silent" "reboot   and take no pCPU offline"
says "it says which" 1 "forgotten their trace buffers: pCPU 1." "$HCTRACE" doctor
status pcpus_no_ring 2,3
answer "pCPUs that came later" "some pCPUs are not traced" "reboot"
status found_off 3
says "tracing that was switched off is a note" 0 "tracing was found switched off 3 times" "$HCTRACE" doctor
ring=resynced:2 status resyncs 2 coverage unknown
answer "a disturbed ring" "rings were disturbed, and what was in them was passed over" "dmesg | grep xen_hctrace"
is "which is one trouble" "$(grep -c '^  FAIL' "$work/output")" 1
status selftest 'FAILED: our own call was not recorded'
answer "the self-test" "a call of our own was not recorded" "dmesg | grep xen_hctrace"
status malformed 7 mask_changes 2
says "malformed calls are a note" 0 "7 calls were malformed" "$HCTRACE" doctor
says "so are changed masks" 0 "event mask 2 times" "$HCTRACE" doctor
status state stopped lost 3
says "two troubles are two answers" 1 "records were lost" "$HCTRACE" doctor
is "both of them" "$(grep -c '^  FAIL' "$work/output")" 2

says "an argument" 2 "it takes no arguments" "$HCTRACE" doctor now
finish
