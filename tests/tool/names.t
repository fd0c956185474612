#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Names of domains, from a libxenstore of our own: come, go, hang, or not there at all.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh
# shellcheck source=tests/tool/live.sh
. tests/tool/live.sh
need_xenstore

# shellcheck disable=SC2034 # for stats_has
live_dom0='dom0 PVH   profile hvm'
echo "# xen-hctrace multicalls 1" >"$debugfs/multicalls"

domain 0 Domain-0
domain 1 web1 pv
domain 2 'a "quoted", one' pvh
domain 3 "$(printf 'bell\007 \033[31mred')" hvm
domain 4 'xapi-made'
domain 9 'only in xenstore' pv

# names [OPTION...]: who is who in stat's CSV, as dom,name,type
names()
{
	stats_has "d0 call iret 1 0 - 0 ="
	export work debugfs
	# shellcheck disable=SC2016 # the inner shell's own
	LD_LIBRARY_PATH=$work/lib "$HCTRACE" stat --csv "$@" -- sh -c '
		cp "$work/after" "$debugfs/stats"' 2>&1 |
		sed -E '1d; /^[^,]*,xen,/d; s/^[^,]*,([^,]*),[^,]*,(".*"),([^,]*),(call|member|hvm|-),.*/\1,\2,\3/'
}
stats_has "d0 hvm iret 1 0 - 0 =" "d1 hvm iret 9 0 - 0 =" "d2 hvm iret 8 0 - 0 =" \
	"d3 hvm iret 7 0 - 0 =" "d4 hvm iret 6 0 - 0 =" "d5 hvm iret 5 0 - 0 =" \
	"d? - * 4 - - 0 =" "d1#2 hvm iret 3 0 - 0 ="
mv "$debugfs/stats" "$work/after"

is "names and types; an id that came again has the younger one's name" "$(names)" \
	'd1,"",-
d2,"a ""quoted"", one",PVH
d3,"bell\x07 \x1b[31mred",HVM
d4,"xapi-made",-
d5,"",-
d?,"",-
d1#2,"web1",PV
d0,"Domain-0",PVH'
is "a domain by its name" "$(names --domain web1)" 'd1#2,"web1",PV'
is "by its name and by its id" "$(names --domain web1,2,d4)" 'd2,"a ""quoted"", one",PVH
d4,"xapi-made",-
d1#2,"web1",PV'

# Nobody waits for an answer that never comes.
touch "$FAKE_XENSTORE/hang"
is "xenstored hangs: ids" "$(names --domain 2,0)" 'd2,"",-
d0,"",PVH'
rm "$FAKE_XENSTORE/hang"
is "no xenstored: ids" "$(FAKE_XENSTORE='' names --domain 2,0)" 'd2,"",-
d0,"",PVH'
rm "$work/lib/libxenstore.so.4"
is "no library: ids" "$(names --domain 2,0)" 'd2,"",-
d0,"",PVH'
cc -std=gnu11 -shared -fPIC -o "$work/lib/libxenstore.so.4" tests/tool/fake_xenstore.c

# A guest comes while we look, with its name, and goes again, and keeps it.
stats_has "d0 hvm iret 1 0 - 0 ="
LD_LIBRARY_PATH=$work/lib "$HCTRACE" stat --csv -I 100 >"$work/csv" &
pid=$!
await grep -q lost "$work/csv"
domain 7 late pv
touch "$FAKE_XENSTORE/changed"
stats_has "d7 hvm iret 1 0 - 0 ="
calls=1
until grep -q '"late"' "$work/csv" || [ $calls -gt 100 ]; do
	calls=$((calls + 1))
	stats_has "d7 hvm iret $calls 0 - 0 ="
	sleep 0.1
done
rm -r "$FAKE_XENSTORE/local/domain/7"
stats_has "d7 hvm iret $((calls + 1000)) 0 - 0 ="
await grep -q ',late,\|iret,1[0-9][0-9][0-9],' "$work/csv"
kill -TERM $pid
wait $pid
is "a name comes with its domain" "$(grep -c '^[^,]*,d7,7,"late",PV,' "$work/csv" | sed 's/^[1-9].*/some/')" some
is "and stays when it has died" "$(grep 'iret,10[0-9][0-9],' "$work/csv" | cut -d, -f2-5)" 'd7,7,"late",PV'
finish
