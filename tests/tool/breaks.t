#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Recordings in which time goes back: of a host that was suspended, two in one file, and windows out of order.
# All that is there is counted, once; it says where the break is; times go on; no rate is told; the exit status is 3.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
: "${REARRANGE:=build/tools/rearrange}"
: "${MKPERF:=build/tools/mkperf}"

# sums FILE: calls and continuations in all rows of it
sums() { "$HCTRACE" report --raw "$1" 2>/dev/null | rows | awk '{ calls += $4 + $5 } END { print calls }'; }
# doubled FILE: golden counts, each twice
doubled() { golden "$1" | awk '{ print $1, $2, $3, 2 * $4, 2 * $5, 2 * $6 }'; }
header() { sed -n "s/^# $1 *//p" "$work/report"; }
# rates FILE: what stands where rates do, of all rows
rates() { awk '/^dom +kind/ { on = 1; next } /^#/ || /^dom/ || !NF { on = 0 } on { print $8 }' "$1" | sort -u; }

# Cycles since the first line, where, and what
# shellcheck disable=SC2016 # of awk
from_first='NR == 1 { first = $1 } { print $1 - first, $2, $5 }'

# --- what is whole has no breaks

for capture in tests/data/*.xentrace.xz; do
	name=$(basename "$capture" .xentrace.xz)
	xz -dc "$capture" >"$work/$name"
	"$HCTRACE" report --raw --tsc-mhz 2400 "$work/$name" >"$work/report" 2>"$work/errors"
	is "$name: no break" "$(header breaks)$(cat "$work/errors")" ""
done

# --- a counter that starts anew, two recordings in one file, in a file and through a pipe

pv=$work/xen-4.17-pv
bytes=$(wc -c <"$pv")
{ "$REARRANGE" first 0x21d7172f2b8c4 <"$pv"; "$REARRANGE" first 0x1b6861d00 <"$pv"; } >"$work/resumed"
cat "$pv" "$pv" >"$work/twice"
doubled tests/data/xen-4.17-pv.golden >"$work/wanted"
"$HCTRACE" script --tsc-mhz 2400 "$pv" >"$work/once"

for kind in resumed twice; do
	says "$kind: where the break is" 3 "a break in the order of time at byte $bytes: " \
		"$HCTRACE" report --raw --tsc-mhz 2400 "$work/$kind"
	"$HCTRACE" report --raw --tsc-mhz 2400 "$work/$kind" >"$work/report" 2>/dev/null || true
	is "$kind: in the report" "$(header breaks)" "in the order of time 1   the first at byte $bytes"
	rows <"$work/report" >"$work/got"
	same "$kind: $(wc -l <"$work/wanted") rows, each twice what it is in one" "$work/got" "$work/wanted"
	is "$kind: nothing is late" "$(sed -n 's/.*late //p' "$work/report")" 0
	is "$kind: no rates" "$(rates "$work/report")" -
	is "$kind: the order is not taken for granted" "$(sed -n 's/.*attribution //p' "$work/report")" suspect
	says "$kind: through a pipe, too" 3 "at byte $bytes: " "$HCTRACE" report --raw - <"$work/$kind"
	"$HCTRACE" report --raw --tsc-mhz 2400 - <"$work/$kind" >"$work/piped" 2>/dev/null || true
	same "$kind: the same report" "$work/piped" "$work/report"

	says "$kind: event by event" 3 "at byte $bytes: " "$HCTRACE" script --tsc-mhz 2400 "$work/$kind"
	"$HCTRACE" script --tsc-mhz 2400 "$work/$kind" >"$work/lines" 2>/dev/null || true
	is "$kind: one mark" "$(grep -c ' gap    clock$' "$work/lines")" 1
	is "$kind: in the order of time" "$(sort -n -s -k 1,1 "$work/lines" | cmp - "$work/lines" 2>&1)" ""
	is "$kind: twice the lines" "$(grep -vc ' gap ' "$work/lines")" $((2 * $(wc -l <"$work/once")))
	# Up to the mark as it is alone, and behind it as much later as that is long.
	sed '/ gap /,$d' "$work/lines" >"$work/first"
	same "$kind: in front of the mark, the first" "$work/first" "$work/once"
	"$HCTRACE" script "$work/$kind" 2>/dev/null | sed '1,/ gap /d' | awk "$from_first" >"$work/second"
	"$HCTRACE" script "$pv" 2>/dev/null | awk "$from_first" >"$work/alone"
	same "$kind: behind it, the second" "$work/second" "$work/alone"
	is "$kind: nothing late in it" "$(grep -c ' late' "$work/lines" || true)" 0
	for since in 0.1 1; do
		"$HCTRACE" script --tsc-mhz 2400 --since $since "$work/$kind" 2>/dev/null >"$work/since" || true
		awk -v since=$since '$1 >= since' "$work/lines" >"$work/cut"
		same "$kind: since $since s, $(wc -l <"$work/cut") lines" "$work/since" "$work/cut"
	done
	"$HCTRACE" report --raw --tsc-mhz 2400 --since 1 "$work/$kind" >"$work/report" 2>/dev/null || true
	is "$kind: what is behind the break alone has rates" "$(rates "$work/report" | grep -cx -- - || true)" 0
	is "$kind: as JSON" "$("$HCTRACE" export --json --tsc-mhz 2400 "$work/$kind" 2>/dev/null |
		jq -r 'select(.breaks) | "\(.breaks) \(.seconds) \(.attribution)"')" "1 null suspect"
	"$HCTRACE" report --raw --tsc-mhz 2400 --timeline=10 "$work/$kind" >"$work/report" 2>/dev/null || true
	is "$kind: a timeline of all of it" \
		"$(awk '/^# timeline/ { on = 1; next } on && $1 != "from_s" { sum += $2 } END { print sum }' "$work/report")" \
		"$(sums "$work/$kind")"
	"$HCTRACE" export --perf --tsc-mhz 2400 "$work/$kind" >"$work/perf" 2>/dev/null || true
	is "$kind: as perf.data it is in order" "$(perf script -i "$work/perf" -F time 2>/dev/null | sort -c 2>&1)" ""
	"$HCTRACE" report --raw "$work/perf" >"$work/report" 2>/dev/null
	is "$kind: which knows of the break" "$(header gaps)" "1   clock"
	is "$kind: and tells no rate either" "$(rates "$work/report")" -
done

# --- recordings of ours, one behind the other

"$MKPERF" >"$work/file" <<-'END'
	name 3 0 web1
	call 5000000000 1 3 0 0 23
	call 5100000000 1 3 0 0 13 0 3 7
	call 5200000000 1 3 0 1 14 0 0 7
	lost 5300000000 2 13
END
"$MKPERF" <<-'END' | cat >"$work/pipe"
	call 1000000000 0 3 0 0 23
	call 1100000000 0 3 0 0 13 0 2 7
	call 1200000000 0 3 0 1 14 0 0 7
	call 1300000000 0 3 0 1 14 0 0 7
END
calls="d3 call iret 2 0 0,d3 call multicall 2 0 5,d3 member update_va_mapping 3 0 0,"
cat "$work/file" "$work/pipe" >"$work/file-pipe"
cat "$work/pipe" "$work/file" >"$work/pipe-file"
bytes=$(wc -c <"$work/file")
says "perf.data: where the second begins" 3 "a break in the order of time at byte $bytes: " "$HCTRACE" report --raw "$work/file-pipe"
says "perf.data: where a file begins" 3 "at byte $(wc -c <"$work/pipe"): " "$HCTRACE" report --raw - <"$work/pipe-file"
for kind in file-pipe pipe-file; do
	"$HCTRACE" report --raw "$work/$kind" >"$work/report" 2>/dev/null || true
	is "perf.data: both are counted, $kind" "$(rows <"$work/report" | grep -v '^d?' | tr '\n' ',')" "$calls"
	is "perf.data: no rates" "$(rates "$work/report")" -
	is "perf.data: a multicall of the first does not go on in the second, nor is it cut short" \
		"$(awk '/^dom  *batches/ { on = 1; for (i = 1; i <= NF; i++) at[$i] = i } on && $1 == "d3" { print $at["batches"], $at["lost"]; exit }' "$work/report")" \
		"2 $([ $kind = file-pipe ] && echo 1 || echo 0)"
done
is "perf.data: times go on" "$("$HCTRACE" script "$work/file-pipe" 2>/dev/null | awk '$4 != "lost" { printf "%s ", $1 }')" \
	"0.000000000 0.100000000 0.200000000 0.200000000 0.300000000 0.400000000 0.500000000 "
is "perf.data: a later one begins when it did" "$("$HCTRACE" script "$work/pipe-file" 2>/dev/null | awk '$4 != "lost" { printf "%s ", $1 }')" \
	"0.000000000 0.100000000 0.200000000 0.300000000 4.000000000 4.100000000 4.200000000 "
for kind in file pipe; do
	cat "$work/$kind" "$work/$kind" "$work/$kind" >"$work/thrice"
	says "perf.data: three, each as a $kind" 3 "at byte $(wc -c <"$work/$kind") and 1 more: " "$HCTRACE" report --raw "$work/thrice"
	is "... all of them" "$("$HCTRACE" report --raw "$work/thrice" 2>/dev/null | rows | grep iret)" "d3 call iret 3 0 0"
done
{ cat "$work/file"; printf PERFILE2; } >"$work/cut"
says "perf.data: a second that is cut off" 3 "the header is cut off" "$HCTRACE" report --raw "$work/cut"
is "... the first is counted" "$("$HCTRACE" report --raw "$work/cut" 2>/dev/null | rows | grep iret)" "d3 call iret 1 0 0"

# The module told of a suspend; where it had no clock, times are counters.
"$MKPERF" >"$work/told" <<-'END'
	call 9000 1 3 0 0 23 512
	call 9200 1 3 0 0 23 512
	lost 9200 4294967301 0
	call 50 1 3 0 0 23 512
	call 150 1 3 0 0 23 512
END
says "perf.data: a suspend that the module told of is no damage" 0 "gaps 1   clock" "$HCTRACE" report --raw --tsc-mhz 1 "$work/told"
is "... times go on" "$("$HCTRACE" script "$work/told" 2>/dev/null | awk '{ printf "%s %s ", $1, $4 }')" \
	"0 call 200 call 200 gap 200 call 300 call "
"$HCTRACE" report --raw --tsc-mhz 1 "$work/told" >"$work/report"
is "... no rates" "$(rates "$work/report")" -

# --- windows that are not in the order in which they were written

# unordered CAPTURE HOW: the file $work/HOW has all windows of it
unordered()
{
	says "$1, $2: it says so" 3 "a break in the order of time at byte " "$HCTRACE" report --raw "$work/$2"
	"$HCTRACE" report --raw --tsc-mhz 2400 "$work/$2" >"$work/report" 2>/dev/null || true
	is "$1, $2: every call is counted" "$(sums "$work/$2")" "$(sums "$work/$1")"
	is "$1, $2: no rates" "$(rates "$work/report")" -
	is "$1, $2: the order is not taken for granted" "$(sed -n 's/.*attribution //p' "$work/report")" suspect
}

for capture in xen-4.14-pv xen-4.17-pv xen-4.20-both; do
	"$REARRANGE" reverse <"$work/$capture" >"$work/reversed"
	unordered $capture reversed
	"$REARRANGE" only 1 <"$work/$capture" >"$work/sorted"
	bytes=$(wc -c <"$work/sorted")
	"$REARRANGE" only 0 <"$work/$capture" >>"$work/sorted"
	unordered $capture sorted
	is "$capture, sorted: where" "$(sed -n 's/.*the first at byte //p' "$work/report")" "$bytes"
done
finish
