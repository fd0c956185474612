#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Xen has its buffers, and traces everything into them, before there is a dom0. Its own size of them holds.
: "${XEN_ARGS:=tbuf_size=256}"
export XEN_ARGS
exec "$(dirname "$0")/../boot" small --timeout 600 --allow "$(dirname "$0")/../allow-small" -- exact reload
