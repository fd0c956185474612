#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace export: each format through a program that is not ours, and its figures against the golden table.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
golden tests/data/xen-4.17-both.golden >"$work/all"
grep -v '^d?' "$work/all" >"$work/wanted"
events=$(awk '{ sum += $4 + $5 } END { print sum }' "$work/all")

export_as() { "$HCTRACE" export "$@" "$work/trace" 2>/dev/null; }

# --- metrics

export_as --prometheus >"$work/prom"
status=0
promtool check metrics <"$work/prom" >"$work/output" 2>&1 || status=$?
is "promtool has nothing to say" "$status$(cat "$work/output")" 0
# The values of a metric as rows: d0 call mmu_update 7672
values()
{
	sed -n "s/^$1{dom=\"\([^\"]*\)\",kind=\"\([^\"]*\)\",op=\"\([^\"]*\)\".*} /\1 \2 \3 /p" "$2" |
		grep -v '^d?' | sort
}
is "calls" "$(values xen_hypercalls_total "$work/prom")" "$(awk '{ print $1, $2, $3, $4 }' "$work/wanted")"
is "records are both, for each row" "$(values xen_hypercall_records_total "$work/prom")" \
	"$(awk '{ print $1, $2, $3, $4 + $5 }' "$work/wanted")"
is "continuations" "$(values xen_hypercall_continuations "$work/prom")" "$(awk '$5 { print $1, $2, $3, $5 }' "$work/wanted")"
is "units" "$(values xen_hypercall_units_total "$work/prom" | awk '$4')" "$(awk '$6 { print $1, $2, $3, $6 }' "$work/wanted")"
is "sizes of d3's multicalls" "$(sed -n 's/^xen_multicall_size_bucket{dom="d3".*le=//p' "$work/prom" | tr '\n' ' ')" \
	'"1.0"} 0 "2.0"} 0 "4.0"} 0 "8.0"} 3 "16.0"} 3 "32.0"} 3 "64.0"} 3 "128.0"} 3 "+Inf"} 3 '

export_as --openmetrics >"$work/openmetrics"
is "OpenMetrics ends" "$(tail -n 1 "$work/openmetrics")" "# EOF"
# Prometheus' reader of OpenMetrics wants a time with each sample when it imports them.
awk '/^#/ { print; next } { print $0, 1700000000 }' "$work/openmetrics" >"$work/dated"
samples=$(grep -cv '^#' "$work/openmetrics")
is "Prometheus takes all $samples samples in" \
	"$(promtool tsdb create-blocks-from openmetrics "$work/dated" "$work/tsdb" | awk 'END { print $7 }')" "$samples"
grep -v '^#' "$work/openmetrics" >"$work/a"
grep -v '^#' "$work/prom" >"$work/b"
same "both have the same samples" "$work/a" "$work/b"

# --- JSON lines

export_as --json >"$work/json"
jq -r 'select(.type == "calls" and .dom != "d?") | "\(.dom) \(.kind) \(.op) \(.calls) \(.cont) \(.units // 0)"' \
	"$work/json" | sort >"$work/got"
same "JSON lines: the golden table" "$work/got" "$work/wanted"
is "records are calls and continuations" \
	"$(jq -s '[.[] | select(.type == "calls")] | all(.records == .calls + .cont) and any(.records != .calls)' "$work/json")" true
is "each line is an object with a type" "$(jq -r .type "$work/json" | sort | uniq -c | awk '{ print $2 }' | tr '\n' ' ')" \
	"calls multicalls recording "
is "what is exact" "$(jq -r 'select(.op == "vm_assist") | "\(.dom) \(.kind) \(.exact)"' "$work/json" | sort | tr '\n' ' ')" \
	"d3 call true d3 member true d4 hvm false d4 member true "

# With the rate of the TSC it is known for how long each ran: the golden times, in microseconds.
awk '$1 ~ /^d/ { printf "%s %d\n", $1, int($2 / 1000) }' tests/data/xen-4.17-both.cputime | sort >"$work/us"
export_as --json --tsc-mhz 1000 | jq -r 'select(.type == "cpu") | "\(.dom) \(.cpu_ms * 1000 | round)"' | sort >"$work/got"
same "CPU time" "$work/got" "$work/us"
export_as --prometheus --tsc-mhz 1000 >"$work/timed"
awk -F '["} ]+' '/^xen_hctrace_domain_cpu_seconds_total/ { printf "%s %.0f\n", $2, $NF * 1e6 }' "$work/timed" | sort >"$work/got"
same "... as metrics" "$work/got" "$work/us"
is "and for how long pCPUs were idle" "$(sed -n 's/^xen_hctrace_idle_cpu_seconds_total //p' "$work/timed")" \
	"$(awk '$1 == "idle" { printf "%.6f", int($2 / 1000) / 1e6 }' tests/data/xen-4.17-both.cputime)"
status=0
promtool check metrics <"$work/timed" >"$work/output" 2>&1 || status=$?
is "promtool has nothing to say of that" "$status$(cat "$work/output")" 0

# --- folded stacks

export_as --folded >"$work/folded"
awk '$4 { kind = $2 == "member" ? "multicall;" : ""; sub("/", ";", $3); print $1 ";" kind $3, $4 }' "$work/wanted" |
	sort >"$work/stacks"
grep -v '^d?' "$work/folded" | sort >"$work/got"
same "folded stacks: $(wc -l <"$work/folded") of them" "$work/got" "$work/stacks"
is "each is a stack and a number" "$(grep -cvE '^[^ ]+(;[^ ;]+)+ [0-9]+$' "$work/folded")" 0

# --- Perfetto

export_as --perfetto --tsc-mhz 1000 >"$work/perfetto"
is "Perfetto: valid JSON, all events" "$(jq '[.traceEvents[] | select(.ph == "i")] | length' "$work/perfetto")" "$events"
is "every event is complete" \
	"$(jq '[.traceEvents[] | select((.ph | type) != "string" or (.name | type) != "string" or (.pid | type) != "number"
		or (.tid | type) != "number" or (.ts | type) != "number" or (.ph == "X" and (.dur | type) != "number"))] | length' \
		"$work/perfetto")" 0
is "a process for each domain" \
	"$(jq -r '.traceEvents[] | select(.name == "process_name") | .args.name' "$work/perfetto" | sort | tr '\n' ' ')" "d0 d3 d4 d? "
is "a thread for each vCPU" \
	"$(jq -r '.traceEvents[] | select(.name == "thread_name") | .args.name' "$work/perfetto" | sort | tr '\n' ' ')" \
	"d0v0 d0v1 d3v0 d4v0 d? "
is "multicalls last" "$(jq '[.traceEvents[] | select(.ph == "X" and .pid == 3 and .dur > 0)] | length' "$work/perfetto")" 3
jq -r '.traceEvents[] | select(.args.batch) | "\(.ph) \(.args.batch) \(.ts) \(.dur // 0)"' "$work/perfetto" |
	awk '$1 == "X" { from[$2] = $3; to[$2] = $3 + $4 } $1 == "i" { n++; batch[n] = $2; ts[n] = $3 }
		END { for (i = 1; i <= n; i++) if (!(batch[i] in from) || ts[i] < from[batch[i]] - 0.001 || ts[i] > to[batch[i]] + 0.001) bad++
			print n, bad + 0 }' >"$work/within"
is "all members of multicalls lie within them" "$(cut -d' ' -f2 "$work/within")" 0
is "time on the track is in microseconds" \
	"$(jq '[.traceEvents[] | select(.ph == "i")] | (.[-1].ts - .[0].ts) / 1000000 | floor' "$work/perfetto")" 3

# --- manners

says "no format" 2 "which format?" "$HCTRACE" export "$work/trace"
says "two formats" 2 "one format at a time" "$HCTRACE" export --json --folded "$work/trace"
says "Perfetto needs times" 2 "this needs the rate of the TSC" "$HCTRACE" export --perfetto "$work/trace"
says "a full disk" 1 "No space left" "$HCTRACE" export --json -o /dev/full "$work/trace"
says "nowhere to write" 1 "there is no folder $work/no" "$HCTRACE" export --json -o "$work/no/where" "$work/trace"
says "help has examples" 0 "Examples:" "$HCTRACE" export --help
head -c 10001 "$work/trace" >"$work/cut"
says "a damaged recording is exported as far as it goes" 3 '"missing_bytes":575' "$HCTRACE" export --json "$work/cut"
finish
