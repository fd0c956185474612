#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What perf makes of our recordings, of the machine's release and of the newest: figures, against those of report.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
: "${MKPERF:=build/tools/mkperf}"

# The newest perf, from packages of another suite, as its own libraries have it
testbed=$PWD/scripts/testbed
# shellcheck source=scripts/testbed/lib.sh
. scripts/testbed/lib.sh
cell_perf
newest()
{
	# shellcheck disable=SC2046 # words
	PERF_EXEC_PATH=$perf_dir/usr/lib $(loader_in "$perf_dir") "$perf_dir/usr/bin/perf" "$@"
}
perfs=perf
if scripts/testbed/fetch perf 2>"$work/errors"; then
	perfs="perf newest"
	ok "there is a newer perf: $(newest --version)"
else
	not_ok "the newest perf cannot be fetched"
	diag <"$work/errors"
fi

# counts FIELDS FILE: what perf has of each
counts() { $perf script -i "$2" -F "$1" 2>>"$work/complaints" | awk '{ $1 = $1; print }' | sort | uniq -c | awk '{ $1 = $1; print }'; }

# --- figures of a capture, and of a host with more pCPUs than this machine has CPUs

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
"$HCTRACE" export --perf --tsc-mhz 1000 -o "$work/capture" "$work/trace"
awk 'BEGIN {
	for (i = 0; i < 64; i++) {
		printf "call %d %d %d %d 0 23\n", 1000 + 10 * i, i, 1 + i % 3, i % 2
		if (i % 4 == 0)
			printf "call %d %d 65535 65535 0 24\n", 1005 + 10 * i, i
	}
}' | "$MKPERF" >"$work/wide"
"$HCTRACE" export --perf -o "$work/converted" "$work/wide"
"$HCTRACE" script "$work/wide" >"$work/lines"
awk '{ print $2 }' "$work/lines" | sort | uniq -c | awk '{ $1 = $1; print }' >"$work/cpus"
# Names that are longer than a process's, that differ only behind its 15 characters, or are no ASCII
long=$(printf '%0255d' 0 | tr 0 x)
{
	printf 'name %s\n' "1 0 production-web-01" "2 0 production-web-02" "3 0 财务" "4 0 $long"
	for dom in 1 2 3 4; do
		seq $((10 * dom)) | sed "s/.*/call ${dom}000&0 1 $dom 0 0 23/"
	done
} | "$MKPERF" >"$work/names"
printf '%s\n' "10 production-web-01" "20 production-web-02" "30 财务" "40 $long" | sort >"$work/named"
for perf in $perfs; do
	counts comm "$work/names" >"$work/got"
	sort -o "$work/got" "$work/got"
	same "$perf: whole names" "$work/got" "$work/named"
	for file in wide converted; do
		: >"$work/complaints"
		counts cpu "$work/$file" >"$work/got"
		same "$perf, $file: $(wc -l <"$work/cpus") pCPUs, each with its samples" "$work/got" "$work/cpus"
		is "... without a complaint" "$(cat "$work/complaints")" ""
		$perf script --header-only -i "$work/$file" >"$work/header" 2>/dev/null
		is "... as many as are in its head" "$(sed -n 's/^# nrcpus [a-z]* : //p' "$work/header" | uniq)" 64
	done
	"$HCTRACE" export --perf "$work/wide" | cat >"$work/pipe"
	# shellcheck disable=SC2094 # it is read as standard input
	$perf script -i - -F cpu <"$work/pipe" 2>"$work/complaints" | awk '{ $1 = $1; print }' | sort | uniq -c |
		awk '{ $1 = $1; print }' >"$work/got"
	same "$perf, through a pipe: the same pCPUs" "$work/got" "$work/cpus"
	is "... without a complaint" "$(cat "$work/complaints")" ""

	"$HCTRACE" script "$work/capture" | grep -v ' domain ' >"$work/lines"
	awk '{ sub("v.*", "", $3); print $3 }' "$work/lines" | sort | uniq -c | awk '{ $1 = $1; print }' >"$work/wanted"
	counts comm "$work/capture" >"$work/got"
	same "$perf: samples of each of $(wc -l <"$work/wanted") domains" "$work/got" "$work/wanted"
	awk '{ print $2 }' "$work/lines" | sort | uniq -c | awk '{ $1 = $1; print }' >"$work/wanted"
	counts cpu "$work/capture" >"$work/got"
	same "... of each pCPU" "$work/got" "$work/wanted"
	awk '{ sub("/.*", "", $5); print $3, $4, $5 }' "$work/lines" | sort | uniq -c | awk '{ $1 = $1; print }' >"$work/wanted"
	$perf script -i "$work/capture" -F trace 2>/dev/null | awk '{ print $1, $2, $3 }' | sort | uniq -c |
		awk '{ $1 = $1; print }' >"$work/got"
	same "... of each caller and op, in the words of script: $(wc -l <"$work/wanted") of them" "$work/got" "$work/wanted"
	$perf script -i "$work/capture" -F trace 2>/dev/null >"$work/got"
	is "... nothing that is not known has a number" "$(grep -c 65535 "$work/got" || :)" 0
	is "... sub-ops are numbers or -" "$(sed 's/.*subop=\([^ ]*\).*/\1/' "$work/got" | grep -cvE '^([0-9]+|-)$' || :)" 0
	is "... some are known" "$(sed 's/.*subop=\([^ ]*\).*/\1/' "$work/got" | grep -c '[0-9]' || :)" \
		"$(awk '$5 ~ /\// { sum++ } END { print sum + 0 }' "$work/lines")"
	is "$perf: numbers of any length" "$(printf 'call %s\n' '1000 1 3 1 0 23' '1100 1 12345 107 0 23' '1200 1 0 0 0 24' \
		'1300 1 32751 8191 0 24' '1400 1 65535 65535 0 23' '1500 1 10 1000 0 23' | "$MKPERF" | cat |
		$perf script -i - -F trace 2>/dev/null | awk '{ print $1, $4 }' | tr '\n' ' ')" \
		"d3v1 subop=- d12345v107 subop=- d0v0 subop=- d32751v8191 subop=- d? subop=- d10v1000 subop=- "
	is "$perf: the event has its name, whatever number it has here" "$($perf evlist -i "$work/capture" 2>/dev/null | grep -v '^#')" \
		xen_hctrace:hct_hypercall
done

# --- nothing of the machine that converts

perf script --header-only -i "$work/capture" >"$work/header"
for feature in hostname "os release" cpudesc; do
	is "a converted file does not know the $feature" "$(sed -n "s/^# $feature : //p" "$work/header")" unknown
done
is "nor its kernel's name anywhere" "$(grep -acF "$(uname -r)" "$work/capture" || :)" 0
is "but what Xen runs on" "$(sed -n 's/^# arch : //p' "$work/header")" x86_64

# --- where it can be written

: >"$work/file"
# shellcheck disable=SC2016 # the inner shell's own
says "added to a file" 2 "perf.data cannot be added to a file" \
	sh -c '"$1" export --perf --tsc-mhz 1000 "$2" >>"$3"' sh "$HCTRACE" "$work/trace" "$work/file"
is "... which is as it was" "$(wc -c <"$work/file")" 0
# shellcheck disable=SC2016
says "behind something else" 2 "perf.data cannot be added to a file" \
	sh -c '{ echo before; "$1" export --perf --tsc-mhz 1000 "$2"; } >"$3"' sh "$HCTRACE" "$work/trace" "$work/file"
is "... which is still there" "$(cat "$work/file")" before
"$HCTRACE" export --perf --tsc-mhz 1000 "$work/trace" >"$work/file"
is "to a file of its own" "$(perf script -i "$work/file" -F comm 2>/dev/null | wc -l)" "$(wc -l <"$work/lines")"
script -qec "'$HCTRACE' export --perf --tsc-mhz 1000 '$work/trace'" /dev/null >"$work/output" 2>&1 && status=0 || status=$?
is "to a terminal" "$status $(grep -c 'this is a terminal: write to a pipe' "$work/output")" "2 1"
finish
