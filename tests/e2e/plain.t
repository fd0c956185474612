#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine without Xen.
exec "$(dirname "$0")/boot" plain --allow "$(dirname "$0")/allow-plain" -- refuse
