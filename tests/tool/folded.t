#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Folded stacks, drawn by the stock flamegraph.pl (Debian has it in libdevel-nytprof-perl): what each frame of
# the picture says, and on which others it stands, is what was exported.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
: "${MKPERF:=build/tools/mkperf}"
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
[ -x $flamegraph ] || {
	echo "1..0 # SKIP no libdevel-nytprof-perl here, which scripts/packages has"
	exit 0
}

# As wide as it takes for the thinnest frame to have a place of its own.
draw() { $flamegraph --countname calls --minwidth 0 --width 100000000 "$1" >"$2"; }

# frames: of the picture on standard input, as "all;d0;iret 6621": a frame stands on the one below its middle
frames()
{
	sed -nE 's,^<title>(.*) \(([0-9\,]+) calls\, .*</title><rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" .*,\4\t\3\t\5\t\2\t\1,p' |
		sort -t "$(printf '\t')" -k1,1nr -k2,2n |
		awk -F '\t' '
			$1 != y { from = upto; upto = NR - 1; y = $1 }
			{
				gsub(",", "", $4)
				path[NR] = $5
				x[NR] = $2
				width[NR] = $3
				middle = $2 + $3 / 2
				for (i = from + 1; i <= upto; i++)
					if (x[i] <= middle && middle < x[i] + width[i])
						path[NR] = path[i] ";" $5
				print path[NR], $4
			}' | sort
}

# sums: what folded stacks on standard input add up to, for each frame that any has
sums()
{
	awk '{
		nr = $NF
		sub(/ [0-9]+$/, "")
		depth = split($0, frame, ";")
		path = "all"
		sum[path] += nr
		for (i = 1; i <= depth; i++) {
			path = path ";" frame[i]
			sum[path] += nr
		}
	}
	END { for (path in sum) print path, sum[path] }' | sort
}

for capture in tests/data/*-both.xentrace.xz tests/data/xen-4.17-pvh.xentrace.xz; do
	name=$(basename "$capture" .xentrace.xz)
	xz -dc "$capture" >"$work/trace"
	"$HCTRACE" export --folded "$work/trace" >"$work/folded" 2>/dev/null
	draw "$work/folded" "$work/svg" 2>"$work/output"
	is "$name: flamegraph.pl has nothing to say" "$(cat "$work/output")" ""
	frames <"$work/svg" >"$work/drawn"
	sums <"$work/folded" >"$work/wanted"
	same "... and draws $(wc -l <"$work/drawn") frames of $(wc -l <"$work/folded") stacks, each with its count" \
		"$work/drawn" "$work/wanted"
	is "... all calls of the golden table are in it" "$(sed -n 's/^all //p' "$work/drawn")" \
		"$(golden "${capture%.xentrace.xz}.golden" | awk '{ sum += $4 } END { print sum }')"
done

# A name may have what separates frames, and what XML has to escape; flamegraph.pl makes a ( of a <.
"$MKPERF" >"$work/named" <<-'END'
	name 3 0 a;b <c> & d
	call 1000 1 3 0 0 23
	call 2100 1 3 0 0 13 0 2 7
	call 2200 1 3 0 1 14 0 0 7
	call 2300 1 3 0 1 14 0 0 7
END
"$HCTRACE" export --folded "$work/named" >"$work/folded"
is "a name with a semicolon" "$(sort "$work/folded")" \
	'a\x3bb <c> & d;iret 1
a\x3bb <c> & d;multicall 1
a\x3bb <c> & d;multicall;update_va_mapping 2'
draw "$work/folded" "$work/svg"
is "drawn" "$(frames <"$work/svg" | grep multicall)" \
	'all;a\x3bb (c) &amp; d;multicall 3
all;a\x3bb (c) &amp; d;multicall;update_va_mapping 2'
sed -i '2s/ 1$/ 2/' "$work/folded"
draw "$work/folded" "$work/svg"
is "one call more is seen" "$(frames <"$work/svg" | sed -n 's/^all //p')" 5
finish
