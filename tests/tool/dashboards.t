#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rules and alerts for Prometheus, by its own checker; and that we have the metrics they are of.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

says "promtool understands the rules" 0 "SUCCESS: 8 rules found" promtool check rules dashboards/xen-hctrace.rules.yml
says "each does what it is for" 0 SUCCESS promtool test rules dashboards/xen-hctrace.test.yml
xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
"$HCTRACE" export --prometheus --tsc-mhz 2000 "$work/trace" >"$work/metrics" 2>/dev/null
grep -oE 'xen_[a-z_]+_(total|sum|count)' dashboards/xen-hctrace.rules.yml | sort -u >"$work/names"
while read -r metric; do
	is "there is $metric" "$(grep -qE "^${metric}[{ ]" "$work/metrics" && echo yes)" yes
done <"$work/names"
finish
