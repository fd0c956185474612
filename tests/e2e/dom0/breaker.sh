# SPDX-License-Identifier: GPL-2.0
# Five malformed calls switch tracing off, so that the sixth leaves nothing in Xen's log.
# They are dom0's own, six in all.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

# A number that does not fit where Xen records it
bad_calls() { ./hcall multicall 0x100000 1 "$1"; }
warnings() { ./xenlog | grep -c 'Xen WARN'; }
case $DOM0 in pv) kind=call ;; *) kind=hvm ;; esac
state_is() { [ "$(status state)" = "$1" ]; }
says() { kernel_says | grep -c "$1"; }

succeeds "module loads" load $big_rings
is "the breaker is on" "$(grep breaker $debugfs/control)" "breaker on"
is "and has not tripped" "$(status breaker_trips) $(status last_pause) $(status paused_for) $(status paused_ms)" "0 none none 0"
before=$(warnings)

./gap >/tmp/gap 2>&1 &
gap=$!
await grep -q ready /tmp/gap
begin
quiet_calls 100
bad_calls 5
await state_is paused
is "five were seen" "$(status malformed)" 5
is "Xen logged as many warnings" "$(($(warnings) - before))" 5
is "because of dom0, for the first time" "$(status paused_for) $(status breaker_trips)" "d0 1"
left=$(status pause_left_ms)
at_least "it is a minute at most" 60000 "$left"
at_least "which is not over" "$left" 1
take
is "what was counted before stays" "$(cell d0 $kind vm_assist)" 100
is "stats says so" "$(grep -c '^# note tracing is paused for .* s: d0 made malformed' $snapshot)" 1

bad_calls 1
quiet_calls 100
take
is "the sixth is not recorded" "$(status malformed)" 5
is "and leaves no line in Xen's log" "$(($(warnings) - before))" 5
is "nothing is counted meanwhile" "$(cell d0 $kind vm_assist)" 100
traced=$(status traced_ms)
is "time does not count either" "$(status traced_ms)" "$traced"

wait $gap
is "readers are told of a gap, and why" "$(figure gaps /tmp/gap) $(figure reason /tmp/gap)" "1 1"
is "it is no loss" "$(figure lost /tmp/gap) $(figure xen_lost /tmp/gap)" "0 0"
is "INFO: Xen does not trace, for the breaker" "$(figure tracing /tmp/gap) $(figure breaker /tmp/gap)" "0 1"

# Who begins to want events anew does not end it; a stop and a reader are no start.
control stop
is "stop" "$(status state) $(status paused_for)" "stopped none"
./gap >/tmp/gap2 2>&1 &
gap=$!
await grep -q ready /tmp/gap2
await state_is paused
is "still because of dom0, and no other trip" "$(status paused_for) $(status breaker_trips)" "d0 1"

# Who wants figures more than a quiet log
control "breaker off"
is "switched off, tracing is on again" "$(status state) $(status paused_for)" "tracing none"
is "the setting reads back" "$(grep breaker $debugfs/control)" "breaker off"
kill $gap
control "breaker on; start"
begin
is "after a reset nothing is paused" "$(status paused_ms)" 0
take
is "nor noted" "$(grep -c paused $snapshot)" 0
exact_workload "when it is over"
case $(status last_pause) in
[0-9]*.[0-9]" s ago") ok "the status says when: $(status last_pause)" ;;
*) not_ok "the status says when: $(status last_pause)" ;;
esac
is "and so does the log" "$(says 'd0 made malformed hypercalls, each a warning .* tracing is off for') $(says 'tracing is on again, after')" "2 1"
is "no other warning came" "$(($(warnings) - before))" 5
succeeds "module unloads" unload
