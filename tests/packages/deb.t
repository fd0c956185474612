#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Debian's packages: built twice in one Debian, installed in another one that knows nothing of how.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/recording"
for file in docs/man/hctrace*.[1-9]; do echo "$file"; done | wc -l >"$work/pages"
for file in tools/systemd/* tools/udev/*.rules tools/completion/*.bash; do echo "$file"; done | wc -l >"$work/others"
{
	tests/packages/build deb "$work/deb" || true
	tests/packages/in-root trixie tests/packages/inside/install-deb.sh "$work"/deb/*.deb \
		"$work/recording" "$work/pages" "$work/others" || true
} | tests/packages/one-plan -v parts=2
