# SPDX-License-Identifier: GPL-2.0
# End-to-end tests on real Xen.
#
#   make e2e [DOM0=pv|pvh] [XEN=4.17] [KERNEL=6.1] [E2E_TESTS=...]
#                             all that boots below; both types of dom0 unless DOM0= says one
#   make e2e-check            what "make check" boots: tests/e2e/check/*.t, on both types
#   make e2e-deep             what "make check-deep" boots: tests/e2e/deep/*.t, on both types, and DEEP_CELLS
#
# A test of tests/e2e/dom0/ is a script that runs inside a machine. A .t file is one boot of a machine, which runs
# one or several of them in the order that it says. To add a test:
#
# - Write dom0/NAME.sh and put NAME into the list of the .t file whose machine will do: deep/small.t for what
#   needs no guests, deep/tools.t for stock tools, check/guests.t for guests. A boot costs a quarter of a
#   minute or more, a further test in it nothing.
# - A machine of another kind (CPUs, arguments, lines in its logs) is a .t file of its own, in deep/, or in by-hand/
#   if check-deep has no time for it or it wants a quiet host. Whoever adds one says in it what is particular.
# - check/ is what a newcomer waits for: exact counts, guests, the tool. Little should be added there.
# - Another Xen or kernel is a line of DEEP_CELLS. scripts/testbed/cells says where they come from.

XEN ?= 4.17
KERNEL ?= 6.1
E2E := $(BUILD)/e2e/$(KERNEL)
E2E_CHECK := $(wildcard tests/e2e/check/*.t)
E2E_DEEP := $(wildcard tests/e2e/deep/*.t)
E2E_TESTS ?= $(E2E_CHECK) $(E2E_DEEP)
E2E_DOM0 := $(or $(DOM0),pv pvh)
export XEN KERNEL

# What check-deep boots besides, each as XEN,KERNEL,DOM0,TEST; TEST is a .t file's path below tests/e2e
DEEP_CELLS := 4.17-debug,6.1,pv,deep/small.t 4.17-debug,6.1,pv,cells/tbuf-size.t \
	4.17-debug,6.1,pv,check/guests.t 4.20,7.3,pv,deep/small.t

.PHONY: e2e e2e-check e2e-deep e2e-deep-here e2e-build e2e-demo-build e2e-fetch e2e-socket e2e-top-cpu debug-kernel debug-kernel-check

# What fails does not keep the rest from being seen.
E2E_PROVE = bad=0; for dom0 in $(E2E_DOM0); do \
		echo "\# $$dom0 dom0, Xen $(XEN), Linux $(KERNEL)"; \
		DOM0=$$dom0 prove --failures --comments $1 || bad=1; \
	done; exit $$bad

e2e: e2e-build
	@$(call E2E_PROVE,$(E2E_TESTS))

e2e-check: e2e-build
	@$(call E2E_PROVE,$(E2E_CHECK))

e2e-deep-here: e2e-build
	@$(call E2E_PROVE,$(E2E_DEEP))

e2e-deep: e2e-build
	@bad=0; for part in e2e-deep-here $(E2E_CELLS); do \
		$(MAKE) --no-print-directory $$part || bad=1; \
	done; exit $$bad

E2E_CELLS := $(DEEP_CELLS:%=e2e-cell-%)
.PHONY: $(E2E_CELLS)
comma := ,
cell = $(word $1,$(subst $(comma), ,$(@:e2e-cell-%=%)))
$(E2E_CELLS):
	@$(MAKE) --no-print-directory e2e XEN=$(call cell,1) KERNEL=$(call cell,2) DOM0=$(call cell,3) \
		E2E_TESTS=tests/e2e/$(call cell,4)

# Left out of e2e: they need a quiet host.
e2e-socket: e2e-build
	prove --failures --comments tests/e2e/by-hand/sched-socket.t

e2e-top-cpu: e2e-build
	prove --failures --comments tests/e2e/by-hand/top-cpu.t

# Instructions per record on real Xen, ours beside stock xentrace's: a table for each type of dom0.
.PHONY: bench-dom0
bench-dom0: e2e-build
	@$(call E2E_PROVE,--verbose tests/e2e/by-hand/bench.t)

# A kernel with PREEMPT_RT. As a PV dom0 this one stops in its own boot, before any module: a kernel thread waits
# for ever for the other CPU while it patches code.
.PHONY: e2e-rt
e2e-rt:
	@$(MAKE) --no-print-directory e2e XEN=4.20 KERNEL=7.3-rt DOM0=pvh E2E_TESTS=tests/e2e/deep/small.t

# The module against the newest headers of all kernels that Debian's suites have, without a boot: a table in README.md.
.PHONY: build-matrix
build-matrix:
	@scripts/need-packages scripts/packages scripts/testbed/host-packages scripts/packages-matrix
	+scripts/testbed/build-matrix README.md

# A kernel with lockdep and its like, which takes 10 to 25 minutes to build, once.
debug-kernel:
	KERNEL=6.1-lockdep scripts/testbed/fetch kernel headers

debug-kernel-check: debug-kernel
	@$(MAKE) --no-print-directory KERNEL=6.1-lockdep e2e-build
	KERNEL=6.1-lockdep DOM0=pv prove --failures --comments tests/e2e/by-hand/debug-kernel.t
	KERNEL=6.1-lockdep DOM0=pvh prove --failures --comments tests/e2e/by-hand/debug-kernel.t

# A kernel that loads what was signed with its own key alone; besides the packages of the others it wants libssl-dev.
.PHONY: e2e-signed
e2e-signed:
	KERNEL=6.1-signed scripts/testbed/fetch kernel headers
	@$(MAKE) --no-print-directory KERNEL=6.1-signed e2e-build
	KERNEL=6.1-signed prove --failures --comments tests/e2e/by-hand/signed.t

# What is handed into the machines: the module for their kernel, and the programs. The demo needs few of them, and
# fewer packages.
E2E_DEVICE := demand errors fail filter ledger limits order phases rights samples scribble wake
E2E_PROGRAMS := gap hcall meddle xenlog when order registers stress $(E2E_DEVICE:%=device_%)
# These are to show that a library reads us, as the machine has it.
E2E_LIB_PROGRAMS := bcc fields
e2e-build: $(addprefix $(E2E)/,$(E2E_PROGRAMS) $(E2E_LIB_PROGRAMS) device_compat guest-mix.elf)
e2e-build e2e-demo-build: $(E2E)/guest.elf $(E2E)/hctrace e2e-fetch
	scripts/testbed/fetch
	+$(MAKE) --no-print-directory module KDIR="$$(scripts/testbed/headers)" KMAKE=scripts/testbed/kbuild
	cp -L $(BUILD)/kmod/xen_hctrace.ko $(E2E)/

# First and alone: others want the same headers, and what is fetched must not be fetched twice at once.
e2e-fetch:
	scripts/testbed/fetch kernel headers

# The tool comes with its libraries, which the small Debian of the machines lacks.
$(E2E)/hctrace: $(TOOL_OUT)/hctrace
	@mkdir -p $(@D)
	ldd $< | awk '/libcjson|libncurses|libtinfo/ { print $$3 }' | xargs -I{} cp -L {} $(E2E)/
	cp $< $@

E2E_CFLAGS := -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iinclude

# It finds the rings as the module does.
$(E2E)/meddle: E2E_SRCS := module/core/tinfo.c module/core/cursor.c

$(E2E_PROGRAMS:%=$(E2E)/%): $(E2E)/%: tests/e2e/programs/%.c
	@mkdir -p $(@D)
	$(CC) $(E2E_CFLAGS) $(DEPS) -static -pthread -o $@ $< $(E2E_SRCS)

$(E2E)/bcc: LDLIBS := -lbcc
$(E2E)/fields: LDLIBS := -ltraceevent
$(E2E_LIB_PROGRAMS:%=$(E2E)/%): $(E2E)/%: tests/e2e/programs/%.c
	@mkdir -p $(@D)
	$(CC) $(E2E_CFLAGS) $(DEPS) -o $@ $< $(LDLIBS)

# The headers of the kernel serve both widths, and a C library is not wanted.
$(E2E)/device_compat: E2E_CFLAGS += -m32 -ffreestanding -nostdlib -fno-stack-protector -fno-pic -no-pie \
	-isystem /usr/include/$(shell $(CC) -print-multiarch 2>/dev/null)
$(E2E)/device_compat: tests/e2e/programs/device_compat.c
	@mkdir -p $(@D)
	$(CC) $(E2E_CFLAGS) $(DEPS) -static -o $@ $<

GUEST_CFLAGS := -nostdlib -static -no-pie -Wl,-N,-Ttext=0x100000,--build-id=none,-e,start_pv \
	-Wl,--no-warn-rwx-segments

$(E2E)/guest-mix.elf: GUEST_CFLAGS += -DMIX
$(E2E)/guest.elf $(E2E)/guest-mix.elf: tests/e2e/programs/guest.S
	@mkdir -p $(@D)
	$(CC) $(GUEST_CFLAGS) -o $@ $<
