#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Core scheduling on a machine with one thread a core is no trouble.
[ "${DOM0:-pv}" = pv ] || { echo "1..0 # SKIP Xen schedules all domains alike: done with DOM0=pv"; exit 0; }
XEN_ARGS="sched-gran=core" exec "$(dirname "$0")/../boot" small -- scheduling
