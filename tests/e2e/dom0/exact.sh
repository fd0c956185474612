# SPDX-License-Identifier: GPL-2.0
# An exact number of hypercalls from dom0 is found exactly.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

succeeds "module loads" load $big_rings
take
is "stats names its version" "$(head -n 1 $snapshot | cut -d' ' -f1-4)" "# xen-hctrace stats 1"
is "stats is no wider than its columns" "$(awk 'length($0) > 98 && !/^#/' $snapshot | wc -l)" 0
is "state" "$(status state)" tracing
is "pages per ring" "$(status tbuf_pages)" 256
is "every pCPU has a ring" "$(status pcpus_with_ring)" "$CPUS"
is "pCPUs" "$(status pcpus_online)" "$CPUS"
if [ "$DOM0" = pv ]; then
	is "profile of a PV dom0" "$(status profile)" pv
	is "mask" "$(status mask)" 0x00263000
else
	is "profile of a PVH dom0" "$(status profile)" hvm
	is "mask" "$(status mask)" 0x002aa000
fi

# Our own call came back through the rings.
case $(status selftest) in
"ok on pcpu "*) ok "self-test: $(status selftest)" ;;
*) not_ok "self-test: $(status selftest)" ;;
esac
is "lost before we began" "$(status lost_before)" 0

exact_workload "first"
is "pCPUs whose vCPU is unknown" "$(status pcpus_unknown)" none
exact_workload "again"

# Long enough that each is preempted now and then, and yet one batch.
for run in 1 2 3 4 5 6 7 8 9 10; do
	begin
	./hcall -r 0 multicall 21 500 100 0xffffffff
	take
	[ "$DOM0" = pvh ] || is "batches of 500, run $run, split $(multicalls batches d0 split) times" \
		"$(multicalls sizes d0 more) batches, max $(multicalls batches d0 max)" "100 batches, max 500"
	is "members of 500, run $run" "$(cell d0 member vm_assist)" 50000
	ledger_is_clean "100 multicalls of 500, run $run"
done
cp /tmp/multicalls "$OUT/multicalls"

control "members off"
begin
succeeds "members off: 100 multicalls" ./hcall -r 0 multicall 21 71 100 0xffffffff
take
is "members off: members counted" "$(cell d0 member vm_assist)" 0
control "members on"

control "ops iret,sched_op"
begin
succeeds "ops: 10 vm_assist" quiet_calls 10
take
is "ops: others are not counted" "$(awk '!/^#/ && $1 == "d0" && $3 != "*" && $3 != "iret" && $3 !~ "^sched_op"' $snapshot | wc -l)" 0
at_least "ops: events left out" "$(status filtered)" 10
control "ops all"

control "domains 5,7-9"
begin
succeeds "domains: 10 vm_assist" quiet_calls 10
take
is "domains: d0 is not counted" "$(awk '$1 == "d0"' $snapshot | wc -l)" 0
control "domains all"

exact_workload "after all that"
cp $snapshot "$OUT/stats"
cat $debugfs/status >"$OUT/module-status"
succeeds "module unloads" unload

succeeds "load with another size" load tbuf_pages=64
is "the size was decided before" "$(status tbuf_requested) $(status tbuf_pages)" "64 256"
is "and it is said" "$(kernel_says | tail -n 1)" \
	"xen_hctrace: tbuf_pages=64 cannot be had: the buffers exist and keep their size until the host reboots"
succeeds "module unloads" unload
