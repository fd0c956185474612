# SPDX-License-Identifier: GPL-2.0
# In a full dom0: record with stock xentrace while a bare PV guest and a bare PVH guest live from their first call
# to their last, once for each of the masks that the module's profiles ask for. Run by ./make.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

# capture NAME MASK TYPE...: the guests are made before, so that the file is not full of their making
capture()
{
	name=$1 mask=$2
	shift 2
	for type; do
		make_guest "bare-$type" "$type"
		echo "$type d$domid" >>"$OUT/$name.guests"
	done
	xentrace -D -S 256 -e "$mask" "/tmp/$name" >"$OUT/$name.log" 2>&1 &
	pid=$!
	sleep 0.5
	for type; do
		$xl unpause "bare-$type"
		wait_until_gone "bare-$type"
	done
	kill -INT $pid
	wait $pid
	if [ -s "/tmp/$name" ]; then
		ok "$name: $(wc -c <"/tmp/$name") bytes of mask $mask"
	else
		not_ok "$name: xentrace wrote nothing: $(head -n 1 "$OUT/$name.log")"
	fi
	cp "/tmp/$name" "$OUT/$name.xentrace"
	# For the comparison in tests/data/README.md; since 4.20 the mode is no option, exits of SVM have their own ids
	mode=--svm-mode
	[ "$XEN" != 4.20 ] || mode=
	xenalyze $mode -s "/tmp/$name" >"$OUT/$name.xenalyze" 2>"$OUT/$name.xenalyze-stderr"
	echo "# xenalyze on $name: exit status $?"
}

capture pv 0x00263000 pv
capture pvh 0x002aa000 pvh
capture both 0x002e3000 pv pvh
