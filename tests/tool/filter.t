#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# --domain and --op mean the same in every verb, in each of their forms: the same guests, as the module's
# files, as a recording and as a device, are asked for in all of them.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/files.sh
. tests/tool/files.sh
# shellcheck source=tests/tool/live.sh
. tests/tool/live.sh
need_xenstore
export FAKE_DEVICE_LEDGER="$work/ledger" FAKE_DEVICE_CALLS=160 FAKE_DEVICE_PER_S=0 FAKE_DEVICE_GUESTS=1

# --- the guests

domain 0 Domain-0
domain 2 'a, "b"' pv
domain 3 web1 pv

# stats N: the module's file, N calls each
stats()
{
	cat <<-END
	# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing 9.0 s   pcpus 2/2
	# coverage 100.0000% of records   lost 0   malformed 0   attribution ok   rate window 1002 ms
	dom kind op records calls cont units per_s acc
	d0 call iret $1 $1 0 - 0 =
	d0 call vcpu_op/up $1 $1 0 - 0 =
	d2 call vcpu_op/up $1 $1 0 - 0 =
	d3 call iret $1 $1 0 - 0 =
	d3#2 call iret $1 $1 0 - 0 =
	d3#2 call vcpu_op/is_up $1 $1 0 - 0 =
	d3#2 call vcpu_op/up $1 $1 0 - 0 =
	d7 call mmu_update $1 $1 0 $1 0 =
	d? - * $1 $1 - - 0 =
	END
}
stats 9 >"$work/after"
echo "# xen-hctrace multicalls 1" >"$debugfs/multicalls"
echo "# xen-hctrace status 1" >"$debugfs/status"

# Operations of vcpu_op: 0 is initialise, 1 up, 3 is_up.
"$MKPERF" >"$work/recording" <<-'END'
	name 0 0 Domain-0
	call 1000 0 0 0 0 23
	call 1100 0 0 0 0 24 0 0 0 1
	name 2 0 a, "b"
	call 1200 0 2 0 0 24 0 0 0 1
	name 3 0 old
	call 1300 0 3 0 0 23
	destroyed 1400 3
	created 1500 3
	rename 1500 3 0 web1
	call 1600 0 3 0 0 23
	call 1700 0 3 0 0 24 0 0 0 3
	call 1800 0 3 0 0 24 0 0 0 1
	name 7 0 d7
	call 1900 0 7 0 0 1
	call 2000 0 65535 65535 0 23
END

# --- each verb as a list of domain and op

export work debugfs
export LD_LIBRARY_PATH="$work/lib"

verb_stat()
{
	stats 1 >"$debugfs/stats"
	# shellcheck disable=SC2016 # the inner shell's own
	"$HCTRACE" stat --csv "$@" -- sh -c 'cp "$work/after" "$debugfs/stats"' 2>&1 |
		sed -E '1d; s/"([^"]|"")*"//' | awk -F, '$2 != "xen" { print $2, $7 }'
}
# The last table is that of its end. Emptied first: a signal at what was there before would come too early.
verb_top()
{
	: >"$work/top"
	stats 1 >"$debugfs/stats"
	"$HCTRACE" top -b -d 60 -n 1 "$@" >"$work/top" &
	await grep -q '^# hctrace top' "$work/top"
	cp "$work/after" "$debugfs/stats"
	kill $!
	wait $!
	awk '/^(DOM|dom) / { what = $2; next } what == "kind" && /^d/ { print $1, $3 }' "$work/top"
}
of_json() { jq -r 'select(.type == "calls") | "\(.dom) \(.op)"'; }
of_labels() { sed -nE 's/^xen_hypercalls_total\{dom="([^"]*)".*op="([^"]*)".*/\1 \2/p'; }
of_events() { awk '$2 ~ /^\[/ && $4 != "domain" && $4 != "gap" { sub(/v[0-9]+/, "", $3); print $3, $5 }'; }
of_stacks() { sed -E 's/^Domain-0;/d0;/; s/^a, "b";/d2;/; s/^old;/d3;/; s/^web1;/d3#2;/; s/ [0-9]+$//; s/;/ /; s,;,/,'; }
live()
{
	cp "$work/after" "$debugfs/stats"
	"$HCTRACE" export "$@"
}
verb_live_json() { live --json "$@" | of_json; }
verb_live_prometheus() { live --prometheus "$@" | of_labels; }
verb_live_folded() { live --folded "$@" | of_stacks; }
verb_report() { "$HCTRACE" report --raw "$@" "$work/recording" | rows | awk '$4 { print $1, $3 }'; }
verb_script() { "$HCTRACE" script "$@" "$work/recording" | of_events; }
verb_json() { "$HCTRACE" export --json "$@" "$work/recording" | of_json; }
verb_openmetrics() { "$HCTRACE" export --openmetrics "$@" "$work/recording" | of_labels; }
verb_folded() { "$HCTRACE" export --folded "$@" "$work/recording" | of_stacks; }
verb_perf()
{
	"$HCTRACE" export --perf -o "$work/perf.data" "$@" "$work/recording" && "$HCTRACE" script "$work/perf.data" | of_events
}
verb_perfetto()
{
	"$HCTRACE" export --perfetto "$@" "$work/recording" >"$work/json"
	jq -r '(.traceEvents | map(select(.name == "process_name")) | map({ key: (.pid | tostring), value: (.args.name | split(" ")[0]) }) | from_entries) as $who |
		.traceEvents[] | select(.ph != "M") | "\($who[.pid | tostring]) \(.name)"' "$work/json" | sed 's/#2 / /'
}
verb_record()
{
	cp "$work/after" "$debugfs/stats"
	LD_PRELOAD=$FAKE_DEVICE "$HCTRACE" record -q -o "$work/recorded" "$@" && "$HCTRACE" script "$work/recorded" | of_events
}

all_live="stat top live_json live_prometheus live_folded"
all_tables="report json openmetrics folded"
all_events="script perf perfetto record"

# asked VERB [OPTION...]: what it shows, in one line. Who has calls of nobody known in one row has no ops of them.
asked()
{
	verb=$1
	shift
	"verb_$verb" "$@" 2>&1 | sed 's/^d?.*/d?/' | sort -u | paste -sd, -
}

# means WANTED OPTION...: in every verb. Events have the id of a domain, whichever of those that had it.
means()
{
	wanted=$1
	shift
	for verb in $all_live $all_tables; do
		is "$verb $*" "$(asked "$verb" "$@")" "$wanted"
	done
	wanted=$(echo "$wanted" | tr , '\n' | sed 's/#2//' | sort -u | paste -sd, -)
	for verb in $all_events; do
		is "$verb $*" "$(asked "$verb" "$@")" "$wanted"
	done
}

d0="d0 iret,d0 vcpu_op/up"
web1="d3#2 iret,d3#2 vcpu_op/is_up,d3#2 vcpu_op/up"
means "$d0,d2 vcpu_op/up,d3 iret,$web1,d7 mmu_update,d?"
means "$d0,d2 vcpu_op/up,d3 iret,$web1,d7 mmu_update,d?" --domain all,7 --op all
means "d3 iret,$web1" --domain 3
means "$d0,d2 vcpu_op/up" --domain 0-2
means "$d0,d2 vcpu_op/up,d7 mmu_update" --domain "d0-d2, d7"
means "$web1" --domain "d3#2"
means "d?" --domain "d?"
means "$d0,d?" --domain "d?" --domain 0
means "$web1" --domain '"web1"'
means "$d0,d2 vcpu_op/up" --domain 'Domain-0,"a, ""b"""'
means "d3#2 vcpu_op/is_up" --op vcpu_op/is_up
means "d0 vcpu_op/up,d2 vcpu_op/up,d3#2 vcpu_op/is_up,d3#2 vcpu_op/up" --op vcpu_op
means "d3#2 vcpu_op/is_up,d7 mmu_update" --op 1,vcpu_op/is_up
means "d3#2 iret,d7 mmu_update" --op iret,1 --domain 'd3#2,7'

# --- the figures are those of what is shown

figures() { "$HCTRACE" report --raw "$@" "$work/recording" 2>/dev/null; }
is "sums are of what is wanted" "$(figures --domain 3 --op vcpu_op/is_up | awk '$3 == "*" { print $1, $4 }' | paste -sd, -)" "d3#2 1,d? 0"
is "the rest is filtered" "$(figures --domain 'd3#2' --op vcpu_op | sed -n 's/.*\(filtered [0-9]*\).*/\1/p')" "filtered 7"
is "a timeline has no more" "$(figures --timeline=1 --domain 'd3#2' --op vcpu_op | awk '/^# timeline/ { on = 1 } on && $1 ~ /^0/ { print $2 }')" 2
is "in a recording, the domain that had the id first" "$(figures --domain 'd3#1' | rows | awk '$4 { print $1, $3 }')" "d3 iret"
verb_record --domain 'd3#2' --op iret >"$work/half"
is "while it is recorded, the domain that has the id, until another one has" "$(wc -l <"$work/half")" \
	$(($(verb_record --domain 3 --op iret | wc -l) / 2))

# --- records that go through the core, the short way where it may

# shows PATTERN OPTION...: the rows that match, of domain, kind, op and figures; that of d? is there with nothing, too
shows()
{
	pattern=$1
	shift
	"$HCTRACE" report --raw "$@" "$work/trace" 2>/dev/null | rows | sed '/^d? - \* 0 0 0$/d' >"$work/got"
	grep -E "$pattern" "$work/all" >"$work/wanted"
	same "$name $*: $(wc -l <"$work/wanted") rows" "$work/got" "$work/wanted"
}
for name in xen-4.14-both xen-4.17-both xen-4.20-both; do
	xz -dc "tests/data/$name.xentrace.xz" >"$work/trace"
	"$HCTRACE" report --raw "$work/trace" 2>/dev/null | rows >"$work/all"
	shows '^d[34] ' --domain 1-4
	shows '^d\? ' --domain "d?"
	shows '^(d\?|d0) ' --domain "d?,0"
	shows '^d4 ' --domain "d4#1,d3#2"
	shows '^d[^?]* [a-z]* (vcpu_op|vcpu_op/[a-z_]*|iret) ' --op vcpu_op,iret --domain 0-32751
	subop=$(awk '$3 ~ /\// { print $3; exit }' "$work/all")
	shows "^d[^?]* [a-z]* $subop " --op "$subop" --domain 0-32751
done

# --- what cannot be meant ends every verb alike

refused() # TEXT OPTION...
{
	text=$1
	shift
	for verb in stat "top -b" record "report $work/recording" "script $work/recording" \
		"export --json" "export --json $work/recording"; do
		# shellcheck disable=SC2086 # a verb and its options
		says "$verb $*" 2 "$text" "$HCTRACE" $verb "$@"
	done
}
refused "an empty name" --domain 1,,2
refused "an empty name" --op iret,
refused "a quote without its end" --domain '"a, b'
refused "there is more behind a quote" --domain '"web"1'
refused "a domain id is a number from 0 to 32751" --domain 0-32752
refused "must not run backwards" --domain 7-5
refused "the first domain of an id is #1" --domain "d3#0"
refused "an op is" --op bogus
refused "an op is" --op vcpu_op/bogus
refused "an op is" --op 64

# Who shows what is there now waits for what may come; all others can tell that it will not.
for verb in record "report $work/recording" "script $work/recording" "export --json $work/recording"; do
	# shellcheck disable=SC2086 # a verb and its options
	LD_PRELOAD=$FAKE_DEVICE says "${verb%% *}: nobody has that name" 2 "there is no domain 'nobody'" "$HCTRACE" $verb --domain nobody
done
finish
