#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Readers of /dev/xen/hctrace, in every way that one can think of.
exec "$(dirname "$0")/../boot" small --timeout 900 --allow "$(dirname "$0")/../allow-device" -- device
