#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The time of a hypercall, in a dom0 whose clock is Xen's, as Linux chooses by itself in a PV dom0.
LINUX_ARGS=clocksource=xen exec "$(dirname "$0")/boot" small --name "time-xen-${DOM0:-pv}" -- time
