#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# hctrace export without a file: what the module counts now, in one piece or as the answer to a scrape.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
. tests/tool/live.sh
need_xenstore

# --- the same as from a recording

# What differs: d?, which the module has in one row, and what only one of them knows.
comparable() { grep -vE 'dom="d\?"|_(recorder_lost|tracing|traced_seconds|info)' "$1" | sort; }
for capture in tests/data/*.xentrace.xz; do
	xz -dc "$capture" >"$work/trace"
	"$HCTRACE" report --raw "$work/trace" >"$work/report" 2>/dev/null
	live_from "$work/report"
	"$HCTRACE" export --prometheus "$work/trace" >"$work/a" 2>/dev/null
	"$HCTRACE" export --prometheus >"$work/b"
	comparable "$work/a" >"$work/a.same"
	comparable "$work/b" >"$work/b.same"
	same "$(basename "$capture" .xentrace.xz): $(grep -vc '^#' "$work/b.same") samples, words and labels as from the recording" \
		"$work/b.same" "$work/a.same"
	is "... and all of d?" "$(sed -n 's/^xen_hypercalls_total{dom="d?",.*} //p' "$work/b")" \
		"$(sed -n 's/^xen_hypercalls_total{dom="d?",.*} //p' "$work/a" | awk '{ sum += $1 } END { print sum + 0 }')"
done
"$HCTRACE" export --folded "$work/trace" 2>/dev/null | grep -v '^d?' | sort >"$work/a"
"$HCTRACE" export --folded | grep -v '^d?' | sort >"$work/b"
same "folded stacks: $(wc -l <"$work/b")" "$work/b" "$work/a"
"$HCTRACE" export --json "$work/trace" 2>/dev/null | grep -v '"type":"recording"\|"d?"' | sort >"$work/a"
"$HCTRACE" export --json | grep -v '"type":"live"\|"d?"' | sort >"$work/b"
same "JSON: $(wc -l <"$work/b") lines" "$work/b" "$work/a"

# --- what only the module knows, and what xenstore does

domain 0 Domain-0
domain 1 'the "quoted"\one' pv
domain 3 web1 pv
cat >"$debugfs/stats" <<-'END'
	# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   stopped after 51.250 s   pcpus 2/3
	# coverage 99.5000% of records   lost 7   malformed 2   attribution suspect   rate window 1002 ms
	# note HVM/PVH guests: only multicall members are traced (control: profile hvm)
	dom kind op records calls cont units per_s acc
	d1 call * 18446744073709551615 18446744073709551615 60 - 0 ~
	d? - * 64 64 - - 0 =
	d1 call mmu_update 18446744073709551615 18446744073709551615 60 536843 0 =
	d1 call vcpu_op/is_up 20 20 0 - 0 =
	d1 call 40 9 9 0 - 0 =
	d1 call other 8 8 0 - 0 =
	d3 call iret 100 100 0 - 0 =
	d3#2 call iret 5 5 0 - 0 ~
	d3#2 call multicall 2 2 0 12 0 =
	d[gone] call iret 11 11 0 - 0 =
END
cat >"$debugfs/multicalls" <<-'END'
	# xen-hctrace multicalls 1   members on
	dom batches split short lost declared seen mean max
	d3#2 2 0 0 1 12 9 6.0 8
	# sizes
	dom 1 2 4 8 16 32 64 128 more
	d3#2 0 0 1 1 0 0 0 0 0
END
printf '# xen-hctrace status 1\nconsumed 2000\nevents 1947\nundecodable 3\nunattributed 64\n' >"$debugfs/status"
export_live() { LD_LIBRARY_PATH=$work/lib "$HCTRACE" export "$@"; }
# calls [OPTION...]: the rows, in one line
calls()
{
	export_live --prometheus "$@" | sed -nE 's/^xen_hypercalls_total\{dom="([^"]*)",kind="(.*)",op="(.*)",exact.*\} /\1 \3 /p' |
		tr '\n' ','
}
d1='d1 mmu_update 18446744073709551615,d1 vcpu_op/is_up 20,d1 40 9,'
d1="$d1"'d1 other 8,'
d3='d3#2 iret 5,d3#2 multicall 2,'
is "all of them" "$(calls)" "d? * 64,${d1}d3 iret 100,${d3}d[gone] iret 11,"
is "--domain, by name" "$(calls --domain web1)" "$d3"
is "--domain, by id: both that have had it" "$(calls --domain 3)" "d3 iret 100,$d3"
is "--domain, as tables show it" "$(calls --domain 'd?,d3#2,d[gone]')" "d? * 64,${d3}d[gone] iret 11,"
is "--op" "$(calls --op vcpu_op,iret,40 --domain 1)" 'd1 vcpu_op/is_up 20,d1 40 9,'
is "--op multicall has their sizes" "$(export_live --prometheus --op multicall | grep -c '^xen_multicall_size_bucket')" 9
is "and another one has not" "$(export_live --prometheus --op iret | grep -c '^xen_multicall' || :)" 0
is "who is who" "$(export_live --prometheus | grep '^xen_hctrace_domain_info')" \
	'xen_hctrace_domain_info{dom="d1",name="the \"quoted\"\\one",uuid="",type="PV"} 1
xen_hctrace_domain_info{dom="d3",name="",uuid="",type=""} 1
xen_hctrace_domain_info{dom="d3#2",name="web1",uuid="",type="PV"} 1'
is "the state" "$(export_live --prometheus | grep '^xen_hctrace' | grep -v '^xen_hctrace_domain_info')" \
	'xen_hctrace_consumed_total 2000
xen_hctrace_lost_total 7
xen_hctrace_undecodable_total 3
xen_hctrace_malformed_total 2
xen_hctrace_unattributed_total 64
xen_hctrace_suspected_bytes_total 0
xen_hctrace_resyncs_total 0
xen_hctrace_coverage_known 1
xen_hctrace_coverage_ratio 0.995
xen_hctrace_attribution_ok 0
xen_hctrace_tracing 0
xen_hctrace_traced_seconds 51.25
xen_hctrace_info{xen="4.17.7",dom0="PV",profile="pv"} 1'
is "the state as JSON" "$(export_live --json | head -n 1)" \
	'{"type":"live","version":1,"xen":"4.17.7","dom0":"PV","profile":"pv","tracing":false,"seconds":51.250,"pcpus":2,"records":2000,"events":1947,"unattributed":64,"malformed":2,"undecodable":3,"lost":7,"coverage":0.995,"attribution":"suspect"}'
cp "$debugfs/stats" "$work/stats"
sed -i 's/coverage 99.5000% of records   lost 7/coverage unknown   lost 7   suspected 816 bytes/' "$debugfs/stats"
printf 'suspected 816\nresyncs 2\n' >>"$debugfs/status"
is "what is not known is no figure" "$(export_live --prometheus | grep 'coverage\|suspected\|resyncs' | grep -v '^#')" \
	'xen_hctrace_suspected_bytes_total 816
xen_hctrace_resyncs_total 2
xen_hctrace_coverage_known 0'
is "nor in JSON" "$(export_live --json | head -n 1 | grep -o '"lost":7,"coverage":[a-z0-9.]*')" '"lost":7,"coverage":null'
mv "$work/stats" "$debugfs/stats"
is "JSON has all digits" "$(export_live --json | grep -c '"calls":18446744073709551615,')" 1
is "promtool has nothing to say" "$(export_live --prometheus | promtool check metrics 2>&1)" ""
export_live --openmetrics | awk '/^#/ { print; next } { print $0, 1700000000 }' >"$work/dated"
is "Prometheus takes OpenMetrics in" \
	"$(promtool tsdb create-blocks-from openmetrics "$work/dated" "$work/tsdb" | awk 'END { print $7 }')" "$(grep -cv '^#' "$work/dated")"
cp "$debugfs/stats" "$work/stats"
echo "d9 call iret many" >>"$debugfs/stats"
says "lines that make no sense" 0 "1 lines of the module's files made no sense" "$HCTRACE" export --folded
mv "$work/stats" "$debugfs/stats"

# --- a file in one piece

umask 022
mkdir "$work/out"
export_live --prometheus -o "$work/out/xen.prom"
is "all may read it" "$(stat -c %a "$work/out/xen.prom")" 644
exec 3<"$work/out/xen.prom"
chmod 640 "$work/out/xen.prom"
export_live --folded -o "$work/out/xen.prom"
is "who reads the last one reads it to its end" "$(tail -n 1 <&3)" 'xen_hctrace_info{xen="4.17.7",dom0="PV",profile="pv"} 1'
exec 3<&-
is "the new one is in its place" "$(grep -c '^web1;' "$work/out/xen.prom")" 2
is "with the same mode" "$(stat -c %a "$work/out/xen.prom")" 640
ln -s xen.prom "$work/out/link"
export_live --json -o "$work/out/link"
is "a link still leads to it" "$(readlink "$work/out/link") $(grep -c '"live"' "$work/out/xen.prom")" "xen.prom 1"
mv "$debugfs/stats" "$work/stats"
says "no module" 1 "'hctrace doctor' says what to do" "$HCTRACE" export --prometheus -o "$work/out/xen.prom"
is "what was there stays" "$(grep -c '"live"' "$work/out/xen.prom")" 1
mv "$work/stats" "$debugfs/stats"
mkfifo "$work/input"
"$HCTRACE" export --folded -o "$work/out/xen.prom" "$work/input" 2>/dev/null &
pid=$!
exec 3>"$work/input"
await sh -c "ls '$work/out'/xen.prom.*" >/dev/null
status=0
kill -TERM $pid
wait $pid 2>/dev/null || status=$?
exec 3>&-
is "a signal ends it" "$status" 143
is "and leaves nothing behind" "$(ls "$work/out")$(grep -c '"live"' "$work/out/xen.prom")" "link
xen.prom1"
is "a pipe is written to as it is" "$(mkfifo "$work/pipe"; cat "$work/pipe" & "$HCTRACE" export --folded -o "$work/pipe"; wait)" \
	"$("$HCTRACE" export --folded)"
says "no folder" 1 "there is no folder $work/no" "$HCTRACE" export --json -o "$work/no/where"
says "a full disk" 1 "No space left" "$HCTRACE" export --json -o /dev/full

# --- a scrape

# asked REQUEST [OPTION...]: the answer, without carriage returns
asked()
{
	request=$1
	shift
	# shellcheck disable=SC2059 # it has escapes
	printf "$request" | LD_LIBRARY_PATH=$work/lib "$HCTRACE" export --http "$@" | tr -d '\r'
}
get='GET /metrics HTTP/1.1\r\nHost: xen\r\nAccept: application/openmetrics-text; version=1.0.0\r\n\r\n'
export_live --openmetrics >"$work/body"
asked "$get" --openmetrics >"$work/answer"
is "the head of an answer" "$(sed '/^$/q' "$work/answer")" "HTTP/1.1 200 OK
Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8
Content-Length: $(wc -c <"$work/body")
Connection: close"
sed '1,/^$/d' "$work/answer" >"$work/got"
same "its body" "$work/got" "$work/body"
# kind ACCEPT: which of the two formats is the answer to it, by its end too
kind()
{
	asked "GET /metrics HTTP/1.1\r\nHost: xen\r\n$1\r\n" --openmetrics >"$work/answer"
	echo "$(sed -n '2s/.*: \(.*\); version=\([^;]*\);.*/\1 \2/p' "$work/answer") $(grep -c '^# EOF' "$work/answer" || :)"
}
text="text/plain 0.0.4 0" openmetrics="application/openmetrics-text 1.0.0 1"
is "Prometheus asks for OpenMetrics" \
	"$(kind 'Accept: application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2\r\n')" "$openmetrics"
is "... in any letters" "$(kind 'ACCEPT:Application/OpenMetrics-Text\r\n')" "$openmetrics"
is "Telegraf and Beats ask for the text" "$(kind 'Accept: text/plain;version=0.0.4\r\n')" "$text"
is "curl for anything" "$(kind 'Accept: */*\r\n')" "$text"
is "who asks for nothing gets the text" "$(kind '')" "$text"
is "who likes it more gets the text" "$(kind 'Accept: text/plain;version=0.0.4;q=0.9, application/openmetrics-text;q=0.1\r\n')" "$text"
is "who does not want OpenMetrics gets none" "$(kind 'Accept: application/openmetrics-text;q=0, */*\r\n')" "$text"
is "a type that only begins like it" "$(kind 'Accept: application/openmetrics-textual\r\n')" "$text"
sed '1,/^$/d' "$work/answer" >"$work/got"
is "promtool has nothing to say on the text" "$(promtool check metrics <"$work/got" 2>&1)" ""
asked "$get" --openmetrics >"$work/answer"
is "filters hold" "$(asked "$get" --folded --domain web1 | sed '1,/^$/d')" "web1;iret 5
web1;multicall 2"
is "HEAD has no body" "$(asked 'HEAD / HTTP/1.0\r\nAccept: application/openmetrics-text\r\n\r\n' --openmetrics)" "$(sed '/^$/q' "$work/answer")"
first() { asked "$@" | head -n 1; }
is "the root" "$(first 'GET / HTTP/1.1\n\n' --json)" "HTTP/1.1 200 OK"
is "a query" "$(first 'GET /metrics?a=b HTTP/1.1\r\n\r\n' --json)" "HTTP/1.1 200 OK"
is "another place" "$(first 'GET /metricsx HTTP/1.1\r\n\r\n' --json)" "HTTP/1.1 404 Not Found"
is "another method" "$(asked 'POST / HTTP/1.1\r\n\r\n' --json | sed -n '1p; 4p')" "HTTP/1.1 405 Method Not Allowed
Allow: GET, HEAD"
is "HEAD of another place has no body" "$(asked 'HEAD /x HTTP/1.1\r\n\r\n' --json | sed '1,/^$/d' | wc -c) $(first 'HEAD /x HTTP/1.1\r\n\r\n' --json)" \
	"0 HTTP/1.1 404 Not Found"
is "half a request" "$(first 'GET / HTTP/1.1\r\n' --json)" "HTTP/1.1 400 Bad Request"
is "no request" "$(first 'garbage\n\n' --json)" "HTTP/1.1 400 Bad Request"
is "a request that is too long" "$(first "GET / HTTP/1.1\r\nX: $(printf '%09000d' 0)\r\n\r\n" --json)" "HTTP/1.1 400 Bad Request"
is "nobody there" "$("$HCTRACE" export --http --json </dev/null; echo $?)" 0
is "a request in pieces" "$({ printf 'GET /met'; sleep 0.2; printf 'rics HTTP/1.1\r\n'; sleep 0.2; printf '\r\n'; } |
	"$HCTRACE" export --http --json | head -n 1 | tr -d '\r')" "HTTP/1.1 200 OK"
exec 3<>"$work/pipe"
is "one who says nothing" "$("$HCTRACE" export --http --json <"$work/pipe" 3<&-; echo $?)" 0
exec 3<&-
rm "$debugfs/stats"
is "no module" "$(first "$get" --openmetrics 2>"$work/err")" "HTTP/1.1 503 Service Unavailable"
is "and in the log" "$(grep -c 'hctrace doctor' "$work/err")" 1

says "a format that is of events" 2 "--perfetto: which file?" "$HCTRACE" export --perfetto
says "--http has no files" 2 "--http has no files" "$HCTRACE" export --http --json "$work/trace"
says "a part of what there is now" 2 "--since, --until, --tsc-mhz and --draft are for a FILE" "$HCTRACE" export --json --since 1
finish
