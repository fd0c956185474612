#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The time of a hypercall, in a dom0 whose clock is the time stamp counter, as on today's hardware.
LINUX_ARGS=tsc=reliable exec "$(dirname "$0")/../boot" small -- time
