#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The order of a reader's stream from 4 pCPUs.
[ "${DOM0:-pv}" = pv ] || { echo "1..0 # SKIP the order is Xen's and ours, whatever the dom0: done with DOM0=pv"; exit 0; }
CPUS=4 TESTBED_BOOT_TIMEOUT=900 exec "$(dirname "$0")/../boot" small --timeout 600 --name order-4-pv -- order
