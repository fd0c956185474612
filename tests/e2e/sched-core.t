#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Core scheduling on a machine with one thread a core is no trouble.
XEN_ARGS="sched-gran=core" exec "$(dirname "$0")/boot" small -- scheduling
