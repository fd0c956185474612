# SPDX-License-Identifier: GPL-2.0
#
# Tests of the core that need neither Xen nor a kernel:
#
#   make unit                 every tests/unit/test_*.c, with ASan and UBSan
#   make tsan                 the ring with a thread at each end, under TSan, then ASan
#   make coverage             how many branches of the core they take; 90 % at least
#   make bench                what a record costs, and at which rate readers keep up
#   make fuzz-known           the fuzz targets on the inputs that are known, the same each time
#   make fuzz                 a search for others, for FUZZ_SECONDS each; what it finds
#                             goes to tests/fuzz/corpus, and so becomes known
#
# Included by the top Makefile, which sets BUILD, CORE_SRCS, DEPS, CC and CLANG.

BUILD		?= build
CORE_SRCS	?= $(wildcard module/core/*.c)
CLANG		?= clang
FUZZ_SECONDS	?= 30

TEST_CFLAGS	:= -std=gnu11 -Wall -Wextra -Werror -Iinclude -Itools/hctrace -g -O1

# --- unit -------------------------------------------------------------------

UNIT_OUT	:= $(BUILD)/unit
UNIT_CFLAGS	:= $(TEST_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_TESTS	:= $(patsubst tests/unit/%.c,$(UNIT_OUT)/%,$(wildcard tests/unit/test_*.c))
UNIT_COMMON	:= $(CORE_SRCS) tests/fakexen/producer.c tests/reader/reader.c \
		   tests/unit/rig.c tests/unit/out_rig.c tests/unit/vectors.c
UNIT_OBJS	:= $(patsubst %.c,$(UNIT_OUT)/%.o,$(UNIT_COMMON))

# What the tool has to say on bad files is many lines, which are of interest if a test fails.
SHOW_STDERR = 2>$1/stderr || { tail -n 200 $1/stderr; exit 1; }

.PHONY: unit unit-build
unit: unit-build
	CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $(UNIT_TESTS) $(call SHOW_STDERR,$(UNIT_OUT))

unit-build: $(UNIT_TESTS)

$(UNIT_TESTS): $(UNIT_OUT)/%: $(UNIT_OUT)/tests/unit/%.o $(UNIT_OBJS)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lcmocka -lpthread

# The files of the tool that a test is of, below tools/hctrace; they are made for tests and for their coverage.
RECORDING := formats/% recording/% $(addprefix base/,dom_id domname event_text filter line options progress text)
TOOL_OF_test_recording := $(RECORDING)
TOOL_OF_test_perfdata := $(RECORDING)
TOOL_OF_test_line := base/line
TOOL_OF_test_statsfile := base/dom_id $(addprefix live/,host statsfile statsdiff statsline statusfile)
TOOL_OF_test_tool_filter := $(addprefix base/,dom_id domname filter text)
TOOL_OF_test_text := base/text
UNIT_TOOL_SRCS := $(patsubst tools/hctrace/%,%,$(wildcard tools/hctrace/*/*.c))
# The objects of a test, $1, in the folder $2
tool_of = $(patsubst %.c,$2/tools/hctrace/%.o,$(filter $(TOOL_OF_$1:%=%.c),$(UNIT_TOOL_SRCS)))
UNIT_OF_TOOL := recording perfdata line statsfile tool_filter text
$(foreach test,$(UNIT_OF_TOOL:%=test_%),$(eval $(UNIT_OUT)/$(test): $(call tool_of,$(test),$(UNIT_OUT))))
$(foreach test,test_recording test_perfdata,$(eval $(UNIT_OUT)/$(test): $(UNIT_OUT)/tests/fakexen/xentrace.o))

$(UNIT_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) $(DEPS) -c -o $@ $<

# --- threads ----------------------------------------------------------------

# Both ends of a ring at once, under the sanitizer that sees races and the ones of unit.
TSAN_OUT	:= $(BUILD)/tsan
TSAN_SRCS	:= tests/threads/ring_threads.c tests/reader/reader.c module/core/ring.c \
		   module/core/ring_put.c module/core/ring_tell.c module/core/filter.c
TSAN_CFLAGS	:= $(TEST_CFLAGS) -fsanitize=thread
TSAN_TESTS	:= $(TSAN_OUT)/ring_threads $(UNIT_OUT)/ring_threads

.PHONY: tsan
tsan: $(TSAN_TESTS)
	TSAN_OPTIONS=halt_on_error=1 CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $^

$(TSAN_OUT)/ring_threads: $(TSAN_SRCS:%.c=$(TSAN_OUT)/%.o)
	$(CC) $(TSAN_CFLAGS) -o $@ $^ -lpthread

$(UNIT_OUT)/ring_threads: $(TSAN_SRCS:%.c=$(UNIT_OUT)/%.o)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lpthread

$(TSAN_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(TSAN_CFLAGS) $(DEPS) -c -o $@ $<

# --- bench ------------------------------------------------------------------

BENCH_OUT	:= $(BUILD)/bench
# Optimised as the kernel is
BENCH_CFLAGS	:= $(TEST_CFLAGS) -O2
BENCH_SRCS	:= tests/bench/ring_bench.c tests/reader/reader.c module/core/ring.c \
		   module/core/ring_put.c module/core/ring_tell.c module/core/filter.c

.PHONY: bench
bench: $(BENCH_OUT)/ring_bench tool $(TOOL_OUT)/fake_device.so
	$<
	tests/bench/instructions.sh $<
	tests/bench/record.sh $(TOOL_OUT)/hctrace $(TOOL_OUT)/fake_device.so
	+$(MAKE) bench-report

$(BENCH_OUT)/ring_bench: $(BENCH_SRCS:%.c=$(BENCH_OUT)/%.o)
	$(CC) $(BENCH_CFLAGS) -o $@ $^ -lpthread

$(BENCH_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) $(DEPS) -c -o $@ $<

# --- coverage ---------------------------------------------------------------

# gcov reads what gcc writes, and only at -O0 are its branches those of the source.
COV_CC		?= gcc
GCOV		?= gcov
COV_OUT		:= $(BUILD)/coverage
COV_MIN		:= 90
COV_CFLAGS	:= $(TEST_CFLAGS) -O0 --coverage
COV_TESTS	:= $(patsubst $(UNIT_OUT)/%,$(COV_OUT)/%,$(UNIT_TESTS))
COV_OBJS	:= $(patsubst $(UNIT_OUT)/%,$(COV_OUT)/%,$(UNIT_OBJS))
# shape.c is a table, of which nothing runs.
COV_CORE	:= $(patsubst %.c,$(COV_OUT)/%,$(filter-out module/core/shape.c,$(CORE_SRCS)))

# "Taken at least once:98.00% of 50" below "File 'module/core/x.c'", summed up.
define COV_SUM
/^File/ { file = $$2; gsub("\047", "", file) }
/^Taken at least once:/ && file ~ /^module\/core\// {
	split($$4, part, /[:%]/)
	nr[file] = $$6
	taken[file] = int(part[2] * $$6 / 100 + 0.5)
}
END {
	for (file in nr) {
		printf "%6.2f %% of %4d branches  %s\n", 100 * taken[file] / nr[file], nr[file], file | "sort -k6"
		all += nr[file]
		all_taken += taken[file]
	}
	close("sort -k6")
	if (!all)
		exit 1
	printf "%6.2f %% of %4d branches  in total; %d %% are asked for\n", 100 * all_taken / all, all, min
	exit (100 * all_taken < min * all)
}
endef

.PHONY: coverage
coverage: export COV_AWK = $(COV_SUM)
coverage: $(COV_TESTS)
	@find $(COV_OUT) -name "*.gcda" -delete
	CMOCKA_MESSAGE_OUTPUT=TAP prove -Q -e "" $(COV_TESTS) $(call SHOW_STDERR,$(COV_OUT))
	@LC_ALL=C $(GCOV) -b -n $(COV_CORE:=.gcda) >$(COV_OUT)/gcov.txt
	@awk -v min=$(COV_MIN) "$$COV_AWK" $(COV_OUT)/gcov.txt

$(COV_TESTS): $(COV_OUT)/%: $(COV_OUT)/tests/unit/%.o $(COV_OBJS)
	$(COV_CC) $(COV_CFLAGS) -o $@ $^ -lcmocka -lpthread

$(foreach test,$(UNIT_OF_TOOL:%=test_%),$(eval $(COV_OUT)/$(test): $(call tool_of,$(test),$(COV_OUT))))
$(foreach test,test_recording test_perfdata,$(eval $(COV_OUT)/$(test): $(COV_OUT)/tests/fakexen/xentrace.o))

$(COV_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(COV_CC) $(COV_CFLAGS) $(DEPS) -c -o $@ $<

# --- fuzz -------------------------------------------------------------------

FUZZ_OUT	:= $(BUILD)/fuzz
FUZZ_TARGETS	:= pipeline control xentrace
FUZZ_CFLAGS	:= $(TEST_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_TOOL_xentrace := $(addprefix tools/hctrace/formats/,input.o xentrace_read.o xentrace_scan.o)

# So many changes of the known inputs are known, too.
FUZZ_CHANGES	:= 20000

.PHONY: fuzz-known $(FUZZ_TARGETS:%=fuzz-known-%)
fuzz-known: $(FUZZ_TARGETS:%=fuzz-known-%)

$(FUZZ_TARGETS:%=fuzz-known-%): fuzz-known-%: $(UNIT_OUT)/known_% $(FUZZ_OUT)/seeds/.made
	prove --failures --comments -e '' $< :: $(FUZZ_OUT)/seeds/$* $(FUZZ_CHANGES) $(FUZZ_OUT)/known-$*

$(UNIT_OUT)/known_%: $(UNIT_OUT)/tests/fuzz/known.o $(UNIT_OUT)/tests/fuzz/fuzz_%.o $(CORE_SRCS:%.c=$(UNIT_OUT)/%.o)
	$(CC) $(UNIT_CFLAGS) -o $@ $^ -lpthread

$(UNIT_OUT)/known_xentrace: $(FUZZ_TOOL_xentrace:%=$(UNIT_OUT)/%)

.PHONY: fuzz
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

# New inputs and crashes stay in the build tree, the seeds are only read.
.PHONY: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(FUZZ_OUT)/fuzz_% $(FUZZ_OUT)/seeds/.made
	@mkdir -p $(FUZZ_OUT)/corpus/$*
	$(FUZZ_OUT)/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -timeout=10 \
		-print_final_stats=1 -artifact_prefix=$(FUZZ_OUT)/found-$*- \
		$(FUZZ_OUT)/corpus/$* $(FUZZ_OUT)/seeds/$* || { \
		echo "fuzz: what it found is $(FUZZ_OUT)/found-$*-*: into tests/fuzz/corpus/$*/ with it," \
			"and make fuzz-known shows it again" >&2; exit 1; }

$(FUZZ_OUT)/fuzz_%: $(FUZZ_OUT)/tests/fuzz/fuzz_%.o $(CORE_SRCS:%.c=$(FUZZ_OUT)/%.o)
	$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^

$(FUZZ_OUT)/fuzz_xentrace: $(FUZZ_TOOL_xentrace:%=$(FUZZ_OUT)/%)

$(FUZZ_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link $(DEPS) -c -o $@ $<

$(FUZZ_OUT)/make_seeds: $(UNIT_OUT)/tests/fuzz/make_seeds.o $(UNIT_OUT)/tests/unit/vectors.o
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) -o $@ $^

$(FUZZ_OUT)/seeds/.made: $(FUZZ_OUT)/make_seeds $(wildcard tests/fuzz/corpus/*/*)
	@rm -rf $(FUZZ_OUT)/seeds && mkdir -p $(FUZZ_OUT)/seeds/pipeline $(FUZZ_OUT)/seeds/xentrace
	cp -r tests/fuzz/corpus/* $(FUZZ_OUT)/seeds/
	{ printf f; xz -dc tests/data/xen-4.17-both.xentrace.xz | head -c 6000; } >$(FUZZ_OUT)/seeds/xentrace/file
	{ printf p; xz -dc tests/data/xen-4.17-both.xentrace.xz | head -c 6001; } >$(FUZZ_OUT)/seeds/xentrace/odd-pipe
	$(FUZZ_OUT)/make_seeds $(FUZZ_OUT)/seeds/pipeline
	@touch $@
