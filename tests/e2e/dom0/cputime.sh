# SPDX-License-Identifier: GPL-2.0
# The CPU time of each domain against Xen's own accounts, as xl shows them: to 0.1 s, which is asked before and
# behind each of our readings, so that it holds however long they take.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

# What ran last has its time up to its pCPU's last record, and xl rounds both of its readings.
slack_ms=250

# xl_ms DOMID: what Xen has accounted for it
xl_ms() { $xl list | awk -v id="$1" '$2 == id { printf "%d\n", $NF * 1000 }'; }
# ours_ms DOM: of the snapshot
ours_ms() { awk -v dom="$1" '$1 == "dom" { for (i = 1; i <= NF; i++) nr[$i] = i } $1 == dom && $3 == "*" { print int($nr["cpu_ms"]); exit }' "$snapshot"; }

succeeds "module loads" load $big_rings
before=$(xl_ms 0)
control reset
after=$(xl_ms 0)
# A time of much, and one of next to nothing.
sh -c 'i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done'
sleep 1
least=$(($(xl_ms 0) - after - slack_ms))
take
most=$(($(xl_ms 0) - before + slack_ms))
ours=$(ours_ms d0)
if [ "${ours:-0}" -ge $least ] && [ "${ours:-0}" -le $most ]; then
	ok "dom0: $ours ms, and Xen says $least to $most"
else
	not_ok "dom0: $ours ms, and Xen says $least to $most"
fi
at_least "... which is something" "${ours:-0}" $slack_ms

# Each millisecond that a pCPU has told of is somebody's.
awk '
	/^# cpu_ms/ { all = $3; rest = $5 + $9 }
	$1 == "dom" { for (i = 1; i <= NF; i++) nr[$i] = i; next }
	/^#/ { next }
	$3 == "*" && !($1 in time) { time[$1] = 1; sum += $nr["cpu_ms"]; doms++ }
	END {
		off = all - sum - rest
		printf "%s\n%d\n", off * off <= (doms + 3) * (doms + 3) / 1e6 ? "yes" : "no: " all " is not " sum " and " rest, all
	}' "$snapshot" >/tmp/sum
is "it adds up" "$(sed -n 1p /tmp/sum)" yes
at_least "to no less than dom0 had" "$(sed -n 2p /tmp/sum)" "${ours:-0}"
is "none of it of nobody known, but at the start" "$(awk '$1 == "d?" && $NF >= 1000 { print $NF }' "$snapshot")" ""
succeeds "module unloads" unload
