#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Stock tools and libraries read the tracepoints and the device.
exec "$(dirname "$0")/boot" tools --timeout 900 -- readers
