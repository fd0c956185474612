# SPDX-License-Identifier: GPL-2.0
# Where there is no Xen, or where we are not its dom0, loading fails politely.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

fails_with "load without being dom0" "No such device" load
is "in one readable line" "$(kernel_says)" "xen_hctrace: this is not the dom0 of a Xen host"
is "nothing stays loaded" "$(is_loaded && echo yes || echo no)" no
is "debugfs folder" "$(exists $debugfs)" no
