#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The order of a reader's stream from 4 pCPUs.
CPUS=4 TESTBED_BOOT_TIMEOUT=480 exec "$(dirname "$0")/boot" small --name "order-4-${DOM0:-pv}" -- order
