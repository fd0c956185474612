# SPDX-License-Identifier: GPL-2.0
# The dom0's part of the demo: two guests, and hctrace on a line of its own to whoever
# looks on, so that nothing else gets between.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh
# shellcheck source=/dev/null
. ./demo.conf
: "${seconds:=30}" "${live:=}" "${rows:=24}" "${columns:=80}" "${terminal:=dumb}"
line=/dev/ttyS1
exec 9<>$line	# kept open, or it forgets its size

say() { printf '%s\n' "$*" >$line; }

if [ -n "$live" ]; then
	# Its description, where libraries look for it
	TERMINFO=/tmp/terminfo/$(printf %.1s "$terminal")
	mkdir -p "$TERMINFO"
	cp "./$terminal" "$TERMINFO/"
	export TERM="$terminal" TERMINFO=/tmp/terminfo
	stty 115200 clocal rows "$rows" cols "$columns" <$line
else
	stty 115200 clocal -onlcr <$line
fi

# A Linux guest that forks all the time, which means page tables.
cat >/test/busy.sh <<-'EOF'
	while :; do ls /proc >/dev/null; done
EOF

say "# insmod xen_hctrace.ko $big_rings"
succeeds "module loads" load $big_rings
say "# xl create web1        a Linux guest that forks all the time"
make_linux_guest web1 /test/busy.sh
web1=d$domid
say "# xl create bare        a guest that makes 1000 calls, then ends"
make_guest bare pv
bare=d$domid
await every_pcpu_is_known
succeeds "a bare guest starts" $xl unpause bare

if [ -n "$live" ]; then
	say "# hctrace top           q ends it, h lists the keys"
	sleep 2
	# shellcheck disable=SC2094 # a terminal
	./hctrace top -n $(((seconds + 1) / 2)) <$line >$line
	is "the table ends as it should" $? 0
else
	say "# hctrace top -n 3"
	./hctrace top -n 3 >/tmp/top
	is "the tables end as they should" $? 0
	cat /tmp/top >$line
	at_least "rounds in which the Linux guest is there by name" "$(grep -c '^d.* PV .* web1$' /tmp/top)" 3
fi
# All has got through before the machine goes.
stty sane <$line
take
cp $snapshot "$OUT/stats"
at_least "hypercalls of the Linux guest" "$(cell "$web1" call '*')" 1000
at_least "hypercalls of dom0" "$(cell d0 call '*')" 1000
is "hypercalls of the bare guest" "$(cell "$bare" call '*')" 1011
succeeds "module unloads" unload
