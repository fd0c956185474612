# SPDX-License-Identifier: GPL-2.0
#
# Tests of the tool that need no Xen:
#
#   make tool-check           every tests/tool/*.t
#   make tool-deep            tests/tool/deep/*.t, which need a browser: a part of make check-deep
#   make tool-big             a recording of 1 GB, which takes a while
#   make bench-report         hctrace report beside xenalyze; a part of make bench
#
# Included by the top Makefile, behind tools/tools.mk.

TOOL_TESTS	?= $(wildcard tests/tool/*.t)
MKTRACE		:= $(TOOL_OUT)/mktrace
FAKE_DEVICE	:= $(TOOL_OUT)/fake_device.so
MKTRACE_OBJS	:= $(addprefix $(TOOL_OUT)/obj/,tests/tool/mktrace.o tests/fakexen/producer.o \
	tests/fakexen/xentrace.o $(addprefix module/core/,account.o decode.o names.o shape.o))
MKPERF		:= $(TOOL_OUT)/mkperf
MKPERF_OBJS	:= $(addprefix $(TOOL_OUT)/obj/,tests/tool/mkperf.o \
	$(addprefix tools/hctrace/base/,dom_id.o domname.o text.o) \
	$(addprefix tools/hctrace/formats/,perfdata_features.o perfdata_format.o perfdata_write.o) \
	$(addprefix module/core/,account.o decode.o names.o shape.o))
REARRANGE	:= $(TOOL_OUT)/rearrange
TOOL_TEST_ENV	:= HCTRACE=$(abspath $(TOOL_OUT)/hctrace) MKTRACE=$(abspath $(MKTRACE)) \
	MKPERF=$(abspath $(MKPERF)) REARRANGE=$(abspath $(REARRANGE)) FAKE_DEVICE=$(abspath $(FAKE_DEVICE))

.PHONY: tool-check tool-deep tool-big
tool-check: tool $(MKTRACE) $(MKPERF) $(REARRANGE) $(FAKE_DEVICE)
	$(TOOL_TEST_ENV) prove $(TOOL_TESTS)

tool-deep: tool $(MKPERF)
	$(TOOL_TEST_ENV) prove tests/tool/deep/*.t

tool-big: tool $(MKTRACE)
	$(TOOL_TEST_ENV) prove -v tests/tool/by-hand/big.t

# The tool's own objects, and a few more that are made as they are, but without any warning
$(TOOL_OUT)/obj/tests/%.o: TOOL_CFLAGS += -Werror
$(MKTRACE): $(MKTRACE_OBJS)
$(MKPERF): $(MKPERF_OBJS)
$(REARRANGE): $(TOOL_OUT)/obj/tests/tool/rearrange.o
$(MKTRACE) $(MKPERF) $(REARRANGE):
	$(CC) $(TOOL_CFLAGS) -o $@ $^

FAKE_DEVICE_OBJS := $(addprefix $(TOOL_OUT)/pic/,tests/tool/fake_device.o \
	$(addprefix module/core/,attr.o filter.o ring.o ring_put.o ring_tell.o))

$(FAKE_DEVICE): $(FAKE_DEVICE_OBJS)
	$(CC) $(TEST_CFLAGS) -O2 -shared -fPIC -Wl,-z,defs -o $@ $^ -ldl -lpthread

$(TOOL_OUT)/pic/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -O2 -fPIC $(DEPS) -c -o $@ $<

.PHONY: bench-report
bench-report: $(TOOL_OUT)/hctrace $(MKTRACE) $(BENCH_OUT)/repeat_trace
	tests/bench/xenalyze.sh $^

$(BENCH_OUT)/repeat_trace: $(BENCH_OUT)/tests/bench/repeat_trace.o
	$(CC) $(BENCH_CFLAGS) -o $@ $^
