# SPDX-License-Identifier: GPL-2.0
# Who is who: type, UUID and vCPUs are those that xl list -l has, also of a domain whose type libxl has not in store,
# and a guest that comes again is the same guest.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

tool_starts || { echo "ok # SKIP the C library of Xen $XEN's root is older than the one this tool was built with"; exit 0; }
# The library's soname is that of one release of Xen, as the tool was built for.
soname=$(grep -ao 'libxenctrl\.so\.[0-9.]*' ./hctrace | head -n 1)
[ -n "$soname" ] || { echo "ok # SKIP the tool was built without libxenctrl"; exit 0; }
[ -n "$(find /usr/lib /lib -name "$soname" 2>/dev/null | head -n 1)" ] || {
	echo "ok # SKIP the tool was built for $soname, which Xen $XEN's root has not"
	exit 0
}

# listed KEY: what xl list -l says of it, the first time
listed() { sed -n "s/^[[:blank:]]*\"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" /tmp/listed | head -n 1; }
# said LABEL: what the tool says, in its metrics
said() { sed -n "s/^xen_hctrace_domain_info{\(.*,\)\{0,1\}$1=\"\([^\"]*\)\".*/\2/p" /tmp/metrics; }
is_shut_down() { $xl list "$1" | grep -q ' ---s-- '; }

# compare NAME TYPE PROFILE: a guest of that type, after all its calls
compare()
{
	control "profile $3"
	on_poweroff=preserve
	make_guest "$1" "$2" guest-mix.elf
	on_poweroff=
	$xl list -l "$1" >/tmp/listed
	cp /tmp/listed "$OUT/listed.$1"
	begin
	succeeds "$1 starts" $xl unpause "$1"
	await is_shut_down "$1" && ok "$1 has shut down"
	# As if another toolstack had made it. libxl itself can neither start nor destroy a guest of a type it does not know.
	succeeds "libxl's word on its type goes" xenstore-rm "/libxl/$domid/type"
	succeeds "export of it" sh -c "./hctrace export --prometheus --domain $1 >/tmp/metrics"
	succeeds "export as JSON" sh -c "./hctrace export --json --domain $1 >/tmp/json"
	succeeds "libxl knows its type again" xenstore-write "/libxl/$domid/type" "$2"
	cp /tmp/metrics "$OUT/metrics.$1"
	cp /tmp/json "$OUT/json.$1"
	is "$2: id" "$(said dom)" "d$(listed domid)"
	is "$2: UUID" "$(said uuid)" "$(listed uuid)"
	is "$2: type" "$(said type | tr '[:upper:]' '[:lower:]')" "$(listed type)"
	is "$2: vCPUs" "$(grep -o '"vcpus":[0-9]*' /tmp/json | sort -u)" "\"vcpus\":$(listed max_vcpus)"
	succeeds "$1 is destroyed" $xl destroy "$domid"
}

succeeds "module loads" load $big_rings
compare bare-pv pv pv
compare bare-pvh pvh hvm
# An HVM guest has a board, which an emulator in dom0 plays.
if find /usr/lib/xen* /usr/bin /usr/libexec -name qemu-system-i386 2>/dev/null | grep -q .; then
	compare bare-hvm hvm hvm
else
	echo "ok # SKIP an HVM guest: this dom0 has no emulator"
fi

# The same guest again: another id, the same UUID, one guest for whoever asks by that.
control "profile pv"
uuid=12345678-9abc-4def-8012-3456789abcde
cat >/tmp/again.cfg <<-EOF
	name="again"
	uuid="$uuid"
	type="pv"
	kernel="/test/guest-mix.elf"
	memory=32
	vcpus=1
	on_poweroff="destroy"
EOF
cat >/tmp/twice <<-'EOF'
	. ./lib.sh
	for life in first second; do
		$xl create -p /tmp/again.cfg
		$xl domid again >/tmp/domid.$life
		$xl unpause again
		wait_until_gone again
	done
EOF
begin
succeeds "a guest's two lives are recorded" ./hctrace record -k call,member -o /tmp/twice.data -- sh /tmp/twice
first=d$(cat /tmp/domid.first) second=d$(cat /tmp/domid.second)
is "report --uuid: both have it" \
	"$(./hctrace report --raw --uuid /tmp/twice.data 2>/dev/null | sed -n "s/^# \(d[0-9]*\) has UUID $uuid$/\1/p" | xargs)" \
	"$first $second"
is "a filter by it takes both, and no others" \
	"$(./hctrace report --raw --domain "$uuid" --op vm_assist /tmp/twice.data 2>/dev/null |
		awk '$2 == "call" && $3 == "vm_assist" { print $1, $5 }' | sort | xargs)" "$first 1000 $second 1000"

# What Xen says of itself
./hctrace doctor >/tmp/doctor 2>&1
cp /tmp/doctor "$OUT/doctor"
is "doctor: the scheduler" "$(sed -n 's/^  note  the scheduler is //p' /tmp/doctor)" \
	"$($xl info | sed -n 's/^xen_scheduler *: //p')"
is "doctor: an idle time for each pCPU" \
	"$(sed -n 's/^  note  idle since boot, by pCPU: //p' /tmp/doctor | tr ',' '\n' | grep -c ' s$')" \
	"$($xl info | sed -n 's/^nr_cpus *: //p')"
is "doctor: Xen's lines on tracing" "$(sed -n 's/^  note  Xen says: //p' /tmp/doctor)" \
	"$($xl dmesg | grep '^(XEN)' | grep -E '[Xx]entrace|[Tt]race buffer|trace\.c:' | tail -n 5)"
succeeds "module unloads" unload
