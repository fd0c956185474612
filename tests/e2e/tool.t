#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tool in a Debian dom0 with guests.
exec "$(dirname "$0")/boot" full --timeout 300 -- tool
