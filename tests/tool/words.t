#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every column and word that tables print is explained in hctrace-tables(7).
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
# shellcheck source=tests/tool/live.sh
. tests/tool/live.sh
: "${MKPERF:=build/tools/mkperf}"

page=docs/man/hctrace-tables.7
# What the page has an item for: whole items, and the words of each.
sed -n 's/^\.It //p' "$page" | sed 's/\\&//g; s/\(^\| \)\(Ic\|Ql\|Cm\|Fl\) / /g; s/ , /\n/g' | sed 's/^ *//; s/ *$//' |
	sort -u >"$work/items"

# explained WHAT: each line of the file said is an item; there are some
explained()
{
	sort -u "$work/said" | grep . >"$work/words" || :
	[ -s "$work/words" ] || { not_ok "$1: no words at all"; return; }
	is "$1, $(wc -l <"$work/words") words: not explained" "$(grep -vxFf "$work/items" "$work/words" | tr '\n' ' ')" ""
}

# Losses, gaps, marks and flags of every kind
"$MKPERF" >"$work/perf" <<-'END'
	name 3 0 web1
	created 500 3
	call 1000 0 3 0 0 13 0 2 7
	call 1001 0 3 0 1 14 0 0 7
	call 1002 0 3 0 1 14 16 0 7
	call 2000 0 3 0 2 24 64 0 0 15
	call 2001 0 3 0 0 20 2 0 0 5
	call 2002 0 3 0 0 20 4 0 0 5
	call 2003 0 3 0 0 20 128 0 0 5
	call 2004 0 3 0 0 20 256 0 0 5
	call 2005 0 3 0 0 20 32 0 0 5
	call 2006 0 3 0 0 70 0
	call 2007 0 3 0 0 70 1
	call 2008 0 3 0 2 70 8
	call 2010 0 65535 65535 0 23
	lost 4000 0 1234
	lost 5000 1 10
	lost 6000 4294967297 0
	lost 6001 4294967298 0
	lost 6002 4294967299 0
	lost 6003 4294967300 0
	lost 6004 4294967301 0
	lost 6005 4294967302 0
	destroyed 7000 3
END
xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
head -c 300001 "$work/trace" >"$work/cut"
cat "$work/perf" "$work/perf" >"$work/twice"

for file in perf trace cut twice; do
	"$HCTRACE" report --raw --timeline "$work/$file" >"$work/raw.$file" 2>/dev/null || :
	"$HCTRACE" report --top 0 "$work/$file" >"$work/people.$file" 2>/dev/null || :
	"$HCTRACE" script --batches "$work/$file" >"$work/script.$file" 2>/dev/null || :
	"$HCTRACE" script --json --batches "$work/$file" >"$work/json.$file" 2>/dev/null || :
done
live_from "$work/raw.trace"
"$HCTRACE" stat -d 0.01 >"$work/stat"
"$HCTRACE" stat -d 0.01 -I 1000 >>"$work/stat"
"$HCTRACE" top -b -n 1 >>"$work/stat"

# headings FILE...: the lines above tables
headings() { grep -hE '^ *(dom|pcpu|time_s|from_s|from_cycles) ' "$@" | tr -s ' ' '\n'; }
headings "$work"/raw.* "$work/stat" >"$work/said"
explained "headings"
grep -h '^ *share ' "$work"/people.* | sed 's/domain, kind and op//' | tr -s ' ' '\n' >"$work/said"
explained "report's heading"
"$HCTRACE" stat -c -d 0.01 | sed -n '1s/,/\n/gp' >"$work/said"
explained "CSV's heading"
# "lost 12", "attribution ok", "gaps 1   clock"
grep -h '^#' "$work"/raw.* | grep -v ' is ' | grep -oE '[a-z_]+ [0-9]+' | awk '{ print $1 }' |
	grep -vxE 'report|multicalls|over|byte|in|recorder|time|on|s|with' >"$work/said"
explained "words of headers"
grep -h '^#' "$work"/raw.* "$work/stat" | sed -n 's/.*attribution \([A-Za-z]*\).*/\1/p; s/^# gaps [0-9]* *//p' >"$work/values"
is "attribution and gaps: what they may say" "$(sort -u "$work/values" | grep -vxE 'ok|suspect|UNRELIABLE' |
	grep -vxFf "$work/items" | tr '\n' ' ')" ""
grep -hE '^ [A-Z]' "$work"/people.* | grep -oE '^ (LOST by the recorder|Lost before|[A-Z][A-Za-z]+)' | sed 's/^ //' |
	grep -vxE 'Hypercalls|Nothing|Attribution' >"$work/said"
explained "report's sentences"
grep -hoE ', [0-9,]+ (split|short|lost|at most)$|, [0-9,]+ (split|short|lost|at most),' "$work"/people.* |
	sed 's/[0-9,]//g; s/^ *//' >"$work/said"
explained "report's multicalls"
# Kinds, marks, and ops that are none
cat "$work"/raw.* | awk '/^#/ { acc = 0 } $1 == "dom" { acc = 0; for (f = 1; f <= NF; f++) if ($f == "acc") acc = f; next }
	acc && NF { print $2; print $acc }' >"$work/said"
explained "kinds and marks"
cat "$work"/script.* | awk '{ print $4 } $4 == "batch" || $4 == "domain" || $4 == "gap" { print $5 }' >"$work/said"
explained "kinds of script"
jq -r 'keys[]' "$work"/json.* | sed 's/^vcpu$/domid/; s/^flags$/continued/; s/^time_cycles$/time_s/' >"$work/said"
explained "keys of script"
jq -r '.flags[]?' "$work"/json.* | sed 's/^malformed$//' >"$work/said"
explained "flags of script"
is "every flag was there" "$(jq -r '.flags[]?' "$work/json.perf" | sort -u | wc -l)" 7
grep -ohE 'seq_(printf|puts)\(m, "[a-z_0-9 ]{17}' module/files/status.c | sed 's/.*"//' | grep -xE '[a-z_0-9]+ +' | tr -d ' ' >"$work/said"
explained "lines of status"
finish
