# SPDX-License-Identifier: GPL-2.0
# What hctrace top and its asking process take of the CPU in 60 s on a quiet host:
# their user and system time from /proc, which counts a hundredth of a second each.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

tool_starts || { echo "ok # SKIP this root's C library is older than the one this tool was built with"; exit 0; }

# ticks COLUMN PID...: utime (12) or stime (13) of them all
ticks()
{
	column=$1
	shift
	for pid; do
		sed "s/.*) //" "/proc/$pid/stat"
	done | awk -v column="$column" "{ sum += \$column } END { print sum }"
}

succeeds "module loads" load $big_rings
./hctrace top >/tmp/top &
top=$!
sleep 5
child=$(cat "/proc/$top/task/$top/children")
drain=$(grep -l hctrace /proc/[0-9]*/comm | cut -d/ -f3 | grep -vx "$top" | grep -vxF "${child% }" | head -n 1)
# shellcheck disable=SC2086 # a list of processes
user=$(ticks 12 $top $child) system=$(ticks 13 $top $child) thread=$(ticks 13 "$drain")
sleep 60
# shellcheck disable=SC2086
user=$(($(ticks 12 $top $child) - user)) system=$(($(ticks 13 $top $child) - system))
thread=$(($(ticks 13 "$drain") - thread))
kill -TERM $top
wait $top
echo "# ticks of 10 ms in 60 s: $user user and $system system of top and its child, $thread of the module's thread"
at_least "rounds" "$(grep -c '^# round' /tmp/top)" 30
if [ $((user + system)) -lt 60 ]; then
	ok "top takes less than 1 % of a core: $((user + system)) of 6000 ticks"
else
	not_ok "top takes $((user + system)) of 6000 ticks"
fi
succeeds "module unloads" unload
