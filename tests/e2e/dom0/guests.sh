# SPDX-License-Identifier: GPL-2.0
# Guests whose calls are known to the last one are found under their own domain,
# and nowhere else; a guest itself cannot load the module.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

# hvm_members WHAT: what is recorded of the members of HVM and PVH guests' multicalls:
# nothing before Xen 4.15.1
hvm_members()
{
	case $XEN$1 in
	4.14[0-9]*) echo 0 ;;
	4.14*) ;;
	*) echo "$1" ;;
	esac
}

# rows DOM: everything the snapshot says of a domain, as "kind op calls", and its
# continuations where there can be none. A multicall may be preempted at any time.
rows()
{
	awk -v dom="$1" '
		$1 == dom && ($3 == "multicall" || $3 == "*") { print $2, $3, $5 }
		$1 == dom && $3 != "multicall" && $3 != "*" { print $2, $3, $5, $6 }' $snapshot | sort
}

# table WHAT DOM: the rows of DOM are exactly those on standard input
table()
{
	sort >/tmp/wanted
	rows "$2" >/tmp/got
	if cmp -s /tmp/wanted /tmp/got; then
		ok "$1: exactly $(tr '\n' ',' </tmp/wanted)"
	else
		not_ok "$1 differs, wanted and got:"
		diff /tmp/wanted /tmp/got | diag
	fi
}

succeeds "module loads" load $big_rings

# A PV guest: every hypercall is recorded, all of them by the profile pv.
control "profile pv"
make_guest bare-pv pv guest-mix.elf
pv=d$domid
begin
$xl unpause bare-pv
wait_until_gone bare-pv
take
table "PV guest $pv" "$pv" <<-EOF
call * 1048
call grant_table_op/get_version 10 0
call multicall 17
call sched_op/shutdown 1 0
call vcpu_op/is_up 20 0
call vm_assist 1000 0
member * 1125
member vm_assist 1125 -
EOF
is "PV guest $pv: batches of 3, 71 and 200" \
	"$(multicalls sizes "$pv" 4) $(multicalls sizes "$pv" 128) $(multicalls sizes "$pv" more)" "5 10 2"
is "PV guest $pv: members declared and seen" \
	"$(multicalls batches "$pv" declared) $(multicalls batches "$pv" seen)" "1125 1125"
is "PV guest $pv: grant operations" "$(cell "$pv" call grant_table_op/get_version units)" 10
is "PV guest $pv: cut batches" "$(multicalls batches "$pv" short) $(multicalls batches "$pv" lost)" "0 0"
is "the same op under d0" "$(cell d0 call vm_assist) $(cell d0 member vm_assist)" "0 0"
is "unattributed" "$(cell 'd?' - '*')" 0
ledger_is_clean "the PV guest"
cp $snapshot "$OUT/stats.pv"

# A PVH guest: members as ever; VMMCALL records in the profile hvm, and again after
# each preemption, so its multicalls have a lower bound only.
control "profile hvm"
make_guest bare-pvh pvh guest-mix.elf
pvh=d$domid
begin
$xl unpause bare-pvh
wait_until_gone bare-pvh
take
is "PVH guest $pvh: direct calls" "$(cell "$pvh" hvm vm_assist)" 1000
at_least "PVH guest $pvh: multicalls" "$(cell "$pvh" hvm multicall)" 17
is "PVH guest $pvh: vcpu and grant operations" \
	"$(cell "$pvh" hvm vcpu_op) $(cell "$pvh" hvm grant_table_op)" "20 10"
is "PVH guest $pvh: shutdown" "$(cell "$pvh" hvm sched_op)" 1
is "PVH guest $pvh: members" "$(cell "$pvh" member vm_assist)" "$(hvm_members 1125)"
is "PVH guest $pvh: nothing else" "$(rows "$pvh" | cut -d' ' -f1,2 | tr '\n' ',')" \
	"hvm *,hvm grant_table_op,hvm multicall,hvm sched_op,hvm vcpu_op,hvm vm_assist,$(hvm_members "member *,member vm_assist,")"
is "the same op under d0" \
	"$(cell d0 hvm vm_assist) $(cell d0 call vm_assist) $(cell d0 member vm_assist)" "0 0 0"
is "unattributed" "$(cell 'd?' - '*')" 0
ledger_is_clean "the PVH guest"
cp $snapshot "$OUT/stats.pvh"

# Both at once.
control "profile all"
make_guest bare-pv-2 pv
pv=d$domid
make_guest bare-pvh-2 pvh
pvh=d$domid
begin
$xl unpause bare-pv-2
$xl unpause bare-pvh-2
wait_until_gone bare-pv-2
wait_until_gone bare-pvh-2
take
is "both at once: PV guest" \
	"$(cell "$pv" call vm_assist) $(cell "$pv" call multicall) $(cell "$pv" member vm_assist)" "1000 10 710"
is "both at once: PVH guest" "$(cell "$pvh" hvm vm_assist) $(cell "$pvh" member vm_assist)" "1000 $(hvm_members 710)"
# The profile hvm cannot see the second one go.
is "domains seen to die since the load" "$(status domains_died)" 3
ledger_is_clean "both guests"

# Inside a guest.
cat >/test/domu.sh <<-'EOF'
	insmod ./xen_hctrace.ko
	echo "insmod: $?"
	dmesg | grep xen_hctrace
	grep xen_hctrace /proc/modules || echo "not loaded"
	echo "the guest is done"
EOF
make_linux_guest domu /test/domu.sh $module
wait_until_gone domu
log=/var/log/xen/console/guest-domu.log
tr -d '\r' <$log >"$OUT/domu.log"
is "it came to its end" "$(grep -c 'the guest is done' $log)" 1
at_least "load inside a guest: no such device" "$(grep -ci 'no such device' $log)" 1
is "it says why" "$(tr -d '\r' <$log | grep -o 'xen_hctrace: this is.*' | sort -u)" "xen_hctrace: this is not the dom0 of a Xen host"
is "it is not loaded" "$(grep -c '^not loaded' $log)" 1

succeeds "module unloads" unload
