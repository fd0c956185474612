#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What libxenctrl tells, from one of our own: types, vCPUs and UUIDs of any toolstack's domains, and to doctor
# what Xen says of itself. Without it all goes on as before.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/files.sh
# shellcheck source=tests/tool/live.sh
. tests/tool/live.sh
: "${FAKE_DEVICE:=build/tools/fake_device.so}"
need_xenstore
need_xenctrl
xen=$work/xen
mkdir "$xen"
export LD_LIBRARY_PATH="$work/lib" work debugfs

# shellcheck disable=SC2034 # for stats_has
live_dom0='dom0 PVH   profile hvm'
echo "# xen-hctrace multicalls 1" >"$debugfs/multicalls"
echo "# xen-hctrace status 1" >"$debugfs/status"
stats_has "d0 call iret 1 0 - 0 =" "d1 call iret 1 0 - 0 =" "d2 call iret 2 0 - 0 =" "d3 hvm iret 3 0 - 0 =" \
	"d1 call multicall 1 0 1 0 =" "d4 hvm iret 4 0 - 0 =" "d5 hvm iret 5 0 - 0 =" "d6 hvm iret 6 0 - 0 ="

# Of libxl, of another toolstack, of none that keeps names at all
domain 0 Domain-0
domain 1 web pv
domain 2 web
domain 3 db
domain 4 build
domain 6 stored hvm
printf /vm/66666666-0000-4000-8000-000000000006 >"$FAKE_XENSTORE/local/domain/6/vm"
pv=0x0 hvm=0x2 board=0x3ff lapic=0x1
cat >"$xen/domains" <<-END
	0 $hvm 0x411 2 00000000-0000-0000-0000-000000000000
	1 $pv 0 1 11111111-0000-4000-8000-00000000000A
	2 $pv 0 2 22222222-0000-4000-8000-00000000000b
	3 $hvm $lapic 4 33333333-0000-4000-8000-00000000000c
	4 $hvm $board 8 44444444-0000-4000-8000-00000000000d
	5 $hvm $board 16 55555555-0000-4000-8000-00000000000e
END

# info: of each domain, as the info metric has it
info() { "$HCTRACE" export --prometheus "$@" | sed -n 's/^xen_hctrace_domain_info{\(.*\)} 1/\1/p' | sort; }
is "without Xen there is what xenstore has" "$(info)" 'dom="d0",name="Domain-0",uuid="",type="PVH"
dom="d1",name="web",uuid="",type="PV"
dom="d2",name="web",uuid="",type=""
dom="d3",name="db",uuid="",type=""
dom="d4",name="build",uuid="",type=""
dom="d5",name="",uuid="",type=""
dom="d6",name="stored",uuid="66666666-0000-4000-8000-000000000006",type="HVM"'
is "... and not a word of it" "$("$HCTRACE" export --folded 2>&1 >/dev/null)" ""
export FAKE_XENCTRL="$xen"
is "types and UUIDs, whatever the toolstack is" "$(info)" 'dom="d0",name="Domain-0",uuid="",type="PVH"
dom="d1",name="web",uuid="11111111-0000-4000-8000-00000000000a",type="PV"
dom="d2",name="web",uuid="22222222-0000-4000-8000-00000000000b",type="PV"
dom="d3",name="db",uuid="33333333-0000-4000-8000-00000000000c",type="PVH"
dom="d4",name="build",uuid="44444444-0000-4000-8000-00000000000d",type="HVM"
dom="d5",name="",uuid="55555555-0000-4000-8000-00000000000e",type="HVM"
dom="d6",name="stored",uuid="66666666-0000-4000-8000-000000000006",type="HVM"'
"$HCTRACE" export --prometheus | promtool check metrics >"$work/said" 2>&1
is "promtool has nothing to say" "$(cat "$work/said")" ""
is "OpenMetrics has it as an info" "$("$HCTRACE" export --openmetrics | grep -A 2 '^# TYPE xen_hctrace_domain ' | sed 's/{.*//')" \
	'# TYPE xen_hctrace_domain info
# HELP xen_hctrace_domain Domains: name, UUID and type, where known
xen_hctrace_domain_info'
is "vCPUs and UUIDs in JSON" "$("$HCTRACE" export --json | jq -r 'select(.type == "calls") | "\(.dom) \(.vcpus) \(.uuid)"' | sort -u)" \
	'd0 2 null
d1 1 11111111-0000-4000-8000-00000000000a
d2 2 22222222-0000-4000-8000-00000000000b
d3 4 33333333-0000-4000-8000-00000000000c
d4 8 44444444-0000-4000-8000-00000000000d
d5 16 55555555-0000-4000-8000-00000000000e
d6 null 66666666-0000-4000-8000-000000000006'
is "a filter by UUID" "$("$HCTRACE" export --folded --domain 22222222-0000-4000-8000-00000000000B,55555555-0000-4000-8000-00000000000e)" \
	'web;iret 2
d5;iret 5'
is "rows of a domain that do not come together are of one" "$("$HCTRACE" export --folded --domain web)" 'web(d1);iret 1
web(d2);iret 2
web(d1);multicall 1'
says "a UUID that nobody has" 2 "no domain '77777777-0000-4000-8000-000000000000'" env LD_PRELOAD="$FAKE_DEVICE" \
	"$HCTRACE" record --domain 77777777-0000-4000-8000-000000000000 -o "$work/a"

# Xen alone, on a host without xenstored: ids, with types
is "no xenstored: types and UUIDs" "$(unset FAKE_XENSTORE; info --domain 3-4)" \
	'dom="d3",name="",uuid="33333333-0000-4000-8000-00000000000c",type="PVH"
dom="d4",name="",uuid="44444444-0000-4000-8000-00000000000d",type="HVM"'
# More than come at once, and one more
seq 100 611 | sed 's/$/ 0 0 1 88888888-0000-4000-8000-000000000008/' >"$work/many"
cp "$xen/domains" "$work/domains"
cat "$work/many" >>"$xen/domains"
stats_has "d611 call iret 1 0 - 0 ="
is "518 domains: the last one" "$(info)" 'dom="d611",name="",uuid="88888888-0000-4000-8000-000000000008",type="PV"'
cp "$work/domains" "$xen/domains"

# --- tables

stats_has "d1 call iret 1 0 - 0 =" "d2 call iret 2 0 - 0 ="
"$HCTRACE" top --uuid -d 3600 >"$work/top" &
pid=$!
await grep -q '^# hctrace top' "$work/top"
stats_has "d1 call iret 11 0 - 0 =" "d2 call iret 12 0 - 0 ="
kill -TERM $pid
wait $pid
is "top --uuid: a column of its own" "$(awk '$1 == "DOM" { print $13, $14 } /^d[12] / && $2 != "call" { print $13, $14 }' "$work/top")" \
	'UUID NAME
11111111-0000-4000-8000-00000000000a web
22222222-0000-4000-8000-00000000000b web'

# A guest that is being destroyed: xenstore has forgotten it, and Xen has not yet. That this was heard shows a new name.
nr=20
next_rows() { nr=$((nr + 1)); stats_has "d1 call iret $nr 0 - 0 =" "d2 call iret $nr 0 - 0 ="; }
is_renamed() { next_rows; grep -q ' web-new$' "$work/top"; }
next_rows
"$HCTRACE" top -d 0.1 >"$work/top" &
pid=$!
await grep -q '^# round 1 ' "$work/top"
domain 1 web-new
mv "$FAKE_XENSTORE/local/domain/2" "$work/gone"
touch "$FAKE_XENSTORE/changed"
await is_renamed
kill -TERM $pid
wait $pid
is "a domain that dies keeps its name" "$(awk '$1 == "d2" && NF == 13 { print $2, $13 }' "$work/top" | sort -u)" "PV web"
rm "$FAKE_XENSTORE/changed"
domain 1 web
mv "$work/gone" "$FAKE_XENSTORE/local/domain/2"
stats_has "d1 call iret 11 0 - 0 =" "d2 call iret 12 0 - 0 ="

# --- recordings

export FAKE_DEVICE_LEDGER="$work/ledger" FAKE_DEVICE_CALLS=288 FAKE_DEVICE_PER_S=0
LD_PRELOAD=$FAKE_DEVICE "$HCTRACE" record -m 64 -o "$work/a" 2>/dev/null
is "a recording keeps them" "$("$HCTRACE" report --raw --uuid "$work/a" | sed -n 's/^# \(d[0-9]* has\|d[0-9]* is\)/\1/p')" \
	'd0 is Domain-0
d1 is web
d1 has UUID 11111111-0000-4000-8000-00000000000a
d2 is web
d2 has UUID 22222222-0000-4000-8000-00000000000b'
is "... as report shows on request" "$("$HCTRACE" report --uuid "$work/a" | grep -oE 'd[12] web.*' | sort)" \
	'd1 web  11111111-0000-4000-8000-00000000000a
d2 web  22222222-0000-4000-8000-00000000000b'
is "... and not else" "$("$HCTRACE" report "$work/a" | grep -c 11111111)" 0
is "a filter by UUID" "$("$HCTRACE" report --raw --domain 22222222-0000-4000-8000-00000000000b "$work/a" |
	awk '$3 == "*" && $4 { print $1, $4 }')" "d2 96"
is "perf reads on" "$(perf script -i "$work/a" -F comm 2>/dev/null | sort | uniq -c | awk '{ print $1, $2 }' | sort)" '96 Domain-0
96 web
96 web(d2)'

# --- what Xen says of itself

# put PATH TEXT: a file of the host
put()
{
	mkdir -p "$(dirname "$HCTRACE_ROOT$1")"
	printf '%s\n' "$2" >"$HCTRACE_ROOT$1"
}
put /sys/hypervisor/type xen
put /proc/xen/capabilities control_d
put /proc/modules 'xen_hctrace 106496 0 - Live 0x0 (O)'
put /proc/mounts 'none /sys/kernel/debug debugfs rw 0 0'
# said: what doctor says of that, if it is root
said() { "$HCTRACE" doctor 2>&1 | sed -n 's/^  note  \(the scheduler\|idle\|Xen\)/\1/p'; }
is "doctor, of a Xen that answers nothing" "$(said)" ""
echo 6 >"$xen/scheduler"
seq 0 8 | sed 's/$/00.25/' >"$xen/idle"
{
	echo '(XEN) Xen version 4.17.7'
	echo '(XEN) Command line: placeholder xentrace_is_no_option'
	printf '(XEN) xentrace: \033[31mthe %s line\n' first second third fourth fifth
	echo '(d3) xentrace: a guest can say that'
	echo '(XEN) Xen call trace:'
	echo '(XEN) [2026-12-01 05:00:00] Xen WARN at common/trace.c:812'
} >"$xen/log"
is "doctor: the scheduler, idle times, and Xen's log on tracing, escaped" "$(said)" "the scheduler is credit2
idle since boot, by pCPU: 0: 0.2 s, 1: 100.2 s, 2: 200.2 s, 3: 300.2 s, 4: 400.2 s, 5: 500.2 s, 6: 600.2 s, 7: 700.2 s
idle since boot, by pCPU: 8: 800.2 s
Xen's log has 7 lines on tracing, the last 5 are:
Xen says: (XEN) xentrace: \\x1b[31mthe second line
Xen says: (XEN) xentrace: \\x1b[31mthe third line
Xen says: (XEN) xentrace: \\x1b[31mthe fourth line
Xen says: (XEN) xentrace: \\x1b[31mthe fifth line
Xen says: (XEN) [2026-12-01 05:00:00] Xen WARN at common/trace.c:812"
is "without the library, nothing" "$(LD_LIBRARY_PATH='' FAKE_XENCTRL='' said)" ""
rm "$work/lib/$soname"
is "... which another soname is not" "$(: >"$work/lib/libxenctrl.so.4.0"; said)" ""
is "... and names are there as before" "$(info --domain 1)" 'dom="d1",name="web",uuid="",type="PV"'
finish
