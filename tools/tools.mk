# SPDX-License-Identifier: GPL-2.0
#
#   make tool                 build/tools/hctrace
#   make tool-install         it, its manual pages, its completion and units for systemd
#                             [prefix=] [DESTDIR=]
#
# Included by the top Makefile, which sets BUILD, CORE_SRCS and DEPS.

# libxenstore is looked for at run time; without its header names of domains are left out.
HAVE_XENSTORE	:= $(shell echo '\#include <xenstore.h>' | $(CC) -E - >/dev/null 2>&1 && echo yes)
# libxenctrl likewise, but under the one soname that its header goes with.
XENCTRL_SONAME	:= $(shell echo '\#include <xenctrl.h>' | $(CC) -E - >/dev/null 2>&1 && \
	readelf -d "$$($(CC) -print-file-name=libxenctrl.so)" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')

TOOL_OUT	:= $(BUILD)/tools
TOOL_CFLAGS	:= -std=gnu11 -O2 -g -Wall -Wextra -Iinclude -Itools/hctrace $(if $(HAVE_XENSTORE),-DHAVE_XENSTORE)
TOOL_CFLAGS	+= $(if $(XENCTRL_SONAME),'-DXENCTRL_SONAME="$(XENCTRL_SONAME)"')
# Decoder and tables are a file each, and every record goes through all of them.
# A compiler that cannot optimise over files makes a tool that is right, and slower.
TOOL_CFLAGS	+= $(shell probe=$$(mktemp) && echo 'int main(void) { return 0; }' | \
	$(CC) -Werror -flto=auto -x c -o $$probe - 2>/dev/null && echo -flto=auto; rm -f $$probe)
TOOL_SRCS	:= $(wildcard tools/hctrace/*.c tools/hctrace/*/*.c) $(CORE_SRCS)
TOOL_OBJS	:= $(patsubst %.c,$(TOOL_OUT)/obj/%.o,$(TOOL_SRCS))
TOOL_LIBS	:= -lcjson -lncursesw -ltinfo -ldl

.PHONY: tool
tool: $(TOOL_OUT)/hctrace

$(TOOL_OUT)/hctrace: $(TOOL_OBJS)
	$(CC) $(TOOL_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TOOL_LIBS)

$(TOOL_OUT)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(TOOL_CFLAGS) $(CFLAGS) $(DEPS) -c -o $@ $<

# --- installation -----------------------------------------------------------

prefix		?= /usr/local
bindir		?= $(prefix)/bin
mandir		?= $(prefix)/share/man
completiondir	?= $(prefix)/share/bash-completion/completions
unitdir		?= $(prefix)/lib/systemd/system
udevdir		?= $(prefix)/lib/udev/rules.d
includedir	?= $(prefix)/include
pkgconfigdir	?= $(prefix)/share/pkgconfig

MAN_PAGES	:= $(wildcard docs/man/*.[1-9])
UNITS		:= $(wildcard tools/systemd/*)
UDEV_RULES	:= $(wildcard tools/udev/*.rules)

# What is installed; units and the .pc file get the folders written in.
TOOL_FILES	= $(bindir)/hctrace $(completiondir)/hctrace \
		$(foreach page,$(MAN_PAGES),$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
		$(addprefix $(unitdir)/,$(notdir $(UNITS))) $(addprefix $(udevdir)/,$(notdir $(UDEV_RULES)))
DEV_FILES	= $(includedir)/xen_hctrace.h $(pkgconfigdir)/xen-hctrace.pc

.PHONY: tool-install tool-uninstall dev-install dev-uninstall
tool-install: tool
	install -D -m 755 $(TOOL_OUT)/hctrace $(DESTDIR)$(bindir)/hctrace
	@for page in $(MAN_PAGES); do \
		install -D -m 644 "$$page" "$(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}" || exit 1; \
	done
	install -D -m 644 tools/completion/hctrace.bash $(DESTDIR)$(completiondir)/hctrace
	install -d $(DESTDIR)$(unitdir) $(DESTDIR)$(udevdir)
	@for unit in $(UNITS); do \
		sed 's,@bindir@,$(bindir),' "$$unit" | \
			install -m 644 /dev/stdin "$(DESTDIR)$(unitdir)/$${unit##*/}" || exit 1; \
	done
	install -m 644 $(UDEV_RULES) $(DESTDIR)$(udevdir)/

dev-install:
	install -D -m 644 include/uapi/xen_hctrace.h $(DESTDIR)$(includedir)/xen_hctrace.h
	@install -d $(DESTDIR)$(pkgconfigdir)
	sed -e 's,@prefix@,$(prefix),' -e 's,@includedir@,$(includedir),' -e 's,@version@,$(VERSION),' \
		tools/xen-hctrace.pc.in >$(DESTDIR)$(pkgconfigdir)/xen-hctrace.pc
	@chmod 644 $(DESTDIR)$(pkgconfigdir)/xen-hctrace.pc

tool-uninstall:
	rm -f $(addprefix $(DESTDIR),$(TOOL_FILES))

dev-uninstall:
	rm -f $(addprefix $(DESTDIR),$(DEV_FILES))
