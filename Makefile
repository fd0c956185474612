# SPDX-License-Identifier: GPL-2.0
# Targets for people; what the kernel's build system reads is in Kbuild.
#
#   make            the module, for the running kernel or KDIR=
#   make check      all tests; see README.md for what they need
#   make demo       the live table, in this dom0 or in one under QEMU

KREL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KREL)/build
BUILD := build
CORE_SRCS := $(wildcard module/core/*.c)
MODULE_SRCS := $(wildcard module/*.[ch] module/core/*.[ch] include/*/*.h)

# Kbuild writes its objects beside the Kbuild file it is given: a small one in
# KMOD, which takes the sources from here.
KMOD := $(BUILD)/kmod
MODULE := $(KMOD)/xen_hctrace.ko

.DEFAULT_GOAL := all
.PHONY: all module clean FORCE

all: module

module: $(MODULE)

$(MODULE): $(KMOD)/Kbuild FORCE
	+$(MAKE) -C $(KDIR) M=$(abspath $(KMOD)) modules

$(KMOD)/Kbuild: Makefile
	mkdir -p $(KMOD)/module/core
	printf 'src := %s\ninclude $$(src)/Kbuild\n' '$(CURDIR)' > $@

clean:
	rm -rf $(BUILD)/kmod $(BUILD)/unit $(BUILD)/fuzz
