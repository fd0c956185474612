#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# DKMS 3.2, as trixie has it.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
scripts/dist "$work/xen-hctrace-$(scripts/check-version).tar.xz" >/dev/null
tests/packages/in-root trixie tests/packages/inside/dkms.sh "$work"/xen-hctrace-*.tar.xz
