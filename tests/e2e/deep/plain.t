#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine without Xen.
[ "${DOM0:-pv}" = pv ] || { echo "1..0 # SKIP no dom0 here, and so no type of it: done with DOM0=pv"; exit 0; }
exec "$(dirname "$0")/../boot" plain --allow "$(dirname "$0")/../allow-plain" -- refuse
