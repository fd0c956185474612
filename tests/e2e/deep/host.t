#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A host that changes behind our back: another program meddles with the buffers, pCPUs go and come.
# Wants a Xen that lets go of pCPUs (mce=0), and one without assertions, which do not survive two consumers.
[ "${DOM0:-pv}" = pv ] || { echo "1..0 # SKIP what changes is Xen's, whatever the dom0: done with DOM0=pv"; exit 0; }
CPUS=4 XEN_ARGS=mce=0 TESTBED_BOOT_TIMEOUT=900 exec "$(dirname "$0")/../boot" full --timeout 900 --name host-pv \
	--allow "$(dirname "$0")/../allow-host" -- hostile pcpus
