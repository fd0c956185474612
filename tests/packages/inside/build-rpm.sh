#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Build RPMs of the tarball in /try with Debian's rpm, look at them, and install, update and remove the module's here.
# What its spec wants to be installed Debian's rpm does not know of, and is told not to ask for.
set -eu
. tests/tool/tap.sh
# shellcheck source=tests/packages/inside/lib.sh
. ./lib.sh

version=$(echo xen-hctrace-*.tar.xz | sed 's/xen-hctrace-\(.*\)\.tar\.xz/\1/')
tar -xOf xen-hctrace-*.tar.xz "xen-hctrace-$version/rpm/xen-hctrace.spec" >spec
build() # FOLDER [OPTION...]
{
	rpms=$1
	shift
	says "rpmbuild" 0 "" rpmbuild -bb --nodeps -D "_topdir $work/rpm" -D "_sourcedir $PWD" -D "_rpmdir $PWD/$rpms" \
		-D 'debug_package %{nil}' "$@" spec
	mkdir -p "$rpms"
	find "$rpms" -name '*.rpm' -exec mv {} "$rpms/" \;
}
state() { dkms status -m xen-hctrace 2>&1; }
installed="xen-hctrace/$version, $release, x86_64: installed"
query() { rpm -qp "$@" 2>/dev/null; }
has() # WHAT PACKAGE EXPRESSION...
{
	what=$1
	query -l rpms/"$2"-[0-9]*.rpm >"$work/list"
	shift 2
	for expression; do
		grep -qE "^$expression$" "$work/list" || { not_ok "$what: no $expression"; diag <"$work/list"; return; }
	done
	ok "$what: $(wc -l <"$work/list") files"
}

build rpms
is "three packages" "$(cd rpms && echo ./*.rpm | sed 's,\./,,g')" "hctrace-$version-1.x86_64.rpm \
xen-hctrace-devel-$version-1.noarch.rpm xen-hctrace-dkms-$version-1.noarch.rpm"
has "the tool's files" hctrace /usr/bin/hctrace '/usr/share/man/man1/hctrace\.1.*' '/usr/share/man/man1/hctrace-top\.1.*' \
	/usr/share/bash-completion/completions/hctrace '.*/systemd/system/hctrace-metrics.socket' '.*/60-xen-hctrace.rules'
has "the module's" xen-hctrace-dkms '/usr/share/man/man4/xen-hctrace\.4.*' "/usr/src/xen-hctrace-$version/dkms.conf" "/usr/src/xen-hctrace-$version/Kbuild" \
	"/usr/src/xen-hctrace-$version/module/main.c" "/usr/src/xen-hctrace-$version/include/uapi/xen_hctrace.h"
has "the header's" xen-hctrace-devel /usr/include/xen_hctrace.h /usr/share/pkgconfig/xen-hctrace.pc
is "the module's package wants" "$(query --requires rpms/xen-hctrace-dkms-*.rpm | grep -vE '^(rpmlib|/)' | tr '\n' ' ')" "dkms gcc make "
is "all belongs to root" "$(query -q --qf '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]' rpms/*.rpm | sort -u)" "root:root"
is "no file is executable but the tool" "$(query -l -v rpms/*.rpm | awk '/^-..x/ { print $NF }')" /usr/bin/hctrace
is "old rpms can read it" "$(query -q --qf '%{PAYLOADCOMPRESSOR}\n' rpms/*.rpm | sort -u)" gzip
for script in POSTIN PREUN; do
	query -q --qf "%{$script}\n" rpms/xen-hctrace-dkms-*.rpm >"$work/script"
	says "the script $script is one" 0 "" sh -n "$work/script"
	is "... and not empty" "$(grep -c 'dkms remove' "$work/script")" 1
done
cp rpms/*.rpm out/

says "rpm -i" 0 "" rpm --force-debian -i --nodeps rpms/xen-hctrace-dkms-*.rpm
is "DKMS has built the module" "$(state)" "$installed"
says "rpm -i of the tool" 0 "" rpm --force-debian -i --nodeps rpms/hctrace-*.rpm
is "it runs" "$(hctrace --version)" "hctrace $version"
# The same version in a newer package: what the old one does when it goes must not hurt the new one.
sed -i 's/^Release:.*/Release:	2/' spec
build newer
says "rpm -U" 0 "" rpm --force-debian -U --nodeps newer/xen-hctrace-dkms-*.rpm
is "DKMS has it" "$(state)" "$installed"
is "... and so has the kernel" "$(modinfo -F version "/lib/modules/$release/updates/dkms/"xen_hctrace.ko*)" "$version"
says "rpm -e" 0 "" rpm --force-debian -e xen-hctrace-dkms hctrace
is "DKMS knows nothing of us" "$(state)" ""
is "nothing is left" "$(find / -xdev -path /try -prune -o -path /tmp -prune -o -path /proc -prune -o -path /sys -prune -o -name '*hctrace*' -print)" ""
finish
