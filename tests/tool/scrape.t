#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A real Prometheus scrapes our metrics, from a real node exporter's textfile collector and from a socket
# unit's command, and then has each figure as it is. All of them listen on ports of their own, on loopback alone.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
. tests/tool/live.sh
need_xenstore
for program in prometheus prometheus-node-exporter systemd-socket-activate systemd-analyze promtool; do
	command -v $program >/dev/null || {
		echo "1..0 # SKIP no $program here, which scripts/packages has"
		exit 0
	}
done

pids=
end()
{
	# shellcheck disable=SC2086 # a list
	[ -z "$pids" ] || { kill $pids; wait; } 2>/dev/null || :
	rm -rf "$work"
}
trap end EXIT

# start LOG COMMAND...: in the background, for as long as this test runs; $! is its id
start()
{
	log=$1
	shift
	"$@" >"$log" 2>&1 &
	pids="$pids $!"
}

# port_of PID: where it listens, from the kernel's own list
port_of()
{
	for fd in /proc/"$1"/fd/*; do
		inode=$(readlink "$fd" | sed -n 's/^socket:\[\(.*\)\]$/\1/p')
		[ -z "$inode" ] || awk -v inode="$inode" '$4 == "0A" && $10 == inode { print substr($2, 10) }' /proc/net/tcp
	done 2>/dev/null | head -n 1 | sed 's/^/0x/' | xargs -r printf '%d\n'
}

listens() { [ -n "$(port_of "$1")" ]; }

# must_listen PID LOG: or say what it said, and end
must_listen()
{
	await listens "$1" || {
		diag <"$2"
		finish
		exit 1
	}
}

# The command of the socket unit, as systemd would run it. It takes no port 0, so try some.
unit_env="-E HCTRACE_ROOT=$HCTRACE_ROOT -E FAKE_XENSTORE=$FAKE_XENSTORE -E LD_LIBRARY_PATH=$work/lib"
start_socket()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		port=$(od -An -N2 -tu2 /dev/urandom | awk '{ print 20000 + $1 % 40000 }')
		# shellcheck disable=SC2086 # options
		start "$work/socket.log" systemd-socket-activate --accept --inetd -l "127.0.0.1:$port" $unit_env \
			"$(realpath "$HCTRACE")" export --openmetrics --http
		socket=$!
		until listens $socket || ! kill -0 $socket 2>/dev/null; do
			sleep 0.1
		done
		! listens $socket || return 0
	done
	diag <"$work/socket.log"
	not_ok "a port for the socket"
	finish
	exit 1
}

# --- the units

make --no-print-directory tool-install prefix="$work/inst" >"$work/output" 2>&1 || diag <"$work/output"
is "systemd has nothing to say on our units" \
	"$(systemd-analyze verify --man=no "$work"/inst/lib/systemd/system/hctrace-* 2>&1 | grep -F hctrace || :)" ""
for unit in hctrace-metrics@ hctrace-textfile; do
	status=0
	systemd-analyze security --offline=true --threshold=16 "$work/inst/lib/systemd/system/$unit.service" >"$work/output" 2>&1 ||
		status=$?
	is "what $unit.service could do to the host is worth at most 1.6" "$status $(grep -c 'Overall exposure' "$work/output")" "0 1"
done
is "no number of scrapes ends the socket" \
	"$(sed -n 's/^TriggerLimitIntervalSec=//p' "$work/inst/lib/systemd/system/hctrace-metrics.socket")" 0
mkdir "$work/prom"
(umask 077 && : >"$work/prom/xen.prom")
"$HCTRACE" export --prometheus -o "$work/prom/xen.prom" tests/data/schema-1.golden 2>/dev/null || :
is "what could not be made leaves a file as it was" "$(stat -c %a "$work/prom/xen.prom")" 600
# shellcheck disable=SC2086 # words
is "the command of the socket unit is the one tested here" \
	"$(sed -n "s,^ExecStart=$work/inst/bin/hctrace ,,p" "$work/inst/lib/systemd/system/hctrace-metrics@.service")" \
	"export --openmetrics --http"

# --- what there is to scrape: first a capture with known figures, beside it what is counted now

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
golden tests/data/xen-4.17-both.golden >"$work/all"
grep -v '^d?' "$work/all" >"$work/wanted"
mkdir "$work/textfile"
"$HCTRACE" export --prometheus -o "$work/textfile/xen.prom" "$work/trace" 2>/dev/null
promtool check metrics <"$work/textfile/xen.prom" >"$work/output" 2>&1 || diag <"$work/output"
is "promtool has nothing to say" "$(cat "$work/output")" ""
(umask 022 && "$HCTRACE" export --prometheus -o "$work/prom/xen.prom" "$work/trace" 2>/dev/null)
is "the next scrape makes it one that the collector can read" "$(stat -c %a "$work/prom/xen.prom")" 644

domain 0 Domain-0
domain 1 'the "quoted"\one' pv
domain 3 web1 pv
# live LOST CALLS: what is counted now; no double has more digits than the first count
live()
{
	cat >"$work/stats.new" <<-END
		# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing 51.2 s   pcpus 2/2
		# coverage 99.5000% of records   lost $1   malformed 2   attribution ok   rate window 1002 ms
		# cpu_ms 40000.000   idle_ms 30000.000   unknown_ms 0.500   filtered_ms 0.000
		dom kind op calls cont units per_s acc cpu_ms
		d1 call * $2 0 - 0 ~ $2.250
		d0 call iret 9007199254740991 5 - 0 = -
		d1 call vcpu_op/set_singleshot_timer $2 0 - 0 ~ -
		d3 member update_va_mapping 31 - - 0 = -
		d3 call multicall 3 1 33 0 = -
		d? - * 64 - - 0 = 0.500
	END
	mv "$work/stats.new" "$debugfs/stats"
}
cat >"$debugfs/multicalls" <<-'END'
	# xen-hctrace multicalls 1   members on
	dom batches split short lost declared seen mean max
	d3 3 1 0 1 33 31 11.0 16
	# sizes
	dom 1 2 4 8 16 32 64 128 more
	d3 0 0 0 1 2 0 0 0 0
END
printf '%s\n' '# xen-hctrace status 1' 'state tracing' 'consumed 2000' 'events 1947' 'undecodable 3' 'unattributed 64' \
	'breaker_trips 2' 'paused_ms 61250' >"$debugfs/status"
live 7 20
# What Prometheus must have of it: dom name kind op exact value
live_rows()
{
	cat <<-END
		d0|-|call|iret|yes|9007199254740991
		d1|-|call|vcpu_op/set_singleshot_timer|no|$1
		d3|-|member|update_va_mapping|yes|31
		d3|-|call|multicall|yes|3
		d?|-|-|*|yes|64
	END
}

# --- all of them

start "$work/node.log" prometheus-node-exporter --collector.disable-defaults --collector.textfile \
	--collector.textfile.directory="$work/textfile" --web.listen-address=127.0.0.1:0
node=$!
must_listen $node "$work/node.log"
start_socket
cat >"$work/prometheus.yml" <<-END
	global:
	  scrape_interval: 1s
	  scrape_timeout: 1s
	scrape_configs:
	  - job_name: textfile
	    static_configs: [{targets: ["127.0.0.1:$(port_of $node)"]}]
	  - job_name: socket
	    scrape_interval: 3s
	    scrape_timeout: 3s
	    static_configs: [{targets: ["127.0.0.1:$(port_of "$socket")"]}]
END
start "$work/prometheus.log" prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" \
	--web.listen-address=127.0.0.1:0
prometheus=$!
must_listen $prometheus "$work/prometheus.log"
url=http://127.0.0.1:$(port_of $prometheus)

# query EXPRESSION JQ: what Prometheus answers, a line a series
query() { promtool query instant -o json "$url" "$1" 2>/dev/null | jq -r ".[] | $2" | LC_ALL=C sort; }
# value EXPRESSION: of the only series
value() { query "$1" '.value[1]'; }

# wait_for EXPRESSION VALUE: until Prometheus says so, a minute at most
wait_for()
{
	tries=0
	until [ "$(value "$1")" = "$2" ]; do
		tries=$((tries + 1))
		if [ $tries -gt 120 ]; then
			not_ok "within a minute $1 is $2: it is $(value "$1")"
			tail -n 5 "$work/prometheus.log" "$work/node.log" "$work/socket.log" | diag
			finish
			exit 1
		fi
		sleep 0.5
	done
	ok "$1 is $2"
}

row='[.metric.dom, .metric.kind, .metric.op, .value[1]] | join(" ")'
named='[.metric.dom, .metric.name // "-", .metric.kind, .metric.op, .metric.exact, .value[1]] | join("|")'

# --- the textfile collector: a capture

wait_for 'count(xen_hypercalls_total{job="textfile",dom!="d?"})' "$(wc -l <"$work/wanted")"
is "the node exporter could read it" "$(value 'node_textfile_scrape_error')" 0
# figure METRIC COLUMN: the golden table's column against what Prometheus has, where it is not 0
figure()
{
	query "$1{job=\"textfile\",dom!=\"d?\"} > 0" "$row" >"$work/got"
	awk -v column="$2" '$column { print $1, $2, $3, $column }' "$work/wanted" | LC_ALL=C sort >"$work/figures"
	same "$1: $(wc -l <"$work/figures") golden figures" "$work/got" "$work/figures"
}
figure xen_hypercalls_total 4
figure xen_hypercall_continuations 5
figure xen_hypercall_units_total 6
is "calls of nobody known" "$(value 'sum(xen_hypercalls_total{job="textfile",dom="d?"})')" "$(awk '$1 == "d?" { print $4 }' "$work/all")"
ledger='__name__=~"xen_hctrace_.*",__name__!="xen_hctrace_domain_info"'
is "the ledger" "$(query "{$ledger,job=\"textfile\"}" '"\(.metric.__name__) \(.value[1])"')" \
	"$(awk '/^xen_hctrace/ && !/^xen_hctrace_domain_info/' "$work/textfile/xen.prom" | LC_ALL=C sort)"
is "sizes of d3's multicalls" \
	"$(query 'xen_multicall_size_bucket{job="textfile",dom="d3"}' '[.metric.le, .value[1]] | join(" ")' | sort -g | tr '\n' ' ')" \
	"1 0 2 0 4 0 8 3 16 3 32 3 64 3 128 3 +Inf 3 "

# --- the socket: what is counted now

wait_for 'up{job="socket"}' 1
live_rows 20 | LC_ALL=C sort >"$work/figures"
query 'xen_hypercalls_total{job="socket"}' "$named" >"$work/got"
same "over a socket: names, labels and counts" "$work/got" "$work/figures"
is "sizes of multicalls" \
	"$(query 'xen_multicall_size_bucket{job="socket"}' '[.metric.le, .value[1]] | join(" ")' | sort -g | tr '\n' ' ')" \
	"1.0 0 2.0 0 4.0 0 8.0 1 16.0 3 32.0 3 64.0 3 128.0 3 +Inf 3 "
is "their sum and number" "$(value 'xen_multicall_size_sum{job="socket"}') $(value 'xen_multicall_size_count{job="socket"}')" "33 3"
is "who is who" "$(query 'xen_hctrace_domain_info{job="socket"}' '"\(.metric.dom) \(.metric.name) \(.metric.type // "-") \(.value[1])"')" \
	'd0 Domain-0 PV 1
d1 the "quoted"\one PV 1
d3 web1 PV 1'
is "figures by name, in Prometheus' own words" \
	"$(value 'sum(xen_hypercall_records_total{job="socket"} * on(dom) group_left(type) xen_hctrace_domain_info{job="socket",name="web1"})')" 35
is "the state" "$(query "{$ledger,job=\"socket\"}" '"\(.metric.__name__) \(.metric.profile // "") \(.value[1])"' | tr -s ' ')" \
	"xen_hctrace_attribution_ok 1
xen_hctrace_breaker_open 0
xen_hctrace_breaker_trips_total 2
xen_hctrace_consumed_total 2000
xen_hctrace_coverage_known 1
xen_hctrace_coverage_ratio 0.995
xen_hctrace_domain_cpu_seconds_total 0.0005
xen_hctrace_domain_cpu_seconds_total 0.02025
xen_hctrace_idle_cpu_seconds_total 30
xen_hctrace_info pv 1
xen_hctrace_lost_total 7
xen_hctrace_malformed_total 2
xen_hctrace_paused_seconds_total 61.25
xen_hctrace_resyncs_total 0
xen_hctrace_suspected_bytes_total 0
xen_hctrace_traced_seconds 51.2
xen_hctrace_tracing 1
xen_hctrace_unattributed_total 64
xen_hctrace_undecodable_total 3"

# --- time goes on, for both

live 9 25
LD_LIBRARY_PATH=$work/lib "$HCTRACE" export --prometheus -o "$work/textfile/xen.prom"
wait_for 'xen_hctrace_lost_total{job="socket"}' 9
wait_for 'xen_hctrace_lost_total{job="textfile"}' 9
live_rows 25 | LC_ALL=C sort >"$work/figures"
for job in socket textfile; do
	query "xen_hypercalls_total{job=\"$job\"}" "$named" >"$work/got"
	same "the counts now, by $job" "$work/got" "$work/figures"
done
is "it grew by 5 only" "$(value 'max_over_time(xen_hypercalls_total{job="socket",dom="d1"}[10m]) - min_over_time(xen_hypercalls_total{job="socket",dom="d1"}[10m])')" 5

# --- the dashboard, whose every query has to say something

sed 's/^d3 3 /d3 5 /; s/^d3 0 0 0 1 2/d3 0 0 0 3 2/' "$debugfs/multicalls" >"$work/multicalls.new"
mv "$work/multicalls.new" "$debugfs/multicalls"
sed 's/^state tracing/state paused/' "$debugfs/status" >"$work/status.new"
mv "$work/status.new" "$debugfs/status"
wait_for 'xen_multicall_size_count{job="socket"}' 5
is "the breaker is open" "$(value 'xen_hctrace_breaker_open{job="socket"}')" 1
instance=$(query 'up{job="socket"}' .metric.instance)
# Variables as Grafana fills them in; what it asks for their values is no query of Prometheus, but names a metric.
# shellcheck disable=SC2016 # the variables are Grafana's
jq -r '.panels[].targets[].expr, (.templating.list[] | select(.type == "query") | .query)' dashboards/xen-hctrace.json |
	sed -E 's/^label_values\((.*), [a-z]+\)$/\1/; s/\$__rate_interval/10m/g; s/\$dom/.*/g; s/\$instance/'"$instance"'/g' >"$work/queries"
is "queries of the dashboard" "$(wc -l <"$work/queries")" 16
while read -r expression; do
	is "it has data: $(echo "$expression" | sed "s/$instance/HOST/g")" \
		"$([ "$(query "$expression" '.value[1]' | grep -vc NaN)" -gt 0 ] && echo yes)" yes
done <"$work/queries"

rm "$debugfs/stats"
wait_for 'up{job="socket"}' 0
is "a module that is gone is a scrape that failed, not a host without calls" "$(value 'count(xen_hypercalls_total{job="socket"})')" ""
for name in node socket prometheus; do
	eval "pid=\$$name"
	# shellcheck disable=SC2154 # it is from eval
	is "$name has run to the end" "$(kill -0 "$pid" && echo yes)" yes
done
finish
