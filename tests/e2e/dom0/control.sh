# SPDX-License-Identifier: GPL-2.0
# The control file takes what it should, whole, and refuses the rest, whole.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

succeeds "module loads" load $big_rings
cat $debugfs/control >/tmp/settings.load

# Texts are shown as they stand here, with their escapes.

# good TEXT LINE...: after writing TEXT the file has each LINE
good()
{
	text=$1
	shift
	if ! printf '%b' "$text" >$debugfs/control 2>/dev/null; then
		not_ok "control takes '$text': $(status last_error)"
		return
	fi
	for line; do
		if ! grep -qx "$line" $debugfs/control; then
			not_ok "after '$text': no line '$line'"
			diag <$debugfs/control
			return
		fi
	done
	is "after '$text': last error" "$(status last_error)" none
}

# bad TEXT WORDS: TEXT is refused with EINVAL, the settings stay, the status has WORDS
bad()
{
	cat $debugfs/control >/tmp/settings.before
	printf '%b' "$1" | dd of=$debugfs/control bs=8192 2>/tmp/output && {
		not_ok "control takes '$1'"
		return
	}
	grep -q "Invalid argument" /tmp/output || not_ok "'$1': $(cat /tmp/output)"
	cat $debugfs/control >/tmp/settings.after
	if ! cmp -s /tmp/settings.before /tmp/settings.after; then
		not_ok "'$1' changed the settings"
		return
	fi
	case $(status last_error) in
	*"$2"*) ok "'$1' is refused: $(status last_error)" ;;
	*) not_ok "'$1': last error is $(status last_error)" ;;
	esac
}

good 'members off\n' 'members off'
good 'members on' 'members on'
good 'calls off; hvm off' 'calls off' 'hvm off'
good 'calls on\nhvm on\n' 'calls on' 'hvm on'
good 'draft on' 'draft on'
good 'draft off' 'draft off'
good 'domains 3' 'domains 3'
good 'domains d1,d2,d3,7' 'domains 1-3,7'
good 'domains 0-32751' 'domains 0-32751'
good 'domains all' 'domains all'
good 'ops 13' 'ops multicall'
good 'ops iret,mmu_update,45' 'ops mmu_update,iret,45'
good 'ops all' 'ops all'
good 'poll_ms 1' 'poll_ms 1'
good 'poll_ms 1000' 'poll_ms 1000'
good 'poll_ms 100' 'poll_ms 100'
good 'profile hvm' 'profile hvm'
good 'profile all' 'profile all'
good 'profile pv' 'profile pv'
good 'stop' 'stop'
good 'stop' 'stop'
good 'start' 'start'
good '\n\n  start  \n' 'start'
good 'stop\nprofile hvm\nreset' 'stop' 'profile hvm'
good 'start;profile pv' 'start' 'profile pv'

bad ' ' 'nothing was said'
bad '\n\n' 'nothing was said'
bad 'begin' 'unknown key'
bad 'members' 'unknown key'
bad 'members yes' 'either on or off'
bad 'colour on' 'unknown key'
bad 'members off\nbogus on' 'line 2'
bad 'start\nstop' 'start and stop'
bad 'profile' 'unknown key'
bad 'profile xen' 'pv, hvm or all'
bad 'poll_ms 0' '1 to 1000'
bad 'poll_ms 1001' '1 to 1000'
bad 'poll_ms -1' '1 to 1000'
bad 'poll_ms 99999999999' '1 to 1000'
bad 'domains 32752' '0 to 32751'
bad 'domains d' '0 to 32751'
bad 'domains 5-3' 'backwards'
bad 'domains 3,' 'comma'
bad 'domains 1-' '0 to 32751'
bad 'ops 64' '0 to 63'
bad 'ops bogus_op' '0 to 63'
bad 'ops iret,' 'comma'
bad 'members off\0' 'either on or off'

# Longer than any text may be; refused before it is looked at.
awk 'BEGIN { for (i = 0; i < 700; i++) print "start" }' >/tmp/long
cat $debugfs/control >/tmp/settings.before
dd if=/tmp/long of=$debugfs/control bs=8192 2>/tmp/output && not_ok "control takes 4200 bytes"
cat $debugfs/control >/tmp/settings.after
succeeds "a text of 4200 bytes changes nothing" cmp /tmp/settings.before /tmp/settings.after

# What it reads back is what it accepts.
good 'domains 1,3,5-9\nops 1,2,3\nmembers off\npoll_ms 50' 'domains 1,3,5-9' 'members off'
cat $debugfs/control >/tmp/settings.saved
cat /tmp/settings.load >$debugfs/control
succeeds "the settings of the load come back" cmp $debugfs/control /tmp/settings.load
cat /tmp/settings.saved >$debugfs/control
succeeds "saved settings come back" cmp $debugfs/control /tmp/settings.saved
cat /tmp/settings.load >$debugfs/control

parameter=/sys/module/xen_hctrace/parameters/control
succeeds "the module parameter reads the same" cmp $parameter /tmp/settings.load
echo "members off" >$parameter
is "the module parameter takes the same grammar" "$(grep members $debugfs/control)" "members off"
fails_with "and refuses the same" "Invalid argument" sh -c "echo bogus >$parameter"

is "modes" "$(cd $debugfs && stat -c '%n %a' -- * | tr '\n' ' ')" \
	"control 600 multicalls 400 stats 400 status 400 "
succeeds "module unloads" unload

fails_with "load with bad settings" "Invalid" load control=bogus
is "and says why" "$(kernel_says | tail -n 1)" \
	'xen_hctrace: parameter control: line 1, "bogus": unknown key, or a key without a value'
succeeds "load with settings" load 'control="members off; poll_ms 20"' autostart=0
is "settings from the load" "$(grep -c 'members off\|poll_ms 20\|^stop' $debugfs/control)" 3
is "state without autostart" "$(status state)" stopped
control start
is "started by hand" "$(status state)" tracing
succeeds "module unloads" unload
succeeds "load with a stop among the settings" load control=stop
is "state after that" "$(status state)" stopped
succeeds "module unloads" unload
succeeds "load with a start among them" load control=start autostart=0
is "state after that" "$(status state)" tracing
succeeds "module unloads" unload
fails_with "load with a bad poll time" "Invalid" load poll_ms=1001

# The file of the parameter is there before we are: whatever it takes while we load comes to hold, and one that
# writes all the time disturbs neither loads nor those that fail. What it is told before and after is no matter.
for n in 1 2 3 4 5; do
	until echo "poll_ms 7$n" >$parameter; do :; done 2>/dev/null &
	writer=$!
	succeeds "load $n, while the parameter is written" load 'control="members off"'
	wait $writer
	is "what was written" "$(grep poll_ms $debugfs/control)" "poll_ms 7$n"
	succeeds "module unloads" unload
done
while [ ! -e /tmp/over ]; do echo "poll_ms 50" >$parameter; done 2>/dev/null &
writer=$!
for n in 1 2 3 4 5; do
	fails_with "load $n that fails beside a writer: early" "Invalid" load control=stop tbuf_pages=many
	fails_with "load $n that fails beside a writer: late" "Invalid" load control=stop poll_ms=1001
	succeeds "load $n that succeeds beside a writer" load control=stop
	succeeds "module unloads" unload
done
: >/tmp/over
wait $writer
rm /tmp/over
is "nothing is left" "$(exists /sys/module/xen_hctrace)" no
