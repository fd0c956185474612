#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A Debian dom0 with guests, PV and PVH, bare and Linux: exact counts of its own calls and of theirs, and the tool.
exec "$(dirname "$0")/../boot" full --timeout 900 -- exact guests tool cputime
