#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The time of a hypercall in a PVH dom0, whose counter Xen emulates here. By hand: most runs find all calls within
# the stated uncertainty of some milliseconds, but Xen's clocks may wander further between two measurements.
DOM0=pvh LINUX_ARGS=tsc=reliable exec "$(dirname "$0")/../boot" small -- time
