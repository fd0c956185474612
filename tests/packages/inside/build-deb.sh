#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Build Debian's packages of the tarball in /try, twice: in another folder, at another time, with another umask, in
# another time zone. They have to be the same to the byte, and lintian to have nothing to say.
set -eu
. tests/tool/tap.sh

build() # FOLDER
{
	mkdir -p "$1"
	tar -xf xen-hctrace-*.tar.xz -C "$1"
	(cd "$1"/xen-hctrace-* && dpkg-buildpackage -us -uc -b) >"$1.log" 2>&1 || {
		tail -n 30 "$1.log" | diag
		not_ok "it is built"
		finish
		exit 1
	}
}
sums() { (cd "$1" && sha256sum ./*.deb); }

build one &
first=$!
sleep 2
(umask 027 && TZ=Pacific/Kiritimati LC_ALL=C build other/folder/two)
wait $first || { finish; exit 1; }
is "three packages, and the tool's symbols" "$(cd one && for file in *.deb; do echo "${file%%_*}"; done | tr '\n' ' ')" \
	"hctrace-dbgsym hctrace xen-hctrace-dev xen-hctrace-dkms "
is "built twice, they are the same" "$(sums other/folder/two)" "$(sums one)"
is "no warning of the compiler" "$(grep -i 'warning:' one.log)" ""
lintian --pedantic --fail-on none one/*.changes >"$work/lintian" 2>&1 || true
diag <"$work/lintian"
is "lintian" "$(grep -cE '^[EWIPX]: ' "$work/lintian")" 0
cp one/*.deb out/
finish
