#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every example of the help texts, the manual pages and the README is run, on a host that is none,
# and prints what it is there for.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/files.sh
# shellcheck source=tests/tool/live.sh
. tests/tool/live.sh
: "${FAKE_DEVICE:=build/tools/fake_device.so}"
need_xenstore
export LD_LIBRARY_PATH="$work/lib"

# --- a host for them: what the module counted, a xenstore, a device, and other programs

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/capture"
"$HCTRACE" report --raw --tsc-mhz 2400 "$work/capture" >"$work/report"
live_from "$work/report"
cp "$debugfs/stats" "$work/stats"
domain 0 Domain-0
domain 1 web1 PV
domain 3 web1 PV
mkdir "$work/bin" "$work/here"
# program NAME: a script on standard input
program() { { echo '#!/bin/sh'; cat; } >"$work/bin/$1"; chmod +x "$work/bin/$1"; }
hctrace=$(realpath "$HCTRACE")
program hctrace <<-END
	case \$1 in record) export LD_PRELOAD=$(realpath "$FAKE_DEVICE") ;; esac
	exec $hctrace "\$@"
END
program sudo <<-'END'
	exec "$@"
END
program xentrace <<-END
	exec cat $work/capture
END
program less <<-'END'
	exec cat
END
# shellcheck disable=SC2016 # the other shell's
program xl <<-END
	cp $work/stats $debugfs/stats
END
program flamegraph.pl <<-'END'
	exec cat
END
export FAKE_DEVICE_LEDGER="$work/ledger" FAKE_DEVICE_CALLS=60000 FAKE_DEVICE_PER_S=0
cp "$work/capture" "$work/here/trace.bin"
(cd "$work/here" && PATH="$work/bin:$PATH" hctrace record -q)

# --- the examples

# In help, behind two blanks; what follows after two more says what it is
for verb in $("$HCTRACE" --help | awk '/^  [a-z]+ / { print $1 }'); do
	"$HCTRACE" "$verb" --help | sed -n 's/^  \(\(hctrace\|perf\|xentrace\)\( .*\)\?\)$/\1/p' | sed 's/   *.*//'
done >"$work/examples"
[ "$(wc -l <"$work/examples")" -gt 20 ] || not_ok "help has no examples any more"
# In pages
sed -n 's/^\.Dl [#$] //p' docs/man/hctrace*.1 | sed 's/\\-/-/g; s/\\(dq/"/g; s/\\&//g' >>"$work/examples"
# In the README, indented, with their comments
sed -n 's/^    \(\(sudo \)\?hctrace\( .*\)\?\)$/\1/p' README.md | sed 's/  *#.*//' >>"$work/examples"
sed 's/^sudo //' "$work/examples" | sort -u >"$work/all"

# wanted EXAMPLE: what is in the output, as a regular expression
wanted()
{
	case $1 in
	# Other programs, which need not be here
	# A line each domain and op, not one each event
	*"perf report"*) echo '^ +[0-9.]+% +[^ ]+ +[0-9]+ *$' ;;
	"perf "*) echo '^ *(Domain-0|web1) ' ;;
	*"| jq .type") echo '"PV"|"live"' ;;
	*"stat -d"*".domains[]"*) echo '"dom": "d0"' ;;
	*"stat -d"*jq*) echo '"domains": ' ;;
	*"export --json"*) echo '"dom": ?"d' ;;
	*"| jq 'select(.op == \"mmu_update\")'") echo '"op": "mmu_update"' ;;
	*"--raw"*) echo '^# xen-hctrace report 1' ;;
	*"-o calls.html"*) echo '^<!DOCTYPE html>' ;;
	*"--timeline"*) echo '^ +from_s +calls' ;;
	*"hctrace report"*) echo 'Hypercalls in ' ;;
	*"-F time,name,op"*) echo '^ +[0-9.]+ (iret|mmu_update|vm_assist).* name=web1' ;;
	*"--batches"*) echo 'd3v0 +batch +complete batch=19 declared=7 seen=7' ;;
	*"hctrace script"*) echo '\[00[01]\] d0v[0-9]+ +call +' ;;
	*"stat -I"*) echo '^ +time_s +dom +kind +op' ;;
	*"stat -d"*) echo '^dom +kind +op' ;;
	*"hctrace stat"*) echo '^d0 +call +mmu_update +7689 +7672 ' ;;
	*"--prometheus"*) echo '^xen_hypercalls_total\{' ;;
	*"--folded"*) echo ';mmu_update 7672$' ;;
	*"--perfetto"*) echo 'traceEvents' ;;
	*"--perf -o"*) echo '^PERFILE2' ;;
	*"hctrace record"*) echo '^hctrace record: [0-9]+ events, .*, in ' ;;
	*"list grant") echo '^grant_table_op/copy +20/5' ;;
	*"hctrace list") echo '^vcpu_op/is_up +24/3' ;;
	*doctor) echo '^ *[a-z]' ;;
	hctrace | *top*) echo '^d0 +call +mmu_update|DOMAIN|RECORDS/s|dom +kind' ;;
	*) return 1 ;;
	esac
}

# written EXAMPLE: the file that it writes and does not show
written()
{
	case $1 in
	*"-o - "* | *"hctrace record"*) ;;
	*">calls.svg") echo calls.svg ;;
	*" -o "*) echo "$1" | sed 's/.* -o \([^ ;]*\).*/\1/' ;;
	esac
}

while IFS= read -r example; do
	case $example in *"perf "*) command -v perf >/dev/null || { ok "$example # SKIP no perf here"; continue; } ;; esac
	expression=$(wanted "$example") || { not_ok "$example: this test does not know what it prints"; continue; }
	typed=$(echo "$example" | sed 's/-- COMMAND/-- true/; s/ -d \(5\|10\)\b/ -d 0.3/')
	case $example in *'.domains[]'*) typed=$(echo "$typed" | sed 's/ -d 0.3//; s/ |/ -- xl 2>\&1 |/') ;; esac
	status=0
	# Nothing was called yet; xl changes that.
	case $example in
	*"hctrace stat"*)
		grep -E '^(#|dom)' "$work/stats" >"$debugfs/stats" ;;
	*) cp "$work/stats" "$debugfs/stats" ;;
	esac
	# Some go on until Ctrl-C.
	(cd "$work/here" && PATH="$work/bin:$PATH" timeout -s INT 3 sh -c "$typed" >"$work/output" 2>&1 </dev/null) || status=$?
	file=$(written "$example")
	[ -z "$file" ] || cat "$work/here/$file" >>"$work/output"
	if [ $status != 0 ] && [ $status != 124 ]; then
		case $example in
		# What is wrong here is what it is for.
		*doctor) ;;
		# The device ends what has read all of it, and that ends the command.
		*"hctrace record"*) ;;
		*) not_ok "$example: exit status $status"; diag <"$work/output"; continue ;;
		esac
	fi
	if LC_ALL=C grep -aqE -- "$expression" "$work/output"; then
		ok "$example: $(LC_ALL=C grep -aoE -- "$expression" "$work/output" | head -n 1 | tr '\0' ' ')"
	else
		not_ok "$example: there is no '$expression' in it"
		head -n 20 "$work/output" | tr -d '\0' | diag
	fi
done <"$work/all"
finish
