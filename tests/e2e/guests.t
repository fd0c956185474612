#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A Debian dom0 with guests: PV and PVH, bare and Linux.
exec "$(dirname "$0")/boot" full --timeout 300 -- guests
