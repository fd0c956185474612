#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace beside xenalyze on the same xentrace files, run in turn: time and memory. First report beside xenalyze -s;
# then, on smaller files, the other verbs: what shows sums beside -s, what shows every event beside --dump-all.
# The figures are xenalyze's divided by ours, the median of each pair of runs.
#
#   tests/bench/xenalyze.sh HCTRACE MKTRACE REPEAT_TRACE
#
# XENALYZE says where xenalyze is, BENCH_BYTES how large the files are, BENCH_RUNS how many pairs.
# A capture of PV and HVM guests at once is left out: xenalyze gives up on it.
set -eu
hctrace=$1 mktrace=$2 repeat=$3
: "${BENCH_BYTES:=1000000000}" "${BENCH_RUNS:=3}"
data=$(dirname "$0")/../data

find_xenalyze()
{
	for place in "${XENALYZE:-}" "$(command -v xenalyze)" /usr/lib/xen-*/bin/xenalyze \
		build/testbed/root-4.17/usr/bin/xenalyze build/testbed/tools-4.17/usr/bin/xenalyze; do
		if [ -x "$place" ]; then
			echo "$place"
			return
		fi
	done
	return 1
}

xenalyze=$(find_xenalyze) || {
	echo "SKIPPED: hctrace report beside xenalyze. Install xen-utils-4.17, or say XENALYZE=." >&2
	exit 0
}
command -v /usr/bin/time >/dev/null || {
	echo "SKIPPED: hctrace report beside xenalyze. Install time." >&2
	exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measured COMMAND...: its seconds, seconds of CPU and kB of memory, in one line
measured()
{
	/usr/bin/time -o "$work/time" -f '%e %U %S %M' "$@" >/dev/null 2>&1 || {
		echo "failed: $*" >&2
		exit 1
	}
	awk '{ print $1, $2 + $3, $4 }' "$work/time"
}

# median_ratio COLUMN_OF_XENALYZE COLUMN_OF_HCTRACE
median_ratio()
{
	awk -v a="$1" -v b="$2" '{ print $a / ($b ? $b : 0.01) }' "$work/pairs" | sort -n |
		awk '{ ratio[NR] = $1 } END { printf "%.1f", ratio[int((NR + 1) / 2)] }'
}

# What is run, of each
theirs=-s
ours='report --raw'

compare()
{
	: >"$work/pairs"
	# shellcheck disable=SC2086 # words
	measured "$hctrace" $ours "$work/file" >/dev/null
	for _ in $(seq "$BENCH_RUNS"); do
		# shellcheck disable=SC2086
		echo "$(measured "$xenalyze" --svm-mode "$theirs" "$work/file")" \
			"$(measured "$hctrace" $ours "$work/file")" >>"$work/pairs"
	done
	printf '%-34s %8s %8s %8s\n' "$1" "$(median_ratio 1 4)" "$(median_ratio 2 5)" \
		"$(median_ratio 3 6)"
}

# repeated NAME CAPTURE
repeated()
{
	xz -dc "$data/$2" >"$work/capture"
	"$repeat" $((BENCH_BYTES / $(wc -c <"$work/capture"))) <"$work/capture" >"$work/file"
	compare "$1"
}

printf '\nxenalyze -s against hctrace report, files of %d MB, median of %d pairs\n' \
	$((BENCH_BYTES / 1000000)) "$BENCH_RUNS"
printf '%-34s %8s %8s %8s\n' "xenalyze divided by hctrace" time CPU memory
for pcpus in 2 8 64; do
	"$mktrace" "$BENCH_BYTES" $pcpus 7 /dev/null >"$work/file"
	compare "made up, $pcpus pCPUs"
done
repeated "2 pCPUs with PV guests, repeated" xen-4.17-pv.xentrace.xz
repeated "2 pCPUs with PVH guests, repeated" xen-4.17-pvh.xentrace.xz

# verbs NAME: on the file that there is
verbs()
{
	printf '\n%s, files of %d MB\n' "$1" $((BENCH_BYTES / 1000000))
	while read -r theirs ours; do
		compare "$ours"
	done <<-'END'
		-s report --raw --domain 1
		-s report --raw --op multicall
		-s report --raw --timeline
		-s export --folded
		-s export --json
		--dump-all script
		--dump-all export --perfetto --tsc-mhz 2400
		--dump-all export --perf --tsc-mhz 2400
	END
}
BENCH_BYTES=$((BENCH_BYTES / 5))
"$mktrace" "$BENCH_BYTES" 8 7 /dev/null >"$work/file"
verbs "made up, 8 pCPUs"
xz -dc "$data/xen-4.17-pv.xentrace.xz" >"$work/capture"
"$repeat" $((BENCH_BYTES / $(wc -c <"$work/capture"))) <"$work/capture" >"$work/file"
verbs "2 pCPUs with PV guests, repeated"
