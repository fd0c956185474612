# SPDX-License-Identifier: GPL-2.0
# In a full dom0: what this version's module and tool say and write, while a bare PV guest lives. Run by ./make-version.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

succeeds "module loads" load
begin
echo ". ./lib.sh; \$xl unpause bare-pv; wait_until_gone bare-pv" >/tmp/run
for format in perf xentrace; do
	make_guest bare-pv pv
	succeeds "$format" ./hctrace record -f $format -o "$OUT/guest.$format" -- sh /tmp/run
done
for file in stats multicalls status control; do
	cat $debugfs/$file >"$OUT/module-$file"
done
ledger_is_clean "all of it"
./hctrace --version >"$OUT/version"
