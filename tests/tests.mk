# SPDX-License-Identifier: GPL-2.0
#
# Tests of the core that need neither Xen nor a kernel:
#
#   make unit                 every tests/unit/test_*.c, with ASan and UBSan
#   make fuzz                 each fuzz target for FUZZ_SECONDS
#   make fuzz-short           the same for 10 seconds
#
# Included by the top Makefile, which sets BUILD, CORE_SRCS, CC and CLANG.

BUILD		?= build
CORE_SRCS	?= $(wildcard module/core/*.c)
CLANG		?= clang
FUZZ_SECONDS	?= 30

TEST_CFLAGS	:= -std=gnu11 -Wall -Wextra -Werror -Iinclude -g -O1
TEST_HDRS	:= $(wildcard include/hctrace/*.h tests/unit/*.h tests/fakexen/*.h)

# --- unit -------------------------------------------------------------------

UNIT_OUT	:= $(BUILD)/unit
UNIT_CFLAGS	:= $(TEST_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_TESTS	:= $(patsubst tests/unit/%.c,$(UNIT_OUT)/%,$(wildcard tests/unit/test_*.c))
UNIT_COMMON	:= $(CORE_SRCS) tests/fakexen/producer.c tests/unit/rig.c tests/unit/vectors.c
UNIT_OBJS	:= $(patsubst %.c,$(UNIT_OUT)/%.o,$(UNIT_COMMON))

.PHONY: unit unit-build
unit: unit-build
	CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $(UNIT_TESTS)

unit-build: $(UNIT_TESTS)

$(UNIT_TESTS): $(UNIT_OUT)/%: $(UNIT_OUT)/tests/unit/%.o $(UNIT_OBJS)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lcmocka -lpthread

$(UNIT_OUT)/%.o: %.c $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) -c -o $@ $<

# Kept, or each run would compile them again.
.SECONDARY: $(UNIT_OBJS) $(patsubst $(UNIT_OUT)/%,$(UNIT_OUT)/tests/unit/%.o,$(UNIT_TESTS))

# --- fuzz -------------------------------------------------------------------

FUZZ_OUT	:= $(BUILD)/fuzz
FUZZ_TARGETS	:= pipeline control
FUZZ_CFLAGS	:= $(TEST_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: fuzz fuzz-short
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

fuzz-short: FUZZ_SECONDS = 10
fuzz-short: fuzz

# New inputs and crashes stay in the build tree, the seeds are only read.
.PHONY: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(FUZZ_OUT)/fuzz_% $(FUZZ_OUT)/seeds/.made
	@mkdir -p $(FUZZ_OUT)/corpus/$*
	$(FUZZ_OUT)/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -timeout=10 \
		-print_final_stats=1 -artifact_prefix=$(FUZZ_OUT)/ $(FUZZ_OUT)/corpus/$* $(FUZZ_OUT)/seeds/$*

$(FUZZ_OUT)/fuzz_%: tests/fuzz/fuzz_%.c $(CORE_SRCS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $< $(CORE_SRCS)

$(FUZZ_OUT)/make_seeds: tests/fuzz/make_seeds.c tests/unit/vectors.c $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -o $@ $(filter %.c,$^)

$(FUZZ_OUT)/seeds/.made: $(FUZZ_OUT)/make_seeds $(wildcard tests/fuzz/corpus/*/*)
	@mkdir -p $(FUZZ_OUT)/seeds/pipeline
	cp -r tests/fuzz/corpus/control $(FUZZ_OUT)/seeds/
	$(FUZZ_OUT)/make_seeds $(FUZZ_OUT)/seeds/pipeline
	@touch $@
