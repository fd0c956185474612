#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# RPMs, as far as Debian's rpm can tell.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
tests/packages/build rpm "$dir"
