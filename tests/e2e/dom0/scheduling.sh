# SPDX-License-Identifier: GPL-2.0
# When Xen schedules several pCPUs as one, its records do not say who runs where, and
# we say so instead of naming somebody. With one pCPU a unit they do.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

succeeds "module loads" load $big_rings
granularity=$(status sched_gran)
# Both vCPUs come and go, so that units are switched.
for _ in 1 2; do
	(for _ in 1 2 3 4 5 6 7 8 9 10; do
		quiet_calls 50
		sleep 0.05
	done) &
done
wait
case $granularity in
core)
	is "core scheduling, one pCPU a core: attribution" "$(status attribution)" ok
	is "contradictions" "$(status contradictions)" 0
	exact_workload "core scheduling"
	;;
socket)
	is "two pCPUs a unit: attribution" "$(status attribution)" UNRELIABLE
	take
	is "the table says so" "$(grep -c 'attribution UNRELIABLE' $snapshot)" 1
	before=$(cell d0 call vm_assist)
	quiet_calls 1000
	take
	is "nobody is credited" "$(($(cell d0 call vm_assist) - before))" 0
	at_least "unattributed" "$(status unattributed)" 1000
	is "the ledger adds up" "$(($(status events) > 0))" 1
	;;
*) not_ok "sched_gran is $granularity" ;;
esac
succeeds "module unloads" unload
