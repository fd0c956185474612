#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Everything that needs a dom0 and no guests.
exec "$(dirname "$0")/../boot" small --timeout 600 --allow "$(dirname "$0")/../allow-small" -- exact control handover reload
