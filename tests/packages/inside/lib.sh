# SPDX-License-Identifier: GPL-2.0
# Helpers of the tests that run in a Debian of their own, sourced behind tests/tool/tap.sh.
# shellcheck shell=sh disable=SC2034,SC2154 # the sourcing scripts use them, and set $work

kernel=$(cat /etc/kernel-tried)
release=$kernel-amd64 next=$kernel-rt-amd64 other=$kernel-cloud-amd64

# All names of files in the system; DKMS keeps its own key, depmod's lists keep a kernel's folder, and apt has caches
files()
{
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /try -o -path /tmp -o -path /var/cache \
		-o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -print |
		grep -vE "^/var/lib/dkms/mok\.|^(/usr)?/lib/modules/[^/]*(/modules\..*)?$" | LC_ALL=C sort
}

# make_images: from 6.12 on headers want their kernel to be installed, of which nothing is used here
make_images()
{
	for headers in /var/cache/tried/linux-headers-*-rt-amd64_*.deb /var/cache/tried/linux-headers-*-cloud-amd64_*.deb; do
		dpkg-deb -f "$headers" Depends | grep -o 'linux-image-[^ ,|]*amd64 (= [^)]*)' | head -n 1 | tr -d '(=)' >"$work/image"
		while read -r image of; do
			mkdir -p "$work/$image/DEBIAN"
			printf '%s\n' "Package: $image" "Version: $of" "Architecture: amd64" "Maintainer: nobody <nobody@example.org>" \
				"Description: a kernel for headers that want one" >"$work/$image/DEBIAN/control"
			dpkg-deb -b "$work/$image" /var/cache/tried/ >/dev/null
			dpkg -i "/var/cache/tried/${image}_${of}_amd64.deb" >/dev/null
		done <"$work/image"
	done
}

# purge_headers: those of the kernels that came, and what stands for these
purge_headers()
{
	dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' "linux-image-$next" "linux-image-$other" "linux-headers-$next" \
		"linux-headers-$kernel-common-rt" "linux-headers-$other" 2>/dev/null |
		awk '$2 ~ /^i/ { print $1 }' | xargs dpkg --force-depends --purge
}
