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
# said KEY: what the tool says, in JSON
said() { grep -o "\"$1\":\"\{0,1\}[^\",}]*" /tmp/json | head -n 1 | sed 's/^[^:]*:"\{0,1\}//'; }

cat >/tmp/run-guest <<-'EOF'
	/usr/sbin/xl unpause "$1"
	while /usr/sbin/xl domid "$1" >/dev/null 2>&1; do sleep 0.2; done
EOF

# compare NAME TYPE PROFILE: a guest of that type, from its first call to its end
compare()
{
	control "profile $3"
	make_guest "$1" "$2" guest-mix.elf
	# shellcheck disable=SC2154 # it is from lib.sh
	$xl list -l "$1" >/tmp/listed
	cp /tmp/listed "$OUT/listed.$1"
	# As if another toolstack had made it
	succeeds "libxl's word on its type goes" xenstore-rm "/libxl/$domid/type"
	begin
	succeeds "stat of it" ./hctrace stat --json --domain "$1" -o /tmp/json -- sh /tmp/run-guest "$1"
	cp /tmp/json "$OUT/stat.$1.json"
	is "$2: id" "$(said domid)" "$(listed domid)"
	is "$2: UUID" "$(said uuid)" "$(listed uuid)"
	is "$2: type" "$(said type | tr '[:upper:]' '[:lower:]')" "$(listed type)"
	is "$2: vCPUs" "$(said vcpus)" "$(listed max_vcpus)"
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
succeeds "a guest's two lives are recorded" ./hctrace record -o /tmp/twice.data -- sh /tmp/twice
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
