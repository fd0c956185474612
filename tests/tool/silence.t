#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A mistake is not a quiet host: what is no recording, what cannot be written, what matches nothing, Ctrl-C.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
. tests/tool/live.sh
: "${MKPERF:=build/tools/mkperf}"

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"

# --- no recording

seq 1 9000 >"$work/text"
# The same each time, and as good as random: a gzip of text, without what tells that it is one
seq 1 40000 | gzip -9n | tail -c 65536 >"$work/noise"
head -c 1048576 /dev/zero >"$work/zeros"
for file in /etc/passwd "$work/text" "$work/noise" "$work/zeros"; do
	for verb in report script "export --json" "export --perf --tsc-mhz 2400"; do
		# shellcheck disable=SC2086 # a verb and its options
		says "$(basename "$file"), $verb" 1 "$file: neither a recording of xentrace nor perf.data" "$HCTRACE" $verb "$file"
		is "... and no word besides" "$(wc -l <"$work/output")" 1
	done
	says "... through a pipe" 1 "standard input: neither a recording of xentrace nor perf.data" \
		"$HCTRACE" report - <"$file"
done
for packer in gzip xz zstd bzip2; do
	$packer -c <"$work/trace" >"$work/packed"
	says "packed by $packer" 1 "packed by $packer: '$packer -dc $work/packed >trace.bin' unpacks it" \
		"$HCTRACE" report "$work/packed"
	says "packed by $packer, through a pipe" 1 "packed by $packer: put '$packer -dc |' before hctrace" \
		"$HCTRACE" script - <"$work/packed"
done
says "an empty file" 3 "there is no record in it" "$HCTRACE" report - </dev/null
is "... of which no share is known to be there" "$("$HCTRACE" report --raw - </dev/null 2>/dev/null | sed -n 's/^# \(coverage [^ ]*\) .*/\1/p')" \
	"coverage unknown"
is "... nor said that nothing was lost" "$("$HCTRACE" report - </dev/null 2>/dev/null | grep -c 'Nothing was lost')" 0

# --- nothing is written before it is known that it can be

"$MKPERF" >"$work/cycles" <<-'END'
	call 9000 1 3 0 0 23 512
END
for file in "$work/trace" "$work/cycles" /etc/passwd; do
	for format in perf perfetto; do
		is "$(basename "$file") as $format without a rate: not a byte" \
			"$("$HCTRACE" export --$format "$file" 2>/dev/null | wc -c)" 0
	done
done

# --- a disk that is full

for verb in "report $work/trace" "script $work/trace" "export --json $work/trace" "export --perf --tsc-mhz 2400 $work/trace" \
	doctor --help --version help "top --help" "stat --help" "record --help" "report --help" "script --help" "export --help" \
	"doctor --help" "report --usage"; do
	status=0
	# shellcheck disable=SC2086 # a verb and its options
	"$HCTRACE" $verb >/dev/full 2>"$work/errors" || status=$?
	is "$(echo "$verb" | sed "s,$work/,,"), and no room for it" "$status $(grep -c 'No space left on device' "$work/errors")" "1 1"
done

export work
# --- a filter that matches nothing

for verb in "report $work/trace" "script $work/trace" "export --json $work/trace" "stat -d 0.01" "top -b -n 1"; do
	# shellcheck disable=SC2086 # a verb and its options
	says "an op that there is not: ${verb%% *}" 2 "--op: 'foo': an op is a hypercall's name" "$HCTRACE" $verb --op iret,foo
	# shellcheck disable=SC2086
	says "a domain that there cannot be: ${verb%% *}" 2 "--domain: 'd40000': a domain id is a number" \
		"$HCTRACE" $verb --domain 1,d40000
done
for verb in report script "export --json" "export --folded" "export --perfetto --tsc-mhz 2400" "export --perf --tsc-mhz 2400"; do
	for filter in "--domain 77" "--op viridian" "--domain 77 --op iret" "--domain 3 --op viridian"; do
		words=$(echo "$filter" | sed 's/ [^- ][^ ]*//g; s/ --/ and --/')
		# shellcheck disable=SC2016,SC2086 # the inner shell's own
		says "$verb $filter" 4 "$work/trace: nothing in it matches $words" \
			sh -c '"$@" >"$work/shown"' sh "$HCTRACE" $verb $filter "$work/trace"
	done
	# shellcheck disable=SC2086
	is "$verb of what there is" "$("$HCTRACE" $verb --domain 3 "$work/trace" 2>&1 >/dev/null | grep -v 'times are in cycles' || :)" ""
done
"$HCTRACE" report --raw --domain 77 "$work/trace" >"$work/report" 2>/dev/null || :
is "the losses and the ledger are shown nevertheless" "$(sed -n 's/^# \(consumed [0-9]*\).*/\1/p' "$work/report")" \
	"$("$HCTRACE" report --raw "$work/trace" 2>/dev/null | sed -n 's/^# \(consumed [0-9]*\).*/\1/p')"
head -c 10001 "$work/trace" >"$work/cut"
says "a damaged recording is more than that" 3 "nothing in it matches --domain" "$HCTRACE" report --domain 77 "$work/cut"

need_xenstore
domain 0 Domain-0
domain 3 web1 pv
domain 4 web2 pvh
cat >"$debugfs/stats" <<-'END'
	# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing 51.2 s   pcpus 2/2
	# coverage 100.0000% of records   lost 0   malformed 0   attribution ok   rate window 1002 ms
	# note HVM/PVH guests: only multicall members are traced (control: profile hvm)
	dom kind op records calls cont units per_s acc
	d0 call * 105 100 5 - 0 =
	d? - * 4 4 - - 0 =
	d0 call iret 105 100 5 - 0 =
	d3 call iret 5 5 0 - 0 =
END
printf '# xen-hctrace multicalls 1   members on\ndom batches split short lost declared seen mean max\n' >"$debugfs/multicalls"
printf '# xen-hctrace status 1\nconsumed 2000\nevents 109\n' >"$debugfs/status"
live() { LD_LIBRARY_PATH=$work/lib "$HCTRACE" "$@"; }
for verb in "stat -d 0.01" "stat -c -d 0.01" "stat -j -d 0.01" "stat -I 10 -d 0.03" "top -b -d 0.1 -n 1" "export --json" \
	"export --prometheus" "export --folded"; do
	name=${verb%% *}
	# shellcheck disable=SC2086
	says "$verb of a domain that there is not" 4 "hctrace $name: there is no domain 'web9'" live $verb --domain web9
	is "... and why" "$(grep -c "hctrace $name: nothing that is counted matches --domain\$" "$work/output")" 1
	# shellcheck disable=SC2086
	says "$verb by an id that there is not" 4 "hctrace $name: there is no domain 'd77'" live $verb --domain d77,web9
	# shellcheck disable=SC2086
	says "$verb of an op that nobody has made" 4 "hctrace $name: nothing that is counted matches --op" live $verb --op vcpu_op/up
	# There is such a domain, but its calls are not traced: the module has a note on that.
	# shellcheck disable=SC2086
	says "$verb of a domain without calls" 4 "note: HVM/PVH guests: only multicall members" live $verb --domain web2
	is "... which there is" "$(grep -c 'there is no domain' "$work/output" || :)" 0
	# shellcheck disable=SC2086
	is "$verb of what is quiet: not a word" "$(live $verb --domain web1,web9 --op iret 2>&1 >/dev/null)" ""
	# shellcheck disable=SC2086
	is "$verb of d?" "$(live $verb --domain 'd?' 2>&1 >/dev/null)" ""
done
says "a domain that may still come: the warning" 0 "hctrace stat: there is no domain 'web9'" live stat --domain web9 -- true
says "... and the command's own status" 7 "hctrace stat: there is no domain 'web9'" live stat --domain web9 -- sh -c 'exit 7'
# shellcheck disable=SC2016 # the inner shell's own
says "a domain that comes: no warning" 0 "d9   1 calls, 0 members" live stat --domain d9 -- sh -c 'echo "d9 call iret 1 1 0 - 0 =" >>"$HCTRACE_ROOT/sys/kernel/debug/xen-hctrace/stats"'
is "... at all" "$(grep -c 'matches' "$work/output" || :)" 0
printf 'GET /metrics HTTP/1.1\r\n\r\n' >"$work/request"
says "over HTTP the answer is good, and the journal has the word" 0 "hctrace export: nothing that is counted matches --domain" \
	live export --openmetrics --http --domain web9 <"$work/request"
is "... it is an answer" "$(head -n 1 "$work/output" | tr -d '\r')" "hctrace export: nothing that is counted matches --domain"

# --- Ctrl-C while a pipe is read: its writer's last words are read, and everything is printed

"$HCTRACE" report --raw "$work/trace" >"$work/wanted" 2>/dev/null
part=$(($(wc -c <"$work/trace") - 10000))
mkfifo "$work/fifo"
# A script's background processes do not hear Ctrl-C, and this one must.
env --default-signal=INT "$HCTRACE" report --raw - <"$work/fifo" >"$work/report" 2>"$work/errors" &
reader=$!
exec 3>"$work/fifo"
head -c $part "$work/trace" >&3
state_is() { [ "$(cut -d ' ' -f 3 "/proc/$reader/stat")" = "$1" ]; }
# Both are there when it looks, in whatever time: Ctrl-C, and words that came after it.
await state_is S
kill -STOP $reader
await state_is T
kill -INT $reader
tail -c 10000 "$work/trace" >&3
exec 3>&-
kill -CONT $reader
status=0
wait $reader || status=$?
is "Ctrl-C: the exit status is that of a whole recording" "$status" 0
same "... and the report too" "$work/report" "$work/wanted"

# One whose writer does not hear of it
env --default-signal=INT "$HCTRACE" report --raw - <"$work/fifo" >"$work/report" 2>"$work/errors" &
reader=$!
exec 3>"$work/fifo"
cat "$work/trace" >&3
await state_is S
kill -INT $reader
status=0
wait $reader || status=$?
exec 3>&-
is "Ctrl-C, and a writer that goes on: it ends all the same" "$status" 0
same "... with what there was" "$work/report" "$work/wanted"
finish
