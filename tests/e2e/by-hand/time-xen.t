#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The time of a hypercall, in a dom0 whose clock is Xen's. By hand: each CPU has that clock of its own, they differ by
# up to a tenth of a millisecond here, and the uncertainty knows only of differences that the module's thread met.
LINUX_ARGS=clocksource=xen exec "$(dirname "$0")/../boot" small --name "time-xen-${DOM0:-pv}" -- time
