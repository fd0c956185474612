#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Stock tools and libraries read the tracepoints and the device; perf and xenalyze read our recordings. Who is who is
# what xl says.
exec "$(dirname "$0")/../boot" tools --timeout 1500 -- readers record identity
