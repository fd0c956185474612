# SPDX-License-Identifier: GPL-2.0
# Under module.sig_enforce=1: what loads, and what doctor says of what does not. Wants signed.ko beside the module.
# shellcheck shell=sh source=tests/e2e/dom0/lib.sh
. ./lib.sh

is "signatures are enforced" "$(cat /sys/module/module/parameters/sig_enforce)" Y
fails_with "without a signature" "Key was rejected by service\|Required key not available" load
is "... it is not there" "$(exists $debugfs)" no
cp signed.ko /tmp/altered.ko
printf 'x' | dd of=/tmp/altered.ko bs=1 seek=1000 conv=notrunc 2>/dev/null
module=/tmp/altered.ko
fails_with "with the signature of another module" "Key was rejected by service" load
# shellcheck disable=SC2034 # load's
module=./signed.ko
succeeds "with a signature" load
begin
quiet_calls 1000
take
case $DOM0 in
pv) is "... it traces" "$(cell d0 call vm_assist)" 1000 ;;
*) is "... it traces" "$(cell d0 hvm vm_assist)" 1000 ;;
esac
succeeds "... and goes" unload
