# SPDX-License-Identifier: GPL-2.0
# Another program of the host switches tracing off, changes masks and moves cons of a ring.
# Each is noticed and set right, coverage is unknown until a reset, and counts after it are exact.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

# what_grew KEY BEFORE: the figure KEY of status is larger than BEFORE
what_grew() { [ "$(status "$1")" -gt "$2" ]; }

# meddled WHAT KEY COMMAND...: COMMAND meddles, once or, where our own store was quicker, again;
# then KEY has grown, coverage is unknown, and what is counted after a reset is exact
meddled()
{
	what=$1 key=$2
	shift 2
	before=$(status "$key")
	try() { ./meddle "$@" >>/tmp/meddle && sleep 0.2 && what_grew "$key" "$before"; }
	case $1 in
	cons) await try "$@" ;;
	*) ./meddle "$@" && await what_grew "$key" "$before" ;;
	esac
	at_least "$what: $key" "$(status "$key")" $((before + 1))
	is "$what: coverage" "$(status coverage)" unknown
	at_least "$what: uncounted" "$(status uncounted)" 1
	take
	is "$what: stats says so" "$(grep -c '^# coverage unknown   lost' $snapshot)" 1
	exact_workload "after $what"
}

succeeds "module loads" load $big_rings
exact_workload "undisturbed"
is "found switched off so far" "$(status found_off)" 0
is "resynchronised so far" "$(status resyncs)" 0

meddled "tracing off" found_off disable
is "it is said" "$(kernel_says | grep -c 'has switched tracing off')" 1
meddled "tracing off again" found_off disable
is "it is said once" "$(kernel_says | grep -c 'has switched tracing off')" 1
meddled "an event mask" mask_changes mask 0x1f000
meddled "a mask of no pCPU" mask_changes cpus 0

for how in read ahead between back beyond bad; do
	meddled "cons moved ($how)" resyncs cons 0 $how
done
at_least "cons: the log says so" "$(kernel_says | grep -c 'another program moved cons of its ring')" 1
is "the ring of pCPU 0" "$(awk '/^# pcpu/ { rings = 1; next } rings && $1 == 0 { sub(":.*", "", $7); print $7 }' $debugfs/status)" ok
cp /tmp/meddle "$OUT/meddle"
cat $debugfs/status >"$OUT/module-status"
succeeds "module unloads" unload
