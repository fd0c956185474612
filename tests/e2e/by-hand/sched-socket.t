#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Two pCPUs that are scheduled as one. By hand (make e2e-socket): such a machine only comes up while nothing
# else runs on the host. Two vCPUs make one unit of dom0; with more, units wait for each other so
# long under emulation that dom0's watchdog barks.
[ "${DOM0:-pv}" = pv ] || { echo "1..0 # SKIP Xen schedules all domains alike: done with DOM0=pv"; exit 0; }
CPUS=4 TOPOLOGY=sockets=2,cores=2 XEN_ARGS="sched-gran=socket dom0_max_vcpus=2" exec "$(dirname "$0")/../boot" small -- scheduling
