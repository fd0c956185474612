# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# How a test machine is put together and started; sourced by `run` and `shell` after lib.sh.
# shellcheck disable=SC2154 # lib.sh sets them

# machine_prepare FOLDER FORM SCRIPT [FILE...]: make all that QEMU needs in FOLDER, under plain names (a comma in a
# path would end a multiboot module). SCRIPT is the name of the FILE to run; empty for a shell.
machine_prepare()
{
	machine=$1 form=$2 script=$3
	shift 3
	need ${QEMU:+"$QEMU"} cpio gzip
	[ -n "$QEMU" ] || "$testbed/fetch" qemu
	"$testbed/fetch" xen kernel root
	"$testbed/mkinitramfs"
	root_of_form "$form"
	[ -z "$root_image" ] || "$testbed/mkrootfs" "$form"

	mkdir -p "$machine/extra/test" "$machine/extra/testbed"
	cat >"$machine/extra/testbed/conf" <<-EOF
	FORM='$form' XEN='$XEN' KERNEL='$KERNEL' DOM0='$DOM0' CPUS='$CPUS'
	SCRIPT='$script'
	EOF
	[ $# -eq 0 ] || cp -L "$@" "$machine/extra/test/"
	(cd "$machine/extra" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$machine/extra.gz"
	cat "$base_initramfs" "$machine/extra.gz" >"$machine/initramfs"
	ln -s "$xen_dir/xen" "$machine/xen"
	ln -s "$kernel_dir/vmlinuz" "$machine/vmlinuz"
	[ -z "$root_image" ] || ln -s "$root_image" "$machine/root"
	truncate -s 1G "$machine/result"
}

# machine_start FOLDER FORM QEMU-ARGUMENT...: become that machine (start it in the background for its pid)
machine_start()
{
	cd "$1" || exit
	form=$2
	shift 2
	# Xen cannot start a PV dom0 under emulated SMAP, nor a PVH dom0 with RDTSCP. With XSAVE as QEMU 7.2 emulates it
	# a program finds the vector registers of another domain in its own. And all counters run at one constant rate,
	# as those of today's hosts do, which the emulator does not dare to say.
	cpu=max,-smap,-smep,-la57,-rdtscp,-xsave,+invtsc,x-force-features=on
	threads=multi
	if [ -n "$ICOUNT" ]; then
		threads=single
		set -- "$@" -icount "$ICOUNT"
	fi
	set -- "$@" -machine q35 -accel tcg,thread=$threads -cpu "$cpu" -smp "$CPUS${TOPOLOGY:+,$TOPOLOGY}" -m "$QEMU_MEM" \
		-nodefaults -vga none -display none -monitor none -no-reboot -kernel
	# nowatchdog: on a busy machine the emulated clocks drift apart, and newer kernels log that
	linux="loglevel=4 panic=-1 log_buf_len=4M tsc=nowatchdog${LINUX_ARGS:+ $LINUX_ARGS}"
	if [ "$form" = plain ]; then
		set -- "$@" vmlinuz -initrd initramfs -append "console=ttyS0 $linux"
	else
		args="console=com1 com1=115200,8n1 dom0_mem=$DOM0_MEM loglvl=all guest_loglvl=all"
		[ "$DOM0" = pv ] || args="$args dom0=pvh iommu=no-sharept"
		set -- "$@" xen -initrd "vmlinuz console=hvc0 $linux,initramfs" -append "$args${XEN_ARGS:+ $XEN_ARGS}"
	fi
	translated=
	if [ "$form" != plain ] && [ "$DOM0" = pvh ]; then
		# Xen wants an IOMMU for a PVH dom0, and the disks' DMA has to go through it. It must be as wide as the
		# page tables (48 bits; with QEMU's 39 Xen gives the dom0 no device), and must not share them, because
		# the emulated CPU is AMD's and the IOMMU Intel's.
		set -- "$@" -device intel-iommu,intremap=off,aw-bits=48
		translated=,iommu_platform=on,disable-legacy=on
	fi
	set -- "$@" -drive file=result,if=none,id=result,format=raw \
		-device "virtio-blk-pci,drive=result,serial=result$translated"
	[ ! -e root ] || set -- "$@" -drive file=root,if=none,id=root,format=raw,snapshot=on \
		-device "virtio-blk-pci,drive=root,serial=root$translated"
	[ -z "$QEMU" ] || exec "$QEMU" "$@"
	cell_qemu
	# With its own modules, libraries and firmware
	export QEMU_MODULE_DIR="$qemu_dir/usr/lib/x86_64-linux-gnu/qemu"
	# shellcheck disable=SC2046
	exec $(loader_in "$qemu_dir") \
		"$qemu_dir/usr/bin/qemu-system-x86_64" -L "$qemu_dir/usr/share/qemu" -L "$qemu_dir/usr/share/seabios" "$@"
}
