#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What it costs to trace, in instructions: the machine has one CPU, and its time goes by what that has executed.
CPUS=1 ICOUNT=shift=1,sleep=off exec "$(dirname "$0")/../boot" full --timeout 900 -- bench
