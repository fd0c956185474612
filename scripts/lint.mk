# SPDX-License-Identifier: GPL-2.0
# Static checks: checkpatch, sparse and the compiler's W=1 on the module,
# shellcheck on the scripts, and the rules of this house that grep can see.

LINT := $(BUILD)/lint
CHECKPATCH := $(LINT)/checkpatch.pl
LINT_TRACE := module/tracepoints.h
LINT_KERNEL := $(filter-out $(LINT_TRACE),$(wildcard module/*.[ch] module/*/*.[ch] include/*/*.h))
LINT_USER := $(wildcard tests/*/*.[ch] tests/e2e/programs/*.[ch] tools/*/*.[ch] tools/*/*/*.[ch] docs/*.c)
LINT_SH = $(shell scripts/sources | xargs grep -lE '^\#!(/bin/|/usr/bin/env )(ba)?sh') \
	$(wildcard scripts/*.sh tests/e2e/dom0/*.sh tests/tool/*.sh tools/completion/*.bash)

.PHONY: lint lint-checkpatch lint-sparse lint-shell lint-house lint-header lint-man

lint: lint-checkpatch lint-sparse lint-shell lint-house lint-header lint-man

$(CHECKPATCH):
	scripts/fetch-checkpatch $(LINT)

# An X-macro is a list (COMPLEX_MACRO, MACRO_ARG_REUSE, BRACKET_SPACE, TRAILING_SEMICOLON); ENOSYS is what Xen answers;
# "start" is a word before it is a function; _Static_assert is C. User space has its own types and libraries.
CHECKPATCH_RUN = perl $(CHECKPATCH) --no-tree --strict --terse --show-types --max-line-length=100
CHECKPATCH_IGNORE := COMPLEX_MACRO,MACRO_ARG_REUSE,BRACKET_SPACE,TRAILING_SEMICOLON,ENOSYS,EMBEDDED_FUNCTION_NAME,CAMELCASE
CHECKPATCH_IGNORE_USER := $(CHECKPATCH_IGNORE),PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO
# A TRACE_EVENT has a form of its own, where the name of a field is no expression.
CHECKPATCH_IGNORE_TRACE := $(CHECKPATCH_IGNORE),PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE,MULTISTATEMENT_MACRO_USE_DO_WHILE,MACRO_ARG_PRECEDENCE

lint-checkpatch: $(CHECKPATCH)
	$(CHECKPATCH_RUN) --ignore $(CHECKPATCH_IGNORE) -f $(LINT_KERNEL)
	$(CHECKPATCH_RUN) --ignore $(CHECKPATCH_IGNORE_TRACE) -f $(LINT_TRACE)
	$(CHECKPATCH_RUN) --ignore $(CHECKPATCH_IGNORE_USER) -f $(LINT_USER)

lint-sparse: e2e-fetch
	@scripts/kmod-tree $(LINT)/kmod
	$(MAKE) -C "$$(scripts/testbed/headers)" M=$(abspath $(LINT)/kmod) W=1 C=2 \
		CF='-D__CHECK_ENDIAN__ -Wsparse-error' KCFLAGS=-Werror modules >$(LINT)/sparse.log 2>&1 || \
		{ grep -E 'error|warning' $(LINT)/sparse.log || tail $(LINT)/sparse.log; exit 1; }
	@echo "sparse and W=1: clean"

lint-shell:
	shellcheck -x $(LINT_SH)

lint-house:
	scripts/check-house
	prove tests/house/*.t

# The public header alone: every dialect a reader may be written in, for 64 and 32 bits.
# There is no 32-bit libc to link with, and none is needed for the headers of the kernel.
HEADER_DIALECTS := -xc:-std=c99 -xc:-std=c11 -xc:-std=gnu17 \
	-xc++:-std=c++98 -xc++:-std=c++11 -xc++:-std=c++17
HEADER_CFLAGS := -Iinclude/uapi -Wall -Wextra -Werror -fsyntax-only \
	-idirafter /usr/include/$(shell $(CC) -print-multiarch 2>/dev/null)

lint-header:
	@for dialect in $(HEADER_DIALECTS); do \
		for width in -m64 -m32; do \
			$(CC) $$width $${dialect%:*} $${dialect#*:} $(HEADER_CFLAGS) \
				tests/header/layout.c || exit 1; \
		done; \
	done
	@echo "xen_hctrace.h: the same in C99 to C++17, for 64 and 32 bits"

lint-man:
	mandoc -T lint -W warning docs/man/*.[1-9]
	scripts/check-docs
