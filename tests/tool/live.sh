# SPDX-License-Identifier: GPL-2.0
# A host for the tool: files that stand for the module's, and a xenstore. Sourced with cwd at the top.
# shellcheck shell=sh

# shellcheck disable=SC2154 # it is from tap.sh
export HCTRACE_ROOT="$work/root" FAKE_XENSTORE="$work/xs"
debugfs=$HCTRACE_ROOT/sys/kernel/debug/xen-hctrace
mkdir -p "$debugfs" "$work/lib"

# need_xenstore: the library that has the names of domains, or no test at all
need_xenstore()
{
	echo '#include <xenstore.h>' | cc -E - >/dev/null 2>&1 || {
		echo "1..0 # SKIP no libxen-dev here: this hctrace shows ids alone"
		exit 0
	}
	cc -std=gnu11 -Wall -Wextra -shared -fPIC -o "$work/lib/libxenstore.so.4" tests/tool/fake_xenstore.c || exit 1
}

# need_xenctrl: the library that Xen is asked through, or no test at all. Without $FAKE_XENCTRL there is no Xen.
need_xenctrl()
{
	soname=$(readelf -d "$(cc -print-file-name=libxenctrl.so)" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
	if [ -z "$soname" ] || ! echo '#include <xenctrl.h>' | cc -E - >/dev/null 2>&1; then
		echo "1..0 # SKIP no libxen-dev here: this hctrace does not ask Xen"
		exit 0
	fi
	cc -std=gnu11 -Wall -Wextra -shared -fPIC -o "$work/lib/$soname" tests/tool/fake_xenctrl.c || exit 1
}

# domain ID NAME [TYPE]
domain()
{
	mkdir -p "$FAKE_XENSTORE/local/domain/$1" "$FAKE_XENSTORE/libxl/$1"
	printf '%s' "$2" >"$FAKE_XENSTORE/local/domain/$1/name"
	[ $# -lt 3 ] || printf '%s' "$3" >"$FAKE_XENSTORE/libxl/$1/type"
}

# stats_has ROW...: what stats has, of a dom0 and in a profile as $live_dom0 says
live_dom0='dom0 PV   profile pv'
stats_has()
{
	{
		echo "# xen-hctrace stats 1   xen 4.17.7   $live_dom0   tracing 10.0 s   pcpus 2/2"
		echo "# coverage 100.0000% of records   lost 0   malformed 0   attribution ok   rate window 0 ms"
		echo "dom kind op calls cont units per_s acc"
		printf '%s\n' "$@"
	} >"$work/stats.new"
	mv "$work/stats.new" "$debugfs/stats"
}

# live_from REPORT: the module's files as they would be, had it traced what is in a report
live_from()
{
	{
		echo "# xen-hctrace stats 1   xen 4.17.7   dom0 PV   profile pv   tracing 51.2 s   pcpus 2/2"
		sed -n 2p "$1"
		sed '/^#/d; /^dom  *batches/,$d' "$1"
	} >"$work/stats.new"
	sed -n '/^# xen-hctrace multicalls/,/^# losses/p' "$1" >"$debugfs/multicalls"
	{
		echo "# xen-hctrace status 1"
		sed -n '3,4s/^# //p' "$1" | sed 's/[=+]/\n/g' | awk '{ for (i = 1; i < NF; i += 2) print $i, $(i + 1) }'
	} >"$debugfs/status"
	mv "$work/stats.new" "$debugfs/stats"
}
