#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The packages of /try, in a Debian without Xen: they are installed, serve the next kernel, are updated, and go without
# a trace.
set -eu
. tests/tool/tap.sh
# shellcheck source=tests/packages/inside/lib.sh
. ./lib.sh

version=$(dpkg-deb -f xen-hctrace-dkms_*.deb Version)
newer=9.0.0
state() { dkms status -m xen-hctrace 2>&1 | LC_ALL=C sort; }
installed() # VERSION RELEASE...
{
	of=$1
	shift
	for release_of; do
		echo "xen-hctrace/$of, $release_of, x86_64: installed"
	done
}
run_apt() { apt-get -q -y -o Dpkg::Use-Pty=0 "$@"; }

run_apt install /var/cache/tried/lib*.deb >"$work/output" 2>&1 || diag <"$work/output"
files >"$work/before"
says "apt install of both" 0 "Setting up hctrace ($version)" run_apt install ./xen-hctrace-dkms_*.deb ./hctrace_*.deb
is "the module is built for the kernel that has headers" "$(state)" "$(installed "$version" "$release")"
is "... and is this version" "$(modinfo -F version "/lib/modules/$release/updates/dkms/"xen_hctrace.ko*)" "$version"
is "the tool runs" "$(hctrace --version)" "hctrace $version"
is "... and knows its libraries" "$(ldd /usr/bin/hctrace | grep 'not found')" ""
is "... and reads a recording: the calls of its bare guest" "$(hctrace report --raw recording 2>/dev/null |
	awk '$1 == "d3" && $2 == "call" && $3 == "vm_assist" { print $5 }')" 50
says "doctor says what is the matter with this machine" 1 "Xen" hctrace doctor
is "nothing is enabled" "$(find /etc/systemd /etc/modules-load.d /etc/udev -name '*hctrace*' 2>/dev/null)" ""
is "manual pages" "$(dpkg -L hctrace | grep -c '/man/man./hctrace.*\.gz$')" "$(cat pages)"
is "completion, units, a rule for udev" \
	"$(dpkg -L hctrace | grep -cE 'completions/hctrace$|systemd/system/hctrace-|rules.d/60-xen-hctrace.rules')" "$(cat others)"
says "the header" 0 "" run_apt install ./xen-hctrace-dev_*.deb
says "a program is compiled with it" 0 "" cc -Wall -Werror -o "$work/reader" \
	"$(dpkg -L xen-hctrace-dev | grep 'reader\.c')"

make_images
says "the next kernel's headers come" 0 "" run_apt install /var/cache/tried/linux-headers-*-rt-amd64_*.deb \
	/var/cache/tried/linux-headers-*-common-rt_*.deb
is "the module is built for it" "$(state)" "$(installed "$version" "$release" "$next" | LC_ALL=C sort)"

# A newer version of the same
mkdir newer
dpkg-deb -R xen-hctrace-dkms_*.deb newer/root
mv newer/root/usr/src/xen-hctrace-"$version" newer/root/usr/src/xen-hctrace-$newer
grep -rlF "$version" newer/root/DEBIAN newer/root/usr/src/*/dkms.conf newer/root/usr/src/*/include/hctrace/version.h |
	xargs sed -i "s/$version/$newer/g"
dpkg-deb -b newer/root newer/ >/dev/null
says "an update" 0 "Setting up xen-hctrace-dkms ($newer)" run_apt install ./newer/*.deb
is "the new one is there, and the old one gone" "$(state)" "$(installed $newer "$release" "$next" | LC_ALL=C sort)"
is "... and so is its module" "$(modinfo -F version "/lib/modules/$next/updates/dkms/"xen_hctrace.ko*)" "$newer"

says "removed" 0 "" run_apt remove xen-hctrace-dkms hctrace xen-hctrace-dev
is "DKMS knows nothing of us" "$(state)" ""
# apt knows no package any more of which nothing is left.
says "purged" 0 "" dpkg --purge xen-hctrace-dkms hctrace xen-hctrace-dev
purge_headers >"$work/output" 2>&1 || diag <"$work/output"
files >"$work/after"
is "nothing is left" "$(diff "$work/before" "$work/after")" ""
is "dpkg has nothing of us" "$(dpkg-query -W -f '${Package} ${Status}\n' '*hctrace*' 2>/dev/null | grep -v 'unknown ok not-installed')" ""
finish
