#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Recordings that were made by the fake Xen, whose every count is known. `make tool-big` does a large one.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
: "${MKTRACE:=build/tools/mktrace}"

for pcpus in 1 2 16 256; do
	"$MKTRACE" 3000000 $pcpus $pcpus "$work/wanted" >"$work/trace"
	sort -o "$work/wanted" "$work/wanted"
	"$HCTRACE" report --raw "$work/trace" >"$work/report" 2>/dev/null
	rows <"$work/report" >"$work/got"
	same "$pcpus pCPUs: $(wc -l <"$work/wanted") rows" "$work/got" "$work/wanted"
	is "... and nothing is late" "$(sed -n 's/.*late //p' "$work/report")" 0
	"$HCTRACE" report --raw - <"$work/trace" >"$work/piped" 2>/dev/null
	same "... the same through a pipe" "$work/piped" "$work/report"
done
finish
