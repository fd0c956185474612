#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# perf.data written from captures of real Xen: stock perf must read it, and so must we.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

# A rate of 1000 MHz, so that nanoseconds are cycles.
export_perf() { "$HCTRACE" export --tsc-mhz 1000 --perf "$@"; }

for capture in tests/data/xen-4.1[47]-*.xentrace.xz; do
	name=$(basename "$capture" .xentrace.xz)
	xz -dc "$capture" >"$work/trace"
	export_perf -o "$work/perf.data" "$work/trace"
	golden "${capture%.xentrace.xz}.golden" >"$work/wanted"
	events=$(awk '{ sum += $4 + $5 } END { print sum }' "$work/wanted")

	"$HCTRACE" report --raw "$work/perf.data" | rows >"$work/got"
	same "$name: report has the golden table" "$work/got" "$work/wanted"
	perf script -i "$work/perf.data" >"$work/script" 2>/dev/null
	is "... perf script has all events" "$(grep -c ' xen_hctrace:hct_hypercall: ' "$work/script")" "$events"
	is "... perf report too" \
		"$(perf report -i "$work/perf.data" --stdio -s comm 2>/dev/null | sed -n 's/^# Event count (approx.): //p')" "$events"
	perf data convert --force -i "$work/perf.data" --to-json "$work/json" >/dev/null 2>&1
	is "... and its JSON" "$(jq '.samples | length' "$work/json")" "$events"

	export_perf -o - "$work/trace" | cat >"$work/piped"
	perf script -i - <"$work/piped" >"$work/script2" 2>/dev/null
	same "... perf script says the same through a pipe" "$work/script2" "$work/script"
	"$HCTRACE" report --raw - <"$work/piped" | rows >"$work/got"
	same "... so does report" "$work/got" "$work/wanted"

	# Event by event it is what the recording was. Time counts from another first record.
	"$HCTRACE" script --tsc-mhz 1000 "$work/trace" | cut -c 18- >"$work/lines"
	"$HCTRACE" script "$work/perf.data" | cut -c 18- >"$work/lines2"
	same "... script says the same of both" "$work/lines2" "$work/lines"
done

# Fields: what perf decodes is what script prints. The last capture was a PVH one.
xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
export_perf -o "$work/perf.data" "$work/trace"
perf script -i "$work/perf.data" -F comm,trace 2>/dev/null |
	awk '$2 != "d?" { print $1, $2, $3, $4, $6, $7 }' >"$work/fields"
"$HCTRACE" script "$work/perf.data" | awk '$3 != "d?" && $4 != "domain" {
	a0 = a1 = 0
	for (f = 6; f <= NF; f++) {
		if ($f ~ /^a0=/) a0 = substr($f, 4)
		if ($f ~ /^a1=/) a1 = substr($f, 4)
	}
	sub("/.*", "", $5)
	comm = $3
	sub("v.*", "", comm)
	print comm, $3, $4, $5, "a0=" a0, "a1=" a1
}' >"$work/wanted"
same "fields: domain, vCPU, kind, op and arguments of $(wc -l <"$work/fields") events" "$work/fields" "$work/wanted"
is "times are those of the TSC" "$(perf script -i "$work/perf.data" -F time --ns 2>/dev/null | sed -n '4s/[ :]//gp')" \
	"$("$HCTRACE" script "$work/perf.data" | awk 'NR == 4 { printf "%.9f", $1 + 61.700490243 }')"
is "a report by domain and op" \
	"$(perf report -i "$work/perf.data" --stdio -n -s comm,op 2>/dev/null | awk '/^[^#]/ && NF { print $2, $3, $4 }' | head -n 2)" \
	"7689 d0 1
6621 d0 23"
header=$(perf script -i "$work/perf.data" --header-only)
for feature in hostname "os release" "perf version" arch "nrcpus online" cpudesc cmdline event; do
	is "the header has $feature" "$(printf '%s\n' "$header" | grep -c "^# $feature : .")" 1
done

export_perf --domain 3 -o "$work/perf.data" "$work/trace"
is "one domain alone" "$(perf script -i "$work/perf.data" -F comm 2>/dev/null | sort | uniq -c | awk '{ print $1, $2 }')" "75 d3"
head -c 3000 "$work/perf.data" >"$work/cut"
says "a file that is cut in its head" 3 "coverage" "$HCTRACE" report --raw "$work/cut"
head -c 9000 "$work/perf.data" >"$work/cut"
# perf's head says where its records are, and how many bytes of them
missing=$(od -A n -t u8 -j 40 -N 16 "$work/perf.data" | awk '{ print $1 + $2 - 9000 }')
says "a file that is cut in its records" 3 "bytes missing $missing" "$HCTRACE" report --raw "$work/cut"
says "no rate, no times" 2 "needs the rate of the TSC" "$HCTRACE" export --perf -o "$work/x" "$work/trace"
printf 'PERFILE2garbage' >"$work/cut"
says "no more than a beginning" 1 "cut off" "$HCTRACE" report --raw "$work/cut"
says "a disk that is full" 1 "No space left" "$HCTRACE" export --perf --tsc-mhz 1000 -o /dev/full "$work/trace"
finish
