#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Perfetto traces, judged by a validator that is not ours: what has a field too few, too many or of another
# type is refused. What no schema can say, that intervals nest and tracks have names, is checked here.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
: "${MKPERF:=build/tools/mkperf}"
schema=tests/tool/trace-event.schema.json
# Debian's, whatever other Python comes first.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || {
	echo "1..0 # SKIP no python3-jsonschema here, which scripts/packages has"
	exit 0
}

# judge FILE: what is wrong with it; the status is 1 then
judge() { /usr/bin/python3 -W ignore -m jsonschema -F '{error.message}
' -i "$1" $schema 2>&1; }

valid()
{
	if judge "$2" >"$work/output"; then
		ok "$1: the validator takes $(jq '.traceEvents | length' "$2") events"
	else
		not_ok "$1: the validator takes it"
		head -n 20 "$work/output" | diag
	fi
}

# Intervals of a track that neither nest nor follow each other: Perfetto leaves such out.
overlaps()
{
	jq '[.traceEvents[] | select(.ph == "X")] | group_by([.pid, .tid])[] | sort_by(.ts, -.dur)
		| . as $x | range(1; length) | select($x[.].ts < $x[. - 1].ts + $x[. - 1].dur - 0.0005
			and $x[.].ts + $x[.].dur > $x[. - 1].ts + $x[. - 1].dur + 0.0005)' "$1" | wc -l
}

# Tracks without a name or with two, as processes and as threads.
nameless()
{
	jq -r '.traceEvents | [.[] | select(.ph != "M")] as $events |
		([$events[].pid] | unique) - [.[] | select(.name == "process_name") | .pid],
		([$events[] | [.pid, .tid]] | unique) - [.[] | select(.name == "thread_name") | [.pid, .tid]] | length' "$1" | tr '\n' ' '
	jq -r '[.traceEvents[] | select(.name == "process_name") | .pid] | length - (unique | length)' "$1"
}

for capture in tests/data/*-both.xentrace.xz tests/data/xen-4.17-pvh.xentrace.xz; do
	name=$(basename "$capture" .xentrace.xz)
	xz -dc "$capture" >"$work/trace"
	"$HCTRACE" export --perfetto --tsc-mhz 1000 "$work/trace" >"$work/$name.json"
	valid "$name" "$work/$name.json"
	is "... no interval overlaps another" "$(overlaps "$work/$name.json")" 0
	is "... each track has one name" "$(nameless "$work/$name.json")" "0 0 0"
done

# Names that JSON has to escape, a domain that nobody knows, and an id that comes again.
"$MKPERF" >"$work/named" <<-'END'
	name 3 0 "q"\uote
	call 1000 1 3 0 0 23
	call 2100 1 3 0 0 13 0 2 7
	call 2200 1 3 0 1 14 0 0 7
	call 2300 1 3 0 1 14 0 0 7
	call 2700 0 65535 65535 0 23
	destroyed 2800 3
	created 2900 3
	rename 3000 3 0 web2
	call 3000 1 3 0 0 23
END
"$HCTRACE" export --perfetto "$work/named" >"$work/named.json"
valid "names with quotes" "$work/named.json"
is "... as they are" "$(jq -r '.traceEvents[] | select(.ph == "M") | .args.name' "$work/named.json" | tr '\n' ',')" \
	'd3 "q"\uote,d3v0,d?,d?,d3#2 web2,d3v0,'
is "... on tracks of their own" "$(jq -r '.traceEvents[] | select(.name == "iret") | .pid' "$work/named.json" | tr '\n' ' ')" "3 65535 65539 "
is "... each with one name" "$(nameless "$work/named.json")" "0 0 0"

# The judge is one: each of these is refused.
good=$work/xen-4.17-both.json
refused()
{
	jq -c "$2" "$good" >"$work/bad.json"
	if judge "$work/bad.json" >"$work/output"; then
		not_ok "$1: refused"
	else
		ok "$1: $(head -n 1 "$work/output" | cut -c 1-80)"
	fi
}
one() { printf '{traceEvents: [(.traceEvents[] | select(.ph == "%s"))][0:2]} | .traceEvents[1]%s' "$1" "$2"; }
is "what is refused below is good without the change" "$(jq -c "$(one X '')" "$good" >/dev/null && jq -c "$(one X '.dur |= .') " "$good" >"$work/b" && judge "$work/b")" ""
refused "no list" '{displayTimeUnit}'
refused "no phase" "$(one i ' |= del(.ph)')"
refused "another phase" "$(one i '.ph = "Q"')"
refused "no time" "$(one i ' |= del(.ts)')"
refused "a time that is a string" "$(one X '.ts |= tostring')"
refused "no duration" "$(one X ' |= del(.dur)')"
refused "a negative duration" "$(one X '.dur = -1')"
refused "no process" "$(one X ' |= del(.pid)')"
refused "a thread that is a name" "$(one i '.tid = "d3v0"')"
refused "no name" "$(one i ' |= del(.name)')"
refused "another scope" "$(one i '.s = "x"')"
refused "a name that is none" "$(one M '.args.name = ""')"
refused "a slip of the pen" "$(one X '.Dur = 1')"
jq -c '(.traceEvents[] | select(.ph == "X")).dur = 10000000' "$good" >"$work/bad.json"
is "and overlaps are seen" "$([ "$(overlaps "$work/bad.json")" -gt 0 ] && echo yes)" yes
finish
