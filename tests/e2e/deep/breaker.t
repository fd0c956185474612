#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine of its own, because Xen's log has warnings there, which no other test may have.
exec "$(dirname "$0")/../boot" small --timeout 600 --allow "$(dirname "$0")/../allow-breaker" -- breaker
