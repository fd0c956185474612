#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Kernels that the module is not for: Kbuild says why before it compiles anything, and DKMS passes them over.
# shellcheck disable=SC2016 # dollars of make and sed
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh
# shellcheck source=dkms.conf
. ./dkms.conf

# What a kernel's own makefiles tell Kbuild, and then what it makes of it
kbuild() # CONFIG...
{
	printf 'include Kbuild\nall:\n\t@echo builds $(obj-m)\n' |
		make --no-print-directory -rR -f - srctree=/nonexistent src=. "$@"
}
all='CONFIG_MODULES=y CONFIG_X86_64=y CONFIG_XEN_DOM0=y CONFIG_EVENT_TRACING=y CONFIG_DEBUG_FS=y'
# with_out CONFIG: all of them but this one
# shellcheck disable=SC2086 # a list of words
with_out() { kbuild ${all/$1=y/$1=}; }

# shellcheck disable=SC2086 # a list of words
says "a kernel that has all" 0 "builds xen_hctrace.o" kbuild $all
says "another architecture" 2 "this kernel is not for x86-64" with_out CONFIG_X86_64
says "a kernel without Xen" 2 "this kernel cannot be the dom0 of a Xen host (CONFIG_XEN_DOM0 is not set)" \
	with_out CONFIG_XEN_DOM0
says "a kernel without event tracing" 2 "this kernel has no event tracing" with_out CONFIG_EVENT_TRACING
says "a kernel without debugfs" 2 "this kernel has no debugfs" with_out CONFIG_DEBUG_FS
# "make clean" of a kernel reads no configuration.
says "nothing is refused where nothing is built" 0 "builds xen_hctrace.o" kbuild

# dkms looks whether each of these is set, and the architecture apart.
is "DKMS asks for what Kbuild asks for" "$BUILD_EXCLUSIVE_CONFIG $BUILD_EXCLUSIVE_ARCH" \
	"$(sed -n 's/^$(call need,\(CONFIG_[A-Z0-9_]*\),.*/\1/p' Kbuild | grep -v X86_64 | tr '\n' ' ')x86_64"

# As dkms does it
taken()
{
	for release; do
		[[ $release =~ $BUILD_EXCLUSIVE_KERNEL ]] && echo "$release"
	done | tr '\n' ' '
}
new="4.19.0 4.19.0+1 4.19.0-27-amd64 5.10.0 5.10.0-32-amd64 5.19.17 6.1.0-57-amd64 6.12.41+deb13-amd64 7.3-rc1 7.3.0 9.99.0 10.0.0 10.1.2-amd64 11.0-rt 21.4.0 100.1.0"
# shellcheck disable=SC2086 # a list of words
is "DKMS builds for 4.19, and for 5.10 and newer" "$(taken $new)" "$new "
is "DKMS passes others over" "$(taken 2.6.32 3.10.0 4.1.9 4.18.20 4.190.0 4.20.17 4.10.0 5.0.0 5.1.21 5.4.0 5.9.16 1.0.9)" ""
finish
