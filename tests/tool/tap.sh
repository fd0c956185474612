# SPDX-License-Identifier: GPL-2.0
# Helpers of the tests of the tool, sourced with cwd at the top. TAP with a plan at the end.
# shellcheck shell=sh
. tests/await.sh

: "${HCTRACE:=build/tools/hctrace}"
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
count=0 failed=0

ok() { count=$((count + 1)); printf 'ok %s - %s\n' $count "$1"; }
not_ok() { count=$((count + 1)) failed=$((failed + 1)); printf 'not ok %s - %s\n' $count "$1"; }
diag() { sed 's/^/# /'; }
finish() { echo "1..$count"; [ $failed -eq 0 ]; }

# is WHAT GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then
		ok "$1: $(printf '%s' "$2" | tr '\n' '|')"
	else
		not_ok "$1: got $(printf '%s' "$2" | tr '\n' '|'), wanted $(printf '%s' "$3" | tr '\n' '|')"
	fi
}

# says WHAT STATUS TEXT COMMAND...: it ends with STATUS, and its output has TEXT, if that is not empty
says()
{
	what=$1 wanted=$2 text=$3 got=0
	shift 3
	"$@" >"$work/output" 2>&1 || got=$?
	if [ "$got" != "$wanted" ]; then
		not_ok "$what: exit status $got, wanted $wanted"
		diag <"$work/output"
	elif [ -n "$text" ] && ! grep -qF -- "$text" "$work/output"; then
		not_ok "$what: it does not say '$text'"
		diag <"$work/output"
	else
		ok "$what: $text"
	fi
}
