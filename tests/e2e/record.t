#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Recordings, and what stock perf and xenalyze make of them.
exec "$(dirname "$0")/boot" tools --timeout 600 -- record
