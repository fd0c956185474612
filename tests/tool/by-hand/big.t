#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A recording of 1 GB, from a file and through a pipe: every count, and how much memory it takes.
# Needs 1 GB in TMPDIR and /usr/bin/time.
set -eu
cd "$(dirname "$0")/../../.."
. tests/tool/files.sh
: "${MKTRACE:=build/tools/mktrace}" "${BIG_BYTES:=1073741824}"

# measured COMMAND...: like it, with its memory in kB in $kilobytes and its seconds in $seconds
measured()
{
	/usr/bin/time -o "$work/time" -f "%M %e %U" "$@"
	read -r kilobytes seconds user <"$work/time"
}

for pcpus in 1 8 64; do
	"$MKTRACE" "$BIG_BYTES" $pcpus 7 "$work/wanted" >"$work/big"
	sort -o "$work/wanted" "$work/wanted"

	measured "$HCTRACE" report --raw "$work/big" 2>/dev/null >"$work/report"
	rows <"$work/report" >"$work/got"
	same "$pcpus pCPUs: $(wc -c <"$work/big") bytes in $seconds s ($user s of CPU): all counts" \
		"$work/got" "$work/wanted"
	at_most "... in so many kB of memory" "$kilobytes" 65536

	measured "$HCTRACE" report --raw - <"$work/big" 2>/dev/null >"$work/piped"
	same "... and through a pipe, in $seconds s" "$work/piped" "$work/report"
	at_most "... in so many kB of memory" "$kilobytes" 65536
done
finish
