# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the test bed's scripts share: parameters and their defaults, paths, messages, the table of cells.
# Source it as:  testbed=$(cd "$(dirname "$0")" && pwd); . "$testbed/lib.sh"
#
# Everything generated lives under build/testbed/, or below $TESTBED_BUILD; each folder there is made under a temporary name and then
# renamed, so one that exists is complete. To refresh a piece, delete its folder; to refresh all, build/testbed/.
# shellcheck disable=SC2034,SC2154  # the sourcing scripts use these and set $testbed

: "${XEN:=4.17}" "${KERNEL:=6.1}" "${DOM0:=pv}" "${CPUS:=2}" "${TOPOLOGY:=}"
: "${XEN_ARGS:=}" "${LINUX_ARGS:=}" "${DOM0_MEM:=1024M}" "${QEMU_MEM:=2048}" "${QEMU:=}" "${ICOUNT:=}"

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "error: $*"; exit 2; }

need() # PROGRAM...: each must be there
{
	PATH=$PATH:/usr/sbin:/sbin
	for program; do
		command -v "$program" >/dev/null ||
			die "$program is missing; install the packages listed in scripts/testbed/host-packages"
	done
}

# A line of the table `cells` as words, without its first two: cell xen 4.17
cell()
{
	awk -v kind="$1" -v key="$2" \
		'$1 == kind && $2 == key { $1 = $2 = ""; print; found = 1; exit } END { exit !found }' "$testbed/cells" ||
		die "no line '$1 $2' in scripts/testbed/cells; it has: $(awk -v k="$1" '$1 == k { printf "%s ", $2 }' "$testbed/cells")"
}

# Do a step of a long build at the lowest priority, with the file $log for its output. What make and the test bed
# hand down in the environment is not meant for other projects' makefiles.
build_step()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u XEN -u KERNEL -u DOM0 nice -n 19 "$@" >>"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		die "the build stopped at: $*"
	}
}

# Sets xen_suite, hypervisor_package and utils_package, or kernel_suite, image_package, headers_root and headers_dir
cell_xen()
{
	words=$(cell xen "$XEN") || exit
	# shellcheck disable=SC2086 # words, on purpose
	set -- $words
	xen_suite=$1 hypervisor_package=$2 utils_package=$3
}
cell_kernel()
{
	words=$(cell kernel "$KERNEL") || exit
	# shellcheck disable=SC2086
	set -- $words
	kernel_suite=$1 image_package=$2 headers_root=''
	if [ "${3:-}" = own ]; then
		headers_root=$build/headers-$kernel_suite headers_dir=$headers_root
	fi
}

# Sets qemu_suite, qemu_package and qemu_dir
cell_qemu()
{
	type=$DOM0
	[ -z "$ICOUNT" ] || type=icount
	words=$(cell qemu "$type") || exit
	# shellcheck disable=SC2086
	set -- $words
	qemu_suite=$1 qemu_package=$2
	qemu_dir=$build/qemu-$qemu_suite	# the emulator with its libraries and firmware, unpacked
}

# How a program of a tree of unpacked packages is run with the libraries of that tree alone, for it may be of another
# Debian than this one. lib is a folder beside usr/lib in packages of before the merge of /usr; their link in lib64
# leads out of the tree.
loader_in() # DIR
{
	echo "$1/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --inhibit-cache \
		--library-path "$1/lib/x86_64-linux-gnu:$1/usr/lib/x86_64-linux-gnu"
}

# Sets perf_suite, perf_package and perf_dir
cell_perf()
{
	words=$(cell perf newest) || exit
	# shellcheck disable=SC2086
	set -- $words
	perf_suite=$1 perf_package=$2
	perf_dir=$build/perf-$perf_suite	# perf with its libraries, unpacked
}

case $DOM0 in pv | pvh) ;; *) die "DOM0=$DOM0: pv or pvh is meant" ;; esac
case $CPUS in '' | *[!0-9]*) die "CPUS=$CPUS: a number is meant" ;; esac

top=$(cd "$testbed/../.." && pwd)
build=${TESTBED_BUILD:-$top/build/testbed}
xen_release=${XEN%-debug}		# whose tools go with it
xen_dir=$build/xen-$XEN			# xen (unzipped hypervisor)
kernel_dir=$build/linux-$KERNEL		# vmlinuz, release, modules.tar (lib/modules/RELEASE/)
headers_dir=$build/headers-$KERNEL	# the headers packages, unpacked and made relocatable; or, after cell_kernel, a
					# root with those of its suite and their tool chain, which is $headers_root too
root_dir=$build/root-$xen_release		# a small Debian with the Xen tools, unpacked
tools_dir=$build/tools-$xen_release		# the same with programs that trace
base_initramfs=$build/initramfs-$xen_release-$KERNEL.cpio.gz

# Sets root_image and root_tree: the disk of a form's Debian and what it is made of; empty if the form has none
root_of_form()
{
	case $1 in
	full) root_image=$build/full-$xen_release-$KERNEL.img root_tree=$root_dir ;;
	tools) root_image=$build/tools-$xen_release-$KERNEL.img root_tree=$tools_dir ;;
	*) root_image='' root_tree='' ;;
	esac
}
