#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The order of a reader's stream from 8 pCPUs.
CPUS=8 TESTBED_BOOT_TIMEOUT=480 exec "$(dirname "$0")/boot" small --name "order-8-${DOM0:-pv}" -- order
