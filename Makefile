# SPDX-License-Identifier: GPL-2.0
# Targets for people; what the kernel's build system reads is in Kbuild.
#
#   make            the module, for the running kernel or for KDIR=, and the tool
#   make tool       the tool alone
#   make install    the module into that kernel's tree, the tool and the header below prefix= [DESTDIR=]; make uninstall
#   make dkms-install  its sources into DKMS, which follows kernel updates; make dkms-uninstall
#   make dist       a tarball of the sources, which builds without git
#   make demo       the live table: in this dom0, elsewhere in one under QEMU
#   make packages   what all of these need, on Debian; for root
#   make check      the tests: all that need no boot, and on real Xen exact counts, guests and the tool
#   make check-deep the other tests that continuous integration runs: packages, a page in a browser, and more on real Xen
#   make deb        Debian's packages; make rpm; make packages-check: both, and DKMS, in Debians made for it
#   make unit       the core, under sanitizers; make coverage: how much of it
#   make tsan       the ring with a thread at each end, under sanitizers
#   make tool-check the tool; make tool-big: on a recording of 1 GB
#   make bench      what a record costs to a reader and into a file; report beside xenalyze
#   make fuzz-known the core on known inputs; make fuzz: a search for others
#   make e2e        on real Xen under QEMU [DOM0=pv|pvh] [XEN=4.17] [KERNEL=6.1]
#   make build-matrix  the module against the kernels of all of Debian's suites

KREL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KREL)/build
BUILD := build
CORE_SRCS := $(wildcard module/core/*.c)
# An object's list of the headers it was made of; beside it, where a * does not find it
DEPS = -MMD -MP -MF $(@D)/.$(@F).d -MT $@

# Kbuild puts objects beside the sources: each kernel gets a tree of links to them.
KMOD = $(BUILD)/kmod/$(notdir $(realpath $(KDIR)))
# The kernel's own make; for kernels of the test bed, what runs it with a compiler that fits
KMAKE = $(MAKE) -C $(KDIR)

.DEFAULT_GOAL := all
.PHONY: all module install uninstall dkms-install dkms-uninstall dist clean check check-deep check-packages demo packages

all: module tool

module:
	@test -d "$(KDIR)" || { echo "No kernel headers in $(KDIR): install linux-headers-$(KREL), or say KDIR=" >&2; exit 1; }
	@scripts/kmod-tree $(KMOD)
	+$(KMAKE) M=$(abspath $(KMOD)) modules
	@ln -sf $(notdir $(KMOD))/xen_hctrace.ko $(BUILD)/kmod/xen_hctrace.ko
	@echo "The module is $(BUILD)/kmod/xen_hctrace.ko"

install: module tool-install dev-install
	+$(KMAKE) M=$(abspath $(KMOD)) modules_install $(if $(DESTDIR),INSTALL_MOD_PATH=$(abspath $(DESTDIR)))

# Where modules_install puts it differs among kernels; DKMS's is another folder.
uninstall: tool-uninstall dev-uninstall
	@release=$$($(KMAKE) -s kernelrelease 2>/dev/null) || release=$(KREL); \
	modules="$(DESTDIR)/lib/modules/$$release"; \
	for module in "$$modules"/updates/xen_hctrace.ko* "$$modules"/extra/xen_hctrace.ko*; do \
		[ ! -e "$$module" ] || { echo "rm $$module"; rm "$$module"; gone=1; }; \
	done; \
	[ -z "$${gone-}" ] || depmod $(if $(DESTDIR),-b $(DESTDIR)) "$$release"

# dkms wants the sources in a folder of its own; it builds them again for each kernel.
VERSION := $(shell sed -n 's/^\#define HCT_VERSION "\(.*\)"/\1/p' include/hctrace/version.h)
DKMS_SOURCES := Kbuild dkms.conf COPYING README.md include module

dkms-install:
	@scripts/dkms install $(KREL) $(DKMS_SOURCES)

dkms-uninstall:
	@scripts/dkms uninstall

# The same sources make the same file: dates are those of the newest commit, or of the tarball that this is.
DIST := $(BUILD)/xen-hctrace-$(VERSION).tar.xz
dist:
	@scripts/dist $(DIST)

demo:
	@scripts/demo

# A machine under emulation takes about one CPU, so the other one has time for the rest. Each part's lines come
# together when it is done, and all parts are seen, whichever fails.
CHECK_PARTS := e2e-check unit tsan fuzz-known coverage lint tool-check

check: check-packages
	@echo "check: machines boot while the rest runs; about ten minutes"
	+@$(MAKE) --no-print-directory --silent --output-sync --keep-going $(if $(filter -j%,$(MAKEFLAGS)),,-j2) $(CHECK_PARTS)
	@echo "check: all passed"

check-deep: check-packages packages-need
	@scripts/need-packages scripts/packages-deep
	+@bad=0; for part in tool-deep packages-check e2e-deep; do \
		$(MAKE) --no-print-directory --silent $$part || bad=1; \
	done; exit $$bad

check-packages packages:
	@scripts/need-packages scripts/packages scripts/testbed/host-packages

clean:
	rm -rf $(BUILD)/tools $(BUILD)/kmod $(BUILD)/unit $(BUILD)/tsan $(BUILD)/bench $(BUILD)/fuzz $(BUILD)/coverage $(BUILD)/e2e $(BUILD)/deb $(BUILD)/rpm

include tools/tools.mk
include tests/tests.mk
include tests/tool/tool.mk
include tests/e2e/e2e.mk
include tests/packages/packages.mk
include scripts/lint.mk

# Objects are kept, and made anew if what they were made of changed: the compilers list it.
.SECONDARY:
-include $(shell find $(addprefix $(BUILD)/,tools unit tsan bench fuzz coverage e2e) -name '*.d' 2>/dev/null)
