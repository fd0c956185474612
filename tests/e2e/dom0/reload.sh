# SPDX-License-Identifier: GPL-2.0
# Load and unload ten times: nothing is left behind.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh disable=SC2119
. ./lib.sh

# Stacks of tasks (20480 bytes with their guard) come and go with the work there is.
mappings() { grep -v 'unpurged\|kernel_clone\|task_struct' /proc/vmallocinfo | tee "$OUT/mappings.$1" | wc -l; }
# Free memory, with the pages that each CPU keeps in its own lists: the tables of
# one load are so large that they come back to those.
free_kib()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^MemFree/ { kib = $2 } $1 == "count:" { kib += 4 * $2 } END { print kib }' \
		/proc/meminfo /proc/zoneinfo
}
threads() { cat /proc/[0-9]*/comm 2>/dev/null | grep -cx xen-hctrace; }
interrupts() { grep -c xen-hctrace /proc/interrupts; }

# The first ones settle what the kernel keeps for itself.
succeeds "first load" load $big_rings
is "our interrupt is there" "$(interrupts)" 1
is "our thread is there" "$(threads)" 1
is "our folder is there" "$(exists $debugfs)" yes
unload
load
unload

mappings_before=$(mappings before)
free_before=$(free_kib)
lines_before=$(kernel_says | wc -l)
failed=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	load || failed=$((failed + 1))
	take
	[ "$(cell d0 call '*')" -gt 0 ] || [ "$(cell d0 hvm '*')" -gt 0 ] || failed=$((failed + 1))
	unload || failed=$((failed + 1))
done
free_after=$(free_kib)

is "ten loads and unloads, failures" "$failed" 0
is "mapped areas" "$(mappings after)" "$mappings_before"
is "interrupts left" "$(interrupts)" 0
is "threads left" "$(threads)" 0
is "debugfs folder left" "$(exists $debugfs)" no
# Each load holds more than 4 MiB. The kernel's own use moves by some 100 KiB.
drift=$((free_before - free_after))
if [ $drift -lt 512 ]; then ok "memory drift: $drift KiB"; else not_ok "memory drift: $drift KiB"; fi
is "kernel log lines for ten loads" "$(($(kernel_says | wc -l) - lines_before))" 10

# How a PV dom0 unmaps: 16 pages with a hypercall, and one flush of all TLBs for each ring and for nothing less.
if [ "$DOM0" = pv ]; then
	succeeds "load to be watched" load
	pages=$(status tbuf_pages) rings=$(status pcpus_with_ring)
	echo 'hct_pv_write_entries hct_pv_flush' >$tracing/set_ftrace_filter
	echo function >$tracing/current_tracer
	control stop
	cat $tracing/trace >"$OUT/unmapping"
	echo nop >$tracing/current_tracer
	is "hypercalls for unmapping $rings rings of $pages pages" \
		"$(grep -c hct_pv_write_entries "$OUT/unmapping")" $((rings * pages / 16))
	is "flushes for that" "$(grep -c hct_pv_flush "$OUT/unmapping")" "$rings"
	echo >$tracing/set_ftrace_filter
	succeeds "unload" unload
fi
succeeds "load once more" load
exact_workload "after ten reloads"
succeeds "unload" unload
