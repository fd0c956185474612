# SPDX-License-Identifier: GPL-2.0
#
#   make tool                 build/tools/hctrace
#   make tool-install         it, its manual pages, its completion and units for systemd
#                             [prefix=] [DESTDIR=]
#
# Included by the top Makefile, which sets BUILD, CORE_SRCS and DEPS.

# libxenstore is looked for at run time; without its header names of domains are left out.
HAVE_XENSTORE	:= $(shell echo '\#include <xenstore.h>' | $(CC) -E - >/dev/null 2>&1 && echo yes)

TOOL_OUT	:= $(BUILD)/tools
TOOL_CFLAGS	:= -std=gnu11 -O2 -g -Wall -Wextra -Iinclude -Itools/hctrace $(if $(HAVE_XENSTORE),-DHAVE_XENSTORE)
# Decoder and tables are a file each, and every record goes through all of them.
TOOL_CFLAGS	+= -flto=auto -pthread
TOOL_SRCS	:= $(wildcard tools/hctrace/*.c tools/hctrace/*/*.c) $(CORE_SRCS)
TOOL_OBJS	:= $(patsubst %.c,$(TOOL_OUT)/obj/%.o,$(TOOL_SRCS))
TOOL_LIBS	:= -lcjson -lncurses -ltinfo -ldl

.PHONY: tool
tool: $(TOOL_OUT)/hctrace

$(TOOL_OUT)/hctrace: $(TOOL_OBJS)
	$(CC) $(TOOL_CFLAGS) $(LDFLAGS) -o $@ $^ $(TOOL_LIBS)

$(TOOL_OUT)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(TOOL_CFLAGS) $(CFLAGS) $(DEPS) -c -o $@ $<

# --- installation -----------------------------------------------------------

prefix		?= /usr/local
bindir		?= $(prefix)/bin
mandir		?= $(prefix)/share/man
completiondir	?= $(prefix)/share/bash-completion/completions
unitdir		?= $(prefix)/lib/systemd/system

.PHONY: tool-install
tool-install: tool
	install -D -m 755 $(TOOL_OUT)/hctrace $(DESTDIR)$(bindir)/hctrace
	install -d $(DESTDIR)$(mandir)/man1
	install -m 644 docs/man/*.1 $(DESTDIR)$(mandir)/man1/
	install -D -m 644 tools/completion/hctrace.bash $(DESTDIR)$(completiondir)/hctrace
	install -d $(DESTDIR)$(unitdir)
	@for unit in $(notdir $(wildcard tools/systemd/*)); do \
		sed 's,@bindir@,$(bindir),' "tools/systemd/$$unit" | \
			install -m 644 /dev/stdin "$(DESTDIR)$(unitdir)/$$unit" || exit 1; \
	done
