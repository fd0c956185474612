#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tarball, what is installed from where, and that all of it goes again. One version, wherever it has to stand.
set -eu
cd "$(dirname "$0")/../.."
. tests/tool/tap.sh
. tests/tool/files.sh
unset DESTDIR

run_make() { make --no-print-directory "$@" >"$work/output" 2>&1 || { diag <"$work/output"; false; }; }
# tree DIR: the files and links in it
tree() { (cd "$1" && find . ! -type d | LC_ALL=C sort); }

# --- the version

version=$(scripts/check-version)
is "the tool says the version" "$("$HCTRACE" --version)" "hctrace $version"
plant() # FILE EXPRESSION
{
	rm -rf "$work/copy"
	mkdir "$work/copy"
	scripts/sources | grep -vE '^(tests|tools)/' | cpio --quiet -pdm "$work/copy"
	sed -i "$2" "$work/copy/$1"
	cmp -s "$1" "$work/copy/$1" && not_ok "nothing was planted in $1"
	says "another version in $1" 1 "check-version: $1 says" scripts/check-version "$work/copy"
}
plant dkms.conf 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="9.8.7"/'
plant module/main.c 's/^MODULE_VERSION.*/MODULE_VERSION("1.0.0");/'
plant CHANGELOG.md 's/^## 0.*/## 7.0.0/'
plant debian/changelog '1s/(.*)/(0.0.9)/'
plant rpm/xen-hctrace.spec 's/^Version:.*/Version:	0.2.0/'
sed -i 's/^#define HCT_VERSION.*/#define HCT_VERSION "1"/' "$work/copy/include/hctrace/version.h"
says "no version" 1 "has no version like 1.2.3" scripts/check-version "$work/copy"

# --- the tarball

scripts/dist "$work/one.tar.xz" >/dev/null
tar -xf "$work/one.tar.xz" -C "$work"
unpacked=$work/xen-hctrace-$version
scripts/sources | sed 's,^,./,' | LC_ALL=C sort >"$work/wanted"
tree "$unpacked" >"$work/got"
same "the tarball has our files" "$work/got" "$work/wanted"
is "... as they are" "$(while read -r file; do cmp -s "$file" "$unpacked/$file" || echo "$file"; done <"$work/wanted")" ""
sleep 1	# another time than the first one's
(cd "$unpacked" && env -u SOURCE_DATE_EPOCH scripts/dist "$work/two.tar.xz" >/dev/null)
is "one made of it is the same" "$(cmp "$work/one.tar.xz" "$work/two.tar.xz" && echo the same)" "the same"

# --- what is installed

run_make tool-install dev-install DESTDIR="$work/dest" prefix=/usr
{
	for page in docs/man/*.[1-9]; do
		echo "./usr/share/man/man${page##*.}/${page##*/}"
	done
	for unit in tools/systemd/*; do
		echo "./usr/lib/systemd/system/${unit##*/}"
	done
	echo "./usr/bin/hctrace
./usr/include/xen_hctrace.h
./usr/lib/udev/rules.d/60-xen-hctrace.rules
./usr/share/bash-completion/completions/hctrace
./usr/share/pkgconfig/xen-hctrace.pc"
} | LC_ALL=C sort >"$work/wanted"
tree "$work/dest" >"$work/got"
same "what is installed" "$work/got" "$work/wanted"
is "no folder is left open in it" "$(grep -rlE '@[a-z]+@' "$work/dest/usr/lib" "$work/dest/usr/share/pkgconfig")" ""
is "what runs there is this" "$("$work/dest/usr/bin/hctrace" --version)" "hctrace $version"
is "rules for udev say nothing until somebody takes the # away" "$(cat "$work"/dest/usr/lib/udev/rules.d/* | grep -v '^#')" ""
is "the .pc file" "$(PKG_CONFIG_PATH=$work/dest/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/dest \
	pkg-config --modversion xen-hctrace)" "$version"
# shellcheck disable=SC2046 # flags
is "a reader compiles with what it says" "$(${CC:-cc} -Wall -Werror -fsyntax-only $(PKG_CONFIG_PATH=$work/dest/usr/share/pkgconfig \
	PKG_CONFIG_SYSROOT_DIR=$work/dest pkg-config --cflags xen-hctrace) docs/reader.c 2>&1)" ""
touch "$work/dest/usr/bin/other"
run_make uninstall DESTDIR="$work/dest" prefix=/usr KREL=0.0.0
is "uninstalled, what is not ours is left" "$(tree "$work/dest")" "./usr/bin/other"

# --- DKMS

run_make dkms-install DESTDIR="$work/dkms"
run_make dkms-install DESTDIR="$work/dkms"
{
	echo Kbuild COPYING README.md dkms.conf | tr ' ' '\n'
	scripts/sources | grep -E '^(include|module)/'
} | sed "s,^,./usr/src/xen-hctrace-$version/," | LC_ALL=C sort >"$work/wanted"
tree "$work/dkms" >"$work/got"
same "DKMS gets our sources, twice" "$work/got" "$work/wanted"
run_make dkms-uninstall DESTDIR="$work/dkms"
is "... and gives them back" "$(tree "$work/dkms")" ""
finish
