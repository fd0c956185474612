#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a Debian with the headers of one kernel: DKMS builds us for it and for the next ones that come, passes over what is
# not for us, and forgets all of it. The tarball is in /try.
set -eu
. tests/tool/tap.sh
# shellcheck source=tests/packages/inside/lib.sh
. ./lib.sh

tar -xf xen-hctrace-*.tar.xz
rm xen-hctrace-*.tar.xz
tree=$(echo xen-hctrace-*)
version=${tree#xen-hctrace-}
cd "$tree"
version_of() { modinfo -F version /lib/modules/"$1"/updates/dkms/xen_hctrace.ko* 2>&1; }
built_for() { modinfo -F vermagic /lib/modules/"$1"/updates/dkms/xen_hctrace.ko* 2>&1 | cut -d ' ' -f 1; }
# What DKMS says of us, in one form: 2.8 has blanks and commas where 3.0 has a slash
state() { dkms status -m xen-hctrace 2>&1 | sed 's|^xen-hctrace, |xen-hctrace/|' | LC_ALL=C sort; }
installed() # RELEASE...
{
	for release_of; do
		echo "xen-hctrace/$version, $release_of, x86_64: installed"
	done
}
# How this dkms says that a kernel is passed over
reason()
{
	case $(dkms --version) in
	*3.[1-9]*) echo BUILD_EXCLUSIVE ;;
	*) echo "xen-hctrace is not for the kernel $other: CONFIG_XEN_DOM0 is not set" ;;
	esac
}

echo "# $(dkms --version), Linux $release"
files >"$work/before"
says "without headers" 2 "there are no headers of the kernel 5.9.0-other, and nothing was changed. Install them," \
	make --no-print-directory dkms-install KREL=5.9.0-other
files >"$work/after"
is "... nothing was changed" "$(diff "$work/before" "$work/after")" ""

cp -r . "/usr/src/xen-hctrace-$version"
says "dkms add" 0 "" dkms add -m xen-hctrace -v "$version"
says "dkms build" 0 "" dkms build -m xen-hctrace -v "$version" -k "$release"
is "it is for the kernel that was named" "$(find "/var/lib/dkms/xen-hctrace/$version" -name 'xen_hctrace.ko*' | grep -c "/$release/")" 1
says "dkms install" 0 "" dkms install -m xen-hctrace -v "$version" -k "$release"
is "it is installed" "$(state)" "$(installed "$release")"

says "make dkms-install replaces that" 0 "" make --no-print-directory dkms-install KREL="$release"
is "it is installed" "$(state)" "$(installed "$release")"
is "... from sources without tests" "$(cd "/usr/src/xen-hctrace-$version" && echo *)" "COPYING Kbuild README.md dkms.conf include module"
is "modinfo knows the version" "$(version_of "$release")" "$version"
is "modinfo knows the kernel" "$(built_for "$release")" "$release"

make_images

echo "# the next kernel's headers come"
says "apt" 0 "" apt-get -q -y install /var/cache/tried/linux-headers-*-rt-amd64_*.deb /var/cache/tried/linux-headers-*-common-rt_*.deb
is "built again" "$(state)" "$(installed "$release" "$next" | LC_ALL=C sort)"
is "modinfo knows the next kernel" "$(built_for "$next")" "$next"

echo "# those of a kernel that cannot be a dom0 come"
says "apt does not mind, and it is said why" 0 "$(reason)" apt-get -q -y install /var/cache/tried/linux-headers-*-cloud-amd64_*.deb
is "no error" "$(grep -iE 'error|failed' "$work/output")" ""
is "not built" "$(state)" "$(installed "$release" "$next" | LC_ALL=C sort)"
says "DKMS says why" "$(dkms --version | grep -q '2\.8' && echo 9 || echo 77)" "BUILD_EXCLUSIVE" \
	dkms build -m xen-hctrace -v "$version" -k "$other"
says "dpkg has nothing left to do" 0 "" dpkg --configure -a
is "all packages are whole" "$(dpkg --audit)" ""

says "make dkms-uninstall" 0 "" make --no-print-directory dkms-uninstall
is "DKMS knows nothing of us" "$(state)" ""
purge_headers >"$work/output" 2>&1 || diag <"$work/output"
files >"$work/after"
is "nothing is left" "$(diff "$work/before" "$work/after")" ""
finish
