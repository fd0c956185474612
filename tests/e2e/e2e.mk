# SPDX-License-Identifier: GPL-2.0
# End-to-end tests on real Xen. One dom0 type if DOM0= says so, else both.

XEN ?= 4.17
KERNEL ?= 6.1
E2E := $(BUILD)/e2e/$(KERNEL)
E2E_TESTS ?= $(wildcard tests/e2e/*.t)
export XEN KERNEL

.PHONY: e2e e2e-build e2e-pv e2e-pvh e2e-socket debug-kernel debug-kernel-check e2e-top-cpu

ifdef DOM0
e2e: e2e-$(DOM0)
else
e2e: e2e-pv
	@$(MAKE) --no-print-directory e2e-pvh
endif

e2e-pv e2e-pvh: e2e-build
	DOM0=$(@:e2e-%=%) prove --failures --comments $(E2E_TESTS)

# Left out of e2e: they need a quiet host.
e2e-socket: e2e-build
	prove --failures --comments tests/e2e/by-hand/sched-socket.t

e2e-top-cpu: e2e-build
	prove --failures --comments tests/e2e/by-hand/top-cpu.t

# A kernel with lockdep and its like, which takes 10 to 25 minutes to build, once.
debug-kernel:
	KERNEL=6.1-lockdep scripts/testbed/fetch kernel headers

debug-kernel-check: debug-kernel
	@$(MAKE) --no-print-directory KERNEL=6.1-lockdep e2e-build
	KERNEL=6.1-lockdep prove --failures --comments tests/e2e/by-hand/debug-kernel.t

# What is handed into the machines: the module for their kernel, and the programs.
E2E_DEVICE := demand errors filter ledger order phases rights samples scribble wake
E2E_PROGRAMS := hcall when order registers stress $(E2E_DEVICE:%=device_%)
# These are to show that a library reads us, as the machine has it.
E2E_LIB_PROGRAMS := bcc fields
e2e-build: $(addprefix $(E2E)/,$(E2E_PROGRAMS) $(E2E_LIB_PROGRAMS) device_compat guest.elf \
	guest-mix.elf hctrace)
	scripts/testbed/fetch
	+$(MAKE) --no-print-directory module KDIR="$$(scripts/testbed/headers)"
	cp -L $(BUILD)/kmod/xen_hctrace.ko $(E2E)/

# The tool comes with its libraries, which the small Debian of the machines lacks.
$(E2E)/hctrace: $(TOOL_OUT)/hctrace
	@mkdir -p $(@D)
	ldd $< | awk '/libcjson|libncurses|libtinfo/ { print $$3 }' | xargs -I{} cp -L {} $(E2E)/
	cp $< $@

E2E_CFLAGS := -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iinclude

$(E2E_PROGRAMS:%=$(E2E)/%): $(E2E)/%: tests/e2e/programs/%.c
	@mkdir -p $(@D)
	$(CC) $(E2E_CFLAGS) $(DEPS) -static -pthread -o $@ $<

$(E2E)/bcc: LDLIBS := -lbcc
$(E2E)/fields: LDLIBS := -ltraceevent
$(E2E_LIB_PROGRAMS:%=$(E2E)/%): $(E2E)/%: tests/e2e/programs/%.c
	@mkdir -p $(@D)
	$(CC) $(E2E_CFLAGS) $(DEPS) -o $@ $< $(LDLIBS)

# The headers of the kernel serve both widths, and a C library is not wanted.
$(E2E)/device_compat: E2E_CFLAGS += -m32 -ffreestanding -nostdlib -fno-stack-protector -fno-pic -no-pie \
	-isystem /usr/include/$(shell $(CC) -print-multiarch)
$(E2E)/device_compat: tests/e2e/programs/device_compat.c
	@mkdir -p $(@D)
	$(CC) $(E2E_CFLAGS) $(DEPS) -static -o $@ $<

GUEST_CFLAGS := -nostdlib -static -no-pie -Wl,-N,-Ttext=0x100000,--build-id=none,-e,start_pv \
	-Wl,--no-warn-rwx-segments

$(E2E)/guest-mix.elf: GUEST_CFLAGS += -DMIX
$(E2E)/guest.elf $(E2E)/guest-mix.elf: tests/e2e/programs/guest.S
	@mkdir -p $(@D)
	$(CC) $(GUEST_CFLAGS) -o $@ $<
