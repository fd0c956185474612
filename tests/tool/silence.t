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
	says "$(basename "$file") through a pipe" 1 "standard input: neither a recording of xentrace nor perf.data" \
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
	doctor --help help "top --help" "stat --help" "record --help" "report --help" "script --help" "export --help" \
	"doctor --help" "report --usage"; do
	status=0
	# shellcheck disable=SC2086 # a verb and its options
	"$HCTRACE" $verb >/dev/full 2>"$work/errors" || status=$?
	is "$(echo "$verb" | sed "s,$work/,,"), and no room for it" "$status $(grep -c 'No space left on device' "$work/errors")" "1 1"
done

# --- Ctrl-C while a pipe is read: its writer's last words are read, and everything is printed

"$HCTRACE" report "$work/trace" >"$work/wanted" 2>/dev/null
part=$(($(wc -c <"$work/trace") - 10000))
mkfifo "$work/fifo"
# A script's background processes do not hear Ctrl-C, and this one must.
env --default-signal=INT "$HCTRACE" report - <"$work/fifo" >"$work/report" 2>"$work/errors" &
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
env --default-signal=INT "$HCTRACE" report - <"$work/fifo" >"$work/report" 2>"$work/errors" &
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
