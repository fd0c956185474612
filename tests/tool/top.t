#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace top as text and in a terminal, which is tmux. A new table comes by a key, so
# that nothing depends on when it is looked at.
# shellcheck disable=SC2016 # variables of inner shells
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh

HCTRACE=$(realpath "$HCTRACE")
export HCTRACE HCTRACE_ROOT="$work/root"
debugfs=$HCTRACE_ROOT/sys/kernel/debug/xen-hctrace
mkdir -p "$debugfs"

# figures N: N times the calls
figures()
{
	cat >"$work/stats" <<-END
	# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing $1.0 s   pcpus 2/2
	# coverage 100.0000% of records   lost 0   malformed 0   attribution ok   rate window 1002 ms
	# note HVM/PVH guests: only multicall members are traced (control: profile hvm)
	# cpu_ms $(($1 * 80)).000   idle_ms 0.000   unknown_ms 0.000   filtered_ms 0.000
	dom kind op records calls cont units per_s acc cpu_ms
	d0 call * $(($1 * 100)) $(($1 * 100)) 0 - 0 = $(($1 * 50)).000
	d1 call * $(($1 * 15)) $(($1 * 15)) 0 - 0 = $(($1 * 10)).000
	d2 call * $(($1 * 200)) $1 $(($1 * 199)) - 0 = 0.000
	d7 - * 0 0 - - 0 = $(($1 * 20)).000
	d0 call iret $(($1 * 100)) $(($1 * 100)) 0 - 0 =
	d1 call multicall $(($1 * 10)) $(($1 * 10)) 0 $(($1 * 40)) 0 =
	d1 member vm_assist $(($1 * 40)) $(($1 * 40)) - - 0 =
	d1 call vcpu_op/is_up $(($1 * 3)) $(($1 * 3)) 0 - 0 =
	d1 call vcpu_op/up $(($1 * 2)) $(($1 * 2)) 0 - 0 ~
	d2 call mmu_update $(($1 * 200)) $1 $(($1 * 199)) $(($1 * 5)) 0 =
	END
	cat >"$work/multicalls" <<-END
	# xen-hctrace multicalls 1   members on
	dom batches split short lost declared seen mean max
	d1 $(($1 * 10)) 0 0 $(($1 * 5)) $(($1 * 40)) $(($1 * 40)) 4.0 4
	# sizes
	dom 1 2 4 8 16 32 64 128 more
	d1 0 0 $(($1 * 10)) 0 0 0 0 0 0
	END
	mv "$work/multicalls" "$work/stats" "$debugfs/"
}

# --- as text ---

figures 1
"$HCTRACE" top -d 0.1 -n 3 >"$work/out"
is "three rounds, then the end" "$(grep -c '^# round' "$work/out")" 3
is "what we trace" "$(head -n 1 "$work/out")" \
	"# hctrace top   Xen 4.17.7  dom0 PV  profile pv  pCPUs 2/2  coverage 100.0000%  attribution ok"

# Emptied first: a signal at what was there before would come too early, and be lost.
: >"$work/out"
"$HCTRACE" -d 3600 >"$work/out" &
pid=$!
await grep -q '^# hctrace top' "$work/out"
figures 2
kill -TERM $pid
wait $pid
is "a signal is an ordinary end" "$?" 0
is "it ends with the time so far: domains" "$(awk '/^(DOM|dom)/ { what = $2; next } what == "TYPE" { print $1, $2, $6, $8, $9, $12, $13 }' "$work/out")" \
	'd2 - 56.34 - 0 - -
d0 PV 28.17 - 0 2000.0 -
d1 - 15.49 4.0 5 5500.0 -'
is "and ops" "$(awk '/^(DOM|dom)/ { what = $2; next } what == "kind" && NF == 10 { print $1, $2, $3, $4, $5, $6, $7, $9 }' "$work/out")" \
	'd2 call mmu_update 200 1 199 5 =
d0 call iret 100 100 0 - =
d1 member vm_assist 40 40 - - =
d1 call multicall 10 10 0 40 =
d1 call vcpu_op/is_up 3 3 0 - =
d1 call vcpu_op/up 2 2 0 - ~'

rm "$debugfs/stats"
says "no module" 1 "hctrace doctor" "$HCTRACE" top
says "no module, without a verb" 1 "hctrace doctor" "$HCTRACE"
figures 1
says "no such sort key" 2 "no sort key 'bogus'" "$HCTRACE" top -s bogus
says "a time too short" 2 "0.1 at least" "$HCTRACE" top -d 0.01
says "an output that is full" 1 "No space left on device" sh -c '"$HCTRACE" top -d 0.1 -n 1 >/dev/full'
says "the help" 0 "hctrace top -n 3" "$HCTRACE" top --help

# --- in a terminal ---

command -v tmux >/dev/null || {
	not_ok "tmux is missing: install the packages listed in scripts/packages"
	finish
	exit 1
}
socket=$work/tmux sessions=0
tm() { tmux -S "$socket" "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT
pane() { tm capture-pane -p; }
screen_lacks() { ! screen_has "$1"; }
# What the screen has comes about; else a test has failed and the pane is shown.
screen_has() { pane | grep -qE -- "$1"; }
shows()
{
	if await screen_has "$2"; then
		ok "$1: $(pane | grep -E -m 1 -- "$2" | sed 's/  */ /g; s/#/ /g')"
	else
		pane | diag
	fi
}
# start COMMAND: in a shell whose settings are known
cat >"$work/session" <<-'END'
	trap : INT
	stty -a >"$1/stty.before"
	eval "$2"
	echo "status $?"
	stty -a >"$1/stty.after"
	echo done
	sleep 60
END
start()
{
	# A server of its own: the last one may still be on its way out.
	sessions=$((sessions + 1)) socket=$work/tmux.$((sessions + 1))
	tm -f /dev/null new-session -d -x "$1" -y "$2" "sh $work/session $work '$3'"
}

# The size is the only thing that may differ: it was changed.
succeeds_same()
{
	sed -i s/rows.*columns// "$work/stty.before" "$work/stty.after"
	is "$1" "$(cmp "$work/stty.before" "$work/stty.after" && echo the same)" "the same"
}

figures 1
start 80 24 '"$HCTRACE" -d 3600'
await screen_has "No calls"
figures 2
tm send-keys Space
shows "80x24: a domain" '^d1 .* 15\.49 .* 5500\.0 +4\.0$'
shows "80x24: who runs and calls nothing stays" '^d7 +- +0\.0 +0\.0 +0\.0 +0\.00 +[0-9.]+ +0\.0 +-$'
is "... dimmed" "$(tm capture-pane -e -p | grep -c "$(printf '\033')\[2md7 ")" 1
shows "80x24: who calls and has no time to speak of" '^d2 .* 56\.34 +0\.0 +- +-$'
shows "80x24: the busiest first" '^d2 .* 56\.34 '
is "... whose calls are mostly continuations" "$(pane | sed -n 6p | awk '{ print $1, $6 }')" "d2 56.34"
is "80x24: columns end at the edge" "$(pane | sed -n 5p | awk '{ print length }')" 80
shows "80x24: help line" '^Enter ops .* q quit'
tm send-keys Down Down Enter
shows "ops of a domain" '^member vm_assist .* 11\.27'
shows "sub-ops summed up" '^call +vcpu_op/ .*~ +1\.41'
shows "sizes of multicalls" '^multicalls up to 1:0 2:0 4:10 8:0'
tm send-keys End Enter
shows "sub-ops" '^call +is_up .* 0\.85'
shows "of which the title says what they are" '^d1  call vcpu_op'
tm send-keys Escape
shows "back to ops" '^call +multicall'
tm send-keys s
shows "another sort key" 'by calls'
tm send-keys s
shows "and another" 'by members'
tm resize-window -x 200 -y 50
await screen_has 'by members, every 3600.0 s$'
is "200x50: the last line is the help line" "$(pane | sed -n 50p | grep -c 'q quit')" 1
tm send-keys Escape
shows "200x50: there is room for the busiest op" 'BUSIEST'
shows "... and for a minute" '^d1 .* 4\.0 +5 .*# member vm_assist'
tm send-keys a
shows "all ops" '^d1 +call +vcpu_op/up'
tm send-keys d
await screen_has 'domains, as'
tm send-keys d0 Enter
shows "only one domain" 'all ops of 1 domains  only d0'
tm send-keys d
shows "what is shown now stands in the prompt" '^domains, as 3,web1 \(empty: all\): d0$'
tm send-keys Enter
await screen_lacks '^domains, as'
shows "Enter keeps it" 'all ops of 1 domains  only d0'
tm send-keys d C-u d1 Escape
await screen_lacks '^domains, as'
shows "Esc keeps it, whatever was typed" 'all ops of 1 domains  only d0'
tm send-keys d BSpace BSpace Enter
shows "nothing is all" 'all ops of [34] domains  '
tm send-keys o
await screen_has 'ops, as'
tm send-keys bogus Enter
shows "no such op" 'an op is a hypercall'
tm send-keys h
shows "help" 'sub-ops of an op'
tm resize-window -x 10 -y 3
tm send-keys x
tm resize-window -x 80 -y 24
shows "alive after 10x3" '^d1 +call +vcpu_op/up'
rm "$debugfs/stats"
tm send-keys Space
shows "the module goes" "stats: No such file"
figures 1
tm send-keys Space
await screen_lacks "No such file"
figures 2
tm send-keys Space
shows "and comes back" '^d1 +call +vcpu_op/up'
tm send-keys q
shows "q leaves the screen" '^status 0'
await screen_has '^done'
is "the table is gone" "$(pane | grep -c vcpu_op)" 0
succeeds_same "the terminal is as before"
tm kill-server

# The prompt is no trap: the table goes on, and what ends the rest ends it.
figures 1
start 80 24 '"$HCTRACE" -d 0.1'
await screen_has 'q quit'
tm send-keys d web
await screen_has 'domains, as .*: web$'
figures 1001
shows "the table goes on while something is typed" '^d2 '
await screen_has 'domains, as .*: web$'
tm send-keys C-c
shows "Ctrl-C ends it from the prompt" '^status 0'
await screen_has '^done'
succeeds_same "with the terminal as before"
tm kill-server
start 80 24 'sh -c "echo \$\$ >$1/pid; exec $HCTRACE -d 3600"'
await screen_has 'q quit'
tm send-keys o x
await screen_has 'ops, as .*: x$'
kill -TERM "$(cat "$work/pid")"
shows "a signal ends it from the prompt" '^status 0'
tm kill-server

figures 1
start 80 24 '"$HCTRACE" -d 3600 -s percpu'
await screen_has 'No calls'
figures 2
tm send-keys Space
await screen_has '^d2 '
is "by calls per second of CPU time" "$(pane | sed -n '6,9p' | awk '{ printf "%s %s ", $1, $8 }')" \
	"d1 5500.0 d0 2000.0 d2 - d7 0.0 "
tm send-keys / D1
await screen_has '^/D1$'
tm send-keys Enter Enter
shows "a search finds a row, which can be gone into" '^d1  ops'
tm send-keys Escape / nothing Enter
shows "or says that there is none" "no row has 'nothing'"
tm send-keys / d
await screen_has '^/d$'
tm send-keys Enter Home / d Enter n n Enter
shows "n finds the next" '^d2  ops'
tm kill-server

# Figures without end, and where there is little room.
figures 1
sed -i 's/^d0 /d32751 /; s/^d2 /d32750#4294967295 /' "$debugfs/stats"
start 80 24 '"$HCTRACE" -d 3600'
await screen_has 'q quit'
figures 1000000000000
sed -i 's/^d0 /d32751 /; s/^d2 /d32750#4294967295 /' "$debugfs/stats"
tm send-keys Space
shows "10^12 calls" '^d32751 .* 28\.17 '
is "no line is wider than the others" "$(pane | sed -n '6,9p' | awk '{ print length }' | sort -u)" 80
shows "a name that is too long ends" '^d32750#429496~ - '
tm resize-window -x 20 -y 5
await screen_has '^DOMAIN +RECORDS/s$'
is "20x5: the busiest" "$(pane | sed -n 1,2p | awk '{ print $1 }' | tr '\n' ' ')" "DOMAIN d32750#42~ "
tm send-keys q
tm kill-server

start 80 24 '"$HCTRACE" -d 3600'
await screen_has 'q quit'
tm send-keys C-c
shows "Ctrl-C leaves the screen" '^status 0'
await screen_has '^done'
succeeds_same "with the terminal as before"
tm kill-server

figures 1
start 100 30 'TERM=dumb "$HCTRACE" -d 0.1 -n 1'
shows "a dumb terminal gets text" '^# round 1'
tm kill-server
start 100 30 'TERM=vt100 "$HCTRACE" -d 3600'
shows "a terminal without colours gets the screen" 'q quit'
tm kill-server
finish
