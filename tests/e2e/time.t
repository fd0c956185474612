#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The time of a hypercall. The emulated processor does not say that its time stamp counters are in step, which
# they are; told so, Linux takes them for its clock, as it does in a dom0 on today's hardware.
LINUX_ARGS=tsc=reliable exec "$(dirname "$0")/boot" small -- time
