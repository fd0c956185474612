#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What hctrace top costs on a quiet host.
exec "$(dirname "$0")/../boot" full --timeout 300 -- top-cpu
