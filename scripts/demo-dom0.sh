# SPDX-License-Identifier: GPL-2.0
# The dom0's part of the demo: two guests, and a frame each second on
# the console, marked so that the other side finds it.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh
# shellcheck source=/dev/null
. ./demo.conf
: "${seconds:=30}"
console=/dev/hvc0

say() { printf 'HCT %s\n' "$*" >"$console"; }

# A Linux guest that forks all the time, which means page tables.
cat >/test/busy.sh <<-'EOF'
	while :; do ls /proc >/dev/null; done
EOF

say "insmod xen_hctrace.ko"
succeeds "module loads" load
make_linux_guest web1 /test/busy.sh
# A bare guest that makes 1000 calls and ten multicalls, then ends.
make_guest bare pv
succeeds "a bare guest starts" $xl unpause bare

frame=0
while [ $frame -lt "$seconds" ]; do
	frame=$((frame + 1))
	echo HCT-FRAME >"$console"
	say "cat $debugfs/stats | head -n 26     # second $frame of $seconds"
	take
	head -n 26 $snapshot | sed 's/^/HCT /' >"$console"
	sleep 1
done
cp $snapshot "$OUT/stats"
at_least "hypercalls of the Linux guest" "$(cell d1 call '*')" 1000
at_least "hypercalls of dom0" "$(cell d0 call '*')" 1000
is "hypercalls of the bare guest" "$(cell d2 call '*')" 1011
succeeds "module unloads" unload
