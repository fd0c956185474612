#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kernel that enforces signatures, with a key of its own among those it trusts: the module with a signature is loaded, the
# one without is not. By hand ("make e2e-signed"), because that kernel has to be built first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
: "${KERNEL:=6.1-signed}"
export KERNEL
files=$top/build/e2e/$KERNEL
headers=$("$top/scripts/testbed/headers")
cp "$files/xen_hctrace.ko" "$files/signed.ko"
"$headers/scripts/sign-file" sha256 "$headers/certs/signing_key.pem" "$headers/certs/signing_key.x509" "$files/signed.ko"
LINUX_ARGS=module.sig_enforce=1 exec "$here/../boot" small --timeout 600 --allow "$here/allow-debug" \
	--allow "$here/../allow-small" -- signed
