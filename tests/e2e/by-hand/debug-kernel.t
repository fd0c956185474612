#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Everything at once under a kernel with lockdep, kmemleak and their like. By hand (make debug-kernel-check):
# that kernel has to be built first.
exec "$(dirname "$0")/../boot" small --timeout 1200 --allow "$(dirname "$0")/allow-debug" -- debug
